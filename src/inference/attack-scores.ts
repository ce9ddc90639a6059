// What the attack detectors say about one audio. They hear windows of it; each is scored once, and where the samples will be
// forgotten, before that.
import type { Check } from '../voice/check.js';
import type { ProcessedAudio } from '../voice/engine.js';
import type { FloatStore, Range } from '../voice/kept-floats.js';
import type { AudioQuality } from '../voice/quality/types.js';
import type { Speech } from '../voice/speech/types.js';
import { detectorInput, detectorWindows, isLastingWindow, spoofScore } from '../voice/spoof/detector.js';
import type { DetectorKind, HeardWindow, SpoofScore, WindowScore } from '../voice/spoof/detector.js';
import type { Detector, Models } from './models/models.js';

/** Samples around the speech that the detectors hear too: how a recording begins and ends says a little more. Cut to the
 * very speech, unseen attacks are told from people less well (8 % errors instead of 5.5). Longer silence is left out. */
const DETECTOR_MARGIN = 16_000;
const HOP = 160;
const FRAME_LENGTH = 400;

type Samples = Pick<FloatStore, 'length' | 'subarray'>;

/** What the detectors are asked about. */
export interface HeardSpeech {
  speech: Speech;
  /** Samples at 16 kHz that belong to it. */
  samples: number;
}

class DetectorScores {
  readonly #detector: Detector;
  readonly #known = new Map<number, WindowScore>();

  constructor(detector: Detector) {
    this.#detector = detector;
  }

  /** How far back the last window of some audio may begin. */
  get reach(): number {
    const { samples, minRest } = this.#detector.info.window;
    return samples + minRest;
  }

  /** The windows of the samples between two places. */
  async windows(samples: Samples, [from, to]: Range, check: Check): Promise<HeardWindow[]> {
    const { window } = this.#detector.info;
    const starts = detectorWindows(window, to - from);
    if (!starts) {
      const score = await this.#score(samples.subarray(from, to), check);
      return [{ ...score, startMs: msOf(from), endMs: msOf(to) }];
    }
    const heard: HeardWindow[] = [];
    for (const start of starts) {
      const begin = from + start;
      const known = this.#known.get(start);
      const score = known ?? (await this.#score(samples.subarray(begin, begin + window.samples), check));
      if (start % window.hop === 0) this.#known.set(start, score);
      heard.push({ ...score, startMs: msOf(begin), endMs: msOf(begin + window.samples) });
    }
    return heard;
  }

  /** Scores what is complete and may be asked for later. */
  async settle(samples: Samples, from: number, check: Check): Promise<void> {
    const { window } = this.#detector.info;
    const complete = Math.floor((samples.length - from - window.samples) / window.hop) + 1;
    for (let place = 0; place < complete; place++) {
      const start = place * window.hop;
      if (this.#known.has(start) || !isLastingWindow(window, place)) continue;
      const score = await this.#score(samples.subarray(from + start, from + start + window.samples), check);
      this.#known.set(start, score);
    }
  }

  result(heard: readonly HeardWindow[], quality: AudioQuality, netMs: number): SpoofScore {
    const { bandwidth, calibrationSnrDb } = quality;
    return spoofScore(this.#detector.info, heard, { bandwidth, snrDb: calibrationSnrDb, netMs });
  }

  async #score(part: Float32Array, check: Check): Promise<WindowScore> {
    await check();
    return this.#detector.score(detectorInput(this.#detector.info.window, part));
  }
}

/** The detectors hear everything from the first to the last speech, inner pauses and a margin included. */
export class AttackScores {
  readonly #scores: Partial<Record<DetectorKind, DetectorScores>> = {};

  constructor(models: Models, wanted: Partial<Record<DetectorKind, boolean>>) {
    for (const kind of ['synthetic', 'playback'] as const) {
      const detector = models.detectors[kind];
      if (wanted[kind] && detector) this.#scores[kind] = new DetectorScores(detector);
    }
  }

  get #all(): DetectorScores[] {
    return Object.values(this.#scores);
  }

  async of(
    samples: Samples,
    { speech, samples: length }: HeardSpeech,
    quality: AudioQuality,
    check: Check,
  ): Promise<ProcessedAudio['spoof']> {
    const first = speech.mask.indexOf(1);
    const scores: { synthetic?: SpoofScore; playback?: SpoofScore } = {};
    if (first < 0) return scores;
    const to = Math.min(length, speechEnd(speech.mask.lastIndexOf(1)));
    for (const kind of ['synthetic', 'playback'] as const) {
      const detector = this.#scores[kind];
      if (!detector) continue;
      const heard = await detector.windows(samples, [speechBegin(first), to], check);
      scores[kind] = detector.result(heard, quality, speech.netMs);
    }
    return scores;
  }

  /** Of a call whose first speech lies there. */
  async settle(samples: Samples, firstFrame: number, check: Check): Promise<void> {
    for (const detector of this.#all) await detector.settle(samples, speechBegin(firstFrame), check);
  }

  /** The samples that may still be asked for, when speech may end with this frame, or with any from another one on. */
  needed(lastFrame: number | undefined, openFrom: number): Range[] {
    const reach = Math.max(0, ...this.#all.map((detector) => detector.reach));
    if (reach === 0) return [];
    const ranges: Range[] = [[openFrom * HOP - reach, Infinity]];
    if (lastFrame !== undefined) ranges.push([lastFrame * HOP - reach, speechEnd(lastFrame)]);
    return ranges;
  }
}

const speechBegin = (firstFrame: number): number => Math.max(0, firstFrame * HOP - DETECTOR_MARGIN);
const speechEnd = (lastFrame: number): number => lastFrame * HOP + FRAME_LENGTH + DETECTOR_MARGIN;
const msOf = (samples16k: number): number => Math.round(samples16k / 16);
