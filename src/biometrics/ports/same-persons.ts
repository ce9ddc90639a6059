// Records which persons are one person under two names.
import type { AuditActor } from '../../audit/model.js';

/** The order does not matter. */
export interface PersonPair {
  gkPersonId: string;
  gkOtherPersonId: string;
}

export interface SamePersons extends PersonPair {
  gkScopeId: string;
  /** Who declared it. */
  actor: AuditActor;
  createdAtMs: number;
}

export interface SamePersonRepository {
  /** Newest first. A pair is deleted with either of its persons. */
  list(gkScopeId: string): Promise<SamePersons[]>;
  count(gkScopeId: string): Promise<number>;
  /** False if it already exists: then it is left as it is. */
  insert(pair: SamePersons): Promise<boolean>;
  /** False if there is none. */
  delete(gkScopeId: string, pair: PersonPair): Promise<boolean>;
}
