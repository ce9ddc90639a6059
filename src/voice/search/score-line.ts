// The score of one sample over the cosine, for every print: a straight line, because for one print and one sample
// all else in the calibration is fixed. What the line needs of a print is prepared when the print comes in; a
// search then spends a few multiplications on each.
import { rememberedStatistics } from '../scoring/cohort.js';
import { calibrationTerms } from '../scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';

/** Numbers that a line needs of a print. */
export const LINE_FACTS = 6;

export function lineFacts({ netMs, snrDb, norm: { narrow, wide } }: Template): number[] {
  return [
    Math.log(netMs / 1000),
    snrDb,
    0.5 / narrow.sd,
    (0.5 * narrow.mean) / narrow.sd,
    0.5 / wide.sd,
    (0.5 * wide.mean) / wide.sd,
  ];
}

/** What does not depend on the print but on its bandwidth. */
interface FixedTerms {
  offset: number;
  perZ: number;
  gain: number;
  shift: number;
}

export class ScoreLine {
  slope = 0;
  offset = 0;
  readonly #wide: FixedTerms;
  readonly #narrow: FixedTerms;
  readonly #hasCohort: boolean;
  readonly #normAt: number;
  readonly #perCosine: number;
  /** Weights of net speech and noise of the print, alone and with the normalized cosine. */
  readonly #weights: { enrol: number; snr: number; enrolZ: number; snrZ: number };
  readonly #enrolMin: number;
  readonly #enrolMax: number;
  readonly #snrMin: number;
  readonly #snrMax: number;

  constructor({ scoring, cohort }: SpeakerModel, sample: VoiceSample) {
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
        gain: 0.5 / own.sd,
        shift: (0.5 * own.mean) / own.sd,
      };
    };
    this.#wide = fixed(false);
    this.#narrow = fixed(true);
    this.#hasCohort = cohort !== undefined;
    this.#normAt = sample.bandwidth === 'narrow' ? 2 : 4;
    this.#perCosine = weight(2);
    this.#weights = { enrol: weight(4), snr: weight(5), enrolZ: weight(9), snrZ: weight(10) };
    this.#enrolMin = Math.log(scoring.netEnrolClampS[0]);
    this.#enrolMax = Math.log(scoring.netEnrolClampS[1]);
    this.#snrMin = scoring.snrClampDb[0];
    // The noisier side counts.
    this.#snrMax = Math.max(this.#snrMin, Math.min(scoring.snrClampDb[1], sample.snrDb));
  }

  /** Lays the line through the scores of the print whose facts begin at `at`. */
  through(facts: Float64Array, at: number, narrow: boolean): void {
    const fixed = narrow ? this.#narrow : this.#wide;
    const weights = this.#weights;
    const enrol = within(facts[at] as number, this.#enrolMin, this.#enrolMax);
    const snr = within(facts[at + 1] as number, this.#snrMin, this.#snrMax) / 10;
    const offset = fixed.offset + enrol * weights.enrol + snr * weights.snr;
    const perZ = fixed.perZ + enrol * weights.enrolZ + snr * weights.snrZ;
    // The normalized cosine is gain * cosine - shift.
    let [gain, shift] = [1, 0];
    if (this.#hasCohort) {
      gain = (facts[at + this.#normAt] as number) + fixed.gain;
      shift = (facts[at + this.#normAt + 1] as number) + fixed.shift;
    }
    this.slope = this.#perCosine + perZ * gain;
    this.offset = offset - perZ * shift;
  }
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
