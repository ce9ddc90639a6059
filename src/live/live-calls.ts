// All calls that are listened to on this node: prepared ones, running ones, and those that have just ended.
import { timingSafeEqual } from 'node:crypto';
import { recordAgentWord, type AgentWord } from '../biometrics/operations/agent-word.js';
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { enrollLive, type LiveEnrollResult } from '../biometrics/operations/enroll-live.js';
import { decideLive, openLive, type LiveQuestion } from '../biometrics/operations/live-decision.js';
import { AppError, invalidFields, notFound, requireTenant } from '../errors.js';
import type { Call, Caller, Log } from '../platform.js';
import type { StreamFormat } from '../voice/audio/types.js';
import { AgentTokens } from './agent-tokens.js';
import type { Carried, MovingCall } from './carried.js';
import { LiveCall } from './live-call.js';
import type { LiveCallInfo, LiveEvent, LiveFormat } from './model.js';
import { MovingCalls } from './moving-calls.js';
import { hashOf, PreparedCalls, type Prepared } from './prepared-calls.js';

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

export interface PrepareOptions {
  validForMs?: number | undefined;
  /** The telephone system's own ID; empty: none. */
  externalCallId?: string;
}

export interface LiveLimits {
  /** Calls that are listened to at once. */
  callsMax: number;
  /** How long a call whose connection broke waits for another one. */
  resumeMs: number;
}

export interface LiveDeps extends OperationDeps {
  log: Log;
}

interface Beginning {
  liveCallId: string;
  door: string;
  audio: LiveFormat;
  externalCallId: string;
  /** Of a call that began at another node. */
  startedAtMs?: number;
  resumeToken?: string;
  carried?: Carried;
}

/** Who follows a call: told of every event, and that there will be no more. */
interface Watcher {
  told(event: LiveEvent): void;
  over(): void;
}

/** Follows a call that is only prepared. */
interface EarlyWatcher {
  watcher: Watcher;
  leave(): void;
}

export class LiveCalls {
  readonly #deps: LiveDeps;
  readonly #limits: LiveLimits;
  readonly prepared: PreparedCalls;
  readonly agentTokens: AgentTokens;
  readonly #calls = new Map<string, LiveCall>();
  /** Of calls that are only prepared. */
  readonly #early = new Map<string, Set<EarlyWatcher>>();
  readonly #origins = new WeakMap<LiveCall, Pick<MovingCall, 'caller' | 'question' | 'audio'>>();
  readonly #moving: MovingCalls;
  /** Of calls that have just ended. */
  readonly #enrolling = new Set<Promise<unknown>>();
  readonly #sweeper: NodeJS.Timeout;
  #running = 0;
  #draining = false;

  constructor(deps: LiveDeps, limits: LiveLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.prepared = new PreparedCalls(deps.clock);
    this.#moving = new MovingCalls(deps);
    this.agentTokens = new AgentTokens(deps.clock, deps.ids);
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
    this.prepared.refuseFull();
    const { ids } = await openLive(this.#deps, call, question);
    this.prepared.refuseTaken(ids.gkScopeId, externalCallId);
    const liveCallId = this.#deps.ids.uuid();
    const streamToken = this.#deps.ids.token(TOKEN_BYTES);
    const expiresAtMs = this.#deps.clock.now() + validForMs;
    const { caller } = call;
    const tokenHash = hashOf(streamToken);
    this.prepared.add({ liveCallId, tokenHash, expiresAtMs, question, caller, externalCallId, ids });
    return { liveCallId, streamToken, expiresAtMs };
  }

  /** Begins to listen to a call that was prepared. */
  begin(prepared: Prepared, door: string, audio: LiveFormat): Promise<LiveCall> {
    const { caller, question, liveCallId, externalCallId } = prepared;
    const call = callFor(caller, this.#deps);
    return this.#start(call, question, { liveCallId, door, audio, externalCallId });
  }

  /** Begins to listen to a call that says itself what it is for. */
  open(call: Call, question: LiveQuestion, door: string, audio: LiveFormat): Promise<LiveCall> {
    const liveCallId = this.#deps.ids.uuid();
    return this.#start(call, question, { liveCallId, door, audio, externalCallId: '' });
  }

  /** The call of a connection that broke, here or at a node that went down, for the one that takes its place. */
  async resume(resumeToken: string): Promise<LiveCall> {
    const hash = hashOf(resumeToken);
    for (const live of this.#calls.values())
      if (!live.isOver && timingSafeEqual(hashOf(live.resumeToken), hash)) return live;
    const moving = this.#draining ? undefined : await this.#moving.takeByToken(resumeToken);
    if (moving) return this.#goOn(moving);
    throw new AppError('UNAUTHENTICATED', 'the resume token is unknown, or its call is over');
  }

  /** The same by the telephone system's own ID. */
  async resumeExternal(gkScopeId: string, externalCallId: string): Promise<LiveCall | undefined> {
    const running = [...this.#calls.values()].find(
      (live) => !live.isOver && live.externalCallId === externalCallId && live.info.gkScopeId === gkScopeId,
    );
    if (running || this.#draining) return running;
    const moving = await this.#moving.takeByExternal(gkScopeId, externalCallId);
    return moving && this.#goOn(moving);
  }

  async #goOn({ caller, question, modelRevision, carried, ...from }: MovingCall): Promise<LiveCall> {
    const windows = modelRevision === this.#deps.engine.model.revision ? carried.windows : [];
    const call = callFor(caller, this.#deps);
    const live = await this.#start(call, question, { ...from, carried: { ...carried, windows } });
    if (carried.agentWord === 'CONFIRMED' && this.isCollecting(from.liveCallId))
      this.#enrollAfterwards(call, live, carried.agentConsent);
    return live;
  }

  /** A call that the caller may see. */
  find(call: Call, liveCallId: string): LiveCallInfo {
    const running = this.#calls.get(liveCallId)?.info;
    const prepared = this.prepared.find(liveCallId);
    const info = running ?? (prepared && preparedInfo(prepared));
    if (!info || !maySee(call.caller, info.gkScopeId)) throw notFound('live call', 'live_call_id');
    return info;
  }

  /** For those who were let in before; undefined while it has not begun. */
  infoOf(liveCallId: string): LiveCallInfo | undefined {
    return this.#calls.get(liveCallId)?.info;
  }

  /** Follows a call that may only be prepared yet. */
  watch(liveCallId: string, watcher: Watcher): () => void {
    const running = this.#calls.get(liveCallId);
    if (running) return follow(running, watcher);
    const all = this.#early.get(liveCallId) ?? new Set();
    const early: EarlyWatcher = {
      watcher,
      leave: () => {
        all.delete(early);
        if (all.size === 0 && this.#early.get(liveCallId) === all) this.#early.delete(liveCallId);
      },
    };
    this.#early.set(liveCallId, all.add(early));
    return () => early.leave();
  }

  list(call: Call, gkScopeId: string): LiveCallInfo[] {
    requireTenant(call.caller, gkScopeId, 'gk_scope_id');
    return [...this.#calls.values()]
      .filter((live) => !live.isOver && live.info.gkScopeId === gkScopeId)
      .map((live) => live.info);
  }

  async end(call: Call, liveCallId: string): Promise<LiveCallInfo> {
    this.find(call, liveCallId);
    if (this.prepared.delete(liveCallId)) this.#neverBegun(liveCallId);
    const live = this.#calls.get(liveCallId);
    if (!live) throw notFound('live call', 'live_call_id');
    await live.finish('ended');
    return live.info;
  }

  /** The agent's word: the speech of the call becomes part of the print, with the person's consent. */
  async enroll(call: Call, liveCallId: string, consent: boolean): Promise<LiveEnrollResult> {
    const { live, question } = this.#collecting(call, liveCallId);
    const heard = live.collected;
    if (!heard)
      throw new AppError(
        'INVALID_REQUEST',
        live.isOver ? 'there is no speech of this call to enroll' : 'the call has not ended yet',
      );
    if (live.info.events.at(-1)?.state === 'FRAUD')
      throw new AppError('PERMISSION_DENIED', 'speech of a call that was found to be fraud is not enrolled');
    const { context, enrollInto: gkVoiceprintProfileId = '' } = question;
    const input = { context, gkVoiceprintProfileId, liveCallId, consent, heard };
    const result = await enrollLive(this.#deps, call, input);
    live.forgetCollected();
    return result;
  }

  /** Not the customer, or no consent: what was collected is gone. */
  forget(call: Call, liveCallId: string): void {
    this.#collecting(call, liveCallId).live.forgetCollected();
  }

  /** Whether speech would be enrolled if the agent confirmed the caller. */
  isCollecting(liveCallId: string): boolean {
    const live = this.#calls.get(liveCallId);
    return live !== undefined && this.#origins.get(live)?.question.enrollInto !== undefined;
  }

  /** The agent's word about the caller. Speech that the call collects is enrolled when it is over, or gone at once. */
  async hearAgent(
    call: Call,
    liveCallId: string,
    word: AgentWord,
    consent = false,
  ): Promise<Partial<LiveEnrollResult>> {
    const info = this.find(call, liveCallId);
    const live = this.#calls.get(liveCallId);
    if (!live) throw new AppError('INVALID_REQUEST', 'the call has not begun yet');
    if (info.agentWord === word) return {};
    if (info.agentWord) throw new AppError('INVALID_REQUEST', 'the agent has already said otherwise');
    const collects = word === 'CONFIRMED' && this.isCollecting(liveCallId);
    // Over already: what stands in the way is told, and nothing is recorded.
    const wasOver = live.isOver;
    const enrolled = collects && wasOver ? await this.enroll(call, liveCallId, consent) : {};
    live.hearAgent(word, consent);
    const state = info.events.at(-1)?.state ?? 'LISTENING';
    await recordAgentWord(this.#deps, call, { ...info, state }, word);
    if (collects && !wasOver) this.#enrollAfterwards(call, live, consent);
    return enrolled;
  }

  #enrollAfterwards(call: Call, live: LiveCall, consent: boolean): void {
    const { liveCallId } = live.info;
    live.subscribe(({ endReason }) => {
      if (!endReason) return;
      const work = this.enroll(call, liveCallId, consent)
        .catch((cause: unknown) =>
          this.#deps.log.warn({ liveCallId, cause: String(cause) }, 'confirmed speech was not enrolled'),
        )
        .finally(() => this.#enrolling.delete(work));
      this.#enrolling.add(work);
    });
  }

  #collecting(call: Call, liveCallId: string): { live: LiveCall; question: LiveQuestion } {
    this.find(call, liveCallId);
    const live = this.#calls.get(liveCallId);
    const question = live && this.#origins.get(live)?.question;
    if (!live || !question?.enrollInto) throw new AppError('INVALID_REQUEST', 'this call collects no speech');
    return { live, question };
  }

  /** No new calls; those that run are judged once more and ended. */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#sweeper);
    for (const liveCallId of [...this.#early.keys()]) this.#neverBegun(liveCallId);
    await Promise.all([...this.#calls.values()].map((live) => this.#sendAway(live)));
    await Promise.all(this.#enrolling);
  }

  /** Kept for another node where its connection can be made anew, and ended where not. */
  async #sendAway(live: LiveCall): Promise<void> {
    const origin = this.#origins.get(live);
    const { resumeToken, externalCallId, info } = live;
    const { liveCallId, gkScopeId, door = '', startedAtMs = 0 } = info;
    const carried = origin && (await live.moveAway());
    if (carried) {
      const modelRevision = this.#deps.engine.model.revision;
      const call = { liveCallId, door, startedAtMs, externalCallId, resumeToken, modelRevision, carried };
      live.sendAway(await this.#moving.keep(gkScopeId, { ...call, ...origin }));
    } else await live.finish('draining');
  }

  async #start(call: Call, question: LiveQuestion, from: Beginning): Promise<LiveCall> {
    if (this.#draining) throw new AppError('CANCELLED_SERVER', 'the server is shutting down');
    if (this.#running >= this.#limits.callsMax)
      throw new AppError('BUSY', 'as many calls as this node can listen to are running', {
        retryAfterMs: 5000,
      });
    this.#running++;
    const { liveCallId, door, audio, externalCallId, carried, startedAtMs = this.#deps.clock.now() } = from;
    let live: LiveCall | undefined;
    try {
      const { options, ids, pausesWhenDecided } = await openLive(this.#deps, call, question);
      const { format, customerChannel, isCustomerAlone = format.channels > 1 } = audio;
      const asked = { ...question, isCustomerAlone };
      const stream = await this.#deps.engine.openStream({
        ...options,
        format,
        channel: format.channels > 1 ? customerChannel : 0,
        checkpointsMs,
        client: call.caller.clientId,
        priority: 'live',
      });
      live = new LiveCall({
        info: { liveCallId, ...ids, door, startedAtMs },
        externalCallId,
        ...(carried && { carried }),
        resumeToken: from.resumeToken ?? this.#deps.ids.token(TOKEN_BYTES),
        resumeMs: this.#limits.resumeMs,
        pausesWhenDecided,
        collects: question.enrollInto !== undefined,
        stream,
        bytesPerSecond: bytesPerSecond(format),
        decide: (point, before) => decideLive(this.#deps, call, asked, point, before),
        clock: this.#deps.clock,
        log: this.#deps.log,
        ended: () => void this.#running--,
      });
      this.#calls.set(liveCallId, live);
      this.#origins.set(live, { caller: call.caller, question, audio });
      for (const early of this.#early.get(liveCallId) ?? []) early.leave = follow(live, early.watcher);
      this.#early.delete(liveCallId);
      return live;
    } finally {
      if (!live) {
        this.#running--;
        this.#neverBegun(liveCallId);
      }
    }
  }

  #neverBegun(liveCallId: string): void {
    for (const { watcher } of this.#early.get(liveCallId) ?? []) watcher.over();
    this.#early.delete(liveCallId);
  }

  #sweep(): void {
    const now = this.#deps.clock.now();
    for (const liveCallId of this.prepared.sweep()) this.#neverBegun(liveCallId);
    this.agentTokens.sweep();
    for (const [id, live] of this.#calls) {
      if (live.isOver && now - live.heardAtMs > REMEMBERED_MS) this.#calls.delete(id);
      else if (!live.isOver && now - live.heardAtMs > IDLE_MS) void live.finish('idle');
    }
  }
}

function follow(live: LiveCall, { told, over }: Watcher): () => void {
  return live.subscribe((event) => {
    told(event);
    if (event.endReason) over();
  });
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
