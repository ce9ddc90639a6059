// Counts the results of authentications, how many more events of unauthenticated callers the log accepts, and how many failed
// sign-ins were not recorded in the audit trail.
import { BoundedCache } from './bounded-cache.js';

const UNPROVEN_PER_MINUTE = 600;
/**
 * The part of it that may name one application: its people read these events among the requests of its
 * clients.
 */
const UNPROVEN_PER_APP = 60;
const MINUTE_MS = 60_000;

const SUPPRESSED_PEOPLE_MAX = 1000;
const SUPPRESSED_MS = 24 * 3600_000;

export type AuthenticationKind = 'token' | 'sign-in' | 'bearer';

/** Counts by result, since the start of this process. */
export class AuthCounters {
  readonly #counts = new Map<string, { kind: string; outcome: string; value: number }>();
  #minute = 0;
  #unproven = 0;
  readonly #unprovenOfApps = new Map<string, number>();
  #suppressed = 0;
  readonly #suppressedOf = new BoundedCache<number>(SUPPRESSED_PEOPLE_MAX, SUPPRESSED_MS);

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

  /** Whether an unauthenticated caller may still write to the log in this minute. */
  admit(appId?: string): boolean {
    const ofApp = appId === undefined ? 0 : (this.#unprovenOfApps.get(appId) ?? 0) + 1;
    if (this.#unproven >= UNPROVEN_PER_MINUTE || ofApp > UNPROVEN_PER_APP) {
      this.#suppressed += 1;
      return false;
    }
    this.#unproven += 1;
    if (appId !== undefined) this.#unprovenOfApps.set(appId, ofApp);
    return true;
  }

  /** How many events were suppressed in past minutes. */
  takeSuppressed(nowMs: number): number {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#minute) return 0;
    const count = this.#suppressed;
    this.#minute = minute;
    this.#unproven = 0;
    this.#unprovenOfApps.clear();
    this.#suppressed = 0;
    return count;
  }

  /** Counts a failed sign-in of this person that got no audit record. */
  suppress(userId: string, nowMs: number): void {
    this.#suppressedOf.set(userId, (this.#suppressedOf.get(userId, nowMs) ?? 0) + 1, nowMs);
  }

  /** How many there were since the last one with a record. */
  takeSuppressedOf(userId: string, nowMs: number): number {
    const count = this.#suppressedOf.get(userId, nowMs) ?? 0;
    this.#suppressedOf.delete(userId);
    return count;
  }
}
