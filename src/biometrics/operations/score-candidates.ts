// Scores audio against prints and decides: the one place where a voice is compared. Verify, Identify,
// DetectKnownFraudsters and AnalyzeAudio differ only in their candidates.
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Decision, VoiceprintReason } from '../model/outcome.js';
import type { Parameters } from '../model/parameters.js';
import { decideScore, reasonOfAudio } from '../rules/decide-score.js';
import { explainNoScores, scorable, type Candidates, type NamedPrints } from './candidates.js';
import type { OpenedCall } from './opened-call.js';
import type { PreparedAudio } from './process-media.js';

type Run = OpenedCall & { prepared: PreparedAudio };

export interface Question {
  side: Side;
  candidates: Candidates;
  ignoreCheckpoints: boolean;
}

/** Never throws: a comparison that breaks is FAILED, so that it stays in the session and in the audit trail. */
export async function compare(run: Run, question: Question): Promise<ComparisonOutcome> {
  const { audio } = run.prepared;
  const { parameters } = run.context;
  try {
    return await compareAudio({ model: run.calibration.model, parameters, audio, ...question });
  } catch (cause) {
    const { side } = question;
    run.call.log.error({ cause: String(cause), side }, 'a voice comparison failed');
    return {
      decision: 'FAILED',
      reason: 'INTERNAL_ERROR',
      scores: [],
      netSpeechMs: audio.netAudioMs,
      prints: 0,
    };
  }
}

/** Compares with those of the named prints that can be scored, and says why when there is none. */
export async function compareWithPrints(
  run: Run,
  { prints, ...question }: Omit<Question, 'candidates'> & { prints: NamedPrints },
): Promise<ComparisonOutcome> {
  const outcome = await compare(run, { ...question, candidates: scorable(run.deps, prints) });
  return explainNoScores(outcome, prints);
}

interface Comparison extends Question {
  model: SpeakerModel;
  parameters: Parameters;
  audio: ProcessedAudio;
}

async function compareAudio(comparison: Comparison): Promise<ComparisonOutcome> {
  const { parameters, side, audio, candidates, ignoreCheckpoints } = comparison;
  const unscored = (decision: Decision, reason: VoiceprintReason): ComparisonOutcome => ({
    decision,
    reason,
    scores: [],
    netSpeechMs: audio.netAudioMs,
    // Nothing was compared.
    prints: 0,
  });
  if (audio.validity !== 'AUDIO_OK') return unscored('UNCERTAIN', reasonOfAudio(audio.validity));
  const settings = side === 'AUTHENTICATION' ? parameters.authentication : parameters.fraudDetection;
  if (audio.netAudioMs < settings.netSpeechSecondsMin * 1000) return unscored('UNCERTAIN', 'AUDIO_TOO_SHORT');
  if (!audio.model || candidates.count === 0) return unscored('UNCERTAIN', 'NO_SCORES');

  const { voice, checkpoints } = audio.model;
  if (!ignoreCheckpoints) {
    const seconds =
      side === 'AUTHENTICATION'
        ? parameters.authentication.checkpointsForAuthentication
        : parameters.fraudDetection.checkpointsForFraudDetection;
    const decisive: Decision = side === 'AUTHENTICATION' ? 'AUTHENTIC' : 'FRAUD';
    for (const checkpoint of checkpoints) {
      if (!seconds.some((second) => isReachedAt(checkpoint, second)) || checkpoint.netMs >= voice.netMs)
        continue;
      if (checkpoint.netMs < settings.netSpeechSecondsMin * 1000) continue;
      const early = await decide(comparison, checkpoint);
      if (early.decision === decisive) return early;
    }
  }
  return decide(comparison, voice);
}

/** Checkpoint samples hold a little more than asked for, because speech comes in frames. */
function isReachedAt(checkpoint: VoiceSample, seconds: number): boolean {
  return checkpoint.netMs >= seconds * 1000 - 1 && checkpoint.netMs < seconds * 1000 + 500;
}

async function decide(
  { model, parameters, side, candidates }: Comparison,
  sample: VoiceSample,
): Promise<ComparisonOutcome> {
  const scores = await candidates.nearest(model, sample);
  // Every comparison with NaN is false: it would pass for a mismatch and count against the print.
  if (scores.some(({ llr }) => Number.isNaN(llr))) throw new RangeError('a score is not a number');
  const best = scores[0];
  const base = { scores, netSpeechMs: sample.netMs, prints: candidates.count };
  if (!best) return { ...base, decision: 'UNCERTAIN', reason: 'NO_SCORES' };

  return { ...base, ...decideScore({ side, model, parameters }, best, candidates.count) };
}
