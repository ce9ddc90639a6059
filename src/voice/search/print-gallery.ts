// Prints side by side in memory, to be scored by one sample: the same calibrated scores as comparing with each
// print alone, at a fraction of the work. For one print and one sample the score is a straight line in the cosine,
// so a cosine of 8-bit integers with its known error gives the highest score that the print can have; only prints
// that may be among the best are scored in full. Memory per print at 192 dimensions: 442 bytes. What else is known
// about a print is the owner's, by the same row numbers.
import { isFiniteVector } from '../embedding/vector.js';
import { scoreSample } from '../scoring/score.js';
import { clamp, type Range, type SpeakerModel, type VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';
import { Best } from './best.js';
import { BLOCK_ROWS, bytes, Column, Columns, floats } from './columns.js';
import { QuantizedRows, quantize, upperSteps } from './quantized-rows.js';
import { RowIds } from './row-ids.js';
import { FACTS, factsOf, readFacts, ScoreLine } from './score-line.js';

/** Rows that are looked at without a pause. */
const STEP_ROWS = 8 * BLOCK_ROWS;
/** Rounding of the straight line, which is laid through 32-bit numbers, against the full computation. */
const LINE_SLACK = 1e-5;

export interface Nearest {
  row: number;
  llr: number;
  reliability: number;
}

/** A search under way. */
interface Search {
  query: Int8Array;
  scale: number;
  error: number;
  line: ScoreLine;
  llrClamp: Range;
  admits(row: number): boolean;
  /** The highest scores that are certain. */
  sure: Best;
  rows: number[];
  highest: number[];
}

export class PrintGallery {
  readonly modelRevision: string;
  readonly dim: number;
  readonly ids = new RowIds();
  readonly #vectors: QuantizedRows;
  readonly #facts = new Column(floats, FACTS);
  readonly #narrow = new Column(bytes);
  readonly #columns = new Columns([this.#facts, this.#narrow, this.ids.column]);
  #size = 0;

  constructor(modelRevision: string, dim: number) {
    this.modelRevision = modelRevision;
    this.dim = dim;
    this.#vectors = new QuantizedRows(dim);
  }

  get size(): number {
    return this.#size;
  }

  rowOf(id: string): number | undefined {
    return this.ids.rows(id)[0];
  }

  /** Adds a print, or replaces the one of the same id; answers its row. */
  add(id: string, template: Template): number {
    if (template.modelRevision !== this.modelRevision || template.embedding.length !== this.dim)
      throw new RangeError(`a print of ${template.modelRevision} does not belong here`);
    if (!isFiniteVector(template.embedding)) throw new RangeError('a print is not made of numbers');
    const known = this.rowOf(id);
    const row = known ?? this.#size;
    this.#vectors.put(row, template.embedding);
    this.#facts.row(row).set(factsOf(template));
    this.#narrow.set(row, template.bandwidth === 'narrow' ? 1 : 0);
    if (known === undefined) {
      this.#size += 1;
      this.ids.put(row, id);
    }
    return row;
  }

  /** The last row takes the freed place, so the rows stay dense; undefined when the id is unknown. */
  remove(id: string): { row: number; last: number } | undefined {
    const row = this.rowOf(id);
    if (row === undefined) return undefined;
    this.ids.forget(row);
    return this.close(row);
  }

  /** The `limit` prints with the highest scores among those admitted, best first. */
  nearest(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (row: number) => boolean = () => true,
  ): Nearest[] {
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
    admits: (row: number) => boolean = () => true,
  ): Generator<void, Nearest[]> {
    if (sample.modelRevision !== this.modelRevision || model.revision !== this.modelRevision)
      throw new RangeError(`cannot compare ${sample.modelRevision} with prints of ${this.modelRevision}`);
    if (this.size === 0 || limit < 1) return [];
    const best = new Best(limit);
    const reliabilities = new Map<number, number>();
    for (const row of yield* this.#candidates(model, sample, limit, admits)) {
      const { llr, reliability } = this.score(model, sample, row);
      // Every comparison with NaN is false: such a print would silently never be found.
      if (Number.isNaN(llr)) throw new RangeError('a score is not a number');
      best.offer(llr, row);
      reliabilities.set(row, reliability);
    }
    return best.rows.map((row, i) => ({
      row,
      llr: best.values[i] as number,
      reliability: reliabilities.get(row) ?? 0,
    }));
  }

  /** One print by itself. */
  score(model: SpeakerModel, sample: VoiceSample, row: number): Nearest {
    const { llr, reliability } = scoreSample(model, this.#template(row), sample);
    return { row, llr, reliability };
  }

  /** Rows as bytes, one column after another. */
  read(first: number, count: number): Uint8Array[] {
    return [...this.#vectors.read(first, count), ...this.#columns.read(first, count)];
  }

  /** Takes what `read` gave; answers what follows it. Nothing is found there before `adopt`. */
  write(first: number, count: number, from: Uint8Array): Uint8Array {
    return this.#columns.write(first, count, this.#vectors.write(first, count, from));
  }

  /**
   * Makes the rows known that were written into an empty gallery, in steps. Where a print comes twice, the later row counts; the
   * others are answered, last first, to be closed in that order.
   */
  *adopt(rows: number): Generator<void, number[]> {
    const overtaken: number[] = [];
    this.ids.reserve(rows);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && row % STEP_ROWS === 0) yield;
      const earlier = this.ids.knownLike(row);
      if (earlier !== undefined) {
        this.ids.forget(earlier);
        overtaken.push(earlier);
      }
      this.ids.index(row);
    }
    this.#size = rows;
    return overtaken.sort((a, b) => b - a);
  }

  /** The last row moves into one that nobody knows any more. */
  close(row: number): { row: number; last: number } {
    const last = this.#size - 1;
    if (row !== last) {
      this.ids.move(last, row);
      this.#vectors.copyRow(last, row);
      this.#columns.copyRow(last, row);
    }
    this.#size = last;
    return { row, last };
  }

  /** Bytes of the arrays. */
  memoryBytes(): number {
    return this.#vectors.memoryBytes() + this.#columns.heldBytes + this.ids.tableBytes;
  }

  /** Rows that may be among the best, in the order in which they were added. */
  *#candidates(
    model: SpeakerModel,
    sample: VoiceSample,
    limit: number,
    admits: (row: number) => boolean,
  ): Generator<void, number[]> {
    const query = new Int8Array(this.dim);
    const search: Search = {
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
  #lookAt(first: number, count: number, search: Search): void {
    const { line, admits, sure, rows, highest } = search;
    const { errors, grids } = this.#vectors.block(first);
    const facts = this.#facts.block(first);
    const narrow = this.#narrow.block(first);
    const { kernel } = this.#vectors;
    const [lowest, most] = search.llrClamp;
    // Each time: another search may have asked in between.
    kernel.query.set(search.query);
    const products = kernel.scan(first, count);
    let floor = sure.worst;
    for (let i = 0; i < count; i++) {
      const error = errors[i] as number;
      const scale = upperSteps[grids[i] as number] as number;
      const middle = (products[i] as number) * search.scale * scale;
      // |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|
      const slack = error + search.error * (1 + error) + LINE_SLACK;
      line.through(facts, i * FACTS, narrow[i] === 1);
      const center = line.slope * middle + line.offset;
      const reach = Math.abs(line.slope) * slack + LINE_SLACK;
      if (center + reach <= floor || most <= floor) continue;
      if (!admits(first + i)) continue;
      rows.push(first + i);
      highest.push(clamp(center + reach, [lowest, most]));
      sure.offer(clamp(center - reach, [lowest, most]), first + i);
      floor = sure.worst;
    }
  }

  #template(row: number): Template {
    return {
      embedding: this.#vectors.vector(row),
      bandwidth: this.#narrow.get(row) === 1 ? 'narrow' : 'wide',
      ...readFacts(this.#facts.row(row), 0),
      modelRevision: this.modelRevision,
    };
  }
}
