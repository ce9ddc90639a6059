// Prints side by side in memory, to be scored by samples: the same calibrated scores as comparing with each
// print alone, at a fraction of the work. For one print and one sample the score is a straight line in the
// cosine, so a cosine of 8-bit integers with its known error gives the highest score that the print can have;
// only prints that may be among the best are scored in full. Memory per print: two bytes for each number of
// its voice and some 60 more. Any other data about a print is kept by the gallery's owner, under the same row
// numbers.
import { isFiniteVector } from '../embedding/vector.js';
import { sampleScorer, scoreSample } from '../scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';
import type { Template } from '../scoring/template.js';
import { Best } from './best.js';
import { answered, BlockScan, scanStopAt, mayBeBest, type ScanFindings, type ScanJob } from './block-scan.js';
import { Column, Columns, floats, type Pieces } from './columns.js';
import type { ScanQuestion } from './highest-score.js';
import { QuantizedRows, quantize } from './quantized-rows.js';
import { RowIds } from './row-ids.js';
import { createScanKernel, productsHere, type ScanKernel } from './scan-kernel.js';
import { ScanMemory, scanColumns } from './scan-memory.js';
import { scoreTerms } from './score-line.js';

/** The place in memory from which the gallery itself scans. */
const OWN_PLACE = 0;

export interface Nearest {
  row: number;
  llr: number;
  reliability: number;
}

/** Samples to be compared with, and how many prints are wanted for each. */
export interface Asked {
  model: SpeakerModel;
  samples: readonly VoiceSample[];
  limit: number;
  /** Once one sample is certain to score this high, the samples after it need no answer. */
  enoughLlr?: number;
}

/** Everything needed to scan all rows, on any thread. */
type WholeScan = Omit<ScanJob, 'admitted' | 'shut'>;

export class PrintGallery {
  readonly modelRevision: string;
  readonly dim: number;
  readonly ids = new RowIds();
  readonly #memory: ScanMemory;
  readonly #vectors: QuantizedRows;
  readonly #netMs = new Column(floats);
  readonly #columns: Columns;
  #kernel: ScanKernel | undefined;
  #size = 0;

  constructor(modelRevision: string, dim: number) {
    this.modelRevision = modelRevision;
    this.dim = dim;
    this.#memory = new ScanMemory(dim);
    this.#vectors = new QuantizedRows(this.#memory);
    const { upper, columns } = this.#memory;
    const scanned = scanColumns.map((name) => columns[name]);
    this.#columns = new Columns([upper, this.#vectors.lower, ...scanned, this.#netMs, this.ids.column]);
  }

  get size(): number {
    return this.#size;
  }

  rowOf(id: string): number | undefined {
    return this.ids.rows(id)[0];
  }

  /** Adds a print, or replaces the one with the same id; returns its row. */
  add(id: string, template: Template): number {
    if (template.modelRevision !== this.modelRevision || template.embedding.length !== this.dim)
      throw new RangeError(`a print of ${template.modelRevision} does not belong here`);
    if (!isFiniteVector(template.embedding)) throw new RangeError('a print is not made of numbers');
    const known = this.rowOf(id);
    const row = known ?? this.#size;
    this.#vectors.put(row, template.embedding, template.bandwidth === 'narrow');
    const { netMs, snrDb, norm } = template;
    const { columns } = this.#memory;
    columns.narrowMean.set(row, norm.narrow.mean);
    columns.narrowSd.set(row, norm.narrow.sd);
    columns.wideMean.set(row, norm.wide.mean);
    columns.wideSd.set(row, norm.wide.sd);
    columns.snrDb.set(row, snrDb);
    columns.logNetSeconds.set(row, Math.log(netMs / 1000));
    this.#netMs.set(row, netMs);
    if (known === undefined) {
      this.#size += 1;
      this.ids.put(row, id);
    }
    return row;
  }

  /** The last row moves into the freed one, so that rows stay dense; undefined if the id is unknown. */
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
    const search = this.search({ model, samples: [sample], limit }, admits);
    for (;;) {
      const step = search.next();
      if (step.done) return step.value[0] ?? [];
    }
  }

  /**
   * The same for several samples, in steps of a few milliseconds; samples that need no answer, at the end,
   * get none. Searches may take turns; the gallery must not change before the end.
   */
  *search(asked: Asked, admits: (row: number) => boolean): Generator<void, Nearest[][]> {
    const job = this.scanJob(asked);
    this.#kernel ??= createScanKernel(this.#memory, OWN_PLACE);
    const scan = new BlockScan(this.#memory, this.#kernel, job, admits);
    return yield* this.best(asked, job, [yield* scan.run(0, this.size)]);
  }

  /** What another thread needs to scan all rows. */
  scanJob({ model, samples, limit, enoughLlr }: Asked): WholeScan {
    const questions = samples.map((sample): ScanQuestion => {
      if (sample.modelRevision !== this.modelRevision || model.revision !== this.modelRevision)
        throw new RangeError(`cannot compare ${sample.modelRevision} with prints of ${this.modelRevision}`);
      const query = new Int16Array(this.dim);
      const rounded = quantize(sample.embedding, query, productsHere.largest(this.dim));
      return { query, ...rounded, terms: scoreTerms(model, sample), llrClamp: model.scoring.llrClamp, limit };
    });
    const { memory, id: memoryId } = this.#memory;
    return {
      memory,
      memoryId,
      dim: this.dim,
      rows: this.size,
      questions,
      ...(enoughLlr !== undefined && { enough: scanStopAt(enoughLlr, questions.length) }),
    };
  }

  /** Scores in full what the parts of a scan have found, in steps. */
  *best(
    { model, samples, limit }: Asked,
    job: WholeScan,
    parts: readonly ScanFindings[][],
  ): Generator<void, Nearest[][]> {
    const answers: Nearest[][] = [];
    for (const [index, sample] of samples.slice(0, answered(job)).entries()) {
      if (index > 0) yield;
      const best = new Best(limit);
      const scored = new Map<number, Nearest>();
      const scoreOf = sampleScorer(model, sample);
      const findings = parts.flatMap((part) => part[index] ?? []);
      for (const row of limit < 1 ? [] : mayBeBest(findings, limit)) {
        const { llr, reliability } = scoreOf(this.template(row));
        // Every comparison with NaN is false: such a print would silently never be found.
        if (Number.isNaN(llr)) throw new RangeError('a score is not a number');
        best.offer(llr, row);
        scored.set(row, { row, llr, reliability });
      }
      answers.push(best.rows.flatMap((row) => scored.get(row) ?? []));
    }
    return answers;
  }

  /** The score of a single print. */
  score(model: SpeakerModel, sample: VoiceSample, row: number): Nearest {
    const { llr, reliability } = scoreSample(model, this.template(row), sample);
    return { row, llr, reliability };
  }

  /** Rows as bytes, one column after another. */
  read(first: number, count: number): Uint8Array[] {
    return this.#columns.read(first, count);
  }

  /** Appends the output of `read` after the existing rows. Searches do not find these rows before `know`. */
  write(first: number, count: number, from: Pieces): void {
    this.#columns.write(first, count, from);
  }

  /**
   * Makes a row known that was written after the others. It moves to the next free row, or replaces a row
   * with the same identifier: the later one counts.
   */
  know(written: number): { row: number; isNew: boolean } {
    const earlier = this.ids.claim(this.#size, written);
    const row = earlier ?? this.#size;
    if (row !== written) this.#columns.copyRow(written, row);
    if (earlier === undefined) this.#size += 1;
    return { row, isNew: earlier === undefined };
  }

  /** The last row moves into a row that is no longer known. */
  close(row: number): { row: number; last: number } {
    const last = this.#size - 1;
    if (row !== last) {
      this.ids.move(last, row);
      this.#columns.copyRow(last, row);
    }
    this.#size = last;
    return { row, last };
  }

  /** Bytes of the arrays. */
  memoryBytes(): number {
    const { heldBytes } = this.#vectors.lower;
    return (
      this.#memory.heldBytes() +
      heldBytes +
      this.#netMs.heldBytes +
      this.ids.column.heldBytes +
      this.ids.tableBytes
    );
  }

  /** A print as it was added. */
  template(row: number): Template {
    const { columns } = this.#memory;
    return {
      embedding: this.#vectors.vector(row),
      bandwidth: this.#vectors.isNarrow(row) ? 'narrow' : 'wide',
      netMs: this.#netMs.get(row),
      snrDb: columns.snrDb.get(row),
      norm: {
        narrow: { mean: columns.narrowMean.get(row), sd: columns.narrowSd.get(row) },
        wide: { mean: columns.wideMean.get(row), sd: columns.wideSd.get(row) },
      },
      modelRevision: this.modelRevision,
    };
  }
}
