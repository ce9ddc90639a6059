import type { OwnerType } from '../outcome.js';
import type { Page } from '../sessions/ports.js';
import type { EnrollmentSegment, Profile } from './model.js';

export interface ProfileRepository {
  /** Throws ALREADY_EXISTS when the owner has a print with this tag. */
  insert(profile: Profile): Promise<void>;
  /** Locks the row until the transaction ends when called inside one. */
  find(gkScopeId: string, gkVoiceprintProfileId: string): Promise<Profile | undefined>;
  findMany(gkScopeId: string, gkVoiceprintProfileIds: readonly string[]): Promise<Profile[]>;
  listByOwner(gkScopeId: string, gkOwnerId: string): Promise<Profile[]>;
  /** Prints of all members of a group or watchlist, optionally of one tag. */
  listByCollection(
    gkScopeId: string,
    collectionGkId: string,
    tag: string | undefined,
    limit: number,
  ): Promise<Profile[]>;
  list(
    gkScopeId: string,
    filter: { ownerType?: OwnerType; createdFrom?: number; createdTo?: number; trained?: boolean },
    page: Page,
  ): Promise<{ profiles: Profile[]; next?: string }>;
  update(profile: Profile): Promise<void>;
  /** Removes the print with its segments. */
  delete(gkScopeId: string, gkVoiceprintProfileId: string): Promise<void>;
}

export interface EnrollmentRepository {
  /** In order of addition. */
  list(gkVoiceprintProfileId: string): Promise<EnrollmentSegment[]>;
  insert(segment: EnrollmentSegment): Promise<void>;
  update(segment: EnrollmentSegment): Promise<void>;
  remove(gkVoiceprintProfileId: string, gkProcessedAudioId: string): Promise<boolean>;
  isMediaEnrolled(gkMediaSegmentId: string): Promise<boolean>;
  listByEngagement(gkEngagementId: string): Promise<EnrollmentSegment[]>;
}
