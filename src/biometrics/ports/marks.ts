// Stores the marks next to the decisions of sessions, and which of them are due.
import type { MarkName, Session, SessionMarks } from '../model/sessions.js';

/** A session whose marks are to be computed; every change gives it a new stamp. */
export interface DueMarks extends Pick<Session, 'gkSessionId'> {
  stamp: string;
}

/** Names by which stored sessions are found: marks, and the caveats of their assessments. */
export type StoredName = MarkName | `CAVEAT_${string}`;

/** The sessions to find. */
export interface MarkFilter {
  /** Sessions that have all of these. */
  marks: readonly StoredName[];
  /** Also sessions whose marks are due: they may have them. */
  orDue: boolean;
}

export interface MarksRepository {
  /** Whether something has changed that no session is due for yet. */
  hasChanges(gkScopeId: string): Promise<boolean>;
  /** Inside a transaction: marks the sessions affected by some of the changes as due. Returns whether there may be more changes. */
  spreadChanges(gkScopeId: string): Promise<boolean>;
  /** The newest sessions whose marks are due. */
  due(gkScopeId: string, limit: number): Promise<DueMarks[]>;
  dueAmong(gkScopeId: string, gkSessionIds: readonly string[]): Promise<DueMarks[]>;
  countDue(): Promise<number>;
  tenantsWithWork(): Promise<string[]>;
  /** Inside a transaction: stores marks for sessions that are still due with the same stamp. */
  keep(
    gkScopeId: string,
    workedOut: readonly (DueMarks & {
      createdAtMs: number;
      marks: SessionMarks;
      caveats: readonly string[];
    })[],
  ): Promise<void>;
  /** For those of these that have any. */
  findMany(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, SessionMarks>>;
  sessionsWith(gkScopeId: string, filter: MarkFilter): Promise<Set<string>>;
}
