// Scans some rows of a gallery for one or several questions: which rows may be among the best. As many
// questions as the kernel takes are asked at once, and they alternate with others after so few rows that
// these are read from memory once for all of them. Works the same on every thread.
import { clamp } from '../scoring/speaker-model.js';
import { Best } from './best.js';
import { BLOCK_ROWS } from './columns.js';
import { LINE_SLACK, type ScanQuestion } from './highest-score.js';
import { kernelQuestion, type FoundRows, type KernelQuestion, type ScanKernel } from './scan-kernel.js';
import { ROWS_AT_ONCE, SCAN_ROWS, type ScanMemory } from './scan-memory.js';
import { scoreLine } from './score-line.js';

/** Rows that are scanned without a pause, question by question. */
const STEP_ROWS = 8 * BLOCK_ROWS;

/** The findings of a scan for one question; plain data. */
export interface ScanFindings {
  /** In the order of the gallery, each with the highest score that it can have. */
  rows: number[];
  highest: number[];
  /** The highest scores that are certain, best first. */
  sure: number[];
}

/**
 * Makes later questions unnecessary once an earlier one is certain to reach a score. Every thread sees it as
 * soon as one of them finds it, and drops the unnecessary questions, however far their scan is.
 */
interface ScanStop {
  llr: number;
  /** How many of all questions are still needed, in memory that threads share; it only decreases. */
  needed: Int32Array;
  /** The number of questions before those of this scan. */
  before: number;
}

/** For one scan of all rows; plain data. */
export function scanStopAt(llr: number, questions: number): ScanStop {
  return { llr, needed: new Int32Array(new SharedArrayBuffer(4)).fill(questions), before: 0 };
}

const neededOf = ({ needed }: ScanStop): number => Atomics.load(needed, 0);

/** Lowers the number of needed questions; another thread may be lowering it further at the same moment. */
function needOnly({ needed }: ScanStop, wanted: number): void {
  for (let known = Atomics.load(needed, 0); known > wanted;) {
    const found = Atomics.compareExchange(needed, 0, known, wanted);
    if (found === known) return;
    known = found;
  }
}

interface Search extends ScanFindings {
  /** Its index among the questions of this scan. */
  index: number;
  question: ScanQuestion;
  asked: KernelQuestion;
  best: Best;
}

export class BlockScan {
  readonly #memory: ScanMemory;
  readonly #kernel: ScanKernel;
  readonly #admits: (row: number) => boolean;
  readonly #enough: ScanStop | undefined;
  readonly #searches: Search[];
  /** Groups of searches that are asked at once. */
  readonly #together: Search[][] = [];

  constructor(
    memory: ScanMemory,
    kernel: ScanKernel,
    { questions, enough }: Pick<ScanJob, 'questions' | 'enough'>,
    admits: (row: number) => boolean,
  ) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#admits = admits;
    this.#enough = enough;
    this.#searches = questions.map((question, index) => {
      const best = new Best(question.limit);
      return {
        index,
        question,
        asked: kernelQuestion(question),
        best,
        rows: [],
        highest: [],
        sure: best.values,
      };
    });
    // Evenly: four questions as two and two, even if the kernel takes three.
    const turns = Math.ceil(questions.length / kernel.questionsMax);
    const atOnce = Math.ceil(questions.length / turns);
    for (let from = 0; from < questions.length; from += atOnce)
      this.#together.push(this.#searches.slice(from, from + atOnce));
  }

  /**
   * Starts at a multiple of BLOCK_ROWS and works in steps of a few milliseconds; the rows must not change
   * before the end.
   */
  *run(first: number, end: number): Generator<void, ScanFindings[]> {
    let looked = 0;
    for (let row = first; row < end; row += SCAN_ROWS) {
      for (const searches of this.#together) {
        if (looked >= STEP_ROWS) {
          yield;
          looked = 0;
        }
        const rows = Math.min(SCAN_ROWS, end - row);
        this.#lookAt(row, rows, searches);
        looked += rows * searches.length;
      }
    }
    return this.#searches.map(({ rows, highest, sure }) => ({ rows, highest, sure }));
  }

  #lookAt(first: number, rows: number, searches: readonly Search[]): void {
    const needed = this.#needed;
    // Nothing can be better than the ones already found.
    const open = searches.filter(
      ({ index, best, question }) => index < needed && best.worst < question.llrClamp[1],
    );
    if (open.length === 0) return;
    const found = this.#kernel.scan(
      open.map(({ asked }) => asked),
      open.map(({ best }) => best.worst),
      { block: Math.floor(first / BLOCK_ROWS), first: first % BLOCK_ROWS, rows },
    );
    open.forEach((search, index) => this.#take({ first, rows }, search, found[index] ?? []));
    const enough = this.#enough;
    const sure = enough && open.find(({ best }) => (best.values[0] ?? -Infinity) >= enough.llr);
    if (sure) needOnly(enough, enough.before + sure.index + 1);
  }

  /** How many of the questions of this scan are still needed. */
  get #needed(): number {
    return this.#enough ? neededOf(this.#enough) - this.#enough.before : this.#searches.length;
  }

  /**
   * The floor only rises: a row that cannot reach it now never will; the others are checked again at the end.
   */
  #take(
    { first, rows: count }: { first: number; rows: number },
    { question, best, rows, highest }: Search,
    found: readonly FoundRows[],
  ): void {
    const { llrClamp } = question;
    const boundsOf = this.#bounds(first, question);
    for (const { first: from, products } of found) {
      const end = Math.min(from + ROWS_AT_ONCE, count);
      for (let i = from; i < end; i++) {
        if (!this.#admits(first + i)) continue;
        const { center, reach } = boundsOf(i, products[i - from] as number);
        if (center + reach <= best.worst) continue;
        rows.push(first + i);
        highest.push(clamp(center + reach, llrClamp));
        best.offer(clamp(center - reach, llrClamp), first + i);
      }
    }
  }

  /**
   * For a row of the block, the middle of the range of its possible scores, and half the width of the range.
   */
  #bounds(first: number, { terms, scale, error: lost }: ScanQuestion) {
    const { columns } = this.#memory;
    const within = first % BLOCK_ROWS;
    const [scales, errors] = [columns.scale.block(first), columns.error.block(first)];
    const [means, sds] = terms.isNarrow
      ? [columns.narrowMean.block(first), columns.narrowSd.block(first)]
      : [columns.wideMean.block(first), columns.wideSd.block(first)];
    const [snrs, nets] = [columns.snrDb.block(first), columns.logNetSeconds.block(first)];
    return (index: number, product: number): { center: number; reach: number } => {
      const i = within + index;
      const step = scales[i] as number;
      const error = errors[i] as number;
      const { slope, offset } = scoreLine(terms, {
        isNarrow: step < 0,
        mean: means[i] as number,
        sd: sds[i] as number,
        snrDb: snrs[i] as number,
        logNetSeconds: nets[i] as number,
      });
      // |q.r - q'.r'| <= |r - r'| + |q - q'| |r'|
      const slack = error + lost * (1 + error) + LINE_SLACK;
      const center = slope * product * scale * Math.abs(step) + offset;
      return { center, reach: Math.abs(slope) * slack + LINE_SLACK };
    };
  }
}

/**
 * Given what the parts of a gallery found for one question, the rows that may be among the best of the whole.
 */
export function mayBeBest(parts: readonly ScanFindings[], limit: number): number[] {
  const sure = parts.flatMap((part) => part.sure).sort((a, b) => b - a);
  const floor = sure[limit - 1] ?? -Infinity;
  // NaN stays in, so that it is noticed when it is scored.
  return parts.flatMap(({ rows, highest }) => rows.filter((_, i) => !((highest[i] as number) < floor)));
}

/** A gallery, or some rows of one, to be scanned by any thread; plain data and shared memory. */
export interface ScanJob {
  memory: ScanMemory['memory'];
  memoryId: number;
  dim: number;
  /** How many rows there are. */
  rows: number;
  questions: readonly ScanQuestion[];
  /** The findings for questions that turn out not to be needed are incomplete. */
  enough?: ScanStop;
  /** One bit for each admitted row; if absent, all are admitted. */
  admitted?: Uint8Array;
  /** Rows that are excluded nevertheless. */
  shut: readonly number[];
}

/** How many of its questions a scan has answered, once all its parts have ended. */
export function answered({ questions, enough }: Pick<ScanJob, 'questions' | 'enough'>): number {
  return enough ? neededOf(enough) : questions.length;
}

/**
 * Scans on other threads: returns what each part of the rows found, question by question; undefined if that
 * fails.
 */
export interface Scanner {
  /** With fewer rows, over all questions, scanning on the calling thread is as fast. */
  rowsMin: number;
  scan(job: ScanJob): Promise<ScanFindings[][] | undefined>;
}

export function admitting({ admitted, shut }: Pick<ScanJob, 'admitted' | 'shut'>): (row: number) => boolean {
  const left = new Set(shut);
  return (row) => !left.has(row) && (!admitted || (((admitted[row >> 3] as number) >> (row & 7)) & 1) === 1);
}
