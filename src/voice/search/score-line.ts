// The score of one sample as a function of the cosine, for every print: a straight line, because for one
// print and one sample everything else in the calibration is fixed. The sample's part in it is a few numbers,
// which can be sent to another thread.
import { rememberedStatistics } from '../scoring/cohort.js';
import { calibrationTerms } from '../scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';

/** Values that depend only on the bandwidth of the print. */
interface FixedTerms {
  offset: number;
  perZ: number;
  gain: number;
  shift: number;
}

export interface ScoreTerms {
  wide: FixedTerms;
  narrow: FixedTerms;
  /** The bandwidth of the sample, which decides whose strangers a print is normalized by. */
  isNarrow: boolean;
  /** Divided by the spread of a print's strangers; 0 if there are none. */
  share: number;
  perCosine: number;
  /** Weights of the print's net speech and noise, alone and multiplied by the normalized cosine. */
  weights: { enrol: number; snr: number; enrolZ: number; snrZ: number };
  enrolMin: number;
  enrolMax: number;
  snrMin: number;
  snrMax: number;
}

export function scoreTerms({ scoring, cohort }: SpeakerModel, sample: VoiceSample): ScoreTerms {
  const weight = (index: number): number => scoring.coefficients[index] ?? 0;
  const fixed = (narrow: boolean): FixedTerms => {
    const sides = (narrow ? 1 : 0) + (sample.bandwidth === 'narrow' ? 1 : 0);
    const terms = calibrationTerms(scoring, 0, 1, {
      netTestMs: sample.netMs,
      netEnrolMs: 1000,
      snrDb: 0,
      narrowSides: sides as 0 | 1 | 2,
    });
    const [test = 0, , , both = 0, mixed = 0] = terms.slice(3);
    const own = rememberedStatistics(cohort, sample.embedding, narrow ? 'narrow' : 'wide');
    return {
      offset: weight(0) + test * weight(3) + both * weight(6) + mixed * weight(7),
      perZ: weight(1) + test * weight(8) + both * weight(11) + mixed * weight(12),
      // Without strangers the normalized cosine is the cosine.
      gain: cohort ? 0.5 / own.sd : 1,
      shift: cohort ? (0.5 * own.mean) / own.sd : 0,
    };
  };
  const snrMin = scoring.snrClampDb[0];
  return {
    wide: fixed(false),
    narrow: fixed(true),
    isNarrow: sample.bandwidth === 'narrow',
    share: cohort ? 0.5 : 0,
    perCosine: weight(2),
    weights: { enrol: weight(4), snr: weight(5), enrolZ: weight(9), snrZ: weight(10) },
    enrolMin: Math.log(scoring.netEnrolClampS[0]),
    enrolMax: Math.log(scoring.netEnrolClampS[1]),
    snrMin,
    // The noisier side counts.
    snrMax: Math.max(snrMin, Math.min(scoring.snrClampDb[1], sample.snrDb)),
  };
}

/** The part of a print that a line needs. */
interface PrintFacts {
  isNarrow: boolean;
  /** Its strangers of the sample's bandwidth. */
  mean: number;
  sd: number;
  snrDb: number;
  logNetSeconds: number;
}

/** The line through the scores of a print. */
export function scoreLine(terms: ScoreTerms, print: PrintFacts): { slope: number; offset: number } {
  const fixed = print.isNarrow ? terms.narrow : terms.wide;
  const { weights } = terms;
  const enrol = within(print.logNetSeconds, terms.enrolMin, terms.enrolMax);
  const snr = within(print.snrDb, terms.snrMin, terms.snrMax) / 10;
  const offset = fixed.offset + enrol * weights.enrol + snr * weights.snr;
  const perZ = fixed.perZ + enrol * weights.enrolZ + snr * weights.snrZ;
  // The normalized cosine is gain * cosine - shift.
  const half = terms.share / print.sd;
  const gain = half + fixed.gain;
  const shift = print.mean * half + fixed.shift;
  return { slope: terms.perCosine + perZ * gain, offset: offset - perZ * shift };
}

/**
 * An upper bound of everything that is summed up in a line, except what depends on a print's strangers: see
 * scan-kernel.ts.
 */
export function sizeOfTerms(terms: ScoreTerms): { perZ: number; rest: number } {
  const { weights, wide, narrow } = terms;
  const enrol = Math.max(Math.abs(terms.enrolMin), Math.abs(terms.enrolMax));
  const snr = Math.max(Math.abs(terms.snrMin), Math.abs(terms.snrMax)) / 10;
  const most = (of: keyof FixedTerms): number => Math.max(Math.abs(wide[of]), Math.abs(narrow[of]));
  const perZ = most('perZ') + enrol * Math.abs(weights.enrolZ) + snr * Math.abs(weights.snrZ);
  const offset = most('offset') + enrol * Math.abs(weights.enrol) + snr * Math.abs(weights.snr);
  return { perZ, rest: offset + Math.abs(terms.perCosine) + perZ * (most('gain') + most('shift')) };
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
