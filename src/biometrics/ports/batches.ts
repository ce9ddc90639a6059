// Where the lines of batches are kept until their results may be forgotten.
import type { BatchLine, EndedLine, LineCounts, LineResult } from '../model/batches.js';

export interface BatchRepository {
  insert(gkScopeId: string, gkJobId: string, lines: readonly BatchLine[]): Promise<void>;
  /** Lines without a result, by rising number. */
  open(gkScopeId: string, gkJobId: string, afterLine: number, limit: number): Promise<BatchLine[]>;
  /** False where the line has a result already, which then stays. */
  end(gkScopeId: string, gkJobId: string, line: number, result: LineResult): Promise<boolean>;
  results(gkScopeId: string, gkJobId: string, afterLine: number, limit: number): Promise<EndedLine[]>;
  counts(gkJobId: string): Promise<LineCounts>;
  delete(gkJobId: string): Promise<void>;
}
