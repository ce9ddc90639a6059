// Tokens for the widget on an agent's desktop: each is valid for one call and a short time, on every node, and acts on behalf
// of whoever requested it.
import { deserialize, serialize } from 'node:v8';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { AppError, invalidFields } from '../errors.js';
import type { Caller, Clock, Ids } from '../platform.js';
import type { LiveCallInfo } from './model.js';
import { hashOf } from './prepared-calls.js';
import { inEnglish } from '../words/server/say.js';

const TOKENS_MAX = 20_000;
const TOKEN_BYTES = 32;
const VALID_MS_DEFAULT = 3600_000;
const VALID_MS_MAX = 4 * 3600_000;
/** Distinguishes them from access tokens. */
const PREFIX = 'vxagent_';

export class AgentTokens {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ store, clock, ids }: { store: BiometricsStore; clock: Clock; ids: Ids }) {
    this.#store = store;
    this.#clock = clock;
    this.#ids = ids;
  }

  async give(
    { liveCallId, gkScopeId }: Pick<LiveCallInfo, 'liveCallId' | 'gkScopeId'>,
    caller: Caller,
    validForMs = VALID_MS_DEFAULT,
  ): Promise<{ agentToken: string; expiresAtMs: number }> {
    if (!(validForMs > 0 && validForMs <= VALID_MS_MAX))
      throw invalidFields([
        {
          field: 'valid_for',
          violation: 'OUT_OF_RANGE',
          ...inEnglish(`must be greater than 0 s and at most ${VALID_MS_MAX / 1000} s`),
        },
      ]);
    const agentToken = `${PREFIX}${this.#ids.token(TOKEN_BYTES)}`;
    const expiresAtMs = this.#clock.now() + validForMs;
    const token = { tokenHash: hashOf(agentToken), liveCallId, gkScopeId, expiresAtMs };
    await this.#store.transaction(async ({ agentTokens }) => {
      if ((await agentTokens.count()) >= TOKENS_MAX)
        throw new AppError('BUSY', 'too many agent tokens are in use', { retryAfterMs: 10_000 });
      await agentTokens.put({ ...token, caller: serialize(caller) });
    });
    return { agentToken, expiresAtMs };
  }

  /** On whose behalf the widget acts; undefined if the header contains no agent token. */
  async callerOf(authorization: string | undefined, liveCallId: string): Promise<Caller | undefined> {
    const [, token] = /^Bearer (vxagent_\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return undefined;
    const given = await this.#store.read.agentTokens.find(hashOf(token));
    if (!given || given.liveCallId !== liveCallId || given.expiresAtMs <= this.#clock.now())
      throw new AppError(
        'UNAUTHENTICATED',
        'the agent token is unknown, has expired or belongs to another call',
      );
    return deserialize(given.caller) as Caller;
  }
}
