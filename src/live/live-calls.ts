// All calls that are listened to on this node: prepared ones, running ones, and those that have just ended.
import { timingSafeEqual } from 'node:crypto';
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { LiveEnrollResult } from '../biometrics/operations/enroll-live.js';
import { openLive, type LiveQuestion } from '../biometrics/operations/live-decision.js';
import { AppError, invalidFields, notFound, requireTenant } from '../errors.js';
import type { Call, Caller } from '../platform.js';
import { AgentTokens } from './agent-tokens.js';
import { AgentWords } from './agent-words.js';
import { CallOutcomes } from './call-outcomes.js';
import { CallStarter, type Beginning, type LiveDeps, type LiveLimits } from './call-starter.js';
import type { MovingCall } from './carried.js';
import { Followers, type Watcher } from './followers.js';
import { Lateness } from './lateness.js';
import type { LiveCall } from './live-call.js';
import type { LiveCallInfo, LiveEvent, LiveFormat } from './model.js';
import { MovingCalls } from './moving-calls.js';
import { hashOf, PreparedCalls, type Prepared } from './prepared-calls.js';

const TOKEN_BYTES = 32;
const VALID_MS_DEFAULT = 5 * 60_000;
const VALID_MS_MAX = 3600_000;
/** Nobody speaks, and nothing arrives either: the connection is dead or was never meant to carry a call. */
const IDLE_MS = 60_000;
/** How long an ended call stays in memory, with the speech that it has collected. */
const REMEMBERED_MS = 10 * 60_000;
const SWEEP_MS = 5000;

export interface PrepareOptions {
  validForMs?: number | undefined;
  /** The telephone system's own ID; empty: none. */
  externalCallId?: string;
}

export class LiveCalls {
  readonly #deps: LiveDeps;
  readonly #starter: CallStarter;
  readonly prepared: PreparedCalls;
  readonly agentTokens: AgentTokens;
  readonly lateness: Lateness;
  readonly #calls = new Map<string, LiveCall>();
  readonly #followers = new Followers();
  readonly #outcomes: CallOutcomes;
  readonly #agents: AgentWords;
  readonly #origins = new WeakMap<LiveCall, Pick<MovingCall, 'caller' | 'question' | 'audio'>>();
  readonly #moving: MovingCalls;
  readonly #sweeper: NodeJS.Timeout;

  constructor(deps: LiveDeps, limits: LiveLimits) {
    this.#deps = deps;
    this.prepared = new PreparedCalls(deps.clock);
    this.lateness = new Lateness(deps.clock);
    this.#moving = new MovingCalls(deps);
    this.#outcomes = new CallOutcomes(deps);
    this.#starter = new CallStarter(deps, limits, {
      prepared: this.prepared,
      lateness: this.lateness,
      outcomes: this.#outcomes,
    });
    this.#agents = new AgentWords(deps, (live) => this.#origins.get(live)?.question);
    this.agentTokens = new AgentTokens(deps.clock, deps.ids);
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  get running(): number {
    return this.#starter.running;
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
    return this.#start(call, question, { liveCallId, door, audio, externalCallId, prepared });
  }

  /** Whoever was let in has gone before the call began. */
  abandon({ liveCallId }: Prepared): void {
    if (this.prepared.delete(liveCallId)) this.#followers.neverBegun(liveCallId);
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
    const moving = this.#starter.isDraining ? undefined : await this.#moving.takeByToken(resumeToken);
    if (moving) return this.#goOn(moving);
    throw new AppError('UNAUTHENTICATED', 'the resume token is unknown, or its call is over');
  }

  /** The same by the telephone system's own ID. */
  async resumeExternal(gkScopeId: string, externalCallId: string): Promise<LiveCall | undefined> {
    const running = [...this.#calls.values()].find(
      (live) => !live.isOver && live.externalCallId === externalCallId && live.info.gkScopeId === gkScopeId,
    );
    if (running || this.#starter.isDraining) return running;
    const moving = await this.#moving.takeByExternal(gkScopeId, externalCallId);
    return moving && this.#goOn(moving);
  }

  async #goOn({ caller, question, modelRevision, carried, ...from }: MovingCall): Promise<LiveCall> {
    const windows = modelRevision === this.#deps.engine.model.revision ? carried.windows : [];
    const call = callFor(caller, this.#deps);
    const live = await this.#start(call, question, { ...from, carried: { ...carried, windows } });
    if (carried.agentWord === 'CONFIRMED' && this.#agents.isCollecting(live))
      this.#agents.enrollAfterwards(call, live, carried.agentConsent);
    return live;
  }

  /** A call that the caller may see: one that runs, is prepared, or has ended not long ago. */
  async find(call: Call, liveCallId: string): Promise<LiveCallInfo> {
    const info = this.#here(liveCallId) ?? (await this.#outcomes.find(liveCallId));
    if (!info || !maySee(call.caller, info.gkScopeId)) throw notFound('live call', 'live_call_id');
    return info;
  }

  #here(liveCallId: string): LiveCallInfo | undefined {
    const prepared = this.prepared.find(liveCallId);
    return this.#calls.get(liveCallId)?.info ?? (prepared && preparedInfo(prepared));
  }

  /** For those who were let in before; undefined while it has not begun. */
  infoOf(liveCallId: string): LiveCallInfo | undefined {
    return this.#calls.get(liveCallId)?.info;
  }

  /** Follows a call that was found: also one that is only prepared yet, or is over. */
  watch(info: LiveCallInfo, watcher: Watcher): () => void {
    const running = this.#calls.get(info.liveCallId);
    if (running) return this.#followers.follow(running, watcher);
    if (this.prepared.find(info.liveCallId)) return this.#followers.await(info.liveCallId, watcher);
    return this.#followers.replay(info, watcher);
  }

  list(call: Call, gkScopeId: string): LiveCallInfo[] {
    requireTenant(call.caller, gkScopeId, 'gk_scope_id');
    return [...this.#calls.values()]
      .filter((live) => !live.isOver && live.info.gkScopeId === gkScopeId)
      .map((live) => live.info);
  }

  /** Ends a call that runs, or takes back one that was only prepared: its token is good for nothing then. */
  async end(call: Call, liveCallId: string): Promise<LiveCallInfo> {
    const info = await this.find(call, liveCallId);
    const live = this.#calls.get(liveCallId);
    if (live) {
      await live.finish('ended');
      return live.info;
    }
    if (!this.prepared.delete(liveCallId)) {
      if (info.ended) return info;
      throw new AppError('INVALID_REQUEST', 'this node does not listen to the call');
    }
    const last = neverBegan(liveCallId, this.#deps.clock.now());
    const takenBack = { ...info, ended: true, events: [last] };
    await this.#outcomes.keep(takenBack);
    this.#followers.neverBegun(liveCallId, last);
    return takenBack;
  }

  /** The agent's word: the speech of the call becomes part of the print, with the person's consent. */
  async enroll(call: Call, liveCallId: string, consent: boolean): Promise<LiveEnrollResult> {
    return this.#agents.enroll(call, await this.#begun(call, liveCallId), consent);
  }

  /** Not the customer, or no consent: what was collected is gone. */
  async forget(call: Call, liveCallId: string): Promise<void> {
    this.#agents.forget(await this.#begun(call, liveCallId));
  }

  /** Whether speech would be enrolled if the agent confirmed the caller. */
  isCollecting(liveCallId: string): boolean {
    const live = this.#calls.get(liveCallId);
    return live !== undefined && this.#agents.isCollecting(live);
  }

  /** The agent's word about the caller. */
  async hearAgent(
    call: Call,
    liveCallId: string,
    word: AgentWord,
    consent = false,
  ): Promise<Partial<LiveEnrollResult>> {
    return this.#agents.hear(call, await this.#begun(call, liveCallId), word, consent);
  }

  async #begun(call: Call, liveCallId: string): Promise<LiveCall> {
    const { ended } = await this.find(call, liveCallId);
    const live = this.#calls.get(liveCallId);
    if (live) return live;
    throw new AppError(
      'INVALID_REQUEST',
      ended ? 'the call is over, and its speech is gone' : 'the call has not begun yet',
    );
  }

  /** No new calls; those that run are sent away or ended, and their followers are told to come back. */
  async drain(): Promise<void> {
    this.#starter.drain();
    clearInterval(this.#sweeper);
    await Promise.all([...this.#calls.values()].map((live) => this.#sendAway(live)));
    this.#followers.drain();
    await Promise.all([this.#agents.settled(), this.#outcomes.settled()]);
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
    const { liveCallId, prepared } = from;
    try {
      const live = await this.#starter.start(call, question, from);
      this.#calls.set(liveCallId, live);
      this.#origins.set(live, { caller: call.caller, question, audio: from.audio });
      this.#followers.begun(live);
      return live;
    } catch (thrown) {
      // Another try may find room.
      if (prepared && thrown instanceof AppError && thrown.code === 'BUSY') this.prepared.putBack(prepared);
      else {
        this.prepared.delete(liveCallId);
        this.#followers.neverBegun(liveCallId);
      }
      throw thrown;
    }
  }

  #sweep(): void {
    const now = this.#deps.clock.now();
    for (const liveCallId of this.prepared.sweep()) this.#followers.neverBegun(liveCallId);
    this.agentTokens.sweep();
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

function neverBegan(liveCallId: string, atMs: number): LiveEvent {
  const nothing = { netSpeechMs: 0, positionMs: 0 };
  return {
    liveCallId,
    sequence: 1,
    atMs,
    state: 'LISTENING',
    reason: 'NOT_BEGUN',
    ...nothing,
    endReason: 'ended',
  };
}

/** Whoever prepared the call stays its caller, whichever door the audio came in by. */
function callFor(caller: Caller, { ids, log }: LiveDeps): Call {
  return { requestId: ids.uuid(), caller, signal: new AbortController().signal, log };
}
