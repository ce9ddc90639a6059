/**
 * All quality figures of a recording. Only figures are kept of its sound, so a call can be measured while it
 * runs.
 */
import { GrowingFloats } from '../float-buffers.js';
import { uncertainSpeech } from '../speech/form-segments.js';
import { FRAME_MS, MEASURED_FRAMES_MAX, type Speech } from '../speech/types.js';
import { highBandDb, highBands, HIGH_BAND_DB_WIDE_MIN, WIDE_RATE_HZ_MIN } from './bandwidth.js';
import { FrameEnergies, toDb } from './frame-energy.js';
import { calibrationSnrDb, snrDb } from './snr.js';
import { SoundLimits } from './sound-limits.js';
import type { AudioQuality } from './types.js';

/** Steps of 5 ms: a frame lasts five, and begins two after the previous one. */
const STEPS_PER_HOP = 2;
const STEPS_PER_FRAME = 5;

/** The figures of the sound so far that the measures need. */
export class SoundFigures {
  readonly #limits: SoundLimits;
  readonly #energies = new FrameEnergies();
  readonly #bands = new GrowingFloats();

  constructor(sampleRateHz: number) {
    this.#limits = new SoundLimits(sampleRateHz);
  }

  get heldBytes(): number {
    return this.#limits.heldBytes + this.#energies.heldBytes + this.#bands.heldBytes;
  }

  /** Takes samples as decoded, before the rate change. */
  source(samples: Float32Array): void {
    this.#limits.push(samples);
  }

  wave(samples16k: Float32Array): void {
    this.#energies.push(samples16k);
  }

  rows(logmel: Float32Array): void {
    this.#bands.append(highBands(logmel));
  }

  /** Promises that no later call asks about fewer frames than this. */
  forgetBefore(frames: number): void {
    this.#limits.forgetBefore(STEPS_PER_HOP * frames);
    this.#energies.forgetBefore(frames - MEASURED_FRAMES_MAX);
    this.#bands.forgetMostBefore(frames - MEASURED_FRAMES_MAX);
  }

  /** Measures all sound, or only the frames that `speech` describes, as if the sound ended with them. */
  measure(speech: Speech, all: boolean): AudioQuality {
    const frames = speech.mask.length;
    const from = Math.max(0, frames - MEASURED_FRAMES_MAX);
    const mask = speech.mask.subarray(from);
    const energies = this.#energies.between(from, frames);
    const high = highBandDb(this.#bands.subarray(from, frames), mask);
    const steps = all ? undefined : STEPS_PER_HOP * (frames - 1) + STEPS_PER_FRAME;
    const { length, peak, saturated } = this.#limits.limits(steps);
    const { sampleRateHz } = this.#limits;
    const minutes = length / sampleRateHz / 60;
    let level = 0;
    let count = 0;
    for (let i = 0; i < mask.length && i < energies.length; i++) {
      if (mask[i] !== 1) continue;
      level += energies[i] as number;
      count++;
    }
    const uncertain = uncertainSpeech({ mask, probability: speech.probability.subarray(from) });
    let uncertainMs = 0;
    for (let i = 0; i < uncertain.length; i++) uncertainMs += (uncertain[i] as number) * FRAME_MS;
    // The few certain moments of a voice deep in noise are its loudest, and would make it look clear.
    const voiceMask =
      uncertainMs > count * FRAME_MS ? uncertain.map((v, i) => v | (mask[i] as number)) : mask;
    return {
      grossMs: (length / sampleRateHz) * 1000,
      netMs: speech.netMs,
      uncertainMs,
      snrDb: snrDb(energies, voiceMask),
      calibrationSnrDb: calibrationSnrDb(energies),
      speechLevelDbfs: toDb(count === 0 ? 0 : level / count),
      peakDbfs: toDb(peak * peak),
      saturatedPerMinute: minutes === 0 ? 0 : saturated / minutes,
      // A file below 12 kHz cannot contain the upper band; above that the sound itself tells.
      bandwidth:
        count > 0 && sampleRateHz >= WIDE_RATE_HZ_MIN && high >= HIGH_BAND_DB_WIDE_MIN ? 'wide' : 'narrow',
      highBandDb: high,
      dropouts: this.#limits.dropouts(speech.mask, length),
    };
  }
}

interface QualityInput {
  samples16k: Float32Array;
  /** As decoded, before the rate change. */
  source: { samples: Float32Array; sampleRateHz: number };
  logmel: Float32Array;
  speech: Speech;
}

/** Measures a whole recording. */
export function measureQuality({ samples16k, source, logmel, speech }: QualityInput): AudioQuality {
  const figures = new SoundFigures(source.sampleRateHz);
  figures.source(source.samples);
  figures.wave(samples16k);
  figures.rows(logmel);
  return figures.measure(speech, true);
}
