// Where the lines of batches are kept until their results may be forgotten.
import type { BatchLine, EndedLine, LineCounts, LineOutcome, LineResult } from '../model/batches.js';

export interface SoughtLines {
  afterLine: number;
  limit: number;
  outcome?: LineOutcome;
  reason?: string;
}

export interface BatchRepository {
  insert(gkScopeId: string, gkJobId: string, lines: readonly BatchLine[]): Promise<void>;
  /** Lines without a result, by rising number. */
  open(gkScopeId: string, gkJobId: string, afterLine: number, limit: number): Promise<BatchLine[]>;
  /** False where the line has a result already, which then stays. */
  end(gkScopeId: string, gkJobId: string, line: number, result: LineResult): Promise<boolean>;
  /** By rising number. */
  results(gkScopeId: string, gkJobId: string, sought: SoughtLines): Promise<EndedLine[]>;
  /** Of each of these batches that has lines. */
  counts(gkJobIds: readonly string[]): Promise<ReadonlyMap<string, LineCounts>>;
  delete(gkJobId: string): Promise<void>;
}
