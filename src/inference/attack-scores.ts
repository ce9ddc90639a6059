// The attack detectors' scores for one audio. They hear windows of it; each window is scored once, and if the
// samples will be discarded, before that happens.
import type { Check } from '../voice/check.js';
import type { ProcessedAudio } from '../voice/engine.js';
import type { FloatStore, Range } from '../voice/float-buffers.js';
import type { AudioQuality } from '../voice/quality/types.js';
import type { Bandwidth } from '../voice/scoring/speaker-model.js';
import type { Speech } from '../voice/speech/types.js';
import {
  canAnswerOn,
  detectorInput,
  detectorWindows,
  isLastingWindow,
  spoofScore,
} from '../voice/spoof/detector.js';
import type {
  DetectorKind,
  HeardWindow,
  SpokenEdges,
  SpoofScore,
  WindowScore,
} from '../voice/spoof/detector.js';
import { spansAbove, type AttackSpan } from '../voice/spoof/evidence.js';
import { edgesWith, worstStretch } from '../voice/spoof/stretch.js';
import type { Detector, Models } from './models/models.js';

/**
 * Samples around the speech that the detectors hear too: how a recording begins and ends says a little more.
 * With audio cut exactly to the speech, detectors tell unseen attacks from people less well (8 % errors
 * instead of 5.5). Longer silence is left out.
 */
const DETECTOR_MARGIN = 16_000;
const HOP = 160;
const FRAME_LENGTH = 400;

type Samples = Pick<FloatStore, 'length' | 'subarray'>;

/** The speech that detectors score. */
export interface HeardSpeech {
  speech: Speech;
  /** The number of samples, at 16 kHz, that belong to it. */
  samples: number;
}

/** A window with less speech than this share of it says nothing about a voice. */
const SPEECH_SHARE_MIN = 0.5;

class DetectorScores {
  readonly #detector: Detector;
  readonly #hearsStretches: boolean;
  readonly #known = new Map<number, WindowScore>();
  /**
   * How many windows on the grid have been settled, and how many were examined individually for stretches.
   */
  #settled = 0;
  #looked = 0;
  /** The edges of the windows in which somebody speaks. */
  #spoken: SpokenEdges = { first: [], last: [] };
  #worst: SpoofScore | undefined;
  /** Spans that reach the alarm threshold by themselves. */
  #named: AttackSpan[] = [];

  /**
   * `hearsStretches`: scores every window in which somebody speaks, not only those that represent the whole
   * audio.
   */
  constructor(detector: Detector, hearsStretches: boolean) {
    this.#detector = detector;
    this.#hearsStretches = hearsStretches;
  }

  canAnswerOn(bandwidth: Bandwidth): boolean {
    return canAnswerOn(this.#detector.info, bandwidth);
  }

  /** How far before the end of some audio its last window may begin. */
  get reach(): number {
    const { samples, minRest } = this.#detector.info.window;
    return samples + minRest;
  }

  /** The windows of the samples in a range. */
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

  /** Scores the windows that have not been scored yet. Only needed for files: a call has been settled. */
  async hearAll(samples: Samples, [from, to]: Range, speech: Speech, check: Check): Promise<void> {
    if (!this.#hearsStretches) return;
    const { samples: size, hop } = this.#detector.info.window;
    for (let start = 0; from + start + size <= to; start += hop) {
      const begin = from + start;
      if (this.#known.has(start) || !this.#spokenMs(begin, speech)) continue;
      this.#known.set(start, await this.#score(samples.subarray(begin, begin + size), check));
    }
  }

  /**
   * The speech in the window that begins there; undefined if it is too little to say anything about a voice.
   */
  #spokenMs(begin: number, { mask }: Speech): number | undefined {
    const { samples } = this.#detector.info.window;
    const frames = mask.subarray(Math.floor(begin / HOP), Math.floor((begin + samples) / HOP));
    const netMs = 10 * frames.reduce((sum, isSpeech) => sum + isSpeech, 0);
    return netMs < SPEECH_SHARE_MIN * msOf(samples) ? undefined : netMs;
  }

  /** Scores windows that are complete and may be needed later. */
  async settle(samples: Samples, from: number, check: Check): Promise<void> {
    const { window } = this.#detector.info;
    const complete = Math.floor((samples.length - from - window.samples) / window.hop) + 1;
    for (; this.#settled < complete; this.#settled++) {
      const start = this.#settled * window.hop;
      if (this.#known.has(start)) continue;
      if (!this.#hearsStretches && !isLastingWindow(window, this.#settled)) continue;
      const score = await this.#score(samples.subarray(from + start, from + start + window.samples), check);
      this.#known.set(start, score);
    }
  }

  /**
   * The stretch that sounded most like an attack, if one did so by itself: real speech before and after it
   * does not make up for that.
   */
  worstStretch(
    [from, to]: Range,
    speech: Speech,
    { bandwidth, calibrationSnrDb: snrDb }: AudioQuality,
  ): SpoofScore | undefined {
    const { info } = this.#detector;
    const { samples, hop } = info.window;
    for (; this.#hearsStretches; this.#looked++) {
      const begin = from + this.#looked * hop;
      if (begin + samples > to) break;
      const netMs = this.#spokenMs(begin, speech);
      if (netMs === undefined) continue;
      const score = this.#known.get(this.#looked * hop);
      if (!score) break;
      const heard = { ...score, startMs: msOf(begin), endMs: msOf(begin + samples), netMs };
      this.#name(heard, bandwidth);
      const found = worstStretch(info, [...this.#spoken.last, heard], { bandwidth, snrDb });
      this.#spoken = edgesWith(this.#spoken, heard);
      if (found && found.llr > (this.#worst?.llr ?? -Infinity)) this.#worst = found;
    }
    return this.#worst;
  }

  #name({ startMs, endMs, score }: HeardWindow, bandwidth: Bandwidth): void {
    const { calibration, alarmLlr } = this.#detector.info;
    const { a, b } = calibration[bandwidth];
    const window = { startMs, endMs, llr: a * score + b };
    if (window.llr >= alarmLlr[bandwidth]) this.#named = spansAbove([...this.#named, window], -Infinity);
  }

  /** Where the examined stretches begin and end. */
  get edges(): Pick<SpoofScore, 'spoken'> {
    return this.#hearsStretches ? { spoken: this.#spoken } : {};
  }

  result(heard: readonly HeardWindow[], quality: AudioQuality, netMs: number): SpoofScore {
    const { bandwidth, calibrationSnrDb } = quality;
    const at = { bandwidth, snrDb: calibrationSnrDb, netMs };
    return spoofScore(this.#detector.info, heard, at, this.#named);
  }

  async #score(part: Float32Array, check: Check): Promise<WindowScore> {
    await check();
    return this.#detector.score(detectorInput(this.#detector.info.window, part));
  }
}

/** The detectors hear everything from the first to the last speech, inner pauses and a margin included. */
export class AttackScores {
  readonly #isCall: boolean;
  readonly #scores: Partial<Record<DetectorKind, DetectorScores>> = {};

  /** `isCall`: scored while it runs, because its sound is discarded. */
  constructor(
    models: Pick<Models, 'detectors'>,
    wanted: Partial<Record<DetectorKind, boolean>>,
    isCall = false,
  ) {
    this.#isCall = isCall;
    for (const kind of ['synthetic', 'playback'] as const) {
      const detector = models.detectors[kind];
      // Playback can be told reliably only from long speech.
      if (wanted[kind] && detector) this.#scores[kind] = new DetectorScores(detector, kind === 'synthetic');
    }
  }

  /** For sound of the telephone band alone: those that cannot answer there need not hear it. */
  leaveOutThoseForWide(): void {
    for (const kind of ['synthetic', 'playback'] as const)
      if (this.#scores[kind]?.canAnswerOn('narrow') === false) delete this.#scores[kind];
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
      if (!detector?.canAnswerOn(quality.bandwidth)) continue;
      const range: Range = [speechBegin(first), to];
      const heard = await detector.windows(samples, range, check);
      if (!this.#isCall) await detector.hearAll(samples, range, speech, check);
      const stretch = detector.worstStretch(range, speech, quality);
      const whole = detector.result(heard, quality, speech.netMs);
      const found = stretch && !whole.alarm ? { ...stretch, heard: whole.heard } : whole;
      scores[kind] = { ...found, ...(this.#isCall && detector.edges) };
    }
    return scores;
  }

  /** For a call whose first speech is at this frame. */
  async settle(samples: Samples, firstFrame: number, check: Check): Promise<void> {
    for (const detector of this.#all) await detector.settle(samples, speechBegin(firstFrame), check);
  }

  /**
   * The samples that may still be needed if speech ends with `lastFrame`, or with any frame from `openFrom`
   * on.
   */
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
