// Tokens for the widget on an agent's desktop: each is good for one call and a short time, in place of whoever had it made. They live
// in memory, like the calls.
import { AppError, invalidFields } from '../errors.js';
import type { Caller, Clock, Ids } from '../platform.js';
import { hashOf } from './prepared-calls.js';

const TOKENS_MAX = 20_000;
const TOKEN_BYTES = 32;
const VALID_MS_DEFAULT = 3600_000;
const VALID_MS_MAX = 4 * 3600_000;
/** Tells them from access tokens. */
const PREFIX = 'vxagent_';

interface Given {
  liveCallId: string;
  caller: Caller;
  expiresAtMs: number;
}

export class AgentTokens {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #given = new Map<string, Given>();

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  give(
    liveCallId: string,
    caller: Caller,
    validForMs = VALID_MS_DEFAULT,
  ): { agentToken: string; expiresAtMs: number } {
    if (!(validForMs > 0 && validForMs <= VALID_MS_MAX))
      throw invalidFields([
        {
          field: 'valid_for',
          violation: 'OUT_OF_RANGE',
          message: `must be more than nothing and at most ${VALID_MS_MAX / 1000} s`,
        },
      ]);
    if (this.#given.size >= TOKENS_MAX) this.sweep();
    if (this.#given.size >= TOKENS_MAX)
      throw new AppError('BUSY', 'too many agent tokens are in use', { retryAfterMs: 10_000 });
    const agentToken = `${PREFIX}${this.#ids.token(TOKEN_BYTES)}`;
    const expiresAtMs = this.#clock.now() + validForMs;
    this.#given.set(keyOf(agentToken), { liveCallId, caller, expiresAtMs });
    return { agentToken, expiresAtMs };
  }

  /** In whose place the widget acts; undefined where the header holds no agent token. */
  callerOf(authorization: string | undefined, liveCallId: string): Caller | undefined {
    const [, token] = /^Bearer (vxagent_\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return undefined;
    const given = this.#given.get(keyOf(token));
    if (!given || given.liveCallId !== liveCallId || given.expiresAtMs <= this.#clock.now())
      throw new AppError('UNAUTHENTICATED', 'the agent token is unknown, out of date or of another call');
    return given.caller;
  }

  sweep(): void {
    const now = this.#clock.now();
    for (const [key, { expiresAtMs }] of this.#given) if (expiresAtMs <= now) this.#given.delete(key);
  }
}

/** Looked up by its hash, so that how long it takes says nothing about the tokens there are. */
const keyOf = (token: string): string => hashOf(token).toString('base64url');
