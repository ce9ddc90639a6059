/** All quality figures of a recording, from the pieces that the engine has at hand after speech detection. */
import { uncertainSpeech } from '../speech/form-segments.js';
import { FRAME_MS, type Speech } from '../speech/types.js';
import { highBandDb, HIGH_BAND_DB_WIDE_MIN } from './bandwidth.js';
import { frameEnergies, toDb } from './frame-energy.js';
import { countDropouts, measureLimits } from './saturation.js';
import { calibrationSnrDb, snrDb } from './snr.js';
import type { AudioQuality } from './types.js';

export interface QualityInput {
  samples16k: Float32Array;
  /** As decoded, before the rate change. */
  source: { samples: Float32Array; sampleRateHz: number };
  logmel: Float32Array;
  frames: number;
  speech: Speech;
}

export function measureQuality(input: QualityInput): AudioQuality {
  const { samples16k, source, logmel, frames, speech } = input;
  const energies = frameEnergies(samples16k);
  const high = highBandDb(logmel, frames, speech.mask);
  const minutes = source.samples.length / source.sampleRateHz / 60;
  let level = 0;
  let count = 0;
  for (let i = 0; i < speech.mask.length && i < energies.length; i++) {
    if (speech.mask[i] !== 1) continue;
    level += energies[i] as number;
    count++;
  }
  const uncertain = uncertainSpeech(speech);
  let uncertainMs = 0;
  for (let i = 0; i < uncertain.length; i++) uncertainMs += (uncertain[i] as number) * FRAME_MS;
  // The few certain moments of a voice deep in noise are its loudest, and would make it look clear.
  const voiceMask =
    uncertainMs > speech.netMs ? uncertain.map((v, i) => v | (speech.mask[i] as number)) : speech.mask;
  const { peak, saturated } = measureLimits(source.samples);
  return {
    grossMs: (source.samples.length / source.sampleRateHz) * 1000,
    netMs: speech.netMs,
    uncertainMs,
    snrDb: snrDb(energies, voiceMask),
    calibrationSnrDb: calibrationSnrDb(energies),
    speechLevelDbfs: toDb(count === 0 ? 0 : level / count),
    peakDbfs: toDb(peak * peak),
    saturatedPerMinute: minutes === 0 ? 0 : saturated / minutes,
    // A file below 12 kHz cannot hold the upper band; above that the sound itself tells.
    bandwidth: count > 0 && source.sampleRateHz >= 12000 && high >= HIGH_BAND_DB_WIDE_MIN ? 'wide' : 'narrow',
    highBandDb: high,
    dropouts: countDropouts(source.samples, source.sampleRateHz, speech.segments),
  };
}
