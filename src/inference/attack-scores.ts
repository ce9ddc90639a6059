// What the attack detectors say about one audio.
import type { ProcessedAudio } from '../voice/engine.js';
import type { AudioQuality } from '../voice/quality/types.js';
import { detectorInput, spoofScore } from '../voice/spoof/detector.js';
import type { DetectorKind, SpoofScore } from '../voice/spoof/detector.js';
import type { Features, Models } from './models/models.js';
import type { Check } from './work.js';

/** Samples around the speech that the detectors hear too: how a recording begins and ends says a little more. Cut to the
 * very speech, unseen attacks are told from people less well (8 % errors instead of 5.5). Longer silence is left out. */
const DETECTOR_MARGIN = 16_000;

/** The detectors hear everything from the first to the last speech, inner pauses and a margin included. */
export async function attackScores(
  models: Models,
  features: Features,
  quality: AudioQuality,
  wanted: Partial<Record<DetectorKind, boolean>>,
  check: Check,
): Promise<ProcessedAudio['spoof']> {
  const first = features.speech.mask.indexOf(1);
  const last = features.speech.mask.lastIndexOf(1);
  const from = Math.max(0, first * 160 - DETECTOR_MARGIN);
  const spoken = features.samples16k.subarray(from, last * 160 + 400 + DETECTOR_MARGIN);
  const conditions = {
    bandwidth: quality.bandwidth,
    snrDb: quality.calibrationSnrDb,
    netMs: features.speech.netMs,
  };
  const scores: { synthetic?: SpoofScore; playback?: SpoofScore } = {};
  for (const kind of ['synthetic', 'playback'] as const) {
    const detector = models.detectors[kind];
    if (!wanted[kind] || !detector || first < 0) continue;
    check();
    const { data, count } = detectorInput(detector.info.window, spoken);
    const windows = await detector.score(data, count);
    scores[kind] = spoofScore(
      detector.info,
      windows.reduce((sum, score) => sum + score, 0) / windows.length,
      conditions,
    );
  }
  return scores;
}
