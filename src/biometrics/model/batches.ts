// A batch: what is to be done with the lines of a manifest, and what became of each.
import type { Decision } from './outcome.js';

export type BatchOperation = 'ENROLL' | 'REGISTER' | 'CHECK';

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
}

/** One of these says where its bytes are. */
export interface Recording {
  /** Uploaded before. */
  gkMediaSegmentId?: string;
  /** In the folder that the operator allows. */
  file?: string;
  /** All files of a folder inside it. */
  folder?: string;
  /** A copy of the bucket lies in that folder, under its name. */
  s3Uri?: string;
  /** From 1; all channels if absent. */
  channel?: number;
}

export interface BatchLine {
  /** From 1. */
  line: number;
  requestId: string;
  /** Person or fraudster; empty where a recording is analyzed. */
  ownerId: string;
  consent?: boolean;
  recordings: readonly Recording[];
}

export const lineOutcomes = ['DONE', 'SKIPPED', 'REFUSED', 'FAILED', 'WOULD_BE_DONE'] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

export interface LineResult {
  outcome: LineOutcome;
  reason: string;
  /** For people. */
  message: string;
  gkOwnerId?: string;
  gkVoiceprintProfileId?: string;
  gkSessionId?: string;
  decision?: Decision;
}

export type EndedLine = Pick<BatchLine, 'line' | 'requestId' | 'ownerId'> & LineResult;

export type LineCounts = Readonly<Record<LineOutcome, number>> & { lines: number };
