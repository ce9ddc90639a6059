// All calls that are listened to on this node: prepared ones with their tokens, running ones, and those that have just ended.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { decideLive, openLive, type LiveQuestion } from '../biometrics/operations/live-decision.js';
import { AppError, invalidFields, notFound, requireTenant } from '../errors.js';
import type { Call, Caller, Log } from '../platform.js';
import type { StreamFormat } from '../voice/audio/types.js';
import { LiveCall } from './live-call.js';
import type { LiveCallInfo, LiveFormat } from './model.js';

/** Net speech at which a running call is judged: early, then every ten seconds for an hour. */
const checkpointsMs = [3000, 6000, ...Array.from({ length: 360 }, (_, i) => 10_000 * (i + 1))];
const TOKEN_BYTES = 32;
const VALID_MS_DEFAULT = 5 * 60_000;
const VALID_MS_MAX = 3600_000;
/** Nobody speaks, and nothing arrives either: the connection is dead or was never meant to carry a call. */
const IDLE_MS = 60_000;
/** How long an ended call can still be read. */
const REMEMBERED_MS = 10 * 60_000;
const SWEEP_MS = 5000;
const PREPARED_MAX = 10_000;
const EXTERNAL_ID_CHARS_MAX = 200;

interface Prepared {
  liveCallId: string;
  tokenHash: Buffer;
  expiresAtMs: number;
  question: LiveQuestion;
  caller: Caller;
  externalCallId: string;
  ids: Pick<LiveCallInfo, 'gkScopeId' | 'gkEngagementId' | 'gkSessionId'>;
}

export interface PrepareOptions {
  validForMs?: number | undefined;
  /** The telephone system's own ID; empty: none. */
  externalCallId?: string;
}

export interface LiveLimits {
  /** Calls that are listened to at once. */
  callsMax: number;
}

export interface LiveDeps extends OperationDeps {
  log: Log;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export class LiveCalls {
  readonly #deps: LiveDeps;
  readonly #limits: LiveLimits;
  readonly #prepared = new Map<string, Prepared>();
  readonly #calls = new Map<string, LiveCall>();
  readonly #sweeper: NodeJS.Timeout;
  #running = 0;
  #draining = false;

  constructor(deps: LiveDeps, limits: LiveLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  get running(): number {
    return this.#running;
  }

  /** Memory that running calls occupy. */
  get heldBytes(): number {
    return [...this.#calls.values()].reduce((sum, live) => sum + live.heldBytes, 0);
  }

  /** Says what a coming call is for; its audio may come in by any door, once. */
  async prepare(
    call: Call,
    question: LiveQuestion,
    { validForMs = VALID_MS_DEFAULT, externalCallId = '' }: PrepareOptions = {},
  ): Promise<{ liveCallId: string; streamToken: string; expiresAtMs: number }> {
    if (!(validForMs > 0 && validForMs <= VALID_MS_MAX))
      throw invalidFields([
        {
          field: 'valid_for',
          violation: 'OUT_OF_RANGE',
          message: `must be more than nothing and at most ${VALID_MS_MAX / 1000} s`,
        },
      ]);
    if (this.#prepared.size >= PREPARED_MAX)
      throw new AppError('BUSY', 'too many calls are prepared', { retryAfterMs: 10_000 });
    const { options: _, ...ids } = await openLive(this.#deps, call, question);
    this.#refuseTaken(ids.gkScopeId, externalCallId);
    const liveCallId = this.#deps.ids.uuid();
    const streamToken = this.#deps.ids.token(TOKEN_BYTES);
    const expiresAtMs = this.#deps.clock.now() + validForMs;
    const { caller } = call;
    this.#prepared.set(liveCallId, {
      liveCallId,
      tokenHash: hashOf(streamToken),
      expiresAtMs,
      question,
      caller,
      externalCallId,
      ids,
    });
    return { liveCallId, streamToken, expiresAtMs };
  }

  /** Takes the token away: a second stream with it is refused. */
  redeem(streamToken: string): Prepared {
    const hash = hashOf(streamToken);
    for (const prepared of this.#prepared.values()) {
      if (!timingSafeEqual(prepared.tokenHash, hash)) continue;
      this.#prepared.delete(prepared.liveCallId);
      if (prepared.expiresAtMs <= this.#deps.clock.now()) break;
      return prepared;
    }
    throw new AppError('UNAUTHENTICATED', 'the stream token is unknown, used or out of date');
  }

  /** The same for a door that cannot carry a token: by the telephone system's own ID, within one tenant. */
  redeemExternal(gkScopeId: string, externalCallId: string): Prepared | undefined {
    const prepared = this.#findExternal(gkScopeId, externalCallId);
    if (prepared) this.#prepared.delete(prepared.liveCallId);
    return prepared;
  }

  #findExternal(gkScopeId: string, externalCallId: string): Prepared | undefined {
    if (externalCallId === '') return undefined;
    const now = this.#deps.clock.now();
    return [...this.#prepared.values()].find(
      (prepared) =>
        prepared.externalCallId === externalCallId &&
        prepared.ids.gkScopeId === gkScopeId &&
        prepared.expiresAtMs > now,
    );
  }

  #refuseTaken(gkScopeId: string, externalCallId: string): void {
    if (externalCallId.length > EXTERNAL_ID_CHARS_MAX)
      throw invalidFields([
        {
          field: 'external_call_id',
          violation: 'TOO_LONG',
          message: `at most ${EXTERNAL_ID_CHARS_MAX} characters`,
        },
      ]);
    if (this.#findExternal(gkScopeId, externalCallId))
      throw new AppError('ALREADY_EXISTS', 'a call with this external_call_id is prepared already');
  }

  /** Begins to listen to a call that was prepared. */
  begin(prepared: Prepared, door: string, audio: LiveFormat): Promise<LiveCall> {
    const { caller, question, liveCallId } = prepared;
    return this.#start(callFor(caller, this.#deps), question, { liveCallId, door, audio });
  }

  /** Begins to listen to a call that says itself what it is for. */
  open(call: Call, question: LiveQuestion, door: string, audio: LiveFormat): Promise<LiveCall> {
    return this.#start(call, question, { liveCallId: this.#deps.ids.uuid(), door, audio });
  }

  /** A call that the caller may see. */
  find(call: Call, liveCallId: string): LiveCallInfo {
    const running = this.#calls.get(liveCallId)?.info;
    const prepared = this.#prepared.get(liveCallId);
    const info = running ?? (prepared && preparedInfo(prepared));
    if (!info || !maySee(call.caller, info.gkScopeId)) throw notFound('live call', 'live_call_id');
    return info;
  }

  /** For those who follow a call; the same rights as reading it. */
  follow(call: Call, liveCallId: string): LiveCall {
    this.find(call, liveCallId);
    const running = this.#calls.get(liveCallId);
    if (!running) throw notFound('live call', 'live_call_id');
    return running;
  }

  list(call: Call, gkScopeId: string): LiveCallInfo[] {
    requireTenant(call.caller, gkScopeId, 'gk_scope_id');
    return [...this.#calls.values()]
      .filter((live) => !live.isOver && live.info.gkScopeId === gkScopeId)
      .map((live) => live.info);
  }

  async end(call: Call, liveCallId: string): Promise<LiveCallInfo> {
    this.find(call, liveCallId);
    this.#prepared.delete(liveCallId);
    const live = this.#calls.get(liveCallId);
    if (!live) throw notFound('live call', 'live_call_id');
    await live.finish('ended');
    return live.info;
  }

  /** No new calls; those that run are judged once more and ended. */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#sweeper);
    await Promise.all([...this.#calls.values()].map((live) => live.finish('draining')));
  }

  async #start(
    call: Call,
    question: LiveQuestion,
    { liveCallId, door, audio }: { liveCallId: string; door: string; audio: LiveFormat },
  ): Promise<LiveCall> {
    if (this.#draining) throw new AppError('CANCELLED_SERVER', 'the server is shutting down');
    if (this.#running >= this.#limits.callsMax)
      throw new AppError('BUSY', 'as many calls as this node can listen to are running', {
        retryAfterMs: 5000,
      });
    this.#running++;
    let live: LiveCall | undefined;
    try {
      const { options, ...ids } = await openLive(this.#deps, call, question);
      const { format, customerChannel } = audio;
      const stream = await this.#deps.engine.openStream({
        ...options,
        format,
        channel: format.channels > 1 ? customerChannel : 0,
        checkpointsMs,
        client: call.caller.clientId,
        priority: 'live',
      });
      live = new LiveCall({
        info: { liveCallId, ...ids, door, startedAtMs: this.#deps.clock.now() },
        stream,
        bytesPerSecond: bytesPerSecond(format),
        decide: (point, before) => decideLive(this.#deps, call, question, point, before),
        clock: this.#deps.clock,
        log: this.#deps.log,
        ended: () => void this.#running--,
      });
      this.#calls.set(liveCallId, live);
      return live;
    } finally {
      if (!live) this.#running--;
    }
  }

  #sweep(): void {
    const now = this.#deps.clock.now();
    for (const [id, { expiresAtMs }] of this.#prepared) if (expiresAtMs <= now) this.#prepared.delete(id);
    for (const [id, live] of this.#calls) {
      if (live.isOver && now - live.heardAtMs > REMEMBERED_MS) this.#calls.delete(id);
      else if (!live.isOver && now - live.heardAtMs > IDLE_MS) void live.finish('idle');
    }
  }
}

/** Of another tenant's call not even its existence is told. */
const maySee = (caller: Caller, gkScopeId: string): boolean =>
  caller.tenants === 'all' || caller.tenants.includes(gkScopeId);

function preparedInfo({ liveCallId, ids }: Prepared): LiveCallInfo {
  return { liveCallId, ...ids, ended: false, events: [], netSpeechMs: 0, positionMs: 0 };
}

function bytesPerSecond(format: StreamFormat): number {
  if (format.encoding === 'opus') return 0;
  return format.sampleRateHz * format.channels * (format.encoding === 's16le' ? 2 : 1);
}

/** Whoever prepared the call stays its caller, whichever door the audio came in by. */
function callFor(caller: Caller, { ids, log }: LiveDeps): Call {
  return { requestId: ids.uuid(), caller, signal: new AbortController().signal, log };
}
