// A batch: what is to be done with the lines of a manifest, and the result of each.
import type { BatchLine, BatchOperation } from '../../manifest/lines.js';
import type { Job } from './jobs.js';
import type { Decision, RiskResult } from './outcome.js';
import type { FactorKind } from './sessions.js';
import { type Said, say } from '../../words/server/say.js';

/** The settings chosen when a batch is started; stored with the job, so nothing personal belongs here. */
export interface BatchSettings {
  operation: BatchOperation;
  configsetId: string;
  tag: string;
  existing: 'SKIP' | 'REPLACE';
  fraudCheck: 'NONE' | 'IGNORE' | 'REFUSE';
  gkWatchlistId: string;
  allHaveConsented: boolean;
  dryRun: boolean;
  description: string;
  /** For a check. */
  withoutAttackChecks?: boolean;
}

/** Stored with the job, so that the batch acts on behalf of the caller who started it. */
export interface KeptBatch extends BatchSettings {
  issuer: string;
  /**
   * Not all of its lines are stored yet. Nobody sees it, and if storing was interrupted, its runner removes
   * it.
   */
  isIncomplete?: boolean;
}

export const isStored = ({ input }: Pick<Job, 'input'>): boolean =>
  (JSON.parse(input) as KeptBatch).isIncomplete !== true;

export type LineOutcome = 'DONE' | 'SKIPPED' | 'REFUSED' | 'FAILED' | 'WOULD_BE_DONE';

export interface LineResult {
  outcome: LineOutcome;
  reason: string;
  /** For people, in parts. */
  said: readonly Said[];
  gkOwnerId?: string;
  gkVoiceprintProfileId?: string;
  gkSessionId?: string;
  decision?: Decision;
  /** For the compared voice: log-likelihood ratio, above 0 for the same voice. */
  score?: number;
  risk?: RiskResult;
  netSpeechMs?: number;
  /** The owner of the best print on the watchlist, if that made the decision. */
  gkFraudsterId?: string;
  syntheticRisk?: RiskResult;
  playbackRisk?: RiskResult;
  /** Checks of the recording that found something. */
  found?: readonly FactorKind[];
  notMade?: readonly FactorKind[];
}

/**
 * A line without a result, with what was begun for it: an interrupted server may have left recordings in
 * these sessions.
 */
export interface OpenLine extends BatchLine {
  gkSessionIds?: readonly string[];
  /** The person it is about, if they existed when it was begun. */
  gkPersonId?: string;
}

/** A line about a person, and the recordings that it is about. */
export interface NamingLine {
  itemId: string;
  /** It attributes them to the person; otherwise it is only about one of the person's recordings. */
  isNamed: boolean;
  /** It is still pending, and attributes them to somebody else. */
  isForOther: boolean;
  isEnded: boolean;
  gkMediaSegmentIds: readonly string[];
  gkSessionIds: readonly string[];
}

/** The message of a line whose person was erased. */
const forgotten = [say('PERSON_FORGOTTEN')];

/** The outcome stays; a line that had not ended is no longer processed. */
export const forgottenResult = (ended: LineResult | undefined): LineResult => ({
  outcome: ended?.outcome ?? 'REFUSED',
  reason: ended?.reason ?? 'PERSONAL_DATA_DELETED',
  said: forgotten,
});

/** A line whose session stays when its person is erased; with scores if the whole session is evidence. */
export interface UnnamedLine {
  itemId: string;
  hasScores: boolean;
}

/** The decision and findings stay, as in the session; with whom the voice was compared is removed. */
export function unnamedResult(ended: LineResult, { hasScores }: UnnamedLine): LineResult {
  const { gkOwnerId: _owner, gkVoiceprintProfileId: _print, score, risk, ...rest } = ended;
  // The best score is then that of the fraudster.
  const isOfOther = hasScores || rest.found?.includes('FRAUD_DETECTION') === true;
  return {
    ...rest,
    ...(isOfOther && score !== undefined && { score }),
    ...(isOfOther && risk !== undefined && { risk }),
    said: forgotten,
  };
}

/** The result of lines that are never processed. It is the same for all, so it is not stored with each. */
export const canceledResult: LineResult = {
  outcome: 'SKIPPED',
  reason: 'CANCELLED',
  said: [say('BATCH_CANCELED')],
};

export type EndedLine = Pick<BatchLine, 'line' | 'requestId' | 'ownerId'> &
  LineResult & {
    /** The locations of the recordings, as in the manifest. */
    recordings: readonly string[];
    /** For each of them, 0 for all; absent if none is named. */
    channels?: readonly number[];
    /** The tenant's current name for them. */
    fraudsterId?: string;
  };

/** How many lines there are, and how many have which outcome. */
export interface LineCounts {
  lines: number;
  ended: readonly { outcome: LineOutcome; reason: string; lines: number }[];
}
