// The score of one sample over the cosine, for every print: a straight line, because for one print and one sample
// all else in the calibration is fixed. A search spends a few multiplications and a division on each print.
import { rememberedStatistics } from '../scoring/cohort.js';
import { calibrationTerms } from '../scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';

/** Numbers of a print beside its embedding: those that scoring uses, as they are stored, and one that a line needs often. */
export const FACTS = 7;
const NET_MS = 4;
const SNR_DB = 5;
const LOG_NET_SECONDS = 6;

export function factsOf({ netMs, snrDb, norm: { narrow, wide } }: Template): number[] {
  return [narrow.mean, narrow.sd, wide.mean, wide.sd, netMs, snrDb, Math.log(netMs / 1000)];
}

/** What `factsOf` was given. */
export function readFacts(facts: Float32Array, at: number): Pick<Template, 'netMs' | 'snrDb' | 'norm'> {
  const fact = (index: number): number => facts[at + index] as number;
  return {
    netMs: fact(NET_MS),
    snrDb: fact(SNR_DB),
    norm: { narrow: { mean: fact(0), sd: fact(1) }, wide: { mean: fact(2), sd: fact(3) } },
  };
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
    this.#normAt = sample.bandwidth === 'narrow' ? 0 : 2;
    this.#perCosine = weight(2);
    this.#weights = { enrol: weight(4), snr: weight(5), enrolZ: weight(9), snrZ: weight(10) };
    this.#enrolMin = Math.log(scoring.netEnrolClampS[0]);
    this.#enrolMax = Math.log(scoring.netEnrolClampS[1]);
    this.#snrMin = scoring.snrClampDb[0];
    // The noisier side counts.
    this.#snrMax = Math.max(this.#snrMin, Math.min(scoring.snrClampDb[1], sample.snrDb));
  }

  /** Lays the line through the scores of the print whose facts begin at `at`. */
  through(facts: Float32Array, at: number, narrow: boolean): void {
    const fixed = narrow ? this.#narrow : this.#wide;
    const weights = this.#weights;
    const enrol = within(facts[at + LOG_NET_SECONDS] as number, this.#enrolMin, this.#enrolMax);
    const snr = within(facts[at + SNR_DB] as number, this.#snrMin, this.#snrMax) / 10;
    const offset = fixed.offset + enrol * weights.enrol + snr * weights.snr;
    const perZ = fixed.perZ + enrol * weights.enrolZ + snr * weights.snrZ;
    // The normalized cosine is gain * cosine - shift.
    let [gain, shift] = [1, 0];
    if (this.#hasCohort) {
      const half = 0.5 / (facts[at + this.#normAt + 1] as number);
      gain = half + fixed.gain;
      shift = (facts[at + this.#normAt] as number) * half + fixed.shift;
    }
    this.slope = this.#perCosine + perZ * gain;
    this.offset = offset - perZ * shift;
  }
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
