// Prints side by side in memory, to be scored by one sample: the same calibrated scores as comparing with each
// print alone, at a fraction of the work. For one print and one sample the score is a straight line in the cosine,
// so a cosine of 8-bit integers with its known error gives the highest score that the print can have; only prints
// that may be among the best are scored in full. Memory per print at 192 dimensions: 1 kB and its label.
import { rememberedStatistics } from '../scoring/cohort.js';
import { calibrationTerms, scoreSample } from '../scoring/score.js';
import { clamp, type Bandwidth, type SpeakerModel, type VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';
import { Best } from './print-index.js';
import { BLOCK_ROWS, QuantisedRows, larger, quantise } from './quantised-rows.js';

/** Numbers of a print beside its embedding: means and spreads of both bandwidths, net speech, noise. */
const FACTS = 6;
/** Rounding of the straight line against the full computation. */
const LINE_SLACK = 1e-6;

export interface Nearest<L> {
  label: L;
  llr: number;
  reliability: number;
}

export class PrintGallery<L> {
  readonly #rows: QuantisedRows;
  readonly #labels: L[] = [];
  #facts = new Float64Array(0);
  #narrow = new Uint8Array(0);

  constructor(
    readonly modelRevision: string,
    readonly dim: number,
  ) {
    this.#rows = new QuantisedRows(dim, 256, (rows) => {
      this.#facts = larger(this.#facts, new Float64Array(rows * FACTS));
      this.#narrow = larger(this.#narrow, new Uint8Array(rows));
    });
  }

  get size(): number {
    return this.#rows.size;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  labels(): readonly L[] {
    return this.#labels;
  }

  /** Adds a print, or replaces the one of the same id. */
  add(id: string, template: Template, label: L): void {
    if (template.modelRevision !== this.modelRevision || template.embedding.length !== this.dim)
      throw new RangeError(`a print of ${template.modelRevision} does not belong here`);
    if (!template.embedding.every(Number.isFinite)) throw new RangeError('a print is not made of numbers');
    const row = this.#rows.put(id, template.embedding);
    this.#labels[row] = label;
    const { narrow, wide } = template.norm;
    this.#facts.set(
      [narrow.mean, narrow.sd, wide.mean, wide.sd, template.netMs, template.snrDb],
      row * FACTS,
    );
    this.#narrow[row] = template.bandwidth === 'narrow' ? 1 : 0;
  }

  remove(id: string): boolean {
    const moved = this.#rows.remove(id);
    if (!moved) return false;
    const { row, last } = moved;
    this.#narrow[row] = this.#narrow[last] as number;
    this.#facts.copyWithin(row * FACTS, last * FACTS, (last + 1) * FACTS);
    this.#labels[row] = this.#labels[last] as L;
    this.#labels.pop();
    return true;
  }

  /** The `limit` prints with the highest scores among those admitted, best first. */
  nearest(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (label: L) => boolean = () => true,
  ): Nearest<L>[] {
    if (sample.modelRevision !== this.modelRevision || model.revision !== this.modelRevision)
      throw new RangeError(`cannot compare ${sample.modelRevision} with prints of ${this.modelRevision}`);
    if (this.size === 0 || limit < 1) return [];
    const best = new Best(limit);
    const reliabilities = new Map<number, number>();
    for (const row of this.#candidates(model, sample, limit, admits)) {
      const { llr, reliability } = scoreSample(model, this.#template(row), sample);
      // Every comparison with NaN is false: such a print would silently never be found.
      if (Number.isNaN(llr)) throw new RangeError('a score is not a number');
      best.offer(llr, row);
      reliabilities.set(row, reliability);
    }
    return best.rows.map((row, i) => ({
      label: this.#labels[row] as L,
      llr: best.values[i] as number,
      reliability: reliabilities.get(row) ?? 0,
    }));
  }

  /** Bytes of the arrays; ids and labels are not counted. */
  memoryBytes(): number {
    return this.#rows.memoryBytes() + this.#facts.byteLength + this.#narrow.byteLength;
  }

  /** Rows that may be among the best, in the order in which they were added. */
  #candidates(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (label: L) => boolean,
  ): number[] {
    const asked = quantise(sample.embedding, this.#rows.kernel.query);
    const { llrClamp } = model.scoring;
    const line = lineOf(model, sample);
    const sure = new Best(limit);
    let floor = -Infinity;
    const rows: number[] = [];
    const highest: number[] = [];
    const { scales, errors, kernel } = this.#rows;
    const facts = this.#facts;
    for (let first = 0; first < this.size; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.size - first);
      const products = kernel.scan(first, count);
      for (let i = 0; i < count; i++) {
        const row = first + i;
        const error = errors[row] as number;
        const middle = (products[i] as number) * asked.scale * (scales[row] as number);
        // |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|
        const slack = error + asked.error * (1 + error) + LINE_SLACK;
        line.through(facts, row * FACTS, this.#narrow[row] === 1);
        const centre = line.slope * middle + line.offset;
        const reach = Math.abs(line.slope) * slack + LINE_SLACK;
        const top = clamp(centre + reach, llrClamp);
        if (top <= floor || !admits(this.#labels[row] as L)) continue;
        rows.push(row);
        highest.push(top);
        sure.offer(clamp(centre - reach, llrClamp), row);
        floor = sure.worst;
      }
    }
    return rows.filter((_, i) => (highest[i] as number) >= floor);
  }

  #template(row: number): Template {
    const at = row * FACTS;
    const fact = (index: number): number => this.#facts[at + index] as number;
    return {
      embedding: this.#rows.float(row),
      netMs: fact(4),
      snrDb: fact(5),
      bandwidth: this.#narrow[row] === 1 ? 'narrow' : 'wide',
      norm: { narrow: { mean: fact(0), sd: fact(1) }, wide: { mean: fact(2), sd: fact(3) } },
      modelRevision: this.modelRevision,
    };
  }
}

interface Line {
  slope: number;
  offset: number;
  /** Sets the line of the print whose facts begin at `at`. */
  through(facts: Float64Array, at: number, narrow: boolean): void;
}

/** Score over cosine for one sample: two points of the calibration itself give the line of each print. */
function lineOf(model: SpeakerModel, sample: VoiceSample): Line {
  const { scoring, cohort } = model;
  const [c0 = 0, cz = 0, cc = 0, ...rest] = scoring.coefficients;
  const sampleNarrow = sample.bandwidth === 'narrow';
  const strangers: Record<Bandwidth, { mean: number; sd: number }> = {
    narrow: rememberedStatistics(cohort, sample.embedding, 'narrow'),
    wide: rememberedStatistics(cohort, sample.embedding, 'wide'),
  };
  // The terms that do not depend on the print, for prints of either bandwidth.
  const fixed = [false, true].map((narrow) => {
    const sides = ((narrow ? 1 : 0) + (sampleNarrow ? 1 : 0)) as 0 | 1 | 2;
    const terms = calibrationTerms(scoring, 0, 1, {
      netTestMs: sample.netMs,
      netEnrolMs: 1000,
      snrDb: 0,
      narrowSides: sides,
    });
    const [test = 0, , , both = 0, mixed = 0] = terms.slice(3);
    const own = narrow ? strangers.narrow : strangers.wide;
    return {
      offset: c0 + test * (rest[0] ?? 0) + both * (rest[3] ?? 0) + mixed * (rest[4] ?? 0),
      perZ: cz + test * (rest[5] ?? 0) + both * (rest[8] ?? 0) + mixed * (rest[9] ?? 0),
      mean: own.mean,
      sd: own.sd,
    };
  }) as [FixedTerms, FixedTerms];
  const normAt = sampleNarrow ? 0 : 2;
  return {
    slope: 0,
    offset: 0,
    through(facts, at, narrow) {
      const part = fixed[narrow ? 1 : 0];
      const enrol = Math.log(clamp((facts[at + 4] as number) / 1000, scoring.netEnrolClampS));
      const snr = clamp(Math.min(sample.snrDb, facts[at + 5] as number), scoring.snrClampDb) / 10;
      const offset = part.offset + enrol * (rest[1] ?? 0) + snr * (rest[2] ?? 0);
      const perZ = part.perZ + enrol * (rest[6] ?? 0) + snr * (rest[7] ?? 0);
      // z = (cosine - shift) * gain
      let [gain, z0] = [1, 0];
      if (cohort) {
        const [mean, sd] = [facts[at + normAt] as number, facts[at + normAt + 1] as number];
        gain = 0.5 / sd + 0.5 / part.sd;
        z0 = -0.5 * (mean / sd + part.mean / part.sd);
      }
      this.slope = cc + perZ * gain;
      this.offset = offset + perZ * z0;
    },
  };
}

interface FixedTerms {
  offset: number;
  perZ: number;
  mean: number;
  sd: number;
}
