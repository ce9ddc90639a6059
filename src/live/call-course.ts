// What a call is found to be, from its first event to its last, and who is told: each checkpoint is judged, and each change is stored
// before it is told. A checkpoint that cannot be stored because the database is away is held while the call is heard on; a later one
// replaces it, because it covers everything that was heard before.
import { setTimeout as pause } from 'node:timers/promises';
import { listening, type LiveAssessment } from '../biometrics/assessment/model.js';
import { withoutScores } from '../biometrics/model/live-outcomes.js';
import type { Decision } from '../biometrics/model/outcome.js';
import type { LiveDecision } from '../biometrics/operations/live-decision.js';
import { FIRST_LIVE_CHECKPOINT_MS, liveCheckpointsMs } from '../biometrics/rules/checkpoints.js';
import { AppError } from '../errors.js';
import type { Clock } from '../platform.js';
import { windowEndsMs } from '../voice/embedding/speech-windows.js';
import type { CheckpointReached } from '../voice/engine.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { customerMsOf, joinedWith } from './call-handover.js';
import { Overtaken, whileBusy } from './call-outcomes.js';
import type { LiveCallParts } from './call-parts.js';
import {
  isOpenPrompt,
  type EndReason,
  type HeldUp,
  type LiveCallInfo,
  type LiveEvent,
  type LivePrompt,
  type LiveState,
} from './model.js';

/** Less than this says too little about who is speaking. */
const SPEECH_MS_MIN = 1500;
const LISTENED_MS_MAX = 3600_000;

/** The next checkpoint after this much speech. */
export const checkpointAfter = (heardMs: number): number =>
  liveCheckpointsMs.find((mark) => mark > heardMs) ?? Infinity;

/**
 * The checkpoints for the rest of a call, part of which was heard on another node. There the sound is
 * measured again: a decision that stands is not questioned on little speech, while a pending one is made as soon
 * as possible.
 */
export function checkpointsAfter(heardMs: number): number[] {
  const leastMs = heardMs < FIRST_LIVE_CHECKPOINT_MS ? SPEECH_MS_MIN : FIRST_LIVE_CHECKPOINT_MS;
  return liveCheckpointsMs.filter((mark) => mark > heardMs).map((mark) => Math.max(leastMs, mark - heardMs));
}

/**
 * The same if the agent may be heard too: the amount of the customer's speech is known window by window, so
 * the call is examined whenever a window is complete. `heardMs`: speech of the customer on another node.
 */
export const checkpointsByWindow = (heardMs: number): number[] => [
  ...(heardMs > 0 && heardMs < FIRST_LIVE_CHECKPOINT_MS ? [SPEECH_MS_MIN] : []),
  ...windowEndsMs(LISTENED_MS_MAX),
];

/** A sender is kept waiting no longer than this for a decision, and is heard on meanwhile. */
const WAITED_FOR_MS = 5000;
/** After this long without a decision that is due, followers are told why. */
const TOLD_AFTER_MS = 10_000;
/** An outage must not let anybody pass whose voice was not heard, and must not clear anybody either. */
const clearStates: readonly LiveState[] = ['AUTHENTIC', 'NO_RISK_DETECTED'];
const openStates: readonly LiveState[] = ['LISTENING', ...clearStates];

interface Look {
  reached: CheckpointReached;
  /** With less of the customer's speech, nothing is decided; by default, less than the next checkpoint. */
  dueMs?: number;
  /** The call is over. */
  isLast?: boolean;
}

/** The call itself. */
interface Heard {
  readonly info: LiveCallInfo;
  readonly isOver: boolean;
  /** Where in the call a window of speech ends; without one, where the call is now. */
  positionOf(windowEndMs?: number): number;
  fail(cause: unknown): Promise<unknown>;
}

export class CallCourse {
  readonly #parts: LiveCallParts;
  readonly #call: Heard;
  readonly trail: CallTrail;
  decision: Decision | undefined;
  /** The customer's speech as of the last look. */
  customerMs = 0;
  /** An event that has not been stored yet. */
  #unreported: LiveEvent | undefined;
  /** The same for the last one. */
  #last: LiveEvent | undefined;
  #next: Look | undefined;
  /** What has become of prompts, in order, that was not told yet. */
  readonly #prompts: { prompt: LivePrompt; assessment: LiveAssessment | undefined }[] = [];
  #looking: Promise<void> | undefined;
  /** The last look at which something was decided. */
  #decided: CheckpointReached | undefined;
  /** The customer's voice as of the last look that found nothing against it; before one, as of the last decision. */
  voice: VoiceSample | undefined;
  /** Told while it could not be stored. */
  #heldUp: HeldUp | undefined;

  constructor(parts: LiveCallParts, call: Heard) {
    this.#parts = parts;
    this.#call = call;
    const { handover } = parts;
    this.trail = new CallTrail(parts.info.liveCallId, parts.clock, handover?.events);
    if (!handover) return;
    this.decision = handover.decision;
    this.voice = handover.voice;
    this.customerMs = customerMsOf(handover);
  }

  /** What is stored of the call: includes an event that has not been told yet. */
  get current(): LiveCallInfo {
    const { info } = this.#call;
    const heldUp = this.#heldUp && { heldUp: this.#heldUp };
    const unreported = this.#last ?? this.#unreported;
    if (!unreported || info.ended) return { ...info, ...heldUp };
    return { ...info, ended: this.#last !== undefined, events: [...info.events, unreported], ...heldUp };
  }

  /** Resolves when the checkpoint is judged or, if that takes too long, while it is held. */
  async reached(reached: CheckpointReached): Promise<void> {
    this.#next = { reached };
    const judged = new AbortController();
    const waited = pause(WAITED_FOR_MS, undefined, { signal: judged.signal, ref: false });
    await Promise.race([this.#look(), waited.catch(() => undefined)]);
    judged.abort();
  }

  /** Resolves when this, and with it everything that was held, is judged, or the call has failed. */
  async conclude(look: Look): Promise<void> {
    this.#next = look;
    await this.#look();
  }

  /** Resolves when nothing is held. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  async #look(): Promise<void> {
    if (!this.#call.isOver) await (this.#looking ??= this.#lookOn());
  }

  async #lookOn(): Promise<void> {
    const sinceMs = this.#parts.clock.now();
    try {
      while ((this.#next || this.#prompts.length > 0) && !this.#call.isOver)
        await whileBusy(
          () => this.#lookOnce(),
          this.#parts.patience,
          (cause) => {
            if (this.#parts.clock.now() - sinceMs >= TOLD_AFTER_MS) this.#tellHeldUp(cause);
          },
        );
    } catch (cause) {
      void this.#call.fail(cause);
    } finally {
      this.#looking = undefined;
    }
  }

  async #lookOnce(): Promise<void> {
    const look = this.#next;
    if (this.#call.isOver) return;
    if (!look) return this.#tellNextPrompt();
    await this.#judge(look);
    // Another one may have come meanwhile.
    if (this.#next === look) this.#next = undefined;
  }

  async #judge({ reached, dueMs = checkpointAfter(this.customerMs), isLast = false }: Look): Promise<void> {
    const { handover, detectors } = this.#parts;
    const point = handover ? joinedWith(handover, reached, detectors) : reached;
    const positionMs = this.#call.positionOf(point.windows.at(-1)?.endMs);
    const { netSpeechMs, voice, decided } = await this.#storing(() =>
      this.#parts.decide(point, { before: this.decision, dueMs, isLast }, (found) => {
        const isNews = found.decision !== this.decision;
        this.#unreported = isNews
          ? this.trail.next(stateOf(found.decision), found, { positionMs })
          : undefined;
        return this.current;
      }),
    );
    this.customerMs = netSpeechMs;
    const event = this.#unreported;
    this.#unreported = undefined;
    // Others may have told the end of the call meanwhile.
    if (!decided || this.trail.last.endReason) return;
    this.#decided = reached;
    const wasClear = this.trail.events.some(({ state }) => clearStates.includes(state));
    if (!wasClear || clearStates.includes(stateOf(decided.decision))) this.voice = voice;
    this.#heldUp = undefined;
    if (!event) return this.trail.confirm(decided);
    this.decision = decided.decision;
    this.trail.tell(event);
  }

  /** The only event that is told before it is stored: it decides nothing. */
  #tellHeldUp(cause: unknown): void {
    if (this.#heldUp || this.#call.isOver || !openStates.includes(this.trail.last.state)) return;
    const found = { reason: faultOf(cause), netSpeechMs: this.customerMs };
    const event = this.trail.next('UNCERTAIN', found, { positionMs: this.#call.positionOf() });
    this.#heldUp = { reason: event.reason, atMs: event.atMs };
    // Whatever is found next is news.
    this.decision = undefined;
    this.trail.tell(event);
  }

  /** Resolves when it is stored and told, or the call is over. `assessment`: what is stored of the call with its answer. */
  async tellPrompt(prompt: LivePrompt, assessment?: LiveAssessment): Promise<void> {
    this.#prompts.push({ prompt, assessment });
    await this.#look();
  }

  async #tellNextPrompt(): Promise<void> {
    const [next] = this.#prompts;
    if (!next) return;
    const { prompt, assessment } = next;
    // After an answer the same speech means something else; and an outage is over.
    if (this.#decided && (!isOpenPrompt(prompt) || this.#heldUp)) await this.#judgeAgain(this.#decided);
    const means = this.#decided ? {} : { assessment };
    const event = this.trail.prompted(this.#call.positionOf(), prompt, means);
    this.#unreported = event;
    await this.#storing(() => this.#parts.keepOnce(() => this.current));
    this.#unreported = undefined;
    this.#prompts.shift();
    if (!this.trail.last.endReason) this.trail.tell(event);
  }

  async #judgeAgain(reached: CheckpointReached): Promise<void> {
    const { customerMs } = this;
    await this.#judge({ reached, dueMs: 0 });
    this.customerMs = customerMs;
  }

  /** An event whose storing has failed gets another number. */
  async #storing<T>(store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (cause) {
      this.#unreported = undefined;
      throw cause;
    }
  }

  /** Stores and tells the end of the call. */
  async end(endReason: EndReason, failure?: string): Promise<LiveEvent> {
    // What is being stored has a number already.
    await this.#looking;
    const event = this.trail.ending(this.#call.positionOf(), endReason, failure);
    this.#last = event;
    try {
      await this.#parts.keep(() => this.current);
    } catch (cause) {
      if (cause instanceof Overtaken && cause.course?.ended) return this.adopt(cause.course);
      // It ends anyway: this server shuts down while the database is away, or its store is broken.
      const { liveCallId } = this.#parts.info;
      this.#parts.log.warn({ liveCallId, cause: String(cause) }, 'the end of a call could not be stored');
    }
    return this.#tellLast(event);
  }

  /** Others have told how the call ended: this node tells the same. */
  async adopt(course: LiveCallInfo | undefined): Promise<LiveEvent> {
    for (const event of course?.events ?? [])
      if (event.sequence > this.trail.last.sequence)
        if (event.endReason) await this.#tellLast(event);
        else this.trail.tell(event);
    const { last } = this.trail;
    if (last.endReason) return last;
    // They do not know of an event that could not be stored.
    const theirs = course?.events.at(-1) ?? last;
    const endReason = theirs.endReason ?? 'crashed';
    return this.#tellLast({ ...theirs, endReason, sequence: last.sequence + 1 });
  }

  /** With what the session means when all of it is stored. */
  async #tellLast({ assessment: _before, ...event }: LiveEvent): Promise<LiveEvent> {
    const assessment = await this.#parts.assessed();
    this.trail.tell({ ...event, ...(assessment && { assessment }) });
    return this.trail.last;
  }
}

const STARTED = 'STARTED';
/** It ended before anything could be decided. */
const TOO_LITTLE = 'AUDIO_TOO_SHORT';

export type Listener = (event: LiveEvent) => void;

type Finding = Pick<LiveEvent, 'reason' | 'netSpeechMs'> & Partial<Omit<LiveDecision, 'decision' | 'reason'>>;

/** Its events, in order, and their receivers. */
export class CallTrail {
  readonly #liveCallId: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  readonly #events: LiveEvent[];
  /** Findings since the last event, if they repeat it: only the end reports them. */
  #since: Finding | undefined;

  /** `before`: events that another node has already sent. */
  constructor(liveCallId: string, clock: Clock, before: readonly LiveEvent[] = []) {
    this.#liveCallId = liveCallId;
    this.#clock = clock;
    this.#events = [...before];
    if (before.length === 0)
      this.tell(
        this.next('LISTENING', { reason: STARTED, netSpeechMs: 0, assessment: listening }, { positionMs: 0 }),
      );
  }

  get events(): readonly LiveEvent[] {
    return this.#events;
  }

  get last(): LiveEvent {
    return this.#events.at(-1) as LiveEvent;
  }

  /** What it means now. */
  get assessed(): Pick<LiveCallInfo, 'assessment'> {
    const { assessment } = this.#since ?? this.last;
    return assessment ? { assessment } : {};
  }

  /** Sends everything so far, then everything to come. */
  subscribe(listener: Listener): () => void {
    for (const event of this.#events) listener(event);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The next event; it is not sent yet. */
  next(
    state: LiveState,
    { reason, risk, score, gkVoiceprintProfileId, netSpeechMs, assessment }: Finding,
    { positionMs, endReason, prompt }: { positionMs: number; endReason?: EndReason; prompt?: LivePrompt },
  ): LiveEvent {
    return {
      liveCallId: this.#liveCallId,
      sequence: this.#events.length + 1,
      atMs: this.#clock.now(),
      state,
      reason,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
      ...(gkVoiceprintProfileId && { gkVoiceprintProfileId }),
      netSpeechMs,
      positionMs: Math.round(positionMs),
      ...(assessment && { assessment }),
      ...(prompt && { prompt }),
      ...(endReason && { endReason }),
    };
  }

  /** What was already sent cannot be taken back; from now on, no scores are reported. */
  forgetScores(): void {
    const { events } = withoutScores({ events: this.#events });
    this.#events.splice(0, events.length, ...events);
    this.#since = undefined;
  }

  /** The same decision as before, on more speech. */
  confirm(finding: Finding): void {
    this.#since = finding;
  }

  tell(event: LiveEvent): void {
    this.#since = undefined;
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  /** The last event repeats the last state, based on everything heard, and says why the call is over; it is not sent yet: what the session means is added then. */
  ending(positionMs: number, endReason: EndReason, failure?: string): LiveEvent {
    const { assessment: _soFar, ...finding } = this.#found;
    const reason = failure ?? (finding.reason === STARTED ? TOO_LITTLE : finding.reason);
    return this.next(this.last.state, { ...finding, reason }, { positionMs, endReason });
  }

  /** An event about a prompt repeats the rest; it is not sent yet. */
  prompted(
    positionMs: number,
    prompt: LivePrompt,
    { assessment = this.#found.assessment }: { assessment?: LiveAssessment | undefined },
  ): LiveEvent {
    const found = { ...this.#found, ...(assessment && { assessment }) };
    return this.next(this.last.state, found, { positionMs, prompt });
  }

  /** What was found last, whether it was told or only confirmed. */
  get #found(): Finding {
    const { risk, reliability, ...rest } = this.last;
    const isScored = risk !== undefined && reliability !== undefined;
    return this.#since ?? { ...rest, ...(isScored && { risk: { risk, reliability } }) };
  }
}

function stateOf(decision: Decision): LiveState {
  switch (decision) {
    case 'AUTHENTIC':
    case 'NO_MATCH':
    case 'FRAUD':
    case 'NO_RISK_DETECTED':
      return decision;
    case 'UNCERTAIN':
    case 'FAILED':
      return 'UNCERTAIN';
  }
}

/** There is nothing more to hear in the session; a session of an erased person is reported as such. */
export const isSessionOver = (cause: unknown): boolean =>
  ['SESSION_OVER', 'ENGAGEMENT_OVER'].includes(faultOf(cause));

/** The reason that followers of the call get: the closest one that exists. */
export function faultOf(cause: unknown): string {
  if (!(cause instanceof AppError)) return 'INTERNAL_ERROR';
  const [diagnostic] = cause.diagnostics;
  return diagnostic?.extras?.['reason'] ?? diagnostic?.code ?? cause.code;
}
