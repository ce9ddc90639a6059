// Prints side by side in memory, to be scored by one sample: the same calibrated scores as comparing with each
// print alone, at a fraction of the work. For one print and one sample the score is a straight line in the cosine,
// so a cosine of 8-bit integers with its known error gives the highest score that the print can have; only prints
// that may be among the best are scored in full. Memory per print at 192 dimensions: 1 kB and its label.
import { isFiniteVector } from '../embedding/vector.js';
import { scoreSample } from '../scoring/score.js';
import { clamp, type Range, type SpeakerModel, type VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';
import { Best } from './best.js';
import { BLOCK_ROWS, QuantizedRows, larger, quantize } from './quantized-rows.js';
import { LINE_FACTS, lineFacts, ScoreLine } from './score-line.js';

/** Numbers of a print beside its embedding: means and spreads of both bandwidths, net speech, noise. */
const FACTS = 6;
/** Rows that are looked at without a pause. */
const STEP_ROWS = 8 * BLOCK_ROWS;
/** Rounding of the straight line against the full computation. */
const LINE_SLACK = 1e-6;

export interface Nearest<L> {
  label: L;
  llr: number;
  reliability: number;
}

/** A search under way. */
interface Search<L> {
  query: Int8Array;
  scale: number;
  error: number;
  line: ScoreLine;
  llrClamp: Range;
  admits(label: L): boolean;
  /** The highest scores that are certain. */
  sure: Best;
  rows: number[];
  highest: number[];
}

export class PrintGallery<L> {
  readonly modelRevision: string;
  readonly dim: number;
  readonly #rows: QuantizedRows;
  readonly #labels: L[] = [];
  #facts = new Float64Array(0);
  #lineFacts = new Float64Array(0);
  #narrow = new Uint8Array(0);

  constructor(modelRevision: string, dim: number) {
    this.modelRevision = modelRevision;
    this.dim = dim;
    this.#rows = new QuantizedRows(dim, 256, (rows) => {
      this.#facts = larger(this.#facts, new Float64Array(rows * FACTS));
      this.#lineFacts = larger(this.#lineFacts, new Float64Array(rows * LINE_FACTS));
      this.#narrow = larger(this.#narrow, new Uint8Array(rows));
    });
  }

  get size(): number {
    return this.#rows.size;
  }

  /** In no particular order. */
  get labels(): readonly L[] {
    return this.#labels;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Adds a print, or replaces the one of the same id. */
  add(id: string, template: Template, label: L): void {
    if (template.modelRevision !== this.modelRevision || template.embedding.length !== this.dim)
      throw new RangeError(`a print of ${template.modelRevision} does not belong here`);
    if (!isFiniteVector(template.embedding)) throw new RangeError('a print is not made of numbers');
    const row = this.#rows.put(id, template.embedding);
    this.#labels[row] = label;
    const { narrow, wide } = template.norm;
    this.#facts.set(
      [narrow.mean, narrow.sd, wide.mean, wide.sd, template.netMs, template.snrDb],
      row * FACTS,
    );
    this.#lineFacts.set(lineFacts(template), row * LINE_FACTS);
    this.#narrow[row] = template.bandwidth === 'narrow' ? 1 : 0;
  }

  /** The label of the print that was removed. */
  remove(id: string): L | undefined {
    const moved = this.#rows.remove(id);
    if (!moved) return undefined;
    const { row, last } = moved;
    const label = this.#labels[row];
    this.#narrow[row] = this.#narrow[last] as number;
    this.#facts.copyWithin(row * FACTS, last * FACTS, (last + 1) * FACTS);
    this.#lineFacts.copyWithin(row * LINE_FACTS, last * LINE_FACTS, (last + 1) * LINE_FACTS);
    this.#labels[row] = this.#labels[last] as L;
    this.#labels.pop();
    return label;
  }

  /** The `limit` prints with the highest scores among those admitted, best first. */
  nearest(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (label: L) => boolean = () => true,
  ): Nearest<L>[] {
    const search = this.search(model, sample, limit, admits);
    for (;;) {
      const step = search.next();
      if (step.done) return step.value;
    }
  }

  /** The same in steps of a few milliseconds. Searches may take turns; the gallery must not change before the end. */
  *search(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (label: L) => boolean = () => true,
  ): Generator<void, Nearest<L>[]> {
    if (sample.modelRevision !== this.modelRevision || model.revision !== this.modelRevision)
      throw new RangeError(`cannot compare ${sample.modelRevision} with prints of ${this.modelRevision}`);
    if (this.size === 0 || limit < 1) return [];
    const best = new Best(limit);
    const reliabilities = new Map<number, number>();
    for (const row of yield* this.#candidates(model, sample, limit, admits)) {
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
    const facts = this.#facts.byteLength + this.#lineFacts.byteLength + this.#narrow.byteLength;
    return this.#rows.memoryBytes() + facts;
  }

  /** Rows that may be among the best, in the order in which they were added. */
  *#candidates(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (label: L) => boolean,
  ): Generator<void, number[]> {
    const query = new Int8Array(this.dim);
    const search: Search<L> = {
      query,
      ...quantize(sample.embedding, query),
      line: new ScoreLine(model, sample),
      llrClamp: model.scoring.llrClamp,
      admits,
      sure: new Best(limit),
      rows: [],
      highest: [],
    };
    for (let first = 0; first < this.size; first += BLOCK_ROWS) {
      if (first > 0 && first % STEP_ROWS === 0) yield;
      this.#lookAt(first, Math.min(BLOCK_ROWS, this.size - first), search);
    }
    const floor = search.sure.worst;
    // What is not a number stays, to be noticed when it is scored.
    return search.rows.filter((_, i) => !((search.highest[i] as number) < floor));
  }

  /** The floor only rises: what cannot reach it now never will, what still can is looked at again in the end. */
  #lookAt(first: number, count: number, search: Search<L>): void {
    const { line, admits, sure, rows, highest } = search;
    const { scales, errors, kernel } = this.#rows;
    const facts = this.#lineFacts;
    const narrow = this.#narrow;
    const [lowest, most] = search.llrClamp;
    // Each time: another search may have asked in between.
    kernel.query.set(search.query);
    const products = kernel.scan(first, count);
    let floor = sure.worst;
    for (let i = 0; i < count; i++) {
      const row = first + i;
      const error = errors[row] as number;
      const middle = (products[i] as number) * search.scale * (scales[row] as number);
      // |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|
      const slack = error + search.error * (1 + error) + LINE_SLACK;
      line.through(facts, row * LINE_FACTS, narrow[row] === 1);
      const center = line.slope * middle + line.offset;
      const reach = Math.abs(line.slope) * slack + LINE_SLACK;
      if (center + reach <= floor || most <= floor) continue;
      const label = this.#labels[row] as L;
      if (!admits(label)) continue;
      rows.push(row);
      highest.push(clamp(center + reach, [lowest, most]));
      sure.offer(clamp(center - reach, [lowest, most]), row);
      floor = sure.worst;
    }
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
