// A batch: what is to be done with the lines of a manifest, and the result of each.
import type { BatchLine, BatchOperation } from '../../manifest/lines.js';
import type { Job } from './jobs.js';
import type { Decision, RiskResult } from './outcome.js';
import type { FactorKind } from './sessions.js';

/** What whoever starts a batch decides; kept with the job, so nothing personal belongs here. */
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
  /** Of a check. */
  withoutAttackChecks?: boolean;
}

/** Kept with the job, so that the batch acts as whoever started it. */
export interface KeptBatch extends BatchSettings {
  issuer: string;
  /** Not all of its lines are stored yet. Nobody sees it, and where that was cut off, its runner removes it. */
  isIncomplete?: boolean;
}

export const isStored = ({ input }: Pick<Job, 'input'>): boolean =>
  (JSON.parse(input) as KeptBatch).isIncomplete !== true;

export type LineOutcome = 'DONE' | 'SKIPPED' | 'REFUSED' | 'FAILED' | 'WOULD_BE_DONE';

export interface LineResult {
  outcome: LineOutcome;
  reason: string;
  /** For people. */
  message: string;
  gkOwnerId?: string;
  gkVoiceprintProfileId?: string;
  gkSessionId?: string;
  decision?: Decision;
  /** Of the voice that was compared: log-likelihood ratio, above 0 for the same voice. */
  score?: number;
  risk?: RiskResult;
  netSpeechMs?: number;
  /** Whose print on the watchlist fits best, where that made the decision. */
  gkFraudsterId?: string;
  syntheticRisk?: RiskResult;
  playbackRisk?: RiskResult;
  /** Checks of the recording that found something. */
  found?: readonly FactorKind[];
  /** Attack checks that could not tell, where the decision reads as a yes. */
  undecidedChecks?: readonly FactorKind[];
  notMade?: readonly FactorKind[];
}

/** A line without a result, with what was begun for it: a server that was cut off may have left recordings in these sessions. */
export interface OpenLine extends BatchLine {
  gkSessionIds?: readonly string[];
  /** Whom it is about, where there was such a person when it was begun. */
  gkPersonId?: string;
}

/** A line about a person, and the recordings that it is about. */
export interface NamingLine {
  itemId: string;
  /** It says that they are theirs; otherwise it is only about a recording of theirs. */
  isNamed: boolean;
  /** It has still to have its turn, and says that they are somebody else's. */
  isForOther: boolean;
  isEnded: boolean;
  gkMediaSegmentIds: readonly string[];
  gkSessionIds: readonly string[];
}

/** What a line says of a person who was erased. */
const FORGOTTEN = 'the personal data of this person was deleted';

/** How it ended stays; one that had not ended is not done any more. */
export const forgottenResult = (ended: LineResult | undefined): LineResult => ({
  outcome: ended?.outcome ?? 'REFUSED',
  reason: ended?.reason ?? 'PERSONAL_DATA_DELETED',
  message: FORGOTTEN,
});

/** A line whose session stays when its person is erased: with the scores where the whole session is evidence. */
export interface UnnamedLine {
  itemId: string;
  hasScores: boolean;
}

/** What was decided stays, with what was found, as it does in the session; with whom the voice was compared goes. */
export function unnamedResult(ended: LineResult, { hasScores }: UnnamedLine): LineResult {
  const { gkOwnerId: _owner, gkVoiceprintProfileId: _print, score, risk, ...rest } = ended;
  // The best score is then that of the fraudster.
  const isOfOther = hasScores || rest.found?.includes('FRAUD_DETECTION') === true;
  return {
    ...rest,
    ...(isOfOther && score !== undefined && { score }),
    ...(isOfOther && risk !== undefined && { risk }),
    message: FORGOTTEN,
  };
}

/** How lines end that nobody gets to any more. All alike, so it is not kept with each. */
export const canceledResult: LineResult = {
  outcome: 'SKIPPED',
  reason: 'CANCELLED',
  message: 'the batch was canceled before this line was done',
};

export type EndedLine = Pick<BatchLine, 'line' | 'requestId' | 'ownerId'> &
  LineResult & {
    /** Where the recordings are, as the manifest says it. */
    recordings: readonly string[];
    /** Of each of them, 0 for all; absent where none is named. */
    channels?: readonly number[];
    /** As the tenant calls them now. */
    fraudsterId?: string;
  };

/** How many lines there are, and how many of them ended in what. */
export interface LineCounts {
  lines: number;
  ended: readonly { outcome: LineOutcome; reason: string; lines: number }[];
}
