// Prompts in running calls: digits are drawn, read out by the application, and the caller's answer is heard from the moment at
// which that was done. Everything is kept in memory: a call that moves to another node has to be asked anew.
import { getLivenessPrompt, type IssuedPrompt } from '../biometrics/operations/get-liveness-prompt.js';
import { judgeLiveAnswer } from '../biometrics/operations/live-answer.js';
import type { LiveQuestion } from '../biometrics/operations/live-decision.js';
import { AppError } from '../errors.js';
import type { Call } from '../platform.js';
import type { RawFormat } from '../voice/audio/types.js';
import { inEnglish } from '../words/server/say.js';
import type { LiveDeps } from './call-starter.js';
import type { LiveCall } from './live-call.js';
import type { LiveFormat } from './model.js';

/** Nobody says digits faster. */
const FIRST_LOOK_MS = 2000;
const LOOK_EVERY_MS = 1000;
/** The recognizer hears no more at once. */
const HEARD_MS_MAX = 25_000;

interface Origin {
  question: LiveQuestion;
  audio: LiveFormat;
}

export class LivePrompts {
  readonly #deps: LiveDeps;
  readonly #originOf: (live: LiveCall) => Origin | undefined;
  readonly #asked = new WeakMap<LiveCall, IssuedPrompt>();

  constructor(deps: LiveDeps, originOf: (live: LiveCall) => Origin | undefined) {
    this.#deps = deps;
    this.#originOf = originOf;
  }

  /** A new prompt replaces one that was not answered yet. */
  async ask(call: Call, live: LiveCall): Promise<{ words: string; figures: string }> {
    const { question } = this.#listenedTo(live);
    const prompt = await getLivenessPrompt(this.#deps, call, { context: question.context });
    live.answer = undefined;
    this.#asked.set(live, prompt);
    await live.tellPrompt({ state: 'ASKED', expectedText: prompt.words });
    const { words, figures } = prompt;
    return { words, figures };
  }

  /** The caller answers from now on. */
  async end(call: Call, live: LiveCall): Promise<void> {
    const { question, raw, channel } = this.#listenedTo(live);
    const prompt = this.#asked.get(live);
    if (!prompt)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('the call was not asked for a prompt, or it was answered'),
      );
    this.#asked.delete(live);
    const { clock } = this.#deps;
    if (prompt.expiresAtMs < clock.now())
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('reading out the digits took too long: ask for another prompt'),
        {
          diagnostics: [{ code: 'PROMPT_EXPIRED' }],
        },
      );
    const reference = live.voice;
    const { liveCallId } = live.info;
    const expectedText = prompt.words;
    const answer = new HeardAnswer({
      bytesPerMs: live.bytesPerSecond / 1000,
      untilMs: Math.min(prompt.expiresAtMs - prompt.issuedAtMs, HEARD_MS_MAX),
      judge: async (sound, soundMs, over) => {
        const heard = { liveCallId, prompt, sound, soundMs, raw, channel, reference };
        const outcome = await judgeLiveAnswer(this.#deps, call, question, {
          ...heard,
          ...(over && { over }),
        });
        if (!outcome) return false;
        const { decision, ...told } = outcome;
        const state = decision === 'AUTHENTIC' ? 'PASSED' : decision === 'NO_MATCH' ? 'FAILED' : 'UNCERTAIN';
        await live.tellPrompt({ state, expectedText, ...told });
        return true;
      },
      failed: async (cause) => {
        this.#deps.log.warn({ liveCallId, cause: String(cause) }, 'the answer to a prompt was not judged');
        await live.tellPrompt({ state: 'UNCERTAIN', expectedText, reason: 'INTERNAL_ERROR' });
      },
    });
    live.answer = answer;
    await live.tellPrompt({ state: 'ENDED', expectedText });
  }

  #listenedTo(live: LiveCall): { question: LiveQuestion; raw: RawFormat; channel: number } {
    const origin = this.#originOf(live);
    if (!origin || live.isOver) throw new AppError('INVALID_REQUEST', inEnglish('the call is over'));
    const { format, customerChannel } = origin.audio;
    const { encoding } = format;
    if (encoding === 'opus')
      throw new AppError('INVALID_REQUEST', inEnglish('calls in Opus cannot be asked for a prompt'));
    return { question: origin.question, raw: { ...format, encoding }, channel: customerChannel };
  }
}

interface AnswerParts {
  bytesPerMs: number;
  /** So long is an answer waited for. */
  untilMs: number;
  /** Whether it is judged, and nothing more needs to be heard. */
  judge(sound: Uint8Array, soundMs: number, over?: 'TIME_IS_UP' | 'CALL_ENDS'): Promise<boolean>;
  failed(cause: unknown): Promise<void>;
}

/** Collects the audio after a prompt, and has it judged while it grows. */
class HeardAnswer {
  readonly #parts: AnswerParts;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #lookAtMs = FIRST_LOOK_MS;
  #looking: Promise<void> | undefined;
  #isDone = false;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  get #ms(): number {
    return this.#bytes / this.#parts.bytesPerMs;
  }

  hear(chunk: Uint8Array): void {
    if (this.#isDone || this.#ms >= this.#parts.untilMs) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#look();
  }

  async end(): Promise<void> {
    await this.#looking;
    if (!this.#isDone) await this.#judge('CALL_ENDS');
  }

  #look(): void {
    if (this.#looking || this.#isDone || this.#ms < this.#lookAtMs) return;
    this.#looking = this.#judge(this.#ms >= this.#parts.untilMs ? 'TIME_IS_UP' : undefined).finally(() => {
      this.#looking = undefined;
      // What has come meanwhile.
      this.#look();
    });
  }

  /** Never fails. */
  async #judge(over?: 'TIME_IS_UP' | 'CALL_ENDS'): Promise<void> {
    const soundMs = this.#ms;
    this.#lookAtMs = Math.min(soundMs + LOOK_EVERY_MS, this.#parts.untilMs);
    try {
      this.#isDone ||= await this.#parts.judge(Buffer.concat(this.#chunks), soundMs, over);
    } catch (cause) {
      this.#isDone = true;
      await this.#parts.failed(cause).catch(() => undefined);
    }
    if (this.#isDone) this.#chunks.length = 0;
  }
}
