// The whole way of one audio inside a worker: decode, resample, features, speech, quality, embedding,
// checkpoints, voice class, attack checks. `check` is asked between stages and before every window.
import { decodeAudio } from '../voice/audio/decode-audio.js';
import type { DecodedAudio } from '../voice/audio/types.js';
import type { ProcessedAudio, ProcessOptions } from '../voice/engine.js';
import { embedSpeech, speechRows } from '../voice/embedding/embed-speech.js';
import { defaultGates, judgeAudio, judgeInvalid } from '../voice/quality/judge-audio.js';
import { measureQuality } from '../voice/quality/measure-quality.js';
import type { AudioQuality } from '../voice/quality/types.js';
import { resample } from '../voice/resample.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { detectSpeech } from '../voice/speech/detect-speech.js';
import { detectorInput, spoofScore } from '../voice/spoof/detector.js';
import type { SpoofScore } from '../voice/spoof/detector.js';
import { voiceClassScore } from '../voice/voice-class/voice-class-score.js';
import { countSpeakers } from './count-speakers.js';
import type { Features, Models } from './models/models.js';
import type { Check } from './pool/worker-host.js';

const FRAME_MS = 10;
const BINS = 80;
const RATE = 16000;
/** Less speech than this is no voice: a click that the detector took for speech must not become a print. */
export const MIN_VOICE_MS = 200;

/** Stage times, for the benchmark and for slow-call logs. */
class Stopwatch {
  readonly #now: () => number;
  readonly timings: Record<string, number> = {};
  #last: number;
  constructor(now: () => number) {
    this.#now = now;
    this.#last = now();
  }
  lap(stage: string): void {
    const now = this.#now();
    this.timings[stage] = (this.timings[stage] ?? 0) + now - this.#last;
    this.#last = now;
  }
}

export async function processAudio(
  models: Models,
  bytes: Uint8Array,
  options: ProcessOptions,
  check: Check,
  now: () => number = () => performance.now(),
): Promise<ProcessedAudio> {
  const watch = new Stopwatch(now);
  const decoded = await decodeAudio(bytes, {
    ...(options.channel === undefined ? {} : { channel: options.channel }),
    ...(options.raw ? { raw: options.raw } : {}),
  });
  watch.lap('decode');
  if (!decoded.ok) {
    return {
      verdict: judgeInvalid(decoded),
      checkpoints: [],
      windows: [],
      spoof: {},
      speech: [],
      modelRevision: models.revision,
      timingsMs: watch.timings,
    };
  }
  check();
  const features = analyse(models, decoded, watch);
  let allAudioUsed = false;
  if (options.treatAllAsSpeech && features.speech.netMs < MIN_VOICE_MS && features.frames > 0) {
    features.speech = {
      ...features.speech,
      mask: new Uint8Array(features.frames).fill(1),
      netMs: features.frames * FRAME_MS,
    };
    allAudioUsed = true;
  }
  const quality = measureQuality({
    ...features,
    source: { samples: decoded.samples, sampleRateHz: decoded.sampleRateHz },
  });
  watch.lap('quality');
  check();
  const hasVoice = allAudioUsed || features.speech.netMs >= MIN_VOICE_MS;
  const voice = hasVoice
    ? await voiceOf(models, features, quality, options.maxNetSpeechMs, check)
    : undefined;
  const checkpoints = hasVoice ? await checkpointsOf(models, features, quality, options, check) : [];
  watch.lap('embedding');
  if (options.enableSegmentation && voice) {
    Object.assign(quality, await countSpeakers(models, features, check));
    watch.lap('speakers');
  }
  const voiceClass = voice ? voiceClassScore(features.samples16k, features.speech) : undefined;
  watch.lap('voiceClass');
  const spoof = voice ? await attackScores(models, features, quality, options, check) : {};
  watch.lap('spoof');
  return {
    verdict: judgeAudio(quality, { ...defaultGates(options.purpose ?? 'verify'), ...options.gates }),
    media: {
      container: decoded.container,
      codec: decoded.codec,
      channels: decoded.channels,
      sampleRateHz: decoded.mediaSampleRateHz,
      selectedChannel: decoded.selectedChannel,
      durationMs: decoded.durationMs,
      truncated: decoded.truncated,
      warnings: decoded.warnings,
    },
    quality,
    ...(voice ? { voice } : {}),
    checkpoints,
    windows: [],
    ...(voiceClass ? { voiceClassScore: voiceClass.score } : {}),
    spoof,
    speech: features.speech.segments,
    ...(allAudioUsed ? { allAudioUsed } : {}),
    modelRevision: models.revision,
    timingsMs: watch.timings,
  };
}

function analyse(models: Models, decoded: DecodedAudio, watch: Stopwatch): Features {
  const samples16k =
    decoded.sampleRateHz === RATE ? decoded.samples : resample(decoded.samples, decoded.sampleRateHz, RATE);
  watch.lap('resample');
  const { data, frames } = models.logmel(samples16k);
  watch.lap('features');
  const speech = detectSpeech(models.speech, data, frames);
  watch.lap('speech');
  return { samples16k, logmel: data, frames, speech };
}

/** The voice in the first `limitMs` of net speech. */
export async function voiceOf(
  models: Models,
  features: Features,
  quality: Pick<AudioQuality, 'calibrationSnrDb' | 'bandwidth'>,
  limitMs: number | undefined,
  check: Check,
): Promise<VoiceSample | undefined> {
  const rows = speechRows(
    features.logmel,
    BINS,
    features.speech.mask,
    limitMs === undefined ? Infinity : Math.ceil(limitMs / FRAME_MS),
  );
  if (rows.frames === 0) return undefined;
  return {
    embedding: await embedSpeech(models.embed, models.window, rows, BINS, check),
    netMs: rows.speechFrames * FRAME_MS,
    snrDb: quality.calibrationSnrDb,
    bandwidth: quality.bandwidth,
    modelRevision: models.revision,
  };
}

async function checkpointsOf(
  models: Models,
  features: Features,
  quality: AudioQuality,
  options: ProcessOptions,
  check: Check,
): Promise<VoiceSample[]> {
  const available = Math.min(features.speech.netMs, options.maxNetSpeechMs ?? Infinity);
  const points: VoiceSample[] = [];
  for (const mark of [...(options.checkpointsMs ?? [])].sort((a, b) => a - b)) {
    if (mark > available) break;
    const sample = await voiceOf(models, features, quality, mark, check);
    if (sample) points.push(sample);
  }
  return points;
}

/** Samples around the speech that the detectors hear too: how a recording begins and ends says a little more. Cut to the
 * very speech, unseen attacks are told from people less well (8 % errors instead of 5.5). Longer silence is left out. */
const DETECTOR_MARGIN = 16_000;

/** The detectors hear everything from the first to the last speech, inner pauses and a margin included. */
async function attackScores(
  models: Models,
  features: Features,
  quality: AudioQuality,
  options: ProcessOptions,
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
    if (!options.spoof?.[kind] || !detector || first < 0) continue;
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
