// Where prints and their enrollment segments are kept.
import type { OwnerType } from '../model/outcome.js';
import type { Page } from './page.js';
import type { ComparablePrint, EnrollmentSegment, Profile, ProfileStatus } from '../model/profiles.js';

export interface ProfileFilter {
  ownerType?: OwnerType;
  gkOwnerId?: string;
  createdFromMs?: number;
  createdToMs?: number;
  trained?: boolean;
  /** Any of these; empty means all. */
  statuses?: readonly ProfileStatus[];
  tag?: string;
  /** Trained under one of these. */
  calibrationRevisionIds?: readonly string[];
  /** Part of the owner's own ID or of the tag. */
  text?: string;
}

export interface SegmentTotals {
  segments: number;
  netAudioMs: number;
}

export interface ProfileRepository {
  /** Throws ALREADY_EXISTS when the owner has a print with this tag. */
  insert(profile: Profile): Promise<void>;
  /** Locks the row until the transaction ends when called inside one. */
  find(gkScopeId: string, gkVoiceprintProfileId: string): Promise<Profile | undefined>;
  findMany(gkScopeId: string, gkVoiceprintProfileIds: readonly string[]): Promise<Profile[]>;
  /** The owners of these prints; for deleted prints, the former owners. */
  ownersOf(gkScopeId: string, gkVoiceprintProfileIds: readonly string[]): Promise<Map<string, string>>;
  listByOwner(gkScopeId: string, gkOwnerId: string): Promise<Profile[]>;
  /** Prints of all members of a group or watchlist, optionally of one tag. */
  listByCollection(
    gkScopeId: string,
    collectionGkId: string,
    tag: string | undefined,
    limit: number,
  ): Promise<Profile[]>;
  /** The prints of this many members, after the one that the previous page ended with. */
  listByMembers(
    gkScopeId: string,
    collectionGkId: string,
    page: { members: number; after: string },
  ): Promise<{ prints: ComparablePrint[]; next?: string }>;
  /** Those of the named prints and of the prints of the named owners that belong to members. */
  listInCollection(
    gkScopeId: string,
    collectionGkId: string,
    named: { prints: readonly string[]; owners: readonly string[] },
  ): Promise<ComparablePrint[]>;
  /** How many of these are unchanged: those that were deleted or lost their training are not counted. */
  countKept(gkScopeId: string, gkVoiceprintProfileIds: readonly string[]): Promise<number>;
  /** Prints of several owners at once. */
  listByOwners(gkScopeId: string, gkOwnerIds: readonly string[]): Promise<Profile[]>;
  /** Newest first. */
  list(gkScopeId: string, filter: ProfileFilter, page: Page): Promise<{ profiles: Profile[]; next?: string }>;
  count(gkScopeId: string, filter: ProfileFilter): Promise<number>;
  /** How many prints of every tenant were trained under each calibration. */
  countByCalibration(): Promise<{ gkScopeId: string; calibrationRevisionId: string; prints: number }[]>;
  update(profile: Profile): Promise<void>;
  /**
   * Removes the print with its segments, and with speech of calls that was enrolled for it alone; returns how
   * many processed audios that were.
   */
  delete(gkScopeId: string, gkVoiceprintProfileId: string): Promise<number>;
}

/** What happened to prints and memberships of a scope: everything that a copy in memory must follow. */
export type PrintChange =
  | { kind: 'PRINT'; gkVoiceprintProfileId: string }
  | { kind: 'MEMBER'; collectionGkId: string; memberGkId: string }
  | { kind: 'ALL' };

export interface PrintChangeRepository {
  /** Number of the last change; 0 when there was none. Cheap: asked on every comparison. */
  last(gkScopeId: string): Promise<number>;
  /** Changes after `after`, oldest first; undefined if they are no longer known. */
  since(gkScopeId: string, after: number, limit: number): Promise<PrintChange[] | undefined>;
}

export interface EnrollmentRepository {
  /** In order of addition. */
  list(gkVoiceprintProfileId: string): Promise<EnrollmentSegment[]>;
  listMany(gkVoiceprintProfileIds: readonly string[]): Promise<EnrollmentSegment[]>;
  /** Segments and speech of each of these prints; those without segments are left out. */
  totals(gkVoiceprintProfileIds: readonly string[]): Promise<Map<string, SegmentTotals>>;
  insert(segment: EnrollmentSegment): Promise<void>;
  update(segment: EnrollmentSegment): Promise<void>;
  remove(gkVoiceprintProfileId: string, gkProcessedAudioId: string): Promise<boolean>;
  isMediaEnrolled(gkMediaSegmentId: string): Promise<boolean>;
  listByEngagement(gkEngagementId: string): Promise<EnrollmentSegment[]>;
}
