// Calls that somebody has prepared and that have not begun. Each is admitted once, on any node: by its token
// or, for protocols that cannot carry one, by the telephone system's own ID. They are stored in the database,
// sealed, so that every node knows them.
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { type LiveQuestion, printsIn } from '../biometrics/operations/live-decision.js';
import type { PreparedCallKey } from '../biometrics/ports/live-calls.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { AppError, goingDown, invalidFields } from '../errors.js';
import { type Caller, type Clock, yieldToEventLoop } from '../platform.js';
import { outcomeOf } from './call-outcomes.js';
import type { LiveCallInfo } from './model.js';
import { inEnglish } from '../words/server/say.js';

const PREPARED_MAX = 10_000;
const VALID_MS_DEFAULT = 5 * 60_000;
const VALID_MS_MAX = 3600_000;
const EXTERNAL_ID_CHARS_MAX = 200;
/** From admission to the first audio. */
const ENTERING_MS_MAX = 60_000;

export interface Prepared {
  liveCallId: string;
  expiresAtMs: number;
  question: LiveQuestion;
  caller: Caller;
  /** The telephone system's own ID; empty: none. */
  externalCallId: string;
  ids: Pick<LiveCallInfo, 'gkScopeId' | 'gkEngagementId' | 'gkSessionId'>;
}

/**
 * The lookup key of tokens and IDs of telephone systems: the time of a lookup reveals nothing about existing
 * ones.
 */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const externalHashOf = (externalCallId: string): string =>
  externalCallId === '' ? '' : hashOf(externalCallId);

export class PreparedCalls {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #nodeId: string;
  /** Calls that are admitted or about to begin. */
  readonly entering = new PendingWork();
  /** Admitted calls without audio so far, and how to tell them that the server is shutting down. */
  readonly #silent = new Map<Prepared, () => void>();
  #isDraining = false;

  constructor({ store, clock }: { store: BiometricsStore; clock: Clock }, nodeId: string) {
    this.#store = store;
    this.#clock = clock;
    this.#nodeId = nodeId;
  }

  /** Admits no more calls, and waits for those already admitted: each has then begun, or was put back. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.entering.all();
    for (const [call, sendAway] of this.#silent) {
      // If it cannot be put back, it expires soon.
      await this.putBack(call).catch(() => undefined);
      sendAway();
    }
    this.#silent.clear();
  }

  /**
   * The protocol has admitted the call by its name alone, and waits for its audio; the returned function ends
   * the wait.
   */
  awaitAudio(call: Prepared, sendAway: () => void): () => void {
    this.#silent.set(call, sendAway);
    return () => void this.#silent.delete(call);
  }

  /** When a call that is prepared now expires. */
  expiryOf(validForMs = VALID_MS_DEFAULT): number {
    if (validForMs > 0 && validForMs <= VALID_MS_MAX) return this.#clock.now() + validForMs;
    throw invalidFields([
      {
        field: 'valid_for',
        violation: 'OUT_OF_RANGE',
        ...inEnglish(`must be greater than 0 s and at most ${VALID_MS_MAX / 1000} s`),
      },
    ]);
  }

  refuseLongId(externalCallId: string): void {
    if (externalCallId.length > EXTERNAL_ID_CHARS_MAX)
      throw invalidFields([
        {
          field: 'external_call_id',
          violation: 'TOO_LONG',
          ...inEnglish(`at most ${EXTERNAL_ID_CHARS_MAX} characters`),
        },
      ]);
  }

  /** `speakers`: whom it asks for, or collects speech for. */
  async add(call: Prepared, streamToken: string, speakers: readonly string[] = []): Promise<void> {
    const { liveCallId, expiresAtMs, externalCallId, ids, question } = call;
    const { gkScopeId, ...session } = ids;
    const externalHash = externalHashOf(externalCallId);
    // Not JSON: it contains a caller's rights as sets.
    const prepared = serialize(call);
    await this.#store.transaction(async ({ liveCalls, erasure }) => {
      if ((await liveCalls.countPrepared()) >= PREPARED_MAX)
        throw new AppError('BUSY', 'too many calls are prepared', { retryAfterMs: 10_000 });
      if (externalHash !== '') {
        const same = await liveCalls.preparedAs(externalHash, this.#clock.now());
        if (same.some((other) => other.gkScopeId === gkScopeId))
          throw new AppError(
            'ALREADY_EXISTS',
            inEnglish('a call with this external_call_id has already been prepared'),
          );
      }
      const tokenHash = hashOf(streamToken);
      const entry = { liveCallId, gkScopeId, tokenHash, externalHash, expiresAtMs, prepared };
      const asked = { ...session, prints: printsIn(question) };
      await liveCalls.put({ ...entry, stage: 'PREPARED', nodeId: '', asked });
      for (const gkPersonId of speakers) await erasure.noteAsked({ ...ids, gkPersonId });
    });
  }

  /** Includes one that was admitted and has not begun. */
  async find(liveCallId: string): Promise<LiveCallInfo | undefined> {
    const entry = await this.#store.read.liveCalls.find(liveCallId);
    if (!entry || entry.expiresAtMs <= this.#clock.now()) return undefined;
    if (entry.stage !== 'PREPARED' && entry.stage !== 'ENTERING') return undefined;
    const { ids } = unpack(entry.prepared);
    return { liveCallId, ...ids, ended: false, events: [], netSpeechMs: 0, positionMs: 0 };
  }

  /** Uses up the token: a second stream with it is refused. */
  async redeem(streamToken: string): Promise<Prepared> {
    const call = await this.#letIn({ tokenHash: hashOf(streamToken) });
    if (!call) throw new AppError('UNAUTHENTICATED', 'the stream token is unknown, already used or expired');
    return call;
  }

  /** By the telephone system's own ID, within one tenant. */
  async redeemExternal(gkScopeId: string, externalCallId: string): Promise<Prepared | undefined> {
    if (externalCallId === '') return undefined;
    return this.#letIn({ gkScopeId, externalHash: hashOf(externalCallId) });
  }

  /** By the ID that we gave it, or by its external one if it is unique across tenants. */
  async redeemUuid(uuid: string): Promise<Prepared> {
    const call = (await this.#letIn({ liveCallId: uuid })) ?? (await this.#letInOnly(uuid));
    if (!call) throw new AppError('UNAUTHENTICATED', 'no call was prepared under this UUID');
    return call;
  }

  /** It could not begin this time, through no fault of its own. */
  async putBack({ liveCallId, expiresAtMs }: Prepared): Promise<void> {
    await this.#store.transaction(({ liveCalls }) =>
      liveCalls.putBack(liveCallId, this.#nodeId, expiresAtMs),
    );
  }

  /**
   * The call will not begin; `last` is its final state, if somebody decided that. False if there is no such
   * call, or it has begun.
   */
  delete(liveCallId: string, last?: LiveCallInfo): Promise<boolean> {
    return this.#store.transaction(async ({ liveCalls, liveOutcomes }) => {
      const isThere = await liveCalls.delete(liveCallId, ['PREPARED', 'ENTERING']);
      if (isThere && last) await liveOutcomes.put(outcomeOf(last, this.#clock.now()));
      return isThere;
    });
  }

  async #letInOnly(externalCallId: string): Promise<Prepared | undefined> {
    const found = await this.#store.read.liveCalls.preparedAs(hashOf(externalCallId), this.#clock.now());
    const [only] = found;
    return only && found.length === 1 ? this.#letIn({ liveCallId: only.liveCallId }) : undefined;
  }

  #letIn(which: PreparedCallKey): Promise<Prepared | undefined> {
    return this.entering.add(this.#enter(which));
  }

  async #enter(which: PreparedCallKey): Promise<Prepared | undefined> {
    // Before its token is used up: it is still good on another node.
    if (this.#isDraining) throw goingDown();
    const now = this.#clock.now();
    if (!(await this.#store.read.liveCalls.canLetIn(which, now))) return undefined;
    const at = { nodeId: this.#nodeId, untilMs: now + ENTERING_MS_MAX };
    const entry = await this.#store.transaction(({ liveCalls }) => liveCalls.letIn(which, now, at));
    return entry && unpack(entry.prepared);
  }
}

const unpack = (bytes: Uint8Array): Prepared => deserialize(bytes) as Prepared;

class PendingWork {
  readonly #underWay = new Set<Promise<unknown>>();

  add<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
    return work;
  }

  /** Includes work that was started immediately because of it. */
  async all(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
      await yieldToEventLoop();
    }
  }
}
