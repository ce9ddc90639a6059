// Counts the speakers: embeds short overlapping windows of speech and groups them by similarity.
import type { Check } from '../voice/check.js';
import { embedSpeech } from '../voice/embedding/embed-speech.js';
import { detectSpeakers } from '../voice/quality/detect-speakers.js';
import type { Speech } from '../voice/speech/types.js';
import type { Models } from './models/models.js';

const BINS = 80;
const FRAME_MS = 10;
const WINDOW_FRAMES = 300;
const HOP_FRAMES = 150;
/** Long recordings are sampled in this many places, evenly spread, so that the cost stays bounded. */
const MAX_WINDOWS = 40;

export async function countSpeakers(
  models: Models,
  { logmel, speech }: { logmel: Float32Array; speech: Speech },
  check: Check,
): Promise<{ numberOfSpeakers: number; segmentationScore?: number }> {
  const speechFrames: number[] = [];
  speech.mask.forEach((value, frame) => value && speechFrames.push(frame));
  const count = Math.max(1, 1 + Math.floor((speechFrames.length - WINDOW_FRAMES) / HOP_FRAMES));
  const step = Math.max(1, count / MAX_WINDOWS);
  const windows: { embedding: Float32Array; startMs: number; endMs: number }[] = [];
  for (let at = 0; Math.floor(at) < count; at += step) {
    await check();
    const chosen = speechFrames.slice(
      Math.floor(at) * HOP_FRAMES,
      Math.floor(at) * HOP_FRAMES + WINDOW_FRAMES,
    );
    const data = new Float32Array(chosen.length * BINS);
    chosen.forEach((frame, row) => data.set(logmel.subarray(frame * BINS, (frame + 1) * BINS), row * BINS));
    const embedding = await embedSpeech(
      models.embed,
      models.window,
      { data, frames: chosen.length },
      BINS,
      check,
    );
    windows.push({
      embedding,
      startMs: (chosen[0] ?? 0) * FRAME_MS,
      endMs: ((chosen.at(-1) ?? 0) + 1) * FRAME_MS,
    });
  }
  const found = detectSpeakers(windows, { sameSpeakerCosineMin: models.likeness.sameSpeakerMin });
  return {
    numberOfSpeakers: found.count,
    ...(found.segmentationScore === undefined ? {} : { segmentationScore: found.segmentationScore }),
  };
}
