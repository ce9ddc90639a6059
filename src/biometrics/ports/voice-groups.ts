// Which stored recordings were found to have the same voice, so that each recording is compared once and not with every
// request. The middles of groups are made from the voices of recordings and can be rebuilt; deleting a recording also deletes
// the middle that it is part of.
import type { Template } from '../../voice/scoring/template.js';
import type { GroupChanges, GroupPlace } from '../../voice/search/voice-groups.js';

/** What groups are based on, and how often they were changed: a change names the version that it read. */
export interface GroupingState {
  /** Speaker model and calibration. If these change, all groups are rebuilt. */
  basis: string;
  version: number;
}

export interface GroupableCall {
  gkProcessedAudioId: string;
  gkSessionId: string;
  createdAtMs: number;
  /** Absent: in no group yet. */
  place?: GroupPlace;
}

export interface VoiceGroupRepository {
  state(gkScopeId: string): Promise<GroupingState | undefined>;
  /** Forgets all groups there are, and begins with none. */
  begin(gkScopeId: string, basis: string): Promise<GroupingState>;
  /** The time since which there are at most this many recordings; the given time if there are fewer. */
  earliestOf(gkScopeId: string, fromMs: number, callsMax: number): Promise<number>;
  /** All recordings processed at or after the time, newest first, as they are at one moment. */
  calls(gkScopeId: string, fromMs: number): Promise<GroupableCall[]>;
  /** Without deleted or damaged ones. */
  middles(gkScopeId: string, groupIds: readonly string[]): Promise<Map<string, Template>>;
  /** False, and nothing is changed, if somebody else has changed groups in the meantime. */
  save(gkScopeId: string, from: GroupingState, changes: GroupChanges): Promise<boolean>;
  /** Afterwards, recordings from before the time are in no group. */
  leaveBefore(gkScopeId: string, fromMs: number): Promise<void>;
  /** Removes all groups of a tenant. */
  forget(gkScopeId: string): Promise<void>;
  /** Removes middles that contain a deleted recording; returns how many. */
  dropOutdated(gkScopeId: string): Promise<number>;
  /** Tenants that have groups. */
  tenants(): Promise<string[]>;
}
