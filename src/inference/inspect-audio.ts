// A look inside a recording, made in the worker: outline, speech, quality and spectrogram, but no voice.
import { decodeAudio } from '../voice/audio/decode-audio.js';
import type { InspectedAudio, InspectOptions } from '../voice/engine.js';
import { envelopeOf } from '../voice/inspect/envelope.js';
import { spectrogramOf } from '../voice/inspect/spectrogram.js';
import { defaultGates, judgeAudio, judgeInvalid } from '../voice/quality/judge-audio.js';
import { measureQuality } from '../voice/quality/measure-quality.js';
import { resample } from '../voice/resample.js';
import { detectSpeech } from '../voice/speech/detect-speech.js';
import { mediaInfo } from './listening.js';
import type { Models } from './models/models.js';
import type { Check } from './work.js';

const RATE = 16000;
const BINS = 80;

export async function inspectAudio(
  models: Models,
  bytes: Uint8Array,
  options: InspectOptions,
  check: Check,
): Promise<InspectedAudio> {
  const decoded = await decodeAudio(bytes, {
    ...(options.channel === undefined ? {} : { channel: options.channel }),
    ...(options.raw ? { raw: options.raw } : {}),
  });
  if (!decoded.ok) return { verdict: judgeInvalid(decoded), speech: [] };
  const media = mediaInfo(decoded);
  if (options.mediaOnly) {
    return { verdict: { validity: 'AUDIO_OK', explanation: '', advice: '', failed: [] }, media, speech: [] };
  }
  check();
  const { samples, sampleRateHz } = decoded;
  const samples16k = sampleRateHz === RATE ? samples : resample(samples, sampleRateHz, RATE);
  const { data: logmel, frames } = models.logmel(samples16k);
  check();
  const speech = detectSpeech(models.speech, logmel, frames);
  check();
  const quality = measureQuality({ samples16k, logmel, speech, source: { samples, sampleRateHz } });
  const { envelopePoints, spectrogramColumns } = options;
  return {
    verdict: judgeAudio(quality, { ...defaultGates('verify'), ...options.gates }),
    media,
    quality,
    speech: speech.segments,
    ...(envelopePoints > 0 && { envelope: envelopeOf(samples, envelopePoints) }),
    ...(spectrogramColumns > 0 && { spectrogram: spectrogramOf(logmel, frames, BINS, spectrogramColumns) }),
  };
}
