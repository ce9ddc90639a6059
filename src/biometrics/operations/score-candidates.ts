// Scores audio against prints and decides: the one place where a voice is compared. Verify, Identify,
// DetectKnownFraudsters and AnalyzeAudio differ only in their candidates.
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { Log } from '../../platform.js';
import type { Parameters } from '../model/parameters.js';
import type { ProcessedAudio } from '../model/media.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import type { Decision, VoiceprintReason } from '../model/outcome.js';
import { decideScore, reasonOfAudio } from '../rules/decide-score.js';
import type { Candidates } from './candidates.js';

export interface Comparison {
  model: SpeakerModel;
  parameters: Parameters;
  side: Side;
  audio: ProcessedAudio;
  candidates: Candidates;
  ignoreCheckpoints: boolean;
}

/** Never throws: a comparison that breaks is FAILED, so that it stays in the session and in the audit trail. */
export async function compare(log: Log, comparison: Comparison): Promise<ComparisonOutcome> {
  try {
    return await compareAudio(comparison);
  } catch (cause) {
    log.error({ cause: String(cause), side: comparison.side }, 'a voice comparison failed');
    const { audio, candidates } = comparison;
    return {
      decision: 'FAILED',
      reason: 'INTERNAL_ERROR',
      scores: [],
      netSpeechMs: audio.netAudioMs,
      prints: candidates.count,
    };
  }
}

async function compareAudio(comparison: Comparison): Promise<ComparisonOutcome> {
  const { model, parameters, side, audio, candidates, ignoreCheckpoints } = comparison;
  const unscored = (decision: Decision, reason: VoiceprintReason): ComparisonOutcome => ({
    decision,
    reason,
    scores: [],
    netSpeechMs: audio.netAudioMs,
    prints: candidates.count,
  });
  if (audio.validity !== 'AUDIO_OK') return unscored('UNCERTAIN', reasonOfAudio(audio.validity));
  const settings = side === 'AUTHENTICATION' ? parameters.authentication : parameters.fraudDetection;
  if (audio.netAudioMs < settings.netSpeechSecondsMin * 1000) return unscored('UNCERTAIN', 'AUDIO_TOO_SHORT');
  if (!audio.model || candidates.count === 0) return unscored('UNCERTAIN', 'NO_SCORES');

  const { voice, checkpoints } = audio.model;
  const judge = (sample: VoiceSample) => decide(model, parameters, side, sample, candidates);
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
      const early = await judge(checkpoint);
      if (early.decision === decisive) return early;
    }
  }
  return judge(voice);
}

/** Checkpoint samples hold a little more than asked for, because speech comes in frames. */
function isReachedAt(checkpoint: VoiceSample, seconds: number): boolean {
  return checkpoint.netMs >= seconds * 1000 - 1 && checkpoint.netMs < seconds * 1000 + 500;
}

async function decide(
  model: SpeakerModel,
  parameters: Parameters,
  side: Side,
  sample: VoiceSample,
  candidates: Candidates,
): Promise<ComparisonOutcome> {
  const scores = await candidates.nearest(model, sample);
  // Every comparison with NaN is false: it would pass for a mismatch and count against the print.
  if (scores.some(({ llr }) => Number.isNaN(llr))) throw new RangeError('a score is not a number');
  const best = scores[0];
  const base = { scores, netSpeechMs: sample.netMs, prints: candidates.count };
  if (!best) return { ...base, decision: 'UNCERTAIN', reason: 'NO_SCORES' };

  return { ...base, ...decideScore({ side, model, parameters }, best, candidates.count) };
}
