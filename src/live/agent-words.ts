// What agents say about callers, and what happens to the speech that a call collects: enrolled if it is confirmed, discarded
// otherwise.
import { recordAgentWord, type AgentWord } from '../biometrics/operations/agent-word.js';
import type { OperationDeps } from '../biometrics/operations/deps.js';
import {
  enrollLive,
  isSomebodyElse,
  requireAgreed,
  type LiveEnrollResult,
} from '../biometrics/operations/enroll-live.js';
import type { LiveQuestion } from '../biometrics/operations/live-decision.js';
import { AppError } from '../errors.js';
import type { Call, Log } from '../platform.js';
import { faultOf } from './call-course.js';
import type { LiveCall } from './live-call.js';
import type { CallEnrollment } from './model.js';
import { inEnglish } from '../words/server/say.js';

/** What happened to the speech, if that is known. */
export type AgentWordResult = Partial<LiveEnrollResult> | CallEnrollment;

export class AgentWords {
  readonly #deps: OperationDeps & { log: Log };
  readonly #questionOf: (live: LiveCall) => LiveQuestion | undefined;
  /** Enrollments of calls that have just ended. */
  readonly #enrolling = new Set<Promise<unknown>>();

  constructor(deps: OperationDeps & { log: Log }, questionOf: (live: LiveCall) => LiveQuestion | undefined) {
    this.#deps = deps;
    this.#questionOf = questionOf;
  }

  /** Whether speech would be enrolled if the agent confirmed the caller. */
  isCollecting(live: LiveCall): boolean {
    return this.#questionOf(live)?.enrollInto !== undefined;
  }

  /** Adds the speech of the call to the print, with the person's consent. */
  async enroll(call: Call, live: LiveCall, consent: boolean): Promise<LiveEnrollResult> {
    const question = this.#collecting(live);
    const { context, enrollInto: gkVoiceprintProfileId } = question;
    const heard = live.said.collected;
    if (!heard)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish(live.isOver ? 'there is no speech from this call to enroll' : 'the call has not ended yet'),
      );
    const { liveCallId, events } = live.info;
    const last = events.at(-1);
    // An alarm at any time counts: speech that once raised one must not become part of a print.
    if (events.some(({ state }) => state === 'FRAUD'))
      throw new AppError(
        'PERMISSION_DENIED',
        inEnglish('speech from a call that was found to be fraud is not enrolled'),
      );
    if (last && (await isSomebodyElse(this.#deps, question, last)))
      throw new AppError(
        'PERMISSION_DENIED',
        inEnglish('speech from a call in which somebody else spoke is not enrolled'),
      );
    const input = { context, line: question, gkVoiceprintProfileId, liveCallId, consent, heard };
    const result = await enrollLive(this.#deps, call, input);
    live.said.forget();
    await note(live, outcomeOf(result));
    return result;
  }

  /** Not the customer, or no consent: discards what was collected. */
  forget(live: LiveCall): void {
    this.#collecting(live);
    if (!live.said.collected)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish(
          live.isOver
            ? 'there is no speech from this call to forget: it was enrolled or already forgotten, or nobody spoke'
            : 'the call has not ended yet',
        ),
      );
    live.said.forget();
  }

  /**
   * What the agent says about the caller. Speech that the call collects is enrolled when it is over, or discarded at once. An
   * agent who confirmed by mistake may still deny until the speech is enrolled; speech that was denied is discarded and
   * cannot be confirmed.
   */
  async confirmOrDeny(
    call: Call,
    live: LiveCall,
    word: AgentWord,
    consent: boolean,
  ): Promise<AgentWordResult> {
    const { info } = live;
    if (info.agentWord === word) {
      // What happened to it, for an agent who repeats the answer when the call is over.
      if (live.isOver) await this.settled();
      return live.info.enrollment ?? {};
    }
    if (info.agentWord === 'DENIED')
      throw new AppError('INVALID_REQUEST', inEnglish('the agent has said that this is not the customer'));
    const isCollecting = this.isCollecting(live);
    const wasOver = live.isOver;
    if (info.agentWord && wasOver && isCollecting)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('the call is over, and what the agent said about it can no longer change'),
      );
    const enrolls = word === 'CONFIRMED' && isCollecting;
    if (enrolls && !wasOver) await this.#requireAgreed(live, consent);
    // Already over: the reason is reported, and nothing is recorded.
    const enrolled = enrolls && wasOver ? await this.enroll(call, live, consent) : {};
    live.said.setWord(word, consent);
    await recordAgentWord(
      this.#deps,
      call,
      { ...info, state: info.events.at(-1)?.state ?? 'LISTENING' },
      word,
    );
    if (enrolls && !wasOver) this.enrollAfterwards(call, live, consent);
    return enrolled;
  }

  /** Enrolls when the call is over, unless the agent says otherwise before. */
  enrollAfterwards(call: Call, live: LiveCall, consent: boolean): void {
    const { liveCallId } = live.info;
    live.subscribe(({ endReason }) => {
      if (!endReason || live.info.agentWord !== 'CONFIRMED') return;
      const work = this.enroll(call, live, consent)
        .catch(async (cause: unknown) => {
          this.#deps.log.warn({ liveCallId, cause: String(cause) }, 'confirmed speech was not enrolled');
          await note(live, refusalOf(cause));
        })
        .finally(() => this.#enrolling.delete(work));
      this.#enrolling.add(work);
    });
  }

  /** Resolves when everything that was confirmed has been enrolled. */
  async settled(): Promise<void> {
    await Promise.all(this.#enrolling);
  }

  async #requireAgreed(live: LiveCall, consent: boolean): Promise<void> {
    const { enrollInto: gkVoiceprintProfileId } = this.#collecting(live);
    await requireAgreed(this.#deps, live.info.gkScopeId, { gkVoiceprintProfileId, consent });
  }

  #collecting(live: LiveCall): LiveQuestion & { enrollInto: string } {
    const question = this.#questionOf(live);
    if (!question?.enrollInto)
      throw new AppError('INVALID_REQUEST', inEnglish('this call collects no speech'));
    return { ...question, enrollInto: question.enrollInto };
  }
}

/** Stores the result, for later requests. */
function note(live: LiveCall, enrollment: CallEnrollment): Promise<void> {
  live.said.enrollment = enrollment;
  return live.keep();
}

const messages: Readonly<Record<string, string>> = {
  TOO_SHORT: 'there was too little speech to enroll',
  ALREADY_ADDED: 'this speech is already part of the print',
  PRINT_FULL: 'the print already has as many recordings as it may have',
  MISSING_MODEL: 'the print was made with a speaker model that is not in use',
};

const untrained: Readonly<Record<string, string>> = {
  INCONSISTENCY: 'the print was not trained: what was enrolled for it does not sound like one person',
  NOT_READY_TO_TRAIN: 'the print was not trained: there is too little usable speech for it',
};

function outcomeOf({ enrolled, reason, trained, trainReason }: LiveEnrollResult): CallEnrollment {
  const message = enrolled
    ? (untrained[trainReason ?? ''] ?? '')
    : (messages[reason] ?? 'the speech could not be enrolled');
  return { enrolled, reason, message, trained, ...(trainReason && { trainReason }) };
}

const refusalOf = (cause: unknown): CallEnrollment => ({
  enrolled: false,
  reason: faultOf(cause),
  message: cause instanceof AppError ? cause.message : 'internal error',
  trained: false,
});
