// What the server has acknowledged, and what nobody knows because an answer never came.

export interface PersonEntry {
  personId: string;
  gkPersonId: string;
  note: string;
  /** Recordings made for them, and those of which the server has said that they are theirs. */
  media: string[];
  tied: string[];
  prints: string[];
}

export interface MediaEntry {
  media: string;
  sha256: string;
}

export interface PrintEntry {
  profile: string;
  gkPersonId: string;
  segments: string[];
  version: number;
}

/** Of what was found wrong, so many are told. */
const FAULTS_NAMED = 50;

export class Ledger {
  readonly persons = new Map<string, PersonEntry>();
  readonly media = new Map<string, MediaEntry>();
  readonly prints = new Map<string, PrintEntry>();
  readonly deletedMedia = new Set<string>();
  readonly erased = new Map<string, PersonEntry>();
  /** Batches that were started, and how many lines they have. */
  readonly batches = new Map<string, number>();
  readonly tokens: { token: string; atMs: number }[] = [];
  /** Acknowledged requests that must be in the audit trail. */
  readonly requests = new Map<string, string>();
  readonly acknowledged: Record<string, number> = {};
  /** Refusals that a fault explains: busy, unreachable, too many. */
  readonly refused: Record<string, number> = {};
  calls = 0;
  /** Calls that were tried once more and failed again, where they are tried twice. */
  readonly failedTwice: Record<string, number> = {};
  /** Answers that no fault explains. */
  readonly unexpected: Record<string, number> = {};

  acknowledge(what: string, requestId?: string): void {
    this.acknowledged[what] = (this.acknowledged[what] ?? 0) + 1;
    if (requestId !== undefined) this.requests.set(requestId, what);
  }

  count(into: Record<string, number>, what: string): void {
    into[what] = (into[what] ?? 0) + 1;
  }

  /** From the moment in which somebody asks for it, nobody can say whether it is there. */
  forgetPerson(gkPersonId: string): void {
    const person = this.persons.get(gkPersonId);
    this.persons.delete(gkPersonId);
    for (const id of person?.media ?? []) this.media.delete(id);
    for (const [profile, print] of this.prints)
      if (print.gkPersonId === gkPersonId) this.prints.delete(profile);
  }

  /** For a report, with what a check found wrong. */
  figures(wrong: readonly string[]) {
    return {
      acknowledged: this.acknowledged,
      operations: this.total,
      lost: wrong.length,
      wrong: wrong.slice(0, FAULTS_NAMED),
      refused: this.refused,
      unexpected: this.unexpected,
    };
  }

  get total(): number {
    return Object.values(this.acknowledged).reduce((sum, each) => sum + each, 0);
  }
}
