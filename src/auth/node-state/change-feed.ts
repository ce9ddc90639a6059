// Carries changes between nodes: a small table is read every two seconds, and what this node changed itself takes
// effect at once. A change drops cached objects and can void tokens: of a locked client, of a revoked grant.
import { isOutage } from '../../errors.js';
import type { Clock, Log } from '../../platform.js';
import { FOREVER_MS } from '../model.js';
import type { AccessTokenClaims, Change, ChangeKind } from '../model.js';
import type { Changes } from '../ports.js';

/**
 * Clocks of nodes may differ by this much, or a transaction commit this late, without a change being missed.
 */
const OVERLAP_MS = 5 * 60_000;
/** How often everything is read again, whatever the clocks say. */
const FULL_READ_EVERY_MS = 60_000;
/** A node that has not looked for this long no longer knows which tokens and keys are valid. Equal to the time that a rotation waits for others. */
const STALE_MS = 10_000;

type Listener = (kind: ChangeKind, key: string) => void;

export class ChangeFeed {
  readonly #deps: { changes: Changes; clock: Clock; log: Log; pollMs: number };
  #afterRead: () => Promise<void> = async () => {};
  readonly #known = new Map<string, Change>();
  readonly #listeners: Listener[] = [];
  #lastReadMs = 0;
  #lastFullReadMs = 0;
  #generation = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(deps: { changes: Changes; clock: Clock; log: Log; pollMs: number }) {
    this.#deps = deps;
  }

  /** Increases with every change seen; a value that was loaded across an increase must not be cached. */
  get generation(): number {
    return this.#generation;
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Work that is done after every read of other nodes' changes, before the next one. */
  afterRead(work: () => Promise<void>): void {
    this.#afterRead = work;
  }

  /**
   * The last read is too old to admit anybody by it: another read comes first, and if it fails, nobody is
   * admitted.
   */
  get isStale(): boolean {
    return Math.abs(this.#deps.clock.now() - this.#lastReadMs) > STALE_MS;
  }

  /** The last change of this object that was seen. */
  versionOf(kind: ChangeKind, key: string): string | undefined {
    return this.#known.get(`${kind}:${key}`)?.version;
  }

  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      const id = `${change.kind}:${change.key}`;
      if (this.#known.get(id)?.version === change.version) continue;
      this.#known.set(id, change);
      this.#generation += 1;
      for (const listener of this.#listeners) listener(change.kind, change.key);
    }
  }

  /** Whether a later change has voided this token. */
  isVoid(claims: AccessTokenClaims): boolean {
    const issuedAtMs = claims.iat * 1000 + (claims.iat_ms ?? 0);
    return (
      this.#voids('token', claims.jti, issuedAtMs) ||
      (claims.origins?.some((jti) => this.#voids('token', jti, issuedAtMs)) ?? false) ||
      this.#voids('client', claims.client_id, issuedAtMs) ||
      // An exchanged token ends with the client that it was exchanged for.
      (claims.act !== undefined && this.#voids('client', claims.sub, issuedAtMs)) ||
      (claims.app_id !== undefined && this.#voids('app', claims.app_id, issuedAtMs)) ||
      (claims.user_id !== undefined && this.#voids('user', claims.user_id, issuedAtMs)) ||
      (claims.grant_id !== undefined && this.#voids('grant', claims.grant_id, issuedAtMs))
    );
  }

  #voids(kind: ChangeKind, key: string, issuedAtMs: number): boolean {
    const change = this.#known.get(`${kind}:${key}`);
    return change !== undefined && issuedAtMs < change.validAfterMs;
  }

  /** One read of the table; concurrent callers share it. */
  poll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { changes, clock } = this.#deps;
    const startedMs = clock.now();
    const full = startedMs - this.#lastFullReadMs >= FULL_READ_EVERY_MS;
    this.apply(await changes.since(full ? 0 : Math.max(0, this.#lastReadMs - OVERLAP_MS)));
    if (full) this.#forgetExpired(startedMs);
    await this.#afterRead();
    this.#lastReadMs = startedMs;
  }

  #forgetExpired(nowMs: number): void {
    this.#lastFullReadMs = nowMs;
    for (const [id, change] of this.#known) {
      if (change.expiresAtMs <= nowMs) this.#known.delete(id);
    }
  }

  start(): void {
    if (this.#timer) return;
    const tick = (): void => {
      this.poll()
        .catch((cause: unknown) => {
          if (!isOutage(cause)) this.#deps.log.warn({ err: cause }, 'cannot read changes of other nodes');
        })
        .finally(() => {
          if (this.#timer) this.#timer = setTimeout(tick, this.#deps.pollMs).unref();
        });
    };
    this.#timer = setTimeout(tick, this.#deps.pollMs).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#reading?.catch(() => {});
  }
}

/** What a change does to tokens issued so far. */
export type ChangeEffect =
  /** Nothing; only cached copies are dropped. */
  | 'refresh'
  /** Void if issued before now. */
  | 'void-earlier'
  /** Void, and so are any issued later by a node that has not heard of the change yet. */
  | 'void-all'
  /** Ends void-all: tokens issued from now on count again. */
  | 'reopen'
  /** Void for good: the subject no longer exists, so the row may go once the last token has expired. */
  | 'gone';

export function nextChange(
  previous: Change | undefined,
  input: {
    kind: ChangeKind;
    key: string;
    effect: ChangeEffect;
    nowMs: number;
    version: string;
    tokenLifeMs: number;
  },
): Change {
  const { kind, key, effect, nowMs, version, tokenLifeMs } = input;
  const base = { kind, key, version, changedAtMs: nowMs };
  const before = previous?.validAfterMs ?? 0;
  const lingersUntilMs = nowMs + 2 * tokenLifeMs + 2 * OVERLAP_MS;
  switch (effect) {
    case 'refresh':
      return {
        ...base,
        validAfterMs: before,
        expiresAtMs: Math.max(previous?.expiresAtMs ?? 0, lingersUntilMs),
      };
    case 'void-earlier':
      return {
        ...base,
        // The token of this very millisecond is void too: it cannot be told whether it came before.
        validAfterMs: Math.max(before, nowMs + 1),
        expiresAtMs: Math.max(previous?.expiresAtMs ?? 0, lingersUntilMs),
      };
    case 'void-all':
      return { ...base, validAfterMs: FOREVER_MS, expiresAtMs: FOREVER_MS };
    case 'gone':
      return { ...base, validAfterMs: FOREVER_MS, expiresAtMs: lingersUntilMs };
    case 'reopen':
      return { ...base, validAfterMs: nowMs, expiresAtMs: lingersUntilMs };
  }
}
