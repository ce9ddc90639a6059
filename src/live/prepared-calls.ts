// Calls that somebody has prepared and that have not begun. Each is let in once: by its token, or, through doors that can
// carry none, by an ID that the telephone system has for it. Who was let in is still known here until the call begins.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { LiveQuestion } from '../biometrics/operations/live-decision.js';
import { AppError, invalidFields } from '../errors.js';
import type { Caller, Clock } from '../platform.js';
import type { LiveCallInfo } from './model.js';

const PREPARED_MAX = 10_000;
const EXTERNAL_ID_CHARS_MAX = 200;
/** From being let in to the first audio. */
const ENTERING_MS_MAX = 60_000;

export interface Prepared {
  liveCallId: string;
  tokenHash: Buffer;
  expiresAtMs: number;
  question: LiveQuestion;
  caller: Caller;
  /** The telephone system's own ID; empty: none. */
  externalCallId: string;
  ids: Pick<LiveCallInfo, 'gkScopeId' | 'gkEngagementId' | 'gkSessionId'>;
}

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export class PreparedCalls {
  readonly #clock: Clock;
  readonly #calls = new Map<string, Prepared>();
  /** Let in, and not begun. */
  readonly #entering = new Map<string, { call: Prepared; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  refuseFull(): void {
    if (this.#calls.size >= PREPARED_MAX)
      throw new AppError('BUSY', 'too many calls are prepared', { retryAfterMs: 10_000 });
  }

  refuseTaken(gkScopeId: string, externalCallId: string): void {
    if (externalCallId.length > EXTERNAL_ID_CHARS_MAX)
      throw invalidFields([
        {
          field: 'external_call_id',
          violation: 'TOO_LONG',
          message: `at most ${EXTERNAL_ID_CHARS_MAX} characters`,
        },
      ]);
    if (this.#ofExternal(externalCallId).some((call) => call.ids.gkScopeId === gkScopeId))
      throw new AppError('ALREADY_EXISTS', 'a call with this external_call_id is prepared already');
  }

  add(call: Prepared): void {
    this.#calls.set(call.liveCallId, call);
  }

  find(liveCallId: string): Prepared | undefined {
    return this.#calls.get(liveCallId) ?? this.#entering.get(liveCallId)?.call;
  }

  /** Takes the token away: a second stream with it is refused. */
  redeem(streamToken: string): Prepared {
    const hash = hashOf(streamToken);
    for (const call of this.#calls.values()) {
      if (!timingSafeEqual(call.tokenHash, hash)) continue;
      if (this.#take(call)) return call;
      break;
    }
    throw new AppError('UNAUTHENTICATED', 'the stream token is unknown, used or out of date');
  }

  /** By the telephone system's own ID, within one tenant. */
  redeemExternal(gkScopeId: string, externalCallId: string): Prepared | undefined {
    const call = this.#ofExternal(externalCallId).find(({ ids }) => ids.gkScopeId === gkScopeId);
    return call && this.#take(call);
  }

  /** By the ID that we gave it, or by its external one where no two tenants have the same. */
  redeemUuid(uuid: string): Prepared {
    const own = this.#calls.get(uuid);
    const external = this.#ofExternal(uuid);
    const call = own ?? (external.length === 1 ? external[0] : undefined);
    const taken = call && this.#take(call);
    if (!taken) throw new AppError('UNAUTHENTICATED', 'no call was prepared under this UUID');
    return taken;
  }

  /** It begins now. False: somebody has ended it meanwhile. */
  enter(liveCallId: string): boolean {
    return this.#entering.delete(liveCallId);
  }

  /** It could not begin this time, for no fault of its own. */
  putBack(call: Prepared): void {
    if (this.#entering.delete(call.liveCallId)) this.add(call);
  }

  delete(liveCallId: string): boolean {
    return this.#calls.delete(liveCallId) || this.#entering.delete(liveCallId);
  }

  /** Those whose time is over are gone; gives their IDs. */
  sweep(): string[] {
    const now = this.#clock.now();
    const old = [...this.#calls.values()].filter(({ expiresAtMs }) => expiresAtMs <= now);
    for (const { call, untilMs } of this.#entering.values()) if (untilMs <= now) old.push(call);
    for (const { liveCallId } of old) this.delete(liveCallId);
    return old.map(({ liveCallId }) => liveCallId);
  }

  #take(call: Prepared): Prepared | undefined {
    this.#calls.delete(call.liveCallId);
    const now = this.#clock.now();
    if (call.expiresAtMs <= now) return undefined;
    this.#entering.set(call.liveCallId, { call, untilMs: now + ENTERING_MS_MAX });
    return call;
  }

  #ofExternal(externalCallId: string): Prepared[] {
    if (externalCallId === '') return [];
    const now = this.#clock.now();
    return [...this.#calls.values()].filter(
      (call) => call.externalCallId === externalCallId && call.expiresAtMs > now,
    );
  }
}
