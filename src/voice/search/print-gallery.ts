// Prints side by side in memory, to be scored by one sample: the same calibrated scores as comparing with each
// print alone, at a fraction of the work. For one print and one sample the score is a straight line in the cosine,
// so a cosine of 8-bit integers with its known error gives the highest score that the print can have; only prints
// that may be among the best are scored in full. Memory per print at 192 dimensions: 1 kB and its label.
import { rememberedStatistics } from '../scoring/cohort.js';
import { calibrationTerms, scoreSample } from '../scoring/score.js';
import { clamp, type Bandwidth, type SpeakerModel, type VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';
import { Best, quantise } from './print-index.js';
import { createScanKernel } from './scan-kernel.js';

const BLOCK_ROWS = 4096;
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
  readonly #kernel;
  readonly #ids: string[] = [];
  readonly #labels: L[] = [];
  readonly #rowOf = new Map<string, number>();
  readonly #floats: Float32Array[] = [];
  #facts = new Float64Array(0);
  #narrow = new Uint8Array(0);
  #scales = new Float32Array(0);
  #errors = new Float32Array(0);

  constructor(
    readonly modelRevision: string,
    readonly dim: number,
  ) {
    this.#kernel = createScanKernel(dim, BLOCK_ROWS);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: string): boolean {
    return this.#rowOf.has(id);
  }

  labels(): readonly L[] {
    return this.#labels;
  }

  /** Adds a print, or replaces the one of the same id. */
  add(id: string, template: Template, label: L): void {
    if (template.modelRevision !== this.modelRevision || template.embedding.length !== this.dim)
      throw new RangeError(`a print of ${template.modelRevision} does not belong here`);
    if (!template.embedding.every(Number.isFinite)) throw new RangeError('a print is not made of numbers');
    let row = this.#rowOf.get(id);
    if (row === undefined) {
      row = this.#ids.length;
      this.#grow(row + 1);
      this.#ids.push(id);
      this.#rowOf.set(id, row);
    }
    this.#labels[row] = label;
    const { scale, error } = quantise(template.embedding, this.#kernel.row(row));
    this.#scales[row] = scale;
    this.#errors[row] = error;
    this.#float(row).set(template.embedding);
    const { narrow, wide } = template.norm;
    this.#facts.set(
      [narrow.mean, narrow.sd, wide.mean, wide.sd, template.netMs, template.snrDb],
      row * FACTS,
    );
    this.#narrow[row] = template.bandwidth === 'narrow' ? 1 : 0;
  }

  /** The last print takes the freed place, so the rows stay dense. */
  remove(id: string): boolean {
    const row = this.#rowOf.get(id);
    if (row === undefined) return false;
    const last = this.#ids.length - 1;
    const lastId = this.#ids[last] as string;
    if (row !== last) {
      this.#kernel.row(row).set(this.#kernel.row(last));
      this.#float(row).set(this.#float(last));
      this.#scales[row] = this.#scales[last] as number;
      this.#errors[row] = this.#errors[last] as number;
      this.#narrow[row] = this.#narrow[last] as number;
      this.#facts.copyWithin(row * FACTS, last * FACTS, (last + 1) * FACTS);
      this.#ids[row] = lastId;
      this.#labels[row] = this.#labels[last] as L;
      this.#rowOf.set(lastId, row);
    }
    this.#ids.pop();
    this.#labels.pop();
    this.#rowOf.delete(id);
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
    const floats = this.#floats.reduce((sum, block) => sum + block.byteLength, 0);
    const small = this.#facts.byteLength + this.#narrow.byteLength;
    return this.#kernel.bytes() + floats + small + this.#scales.byteLength + this.#errors.byteLength;
  }

  /** Rows that may be among the best, in the order in which they were added. */
  #candidates(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (label: L) => boolean,
  ): number[] {
    const asked = quantise(sample.embedding, this.#kernel.query);
    const { llrClamp } = model.scoring;
    const line = lineOf(model, sample);
    const sure = new Best(limit);
    let floor = -Infinity;
    const rows: number[] = [];
    const highest: number[] = [];
    const [scales, errors, facts] = [this.#scales, this.#errors, this.#facts];
    for (let first = 0; first < this.size; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.size - first);
      const products = this.#kernel.scan(first, count);
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
      embedding: this.#float(row),
      netMs: fact(4),
      snrDb: fact(5),
      bandwidth: this.#narrow[row] === 1 ? 'narrow' : 'wide',
      norm: { narrow: { mean: fact(0), sd: fact(1) }, wide: { mean: fact(2), sd: fact(3) } },
      modelRevision: this.modelRevision,
    };
  }

  #float(row: number): Float32Array {
    const block = this.#floats[Math.floor(row / BLOCK_ROWS)] as Float32Array;
    const at = (row % BLOCK_ROWS) * this.dim;
    return block.subarray(at, at + this.dim);
  }

  #grow(rows: number): void {
    if (rows > this.#floats.length * BLOCK_ROWS) this.#floats.push(new Float32Array(BLOCK_ROWS * this.dim));
    if (rows <= this.#scales.length) return;
    const capacity = Math.max(256, Math.ceil(rows * 1.25));
    this.#kernel.reserve(capacity);
    const scales = new Float32Array(capacity);
    const errors = new Float32Array(capacity);
    const narrow = new Uint8Array(capacity);
    const facts = new Float64Array(capacity * FACTS);
    scales.set(this.#scales);
    errors.set(this.#errors);
    narrow.set(this.#narrow);
    facts.set(this.#facts);
    this.#scales = scales;
    this.#errors = errors;
    this.#narrow = narrow;
    this.#facts = facts;
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
