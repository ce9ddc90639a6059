// A prompt in a running call: asked for, read out, answered. The caller is heard from the moment at which it was read out, and the
// answer is judged while it grows. Whatever happens, it comes to an outcome: also if nobody reads it out, or no more audio arrives.
import type { LiveAssessment } from '../biometrics/assessment/model.js';
import type { Prompt } from '../biometrics/model/prompts.js';
import type { Caller, Clock } from '../platform.js';
import type { StreamFormat } from '../voice/audio/types.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { AnswerSound, type RecordedAnswer } from './answer-sound.js';
import type { PromptHandover } from './call-handover.js';
import type { LivePrompt } from './model.js';

/** Nobody says digits faster. */
const FIRST_LOOK_MS = 2000;
const LOOK_EVERY_MS = 1000;
/** The recognizer hears no more at once. */
const HEARD_MS_MAX = 25_000;
/** Audio is waited for so much longer than it lasts. */
const LATE_MS_MAX = 5000;

/** Why no more is heard: the caller has had the time that there is; or none comes any more. */
type AnswerOver = 'TIME_IS_UP' | 'NO_MORE';

interface PromptOutcome extends Omit<LivePrompt, 'expectedText'> {
  assessment?: LiveAssessment;
}

interface PromptParts {
  caller: Caller;
  prompt: Prompt;
  format: StreamFormat;
  clock: Clock;
  tell(what: PromptOutcome): Promise<void>;
  /** Undefined if more has to be heard first; never if it is over. */
  judge(
    heard: RecordedAnswer,
    reference: VoiceSample | undefined,
    over: AnswerOver | undefined,
  ): Promise<PromptOutcome | undefined>;
  /** What to tell if it cannot be judged. */
  failed(cause: unknown): PromptOutcome;
}

interface Answer {
  sound: AnswerSound;
  /** The voice that it is compared with. */
  reference: VoiceSample | undefined;
  endedAtMs: number;
}

export class OpenPrompt {
  readonly #parts: PromptParts;
  /** So long is an answer heard. */
  readonly #untilMs: number;
  #answer: Answer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookAtMs = FIRST_LOOK_MS;
  #looking: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  /** Nothing more is heard. */
  #isClosed = false;
  #isOver = false;
  isExpired = false;

  /** `answer`: what another node has heard. */
  constructor(parts: PromptParts, answer?: PromptHandover['answer']) {
    this.#parts = parts;
    const { issuedAtMs, expiresAtMs } = parts.prompt;
    this.#untilMs = Math.min(expiresAtMs - issuedAtMs, HEARD_MS_MAX);
    if (answer) {
      const { chunks, ...from } = answer;
      this.#hearFrom({ ...from, sound: new AnswerSound(parts.format, 0, chunks) });
    } else this.#at(expiresAtMs, () => this.#expire());
  }

  get isAsked(): boolean {
    return !this.#isClosed && this.#answer === undefined;
  }

  get heldBytes(): number {
    return this.#isOver ? 0 : (this.#answer?.sound.bytes ?? 0);
  }

  /** It was read out. `receivedBytes`: of the call, until now. */
  async begin(reference: VoiceSample | undefined, receivedBytes: number): Promise<void> {
    const { format, clock } = this.#parts;
    const sound = new AnswerSound(format, receivedBytes);
    this.#hearFrom({ sound, reference, endedAtMs: clock.now() });
    await this.#parts.tell({ state: 'ENDED' });
  }

  hear(chunk: Uint8Array): void {
    const { sound } = this.#answer ?? {};
    if (!sound || this.#isClosed || sound.ms >= this.#untilMs) return;
    sound.add(chunk);
    if (sound.ms >= this.#lookAtMs) this.#looking ??= this.#look(sound);
  }

  /** Nothing more comes. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  /** Nothing more is heard here; undefined if nothing is left to hear. */
  async leave(): Promise<PromptHandover | undefined> {
    await this.#close();
    await this.#ending;
    if (this.#isOver) return undefined;
    const { caller, prompt } = this.#parts;
    if (!this.#answer) return { caller, prompt };
    const { sound, ...answer } = this.#answer;
    return { caller, prompt, answer: { ...answer, chunks: sound.wholeSamples } };
  }

  async #end(): Promise<void> {
    await this.#close();
    if (this.#answer && !this.#isOver) await this.#judge(this.#answer.sound, 'NO_MORE');
  }

  #hearFrom(answer: Answer): void {
    this.#answer = answer;
    this.#at(answer.endedAtMs + this.#untilMs + LATE_MS_MAX, () => this.end());
  }

  #expire(): Promise<void> {
    this.#isClosed = true;
    this.#isOver = true;
    this.isExpired = true;
    return (this.#ending ??= this.#parts.tell({ state: 'UNCERTAIN', reason: 'PROMPT_EXPIRED' }));
  }

  #at(atMs: number, act: () => Promise<void>): void {
    clearTimeout(this.#timer);
    const inMs = Math.max(0, atMs - this.#parts.clock.now());
    this.#timer = setTimeout(() => void act(), inMs).unref();
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(sound: AnswerSound): Promise<void> {
    // What has come meanwhile is looked at, too.
    while (!this.#isClosed && sound.ms >= this.#lookAtMs)
      await this.#judge(sound, sound.ms >= this.#untilMs ? 'TIME_IS_UP' : undefined);
    this.#looking = undefined;
  }

  /** Never fails. */
  async #judge(sound: AnswerSound, over?: AnswerOver): Promise<void> {
    this.#lookAtMs = Math.min(sound.ms + LOOK_EVERY_MS, this.#untilMs);
    const { judge, failed, tell } = this.#parts;
    const outcome = await judge(sound.recorded, this.#answer?.reference, over).catch(failed);
    if (!outcome) return;
    this.#isOver = true;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await tell(outcome);
  }
}
