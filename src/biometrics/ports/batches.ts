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
  /** Of one that was given up, lines of batches from before that; of lines that are known to be somebody else's, none. */
  names?: readonly NameOfPerson[];
  /** Recordings, and sessions that hold them. */
  recordings?: ReadonlySet<string>;
}

export interface BatchRepository {
  insert(gkScopeId: string, gkJobId: string, lines: readonly BatchLine[]): Promise<void>;
  /** Lines without a result, by rising number. */
  open(gkScopeId: string, gkJobId: string, afterLine: number, limit: number): Promise<OpenLine[]>;
  /** Remembers with a line what was begun for it; false where it has a result already. */
  begin(gkScopeId: string, gkJobId: string, line: OpenLine): Promise<boolean>;
  /** False where the line has a result already, which then stays. */
  end(gkScopeId: string, gkJobId: string, line: number, result: LineResult): Promise<boolean>;
  /** All lines without a result end as cancelled ones: whoever is working on one of them finds that it has ended. */
  cancel(gkJobId: string): Promise<void>;
  /** By rising number. */
  results(gkScopeId: string, gkJobId: string, sought: SoughtLines): Promise<EndedLine[]>;
  /** Whom these lines name, in their order; nothing of those that are gone or were made to forget it. */
  ownersNamed(gkScopeId: string, lines: readonly BatchLineRef[]): Promise<(string | undefined)[]>;
  /** Lines about a person; all lines of the tenant are read for it. */
  linesNaming(gkScopeId: string, person: SoughtPerson): Promise<NamingLine[]>;
  /** How many of these lines still say whom they are about. */
  countNaming(gkScopeId: string, itemIds: readonly string[]): Promise<number>;
  /** These lines say no longer whom they were about; how they ended stays, and those that had not ended are not done any more. */
  forget(gkScopeId: string, itemIds: readonly string[]): Promise<void>;
  /** These lines, which have ended, say no longer whom they were about, but which session and recordings, and what was found. */
  unname(gkScopeId: string, lines: readonly UnnamedLine[]): Promise<void>;
  /** As `forget`, of a line that is being worked on. */
  forgetLine(gkScopeId: string, gkJobId: string, line: number): Promise<void>;
  /** Of each of these batches that has lines. */
  counts(gkJobIds: readonly string[]): Promise<ReadonlyMap<string, LineCounts>>;
  delete(gkJobId: string): Promise<void>;
}
