// All calls that this node is listening to, including those that have just ended; and access to those of other nodes.
// If somebody stops listening while a call may continue, it is recorded who did, and the session says that the rest was not heard.
import { audit } from '../biometrics/call/audit.js';
import { withdrawnOutcome } from '../biometrics/model/live-outcomes.js';
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { LiveEnrollResult } from '../biometrics/operations/enroll-live.js';
import { type LiveQuestion, openLive } from '../biometrics/operations/live-decision.js';
import type { SessionLines } from '../biometrics/ports/deps.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { AppError, goingDown, isBusy, notFound, requireTenant } from '../errors.js';
import { type Call, type Clock, mayReach } from '../platform.js';
import { AgentTokens } from './agent-tokens.js';
import { type AgentWordResult, AgentWords } from './agent-words.js';
import { CallFetcher, type ResumeKey } from './call-fetcher.js';
import { comparable, inWholeSamples, type MovingCall } from './call-handover.js';
import { CallOutcomes } from './call-outcomes.js';
import type { OnDisplaced } from './call-parts.js';
import {
  anonymousCaller,
  questionAbout,
  callFor,
  type CallStart,
  CallStarter,
  Lateness,
  type LiveDeps,
  type LiveLimits,
} from './call-starter.js';
import { toldNow, toldOf } from './ended-call.js';
import { ErasedCalls } from './erased-calls.js';
import { Followers, type Watcher } from './followers.js';
import type { LiveCall } from './live-call.js';
import { LivePrompts } from './live-prompts.js';
import type { ListedCall, LiveCallInfo, LiveEvent, LiveFormat } from './model.js';
import { MovingCalls } from './moving-calls.js';
import { type NodeRequest, NodeRequests } from './node-requests.js';
import { hashOf, type Prepared, PreparedCalls } from './prepared-calls.js';
import { type NodeKnowledge, RunningCalls } from './running-calls.js';
import { readLine, sessionLines } from './session-lines.js';
import { Upkeep } from './upkeep.js';
import { inEnglish } from '../words/server/say.js';

const TOKEN_BYTES = 32;
/** A node that shuts down waits no longer than this for a database that is away. */
const DRAIN_WAITS_MS = 5000;

interface PrepareOptions {
  validForMs?: number | undefined;
  /** The telephone system's own ID; empty: none. */
  externalCallId?: string;
}

export class LiveCalls {
  readonly #deps: LiveDeps;
  readonly #starter: CallStarter;
  readonly prepared: PreparedCalls;
  readonly #enter: PreparedCalls['entering']['add'] = (work) => this.prepared.entering.add(work);
  readonly agentTokens: AgentTokens;
  readonly lateness: Lateness;
  readonly #calls = new Map<string, LiveCall>();
  readonly #followers: Followers;
  readonly #running: RunningCalls;
  readonly #requests: NodeRequests;
  readonly #erased: ErasedCalls;
  readonly #outcomes: CallOutcomes;
  readonly #agents: AgentWords;
  readonly #prompts: LivePrompts;
  readonly #origins = new WeakMap<LiveCall, Pick<MovingCall, 'caller' | 'question' | 'audio'>>();
  readonly #moving: MovingCalls;
  /** For the calls in a session. */
  readonly lookAtLines: SessionLines['look'];
  readonly #fetcher: CallFetcher;
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #upkeep: Upkeep;
  /** Aborted when a database that is away is no longer waited for. */
  readonly #patience = new AbortController();

  constructor(deps: LiveDeps, limits: LiveLimits, nodes: NodeKnowledge) {
    this.#deps = deps;
    const { nodeId } = nodes;
    this.prepared = new PreparedCalls(deps, nodeId);
    this.#running = new RunningCalls(deps, nodes);
    this.#erased = new ErasedCalls(deps.store, this.#running, this.#calls);
    this.#followers = new Followers(async (ids) => toldOf(deps, await this.#running.look(ids)));
    this.lateness = new Lateness(deps.clock);
    const patience = this.#patience.signal;
    this.#moving = new MovingCalls(deps, nodeId, patience);
    this.#outcomes = new CallOutcomes(deps, nodeId, patience);
    const known = { running: this.#running, lateness: this.lateness, outcomes: this.#outcomes, patience };
    this.#starter = new CallStarter(deps, limits, known);
    this.#agents = new AgentWords(deps, (live) => {
      const origin = this.#origins.get(live);
      return origin && questionAbout(origin.question, origin.audio);
    });
    this.#prompts = new LivePrompts(deps, (live) => this.#origins.get(live));
    this.agentTokens = new AgentTokens(deps);
    this.#requests = new NodeRequests(
      deps,
      nodeId,
      (liveCallId, asked, call) => this.#serve(liveCallId, asked, call),
      () => this.#calls.size > 0,
    );
    const through = { moving: this.#moving, running: this.#running, requests: this.#requests };
    this.#fetcher = new CallFetcher({ store: deps.store, ...through });
    const lines = { nodeId, isAlone: limits.isAlone, calls: this.#calls, requests: this.#requests };
    this.lookAtLines = sessionLines(deps, lines);
    const here = { calls: this.#calls, running: this.#running, erased: this.#erased };
    this.#upkeep = new Upkeep(deps, here, limits.isAlone);
  }

  get running(): number {
    return this.#starter.running;
  }

  /** Memory that running calls occupy. */
  get heldBytes(): number {
    return [...this.#calls.values()].reduce((sum, live) => sum + live.heldBytes, 0);
  }

  /** Prepares a call: says what to check in it. Its audio may come by any protocol, once. */
  async prepare(
    call: Call,
    question: LiveQuestion,
    { validForMs, externalCallId = '' }: PrepareOptions = {},
  ): Promise<{ liveCallId: string; streamToken: string; expiresAtMs: number }> {
    const expiresAtMs = this.prepared.expiryOf(validForMs);
    this.prepared.refuseLongId(externalCallId);
    const { ids, speakers } = await openLive(this.#deps, call, question);
    const liveCallId = this.#deps.ids.uuid();
    const streamToken = this.#deps.ids.token(TOKEN_BYTES);
    const { caller } = call;
    const prepared = { liveCallId, expiresAtMs, question, caller, externalCallId, ids };
    await this.prepared.add(prepared, streamToken, speakers);
    return { liveCallId, streamToken, expiresAtMs };
  }

  /** Begins to listen to a call that was prepared. */
  begin(prepared: Prepared, protocol: string, audio: LiveFormat): Promise<LiveCall> {
    const { caller, question, liveCallId, externalCallId } = prepared;
    const call = callFor(caller, this.#deps);
    return this.#enter(
      this.#start(call, question, { liveCallId, protocol, audio, externalCallId, prepared }),
    );
  }

  /** The admitted connection was closed before the call began. */
  async abandon({ liveCallId }: Prepared): Promise<void> {
    // If it cannot be deleted now, it expires soon.
    await this.prepared.delete(liveCallId).catch(() => undefined);
    this.#followers.neverBegun(liveCallId);
  }

  /** Begins to listen to a call that itself says what it is for. */
  open(call: Call, question: LiveQuestion, protocol: string, audio: LiveFormat): Promise<LiveCall> {
    const liveCallId = this.#deps.ids.uuid();
    return this.#enter(this.#start(call, question, { liveCallId, protocol, audio, externalCallId: '' }));
  }

  /** The call of a lost connection, here, on another node or on one that shut down, for the connection that replaces it. */
  async resume(resumeToken: string): Promise<LiveCall> {
    const hash = hashOf(resumeToken);
    for (const live of this.#calls.values())
      if (!live.isOver && hashOf(live.resumeToken) === hash) return live;
    const moving = await this.#enter(this.#fetch({ resumeToken }));
    if (moving) return this.#enter(this.#goOn(moving));
    throw new AppError('UNAUTHENTICATED', 'the resume token is unknown, or its call is over');
  }

  /** The same by the telephone system's own ID. */
  async resumeExternal(gkScopeId: string, externalCallId: string): Promise<LiveCall | undefined> {
    const running = [...this.#calls.values()].find(
      (live) => !live.isOver && live.externalCallId === externalCallId && live.info.gkScopeId === gkScopeId,
    );
    if (running) return running;
    const moving = await this.#enter(this.#fetch({ gkScopeId, externalCallId }));
    return moving && this.#enter(this.#goOn(moving));
  }

  /** A call that waits to be resumed, or that its current node is asked to hand over. */
  async #fetch(which: ResumeKey): Promise<MovingCall | undefined> {
    if (this.#starter.isDraining) throw goingDown();
    return this.#fetcher.fetch(callFor(anonymousCaller, this.#deps), which);
  }

  async #goOn(moving: MovingCall): Promise<LiveCall> {
    const { caller, question, modelRevision: _revision, ...from } = moving;
    const handover = comparable(moving, this.#deps.engine.model.revision);
    const call = callFor(caller, this.#deps);
    const live = await this.#start(call, question, { ...from, handover }).catch(async (thrown: unknown) => {
      // It keeps waiting, for another try or another node.
      if (isBusy(thrown)) await this.#moving.putBack(question.context.gkScopeId ?? '', moving);
      throw thrown;
    });
    if (handover.prompt) this.#prompts.goOn(live, handover.prompt);
    if (handover.agentWord === 'CONFIRMED' && this.#agents.isCollecting(live))
      this.#agents.enrollAfterwards(call, live, handover.agentConsent);
    return live;
  }

  /** A call that the caller may see: one that runs, is prepared, or has ended not long ago. */
  async find(call: Call, liveCallId: string): Promise<LiveCallInfo> {
    const info =
      (await this.#erased.tellable(liveCallId)) ??
      (await this.prepared.find(liveCallId)) ??
      (await this.#outcomes.find(liveCallId));
    // Not even the existence of another tenant's call is revealed.
    if (!info || !mayReach(call.caller, info.gkScopeId)) throw notFound('live call', 'live_call_id');
    return toldNow(this.#deps, info);
  }

  /** The current state of a call, for callers that were admitted before; undefined while it runs nowhere. */
  async lookAt(call: Call, liveCallId: string): Promise<LiveCallInfo | undefined> {
    const here = await this.#erased.tellable(liveCallId);
    const entry = here ? undefined : await this.#running.elsewhere({ liveCallId });
    return entry ? this.#requests.ask<LiveCallInfo>(call, entry, { do: 'look' }) : here;
  }

  /** Follows a call that was found, even if it is only prepared yet, runs elsewhere or is over. */
  watch(info: LiveCallInfo, watcher: Watcher): () => void {
    if (info.ended) return this.#followers.replay(info, watcher);
    const running = this.#calls.get(info.liveCallId);
    if (running) return this.#followers.follow(running, watcher);
    return this.#followers.await(info.liveCallId, watcher);
  }

  /** Running calls, on any node. */
  async list(call: Call, gkScopeId: string): Promise<ListedCall[]> {
    requireTenant(call.caller, gkScopeId, 'gk_scope_id');
    const all = await this.#running.list(gkScopeId);
    const here = new Map(
      all.flatMap(({ liveCallId: id }) => {
        const live = this.#calls.get(id);
        return live ? [[id, live] as const] : [];
      }),
    );
    await this.#erased.forget([...here.values()]);
    const running = all.map((info) => here.get(info.liveCallId)?.info ?? info).filter(({ ended }) => !ended);
    return this.#running.listed(gkScopeId, running);
  }

  /** Ends a running call, or cancels one that was only prepared: its token is then worthless. */
  async end(call: Call, liveCallId: string): Promise<LiveCallInfo> {
    const info = await this.find(call, liveCallId);
    if (info.ended) return info;
    const never = takenBack(info, this.#deps.clock.now());
    if (!(await this.prepared.delete(liveCallId, never)))
      return this.#atItsNode(call, liveCallId, { do: 'end' }, async (live) => {
        await live.finish('ended');
        await noteStopped(this.#deps, call, live.info);
        return toldNow(this.#deps, live.info);
      });
    await noteTakenBack(this.#deps, call, info);
    const told = await toldNow(this.#deps, never);
    this.#followers.neverBegun(liveCallId, told.events[0]);
    return told;
  }

  /** The agent's confirmation: the call's speech becomes part of the print, with the person's consent. */
  enroll(call: Call, liveCallId: string, consent: boolean): Promise<LiveEnrollResult> {
    return this.#atItsNode(call, liveCallId, { do: 'enroll', consent }, (live) =>
      this.#agents.enroll(call, live, consent),
    );
  }

  /** Not the customer, or no consent: discards what was collected. */
  forget(call: Call, liveCallId: string): Promise<void> {
    return this.#atItsNode(call, liveCallId, { do: 'forget' }, async (live) => this.#agents.forget(live));
  }

  /** Draws digits for the caller to repeat. */
  promptCaller(call: Call, liveCallId: string): Promise<{ words: string; figures: string }> {
    return this.#atItsNode(call, liveCallId, { do: 'prompt' }, (live) => this.#prompts.ask(call, live));
  }

  /** They were read out. */
  endPrompt(call: Call, liveCallId: string): Promise<void> {
    return this.#atItsNode(call, liveCallId, { do: 'endPrompt' }, (live) => this.#prompts.end(live));
  }

  /** Whether speech would be enrolled if the agent confirmed the caller. */
  async isCollecting(liveCallId: string): Promise<boolean> {
    const info = this.#calls.get(liveCallId)?.info ?? (await this.#outcomes.find(liveCallId));
    return info?.isCollecting === true;
  }

  /** The agent's confirmation or denial of the caller. */
  confirmOrDeny(call: Call, liveCallId: string, word: AgentWord, consent = false): Promise<AgentWordResult> {
    return this.#atItsNode(call, liveCallId, { do: 'word', word, consent }, async (live) => {
      const enrolled = await this.#agents.confirmOrDeny(call, live, word, consent);
      await live.keep();
      return enrolled;
    });
  }

  /** Runs an action on a call where it is: here, or on the node that has it in memory. */
  async #atItsNode<T>(
    call: Call,
    liveCallId: string,
    request: NodeRequest,
    here: (live: LiveCall) => Promise<T>,
  ): Promise<T> {
    const { ended, events } = await this.find(call, liveCallId);
    const live = this.#calls.get(liveCallId);
    if (live) return here(live);
    const entry = await this.#running.elsewhere({ liveCallId });
    if (entry) return this.#requests.ask<T>(call, entry, request);
    if (ended)
      throw new AppError('INVALID_REQUEST', inEnglish('the call is over, and its speech is no longer kept'));
    if (events.length === 0) throw new AppError('INVALID_REQUEST', inEnglish('the call has not begun yet'));
    throw new AppError('BUSY', 'no node is listening to the call at the moment', { retryAfterMs: 1000 });
  }

  /** Serves another node's request about a call that is here. */
  async #serve(liveCallId: string, asked: NodeRequest, call: Call): Promise<unknown> {
    const leaving = this.#leaving.get(liveCallId);
    if (leaving && asked.do === 'handOver') return leaving;
    const live = this.#calls.get(liveCallId);
    if (!live)
      throw new AppError('BUSY', 'no node is listening to the call at the moment', { retryAfterMs: 1000 });
    switch (asked.do) {
      case 'end':
        return this.end(call, liveCallId);
      case 'enroll':
        return this.enroll(call, liveCallId, asked.consent);
      case 'forget':
        return this.forget(call, liveCallId);
      case 'prompt':
        return this.promptCaller(call, liveCallId);
      case 'endPrompt':
        return this.endPrompt(call, liveCallId);
      case 'word':
        return this.confirmOrDeny(call, liveCallId, asked.word, asked.consent);
      case 'look':
        return this.#erased.tellable(liveCallId);
      case 'readLine':
        return readLine(live);
      case 'handOver':
        return this.#sendAway(live, 'resumed');
    }
  }

  /** Accepts no new calls; running ones are handed over or ended, and followers are told to come back. */
  async drain(): Promise<void> {
    this.#starter.drain();
    const patience = setTimeout(() => this.#patience.abort(), DRAIN_WAITS_MS);
    await this.prepared.drain();
    // Calls whose senders meanwhile reconnect to another node are handed over to it.
    await Promise.all([...this.#calls.values()].map((live) => live.release()));
    await Promise.all([...this.#calls.values()].map((live) => this.#sendAway(live, 'draining')));
    // Renewed until now: draining may take long enough for other nodes to take this one for dead.
    await Promise.all([this.#upkeep.stop(), this.#requests.stop()]);
    this.#followers.drain();
    await Promise.all([this.#agents.settled(), this.#outcomes.settled()]);
    // If this cannot be reported, the other nodes will notice by themselves.
    await this.#running.forgetAll().catch(() => undefined);
    clearTimeout(patience);
  }

  /** Stored for another node if its connection can be made again, otherwise ended. */
  #sendAway(live: LiveCall, why: Parameters<OnDisplaced>[0]): Promise<void> {
    const { liveCallId } = live.info;
    const leaving =
      this.#leaving.get(liveCallId) ?? this.#leave(live, why).finally(() => this.#leaving.delete(liveCallId));
    this.#leaving.set(liveCallId, leaving);
    return leaving;
  }

  async #leave(live: LiveCall, why: Parameters<OnDisplaced>[0]): Promise<void> {
    const origin = this.#origins.get(live);
    const { resumeToken, externalCallId, info } = live;
    const { liveCallId, gkScopeId, protocol = '', startedAtMs = 0 } = info;
    const handover = origin && (await live.moveAway());
    if (!handover) {
      await live.finish('draining');
      return;
    }
    // No longer one of the calls that this node reports as its own.
    this.#calls.delete(liveCallId);
    const modelRevision = this.#deps.engine.model.revision;
    const call = { liveCallId, protocol, startedAtMs, externalCallId, resumeToken, modelRevision };
    const whole = inWholeSamples(handover, origin.audio);
    const isKept = await this.#moving.keep(gkScopeId, { ...call, ...origin, handover: whole });
    await live.sendAway(isKept, why);
    if (isKept && why === 'resumed') this.#followers.movedAway(liveCallId);
  }

  async #start(call: Call, question: LiveQuestion, from: CallStart): Promise<LiveCall> {
    const { liveCallId, prepared } = from;
    try {
      const live = await this.#starter.start(call, question, from);
      this.#calls.set(liveCallId, live);
      this.#origins.set(live, { caller: call.caller, question, audio: from.audio });
      this.#followers.begun(live);
      return live;
    } catch (thrown) {
      // Another try may find room. If the database cannot be told now, the entry expires soon.
      if (prepared && isBusy(thrown)) await this.prepared.putBack(prepared).catch(() => undefined);
      else if (prepared) await this.abandon(prepared);
      throw thrown;
    }
  }
}

interface Deps {
  store: BiometricsStore;
  clock: Clock;
}

const OPERATION = 'EndCall';

/** The final state of a prepared call that was canceled. */
function takenBack(info: LiveCallInfo, nowMs: number): LiveCallInfo & { events: [LiveEvent] } {
  const why = { reason: 'NOT_BEGUN', endReason: 'ended' } as const;
  return { ...info, ended: true, events: [withdrawnOutcome(info.liveCallId, nowMs, why)] };
}

/** The call was never heard. */
function noteTakenBack({ store }: Deps, call: Call, info: LiveCallInfo): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId } = info;
  return store.transaction((tx) =>
    audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: OPERATION,
      gkScopeId,
      gkEngagementId,
      gkSessionId,
      detail: { liveCallId, reason: 'NOT_BEGUN' },
    }),
  );
}

/** Call after its end is stored. */
async function noteStopped({ store }: Deps, call: Call, info: LiveCallInfo): Promise<void> {
  const { liveCallId, gkScopeId, gkEngagementId, gkSessionId, events, positionMs } = info;
  const endReason = events.at(-1)?.endReason;
  // The call had ended by itself meanwhile.
  if (endReason !== 'ended') return;
  await store.transaction(async (tx) => {
    const isUnheard = (await tx.sessions.cutOffAmong(gkScopeId, [gkSessionId])).has(gkSessionId);
    await audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: OPERATION,
      gkScopeId,
      gkEngagementId,
      gkSessionId,
      detail: { liveCallId, lengthMs: Math.round(positionMs), ...(isUnheard && { endReason }) },
    });
  });
}
