// Records which persons are one person under two names.
import type { AuditActor } from '../../audit/model.js';

/** The order does not matter. */
export interface PersonPair {
  gkPersonId: string;
  gkOtherPersonId: string;
}

export interface SamePersons extends PersonPair {
  gkScopeId: string;
  /** Who has said so. */
  actor: AuditActor;
  createdAtMs: number;
}

export interface SamePersonRepository {
  /** Newest first. A pair goes with either of its persons. */
  list(gkScopeId: string): Promise<SamePersons[]>;
  count(gkScopeId: string): Promise<number>;
  /** False where it was there: then it stays as it is. */
  insert(pair: SamePersons): Promise<boolean>;
  /** False where there is none. */
  delete(gkScopeId: string, pair: PersonPair): Promise<boolean>;
}
