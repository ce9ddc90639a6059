// Stores the lines of batches until their results may be deleted.
import type { BatchLine } from '../../manifest/lines.js';
import type {
  EndedLine,
  LineCounts,
  LineOutcome,
  LineResult,
  NamingLine,
  OpenLine,
  UnnamedLine,
} from '../model/batches.js';
import type { BatchLineRef } from '../model/sessions.js';
import type { NameOfPerson } from '../rules/names-of-person.js';

export interface SoughtLines {
  afterLine: number;
  limit: number;
  outcome?: LineOutcome;
  reason?: string;
}

export interface SoughtPerson {
  gkPersonId: string;
  /** For a name that was given up, only lines of batches from before that; none of the lines that are known to be somebody else's. */
  names?: readonly NameOfPerson[];
  /** Recordings, and the sessions that contain them. */
  recordings?: ReadonlySet<string>;
}

export interface BatchRepository {
  insert(gkScopeId: string, gkJobId: string, lines: readonly BatchLine[]): Promise<void>;
  /** Lines without a result, in ascending order. */
  open(gkScopeId: string, gkJobId: string, afterLine: number, limit: number): Promise<OpenLine[]>;
  /** Stores with a line what was begun for it; false if it already has a result. */
  begin(gkScopeId: string, gkJobId: string, line: OpenLine): Promise<boolean>;
  /** False if the line already has a result, which is then kept. */
  end(gkScopeId: string, gkJobId: string, line: number, result: LineResult): Promise<boolean>;
  /** All lines without a result end as canceled: whoever is working on one of them finds that it has ended. */
  cancel(gkJobId: string): Promise<void>;
  /** By rising number. */
  results(gkScopeId: string, gkJobId: string, sought: SoughtLines): Promise<EndedLine[]>;
  /** Whom these lines name, in order; nothing for lines that were deleted or whose names were erased. */
  ownersNamed(gkScopeId: string, lines: readonly BatchLineRef[]): Promise<(string | undefined)[]>;
  /** Lines about a person; all lines of the tenant are read for it. */
  linesNaming(gkScopeId: string, person: SoughtPerson): Promise<NamingLine[]>;
  /** How many of these lines still name anybody. */
  countNaming(gkScopeId: string, itemIds: readonly string[]): Promise<number>;
  /** Erases whom these lines were about; how they ended is kept, and those that had not ended are no longer processed. */
  forget(gkScopeId: string, itemIds: readonly string[]): Promise<void>;
  /** Erases whom these ended lines were about, but keeps the session, the recordings and what was found. */
  unname(gkScopeId: string, lines: readonly UnnamedLine[]): Promise<void>;
  /** Like `forget`, for a line that is being processed. */
  forgetLine(gkScopeId: string, gkJobId: string, line: number): Promise<void>;
  /** For each of these batches that has lines. */
  counts(gkJobIds: readonly string[]): Promise<ReadonlyMap<string, LineCounts>>;
  delete(gkJobId: string): Promise<void>;
}
