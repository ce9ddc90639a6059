// Scores audio against prints and decides: the one place where a voice is compared. Verify, Identify,
// DetectKnownFraudsters and AnalyzeAudio differ only in their candidates.
import type { CheckpointReached } from '../../voice/engine.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Decision, VoiceprintReason } from '../model/outcome.js';
import { decideScore, reasonOfAudio } from '../rules/decide-score.js';
import { explainNoScores, scorable, type Candidates, type NamedPrints } from './candidates.js';
import type { OpenedCall } from './opened-call.js';

export interface Question {
  side: Side;
  candidates: Candidates;
  ignoreCheckpoints: boolean;
}

type Opened = Pick<OpenedCall, 'call' | 'context' | 'calibration'>;

/**
 * One question about one audio. It may be asked while the audio is being listened to, checkpoint by checkpoint; what it
 * decided there stands, and no sample is scored twice.
 */
export class Comparison {
  readonly #opened: Opened;
  readonly #question: Question;
  readonly #prints: NamedPrints | undefined;
  /** Net speech of the checkpoints that decided nothing. */
  readonly #undecidedAtMs = new Set<number>();
  #early: ComparisonOutcome | undefined;

  constructor(opened: Opened, question: Question, prints?: NamedPrints) {
    this.#opened = opened;
    this.#question = question;
    this.#prints = prints;
  }

  /** With those of the named prints that can be scored; it says why when there is none. */
  static withPrints(
    opened: OpenedCall,
    prints: NamedPrints,
    question: Omit<Question, 'candidates'>,
  ): Comparison {
    return new Comparison(opened, { ...question, candidates: scorable(opened.deps, prints) }, prints);
  }

  /** Whether no more of the audio is needed. Never throws: see `outcome`. */
  async decidedAt({ voice, verdict }: CheckpointReached): Promise<boolean> {
    if (verdict.validity !== 'AUDIO_OK') return false;
    try {
      this.#early ??= await this.#decideEarly(voice);
    } catch (cause) {
      this.#early = this.#failed(cause, voice.netMs);
    }
    return this.#early !== undefined;
  }

  /** Never throws: a comparison that breaks is FAILED, so that it stays in the session and in the audit trail. */
  async outcome(audio: ProcessedAudio): Promise<ComparisonOutcome> {
    try {
      const outcome = await this.#judge(audio);
      return this.#prints ? explainNoScores(outcome, this.#prints) : outcome;
    } catch (cause) {
      return this.#failed(cause, audio.netAudioMs);
    }
  }

  async #judge(audio: ProcessedAudio): Promise<ComparisonOutcome> {
    const { candidates, ignoreCheckpoints } = this.#question;
    const unscored = (decision: Decision, reason: VoiceprintReason): ComparisonOutcome => ({
      decision,
      reason,
      scores: [],
      netSpeechMs: audio.netAudioMs,
      // Nothing was compared.
      prints: 0,
    });
    if (audio.validity !== 'AUDIO_OK') return unscored('UNCERTAIN', reasonOfAudio(audio.validity));
    if (audio.netAudioMs < this.#netMsMin) return unscored('UNCERTAIN', 'AUDIO_TOO_SHORT');
    if (!audio.model || candidates.count === 0) return unscored('UNCERTAIN', 'NO_SCORES');
    if (this.#early) return this.#early;

    const { voice, checkpoints } = audio.model;
    if (!ignoreCheckpoints) {
      for (const checkpoint of checkpoints) {
        if (checkpoint.netMs >= voice.netMs) continue;
        const early = await this.#decideEarly(checkpoint);
        if (early) return early;
      }
    }
    return this.#decide(voice);
  }

  /** The decision, when this is one of the question's own checkpoints and its speech is enough for a sure one. */
  async #decideEarly(sample: VoiceSample): Promise<ComparisonOutcome | undefined> {
    const { side, candidates } = this.#question;
    const { authentication, fraudDetection } = this.#opened.context.parameters;
    const seconds =
      side === 'AUTHENTICATION'
        ? authentication.checkpointsForAuthentication
        : fraudDetection.checkpointsForFraudDetection;
    if (!seconds.some((second) => isReachedAt(sample, second))) return undefined;
    if (sample.netMs < this.#netMsMin || candidates.count === 0) return undefined;
    if (this.#undecidedAtMs.has(sample.netMs)) return undefined;
    const decided = await this.#decide(sample);
    if (decided.decision === (side === 'AUTHENTICATION' ? 'AUTHENTIC' : 'FRAUD')) return decided;
    this.#undecidedAtMs.add(sample.netMs);
    return undefined;
  }

  async #decide(sample: VoiceSample): Promise<ComparisonOutcome> {
    const { side, candidates } = this.#question;
    const { parameters } = this.#opened.context;
    const { model } = this.#opened.calibration;
    const scores = await candidates.nearest(model, sample);
    // Every comparison with NaN is false: it would pass for a mismatch and count against the print.
    if (scores.some(({ llr }) => Number.isNaN(llr))) throw new RangeError('a score is not a number');
    const best = scores[0];
    const base = { scores, netSpeechMs: sample.netMs, prints: candidates.count };
    if (!best) return { ...base, decision: 'UNCERTAIN', reason: 'NO_SCORES' };
    return { ...base, ...decideScore({ side, model, parameters }, best, candidates.count) };
  }

  get #netMsMin(): number {
    const { authentication, fraudDetection } = this.#opened.context.parameters;
    const { netSpeechSecondsMin } =
      this.#question.side === 'AUTHENTICATION' ? authentication : fraudDetection;
    return netSpeechSecondsMin * 1000;
  }

  #failed(cause: unknown, netSpeechMs: number): ComparisonOutcome {
    const { side } = this.#question;
    this.#opened.call.log.error({ cause: String(cause), side }, 'a voice comparison failed');
    return { decision: 'FAILED', reason: 'INTERNAL_ERROR', scores: [], netSpeechMs, prints: 0 };
  }
}

/** Checkpoint samples hold a little more than asked for, because speech comes in frames. */
function isReachedAt(checkpoint: VoiceSample, seconds: number): boolean {
  return checkpoint.netMs >= seconds * 1000 - 1 && checkpoint.netMs < seconds * 1000 + 500;
}
