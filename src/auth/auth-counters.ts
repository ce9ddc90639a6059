// What came out of authentications, in numbers, and how many events of unproven callers the log still takes.

const UNPROVEN_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

export type AuthenticationKind = 'token' | 'sign-in' | 'bearer';

/** How often what came out, since the start of this process. */
export class AuthCounters {
  readonly #counts = new Map<string, { kind: string; outcome: string; value: number }>();
  #minute = 0;
  #unproven = 0;
  #suppressed = 0;

  count(kind: AuthenticationKind, outcome: string): void {
    const key = `${kind} ${outcome}`;
    const known = this.#counts.get(key);
    if (known) known.value += 1;
    else this.#counts.set(key, { kind, outcome, value: 1 });
  }

  values(): { labels: { kind: string; outcome: string }; value: number }[] {
    return [...this.#counts.values()].map(({ kind, outcome, value }) => ({
      labels: { kind, outcome },
      value,
    }));
  }

  /** Whether an unproven caller may still write into the log in this minute. */
  admit(): boolean {
    this.#unproven += 1;
    const admitted = this.#unproven <= UNPROVEN_PER_MINUTE;
    if (!admitted) this.#suppressed += 1;
    return admitted;
  }

  /** How many were left out in minutes that are over. */
  takeSuppressed(nowMs: number): number {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#minute) return 0;
    const count = this.#suppressed;
    this.#minute = minute;
    this.#unproven = 0;
    this.#suppressed = 0;
    return count;
  }
}
