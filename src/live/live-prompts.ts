// Prompts in running calls: digits are drawn, read out by the application, and the caller's answer is heard from the moment at
// which that was done.
import { getLivenessPrompt } from '../biometrics/operations/get-liveness-prompt.js';
import { judgeLiveAnswer } from '../biometrics/operations/live-answer.js';
import { AppError } from '../errors.js';
import type { Call } from '../platform.js';
import { inEnglish } from '../words/server/say.js';
import { faultOf } from './call-course.js';
import type { MovingCall, PromptHandover } from './call-handover.js';
import { callFor, type LiveDeps } from './call-starter.js';
import type { LiveCall } from './live-call.js';
import { OpenPrompt } from './open-prompt.js';

/** Each is one more chance for whoever guesses. */
const PROMPTS_MAX = 20;

type Origin = Pick<MovingCall, 'question' | 'audio'>;

export class LivePrompts {
  readonly #deps: LiveDeps;
  readonly #originOf: (live: LiveCall) => Origin | undefined;

  constructor(deps: LiveDeps, originOf: (live: LiveCall) => Origin | undefined) {
    this.#deps = deps;
    this.#originOf = originOf;
  }

  /** A new prompt replaces one that was not answered yet. */
  async ask(call: Call, live: LiveCall): Promise<{ words: string; figures: string }> {
    const { question } = this.#heard(live);
    if (live.info.events.filter(({ prompt }) => prompt?.state === 'ASKED').length >= PROMPTS_MAX)
      throw new AppError('INVALID_REQUEST', inEnglish(`a call has at most ${PROMPTS_MAX} prompts`));
    const prompt = await getLivenessPrompt(this.#deps, call, { context: question.context });
    const { words, figures } = prompt;
    const open = this.#open(live, { caller: call.caller, prompt });
    const before = live.prompt;
    live.prompt = open;
    await before?.leave();
    // Another one may have come meanwhile.
    if (live.prompt === open) await live.tellPrompt({ state: 'ASKED', expectedText: words });
    return { words, figures };
  }

  /** The caller answers from now on. */
  async end(live: LiveCall): Promise<void> {
    this.#heard(live);
    const { prompt } = live;
    if (prompt?.isExpired)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('reading out the digits took too long: ask for another prompt'),
        { diagnostics: [{ code: 'PROMPT_EXPIRED' }] },
      );
    if (!prompt?.isAsked)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('the call was not asked for a prompt, or it was answered'),
      );
    await prompt.begin(live.voice, live.receivedBytes);
  }

  /** The call comes from another node. */
  goOn(live: LiveCall, handover: PromptHandover): void {
    live.prompt = this.#open(live, handover);
  }

  #open(live: LiveCall, { caller, prompt, answer }: PromptHandover): OpenPrompt {
    const { question, audio } = this.#heard(live);
    const { liveCallId } = live.info;
    const { log, clock } = this.#deps;
    return new OpenPrompt(
      {
        caller,
        prompt,
        format: audio.format,
        clock,
        tell: ({ assessment, ...what }) =>
          live.tellPrompt({ ...what, expectedText: prompt.words }, assessment),
        judge: async (sound, reference, over) => {
          const heard = { liveCallId, prompt, sound, reference, channel: audio.customerChannel };
          const asked = { ...heard, ...(over && { over }) };
          const outcome = await judgeLiveAnswer(this.#deps, callFor(caller, this.#deps), question, asked);
          if (!outcome) return undefined;
          const { decision, ...told } = outcome;
          const isFailed = decision === 'NO_MATCH';
          return { state: decision === 'AUTHENTIC' ? 'PASSED' : isFailed ? 'FAILED' : 'UNCERTAIN', ...told };
        },
        failed: (cause) => {
          log.warn({ liveCallId, cause: String(cause) }, 'the answer to a prompt was not judged');
          return { state: 'UNCERTAIN', reason: faultOf(cause) };
        },
      },
      answer,
    );
  }

  #heard(live: LiveCall): Origin {
    const origin = this.#originOf(live);
    if (!origin || live.isOver) throw new AppError('INVALID_REQUEST', inEnglish('the call is over'));
    return origin;
  }
}
