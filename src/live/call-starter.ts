// Starts listening to a call: checks whether there is room for one more, determines what to check in it, and
// opens its engine stream.
// A node that has fallen behind with the calls that it listens to accepts no new ones, so that running calls are still decided in
// time.
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { decideLive, type LiveQuestion, openLive, printsIn } from '../biometrics/operations/live-decision.js';
import { KnownWindows } from '../biometrics/operations/without-agent.js';
import { LatchedAlarms } from '../biometrics/rules/latched-alarms.js';
import { AppError, goingDown } from '../errors.js';
import type { Call, Caller, Clock, Log } from '../platform.js';
import type { StreamFormat } from '../voice/audio/types.js';
import { checkpointsAfter, checkpointsByWindow } from './call-course.js';
import { sessionMeansNow } from './ended-call.js';
import { customerMsOf, type HandoverState, netMsOf } from './call-handover.js';
import type { CallOutcomes } from './call-outcomes.js';
import { LiveCall } from './live-call.js';
import type { LiveFormat } from './model.js';
import type { Prepared } from './prepared-calls.js';
import type { RunningCalls } from './running-calls.js';
import { inEnglish } from '../words/server/say.js';

const TOKEN_BYTES = 32;

export interface LiveLimits {
  /** Calls that can be listened to at the same time. */
  callsMax: number;
  /** How long a call whose connection was lost waits for another one. */
  resumeMs: number;
  /** No other node works on this database. */
  isAlone: boolean;
}

export interface LiveDeps extends OperationDeps {
  log: Log;
}

export interface CallStart {
  liveCallId: string;
  protocol: string;
  audio: LiveFormat;
  externalCallId: string;
  /** Set if the call was prepared. */
  prepared?: Prepared;
  /** For a call that began on another node. */
  startedAtMs?: number;
  resumeToken?: string;
  handover?: HandoverState;
}

interface StarterParts {
  running: RunningCalls;
  outcomes: CallOutcomes;
  lateness: Lateness;
  /** Aborted when a fault of the database is no longer waited for. */
  patience: AbortSignal;
}

export class CallStarter {
  readonly #deps: LiveDeps;
  readonly #limits: LiveLimits;
  readonly #parts: StarterParts;
  running = 0;
  isDraining = false;

  constructor(deps: LiveDeps, limits: LiveLimits, parts: StarterParts) {
    this.#deps = deps;
    this.#limits = limits;
    this.#parts = parts;
  }

  /** Accepts no more calls. */
  drain(): void {
    this.isDraining = true;
  }

  async start(call: Call, question: LiveQuestion, from: CallStart): Promise<LiveCall> {
    this.#refuseMore();
    this.running++;
    try {
      return await this.#listen(call, question, from);
    } catch (thrown) {
      this.running--;
      throw thrown;
    }
  }

  #refuseMore(): void {
    if (this.isDraining) throw goingDown();
    if (this.running >= this.#limits.callsMax)
      throw new AppError('BUSY', 'this node is already listening to as many calls as it can', {
        retryAfterMs: 5000,
      });
    if (this.#parts.lateness.isTooLate(this.running))
      throw new AppError('BUSY', 'this node has fallen behind with the calls that it listens to', {
        retryAfterMs: 5000,
      });
  }

  async #listen(call: Call, question: LiveQuestion, from: CallStart): Promise<LiveCall> {
    const {
      liveCallId,
      protocol,
      audio,
      externalCallId,
      handover,
      startedAtMs = this.#deps.clock.now(),
    } = from;
    const asked = questionAbout(question, audio);
    const { options, ids, pausesWhenDecided, isShared, speakers } = await openLive(this.#deps, call, asked);
    const { format, customerChannel } = audio;
    const stream = await this.#deps.engine.openStream({
      ...options,
      format,
      channel: format.channels > 1 ? customerChannel : 0,
      checkpointsMs: isShared
        ? checkpointsByWindow(handover ? customerMsOf(handover) : 0)
        : checkpointsAfter(netMsOf(handover?.windows ?? [])),
      client: call.caller.clientId,
      priority: 'live',
    });
    const known = new KnownWindows();
    const alarms = new LatchedAlarms(handover?.alarms);
    const live = new LiveCall({
      info: { liveCallId, ...ids, protocol, startedAtMs },
      prints: printsIn(question),
      externalCallId,
      ...(handover && { handover }),
      resumeToken: from.resumeToken ?? this.#deps.ids.token(TOKEN_BYTES),
      resumeMs: this.#limits.resumeMs,
      pausesWhenDecided,
      isShared,
      collects: question.enrollInto !== undefined,
      stream,
      detectors: this.#deps.engine.detectors,
      alarms,
      bytesPerSecond: bytesPerSecond(format),
      decide: (heard, by, current) =>
        decideLive(this.#deps, call, asked, { liveCallId, heard, ...by, known, alarms }, (decided, record) =>
          this.#parts.outcomes.keepDecided(liveCallId, () => current(decided), record),
        ),
      patience: this.#parts.patience,
      keepOnce: (current) => this.#parts.outcomes.keepDecided(liveCallId, current, async () => undefined),
      keep: (current) => this.#parts.outcomes.keep(liveCallId, current),
      assessed: () => sessionMeansNow(this.#deps, ids),
      waits: (current) => this.#parts.outcomes.tellLost(liveCallId, current),
      goesOn: (current) => this.#parts.outcomes.tellBack(liveCallId, current),
      clock: this.#deps.clock,
      log: this.#deps.log,
      answered: (waitedMs) => this.#parts.lateness.note(waitedMs),
      ended: () => void this.running--,
    });
    try {
      await this.#enter(live, from, speakers);
    } catch (thrown) {
      stream.cancel();
      throw thrown;
    }
    return live;
  }

  /** From now on every node knows that it runs here. */
  async #enter(live: LiveCall, { prepared }: CallStart, speakers: readonly string[]): Promise<void> {
    if (this.isDraining) throw goingDown();
    if (!(await this.#parts.running.begin(live, prepared !== undefined, speakers)))
      throw new AppError('INVALID_REQUEST', inEnglish('the call was ended before it began'));
  }
}

/** A token, not a person, lets a connection resume a call. */
export const anonymousCaller: Caller = { subject: '', issuer: '', clientId: '', scopes: [], tenants: [] };

/** The caller who prepared the call remains its caller, whichever protocol the audio came by. */
export function callFor(caller: Caller, { ids, log }: LiveDeps): Call {
  return { requestId: ids.uuid(), caller, signal: new AbortController().signal, log };
}

/** Adds who is on the line, according to the audio format. */
export const questionAbout = (
  question: LiveQuestion,
  { format, isCustomerAlone }: LiveFormat,
): LiveQuestion => ({
  ...question,
  isCustomerAlone: isCustomerAlone ?? format.channels > 1,
});

function bytesPerSecond(format: StreamFormat): number {
  if (format.encoding === 'opus') return 0;
  return format.sampleRateHz * format.channels * (format.encoding === 's16le' ? 2 : 1);
}

/** Later than this, decisions come too late to be useful. */
const LATE_MS_MAX = 1000;
/** With fewer calls it is not the calls that make the node late. */
const CALLS_MIN = 20;
/** Measurements this old count half. */
const HALF_LIFE_MS = 5000;

export class Lateness {
  readonly #clock: Clock;
  #sum = 0;
  #weight = 0;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.now();
  }

  /** Called with the time that the engine took to answer. */
  note(waitedMs: number): void {
    this.#fade();
    this.#sum += waitedMs;
    this.#weight += 1;
  }

  /** Recent average; if nothing was measured, the node is not late. */
  get ms(): number {
    this.#fade();
    // One more that did not wait: old measurements lose weight even if no new ones arrive.
    return this.#sum / (this.#weight + 1);
  }

  isTooLate(runningCalls: number): boolean {
    return runningCalls >= CALLS_MIN && this.ms > LATE_MS_MAX;
  }

  #fade(): void {
    const now = this.#clock.now();
    const share = 0.5 ** (Math.max(0, now - this.#atMs) / HALF_LIFE_MS);
    this.#sum *= share;
    this.#weight *= share;
    this.#atMs = now;
  }
}
