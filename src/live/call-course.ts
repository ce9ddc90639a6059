// What a call is found to be, from its first event to its last: each checkpoint is judged, and each change is stored before it is
// told. A checkpoint that cannot be stored because the database is away is held while the call is heard on; a later one
// replaces it, because it covers everything that was heard before.
import { setTimeout as pause } from 'node:timers/promises';
import type { Decision } from '../biometrics/model/outcome.js';
import { FIRST_LIVE_CHECKPOINT_MS, liveCheckpointsMs } from '../biometrics/rules/checkpoints.js';
import { windowEndsMs } from '../voice/embedding/speech-windows.js';
import type { CheckpointReached } from '../voice/engine.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { customerMsOf, joinedWith } from './call-handover.js';
import { Overtaken, whileBusy } from './call-outcomes.js';
import type { LiveCallParts } from './call-parts.js';
import { CallTrail, faultOf, stateOf } from './call-trail.js';
import type { EndReason, HeldUp, LiveCallInfo, LiveEvent, LivePrompt, LiveState } from './model.js';

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
const openStates: readonly LiveState[] = ['LISTENING', 'AUTHENTIC', 'NO_RISK_DETECTED'];

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
  #looking: Promise<void> | undefined;
  /** The last look at the call, and the voice in it. */
  #reached: CheckpointReached | undefined;
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
      while (this.#next && !this.#call.isOver)
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
    if (!look || this.#call.isOver) return;
    await this.#judge(look);
    // Another one may have come meanwhile.
    if (this.#next === look) this.#next = undefined;
  }

  async #judge({ reached, dueMs = checkpointAfter(this.customerMs), isLast = false }: Look): Promise<void> {
    const { handover, detectors } = this.#parts;
    const point = handover ? joinedWith(handover, reached, detectors) : reached;
    this.#reached = reached;
    this.voice = point.voice;
    const positionMs = this.#call.positionOf(point.windows.at(-1)?.endMs);
    const { netSpeechMs, decided } = await this.#parts
      .decide(point, { before: this.decision, dueMs, isLast }, (found) => {
        const isNews = found.decision !== this.decision;
        this.#unreported = isNews
          ? this.trail.next(stateOf(found.decision), found, { positionMs })
          : undefined;
        return this.current;
      })
      .catch((cause: unknown) => {
        this.#unreported = undefined;
        throw cause;
      });
    this.customerMs = netSpeechMs;
    const event = this.#unreported;
    this.#unreported = undefined;
    // The call may have failed meanwhile.
    if (!decided || this.#call.isOver) return;
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

  /** After an answer the same speech is judged again: the call means something else now. */
  async tellPrompt(prompt: LivePrompt): Promise<void> {
    const isAnswered = prompt.state !== 'ASKED' && prompt.state !== 'ENDED';
    if (isAnswered && this.#reached) await this.conclude({ reached: this.#reached, dueMs: 0 });
    if (this.#call.isOver) return;
    this.trail.tell(this.trail.prompted(this.#call.positionOf(), prompt));
    await this.#parts.keep(() => this.current);
  }

  /** Stores and tells the end of the call. */
  async end(endReason: EndReason, failure?: string): Promise<LiveEvent> {
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
    this.trail.tell(event);
    return event;
  }

  /** Others have told how the call ended: this node tells the same. */
  adopt(course: LiveCallInfo | undefined): LiveEvent {
    for (const event of course?.events ?? [])
      if (event.sequence > this.trail.last.sequence) this.trail.tell(event);
    const { last } = this.trail;
    if (last.endReason) return last;
    // They do not know of an event that could not be stored.
    const theirs = course?.events.at(-1) ?? last;
    this.trail.tell({ ...theirs, endReason: theirs.endReason ?? 'crashed', sequence: last.sequence + 1 });
    return this.trail.last;
  }
}
