// What the agent has said about the caller, and the speech that the call has collected: kept until somebody
// decides what happens to it.
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { ProcessedAudio } from '../voice/engine.js';
import type { HandoverState } from './call-handover.js';
import type { CallEnrollment, LiveCallInfo } from './model.js';

export class CollectedSpeech {
  #word: AgentWord | undefined;
  #consent: boolean;
  /** What was heard, if it was collected, the call is over and it has not been discarded. */
  collected: ProcessedAudio | undefined;
  /** What happened to it. */
  enrollment: CallEnrollment | undefined;

  constructor({ agentWord, agentConsent = false }: Partial<HandoverState> = {}) {
    this.#word = agentWord;
    this.#consent = agentConsent;
  }

  get info(): Pick<LiveCallInfo, 'agentWord' | 'enrollment'> {
    return {
      ...(this.#word && { agentWord: this.#word }),
      ...(this.enrollment && { enrollment: this.enrollment }),
    };
  }

  /** For another node that continues the call. */
  get handover(): Pick<HandoverState, 'agentWord' | 'agentConsent'> {
    return { agentWord: this.#word, agentConsent: this.#consent };
  }

  /** Whether this is the customer: set once; if it is not, the speech is discarded. */
  setWord(word: AgentWord, consent: boolean): void {
    this.#word = word;
    this.#consent = consent;
    if (word === 'DENIED') this.forget();
  }

  /** Called when the call is over. */
  collect(heard: ProcessedAudio): void {
    if (this.#word !== 'DENIED') this.collected = heard;
  }

  forget(): void {
    this.collected = undefined;
  }
}
