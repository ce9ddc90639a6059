// A scan over some rows of a gallery for one or several questions: which rows may be among the best. As many questions as the kernel
// takes are asked at once, and take turns with others block by block, so that a block is read from memory once for all of them. The
// same on every thread.
import { clamp } from '../scoring/speaker-model.js';
import { Best } from './best.js';
import { BLOCK_ROWS } from './columns.js';
import {
  kernelQuestion,
  LINE_SLACK,
  type FoundRows,
  type KernelQuestion,
  type ScanKernel,
  type ScanQuestion,
} from './scan-kernel.js';
import { ROWS_AT_ONCE, type ScanMemory } from './scan-memory.js';
import { scoreLine } from './score-line.js';

/** Rows that are looked at without a pause, question by question. */
const STEP_ROWS = 8 * BLOCK_ROWS;

/** What a scan found for one question; plain data. */
export interface ScanFindings {
  /** In the order of the gallery, with the highest score that each can have. */
  rows: number[];
  highest: number[];
  /** The highest scores that are certain, best first. */
  sure: number[];
}

interface Search extends ScanFindings {
  question: ScanQuestion;
  asked: KernelQuestion;
  best: Best;
}

export class BlockScan {
  readonly #memory: ScanMemory;
  readonly #kernel: ScanKernel;
  readonly #admits: (row: number) => boolean;
  readonly #searches: Search[];
  /** Those that are asked at once. */
  readonly #together: Search[][] = [];

  constructor(
    memory: ScanMemory,
    kernel: ScanKernel,
    questions: readonly ScanQuestion[],
    admits: (row: number) => boolean,
  ) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#admits = admits;
    this.#searches = questions.map((question) => {
      const best = new Best(question.limit);
      return {
        question,
        asked: kernelQuestion(question),
        best,
        rows: [],
        highest: [],
        sure: best.values,
      };
    });
    for (let from = 0; from < questions.length; from += kernel.questionsMax)
      this.#together.push(this.#searches.slice(from, from + kernel.questionsMax));
  }

  /** From a multiple of BLOCK_ROWS on, in steps of a few milliseconds; the rows must not change before the end. */
  *run(first: number, end: number): Generator<void, ScanFindings[]> {
    let looked = 0;
    for (let row = first; row < end; row += BLOCK_ROWS) {
      for (const searches of this.#together) {
        if (looked >= STEP_ROWS) {
          yield;
          looked = 0;
        }
        const rows = Math.min(BLOCK_ROWS, end - row);
        this.#lookAt(row, rows, searches);
        looked += rows * searches.length;
      }
    }
    return this.#searches.map(({ rows, highest, sure }) => ({ rows, highest, sure }));
  }

  #lookAt(first: number, rows: number, searches: readonly Search[]): void {
    // Nobody can be better than those that are there.
    const open = searches.filter(({ best, question }) => best.worst < question.llrClamp[1]);
    if (open.length === 0) return;
    const found = this.#kernel.scan(
      open.map(({ asked }) => asked),
      open.map(({ best }) => best.worst),
      { block: first / BLOCK_ROWS, rows },
    );
    open.forEach((search, index) => this.#take({ first, rows }, search, found[index] ?? []));
  }

  /** The floor only rises: what cannot reach it now never will, what still can is looked at again in the end. */
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

  /** The score of a row of the block in the middle of what it can be, and how far it can be from there. */
  #bounds(first: number, { terms, scale, error: lost }: ScanQuestion) {
    const { columns } = this.#memory;
    const [scales, errors] = [columns.scale.block(first), columns.error.block(first)];
    const [means, sds] = terms.isNarrow
      ? [columns.narrowMean.block(first), columns.narrowSd.block(first)]
      : [columns.wideMean.block(first), columns.wideSd.block(first)];
    const [snrs, nets] = [columns.snrDb.block(first), columns.logNetSeconds.block(first)];
    return (i: number, product: number): { center: number; reach: number } => {
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

/** Of what the parts of a gallery found for one question, the rows that may be among the best of the whole. */
export function mayBeBest(parts: readonly ScanFindings[], limit: number): number[] {
  const sure = parts.flatMap((part) => part.sure).sort((a, b) => b - a);
  const floor = sure[limit - 1] ?? -Infinity;
  // What is not a number stays, to be noticed when it is scored.
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
  /** One bit for each row that is admitted; all are where it is absent. */
  admitted?: Uint8Array;
  /** Rows that are left out all the same. */
  shut: readonly number[];
}

/** Scans elsewhere: answers what each part of the rows found, question by question; nothing when that fails. */
export interface Scanner {
  /** Fewer rows, over all questions, are scanned as quickly where they are. */
  rowsMin: number;
  scan(job: ScanJob): Promise<ScanFindings[][] | undefined>;
}

export function admitting({ admitted, shut }: Pick<ScanJob, 'admitted' | 'shut'>): (row: number) => boolean {
  const left = new Set(shut);
  return (row) => !left.has(row) && (!admitted || (((admitted[row >> 3] as number) >> (row & 7)) & 1) === 1);
}
