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
  /** Lines with a result that name an owner, by the tenant's ID or by ours; all lines of the tenant are read for it. */
  itemsNaming(gkScopeId: string, owner: { gkOwnerId: string; ownerId?: string }): Promise<string[]>;
  /** These lines say no longer whom they were about; how they ended stays. */
  forget(gkScopeId: string, items: readonly string[]): Promise<void>;
  /** Of each of these batches that has lines. */
  counts(gkJobIds: readonly string[]): Promise<ReadonlyMap<string, LineCounts>>;
  delete(gkJobId: string): Promise<void>;
}
