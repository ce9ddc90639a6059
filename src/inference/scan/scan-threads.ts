// Scans large galleries on threads of their own, so that no other work waits for them: each scan is split
// into as many parts as there are threads. They start with the first scan and end when there has been none
// for a while.
import { availableParallelism } from 'node:os';
import type { Clock, Log } from '../../platform.js';
import { answered, type ScanFindings, type ScanJob, type Scanner } from '../../voice/search/block-scan.js';
import { BLOCK_ROWS } from '../../voice/search/columns.js';
import { SCAN_PLACES } from '../../voice/search/scan-memory.js';
import { WorkerPool } from '../pool/pool.js';

const THREADS_MAX = 4;
const IDLE_MS = 5 * 60_000;
/**
 * Far longer than any scan takes: while a scan runs, its place must not be given away. Callers have deadlines
 * of their own.
 */
const SCAN_TIMEOUT_MS = 60 * 60_000;
const GRACE_MS = 2000;
/** Questions per job; more are split over several jobs, so that others get their turn. */
const QUESTIONS_MAX = 8;

export class ScanThreads implements Scanner {
  /** About two milliseconds of work. */
  readonly rowsMin = 65_536;
  readonly #threads: number;
  readonly #pool: WorkerPool;
  readonly #log: Log;
  /** Free places in the memory of galleries; the first place is the gallery's own. */
  readonly #places: number[];
  readonly #waiting: ((place: number) => void)[] = [];

  constructor(deps: { log: Log; clock: Clock }) {
    this.#threads = Math.min(availableParallelism(), THREADS_MAX);
    this.#places = Array.from({ length: this.#threads }, (_, index) => index + 1);
    this.#log = deps.log;
    const entry = import.meta.url.endsWith('.ts') ? './scan-worker.ts' : './scan-worker.js';
    this.#pool = new WorkerPool({
      entry: new URL(entry, import.meta.url),
      workerData: undefined,
      workers: this.#threads,
      idleMs: IDLE_MS,
      // There are never more jobs than places.
      queueLimit: SCAN_PLACES,
      jobTimeoutMs: SCAN_TIMEOUT_MS,
      graceMs: GRACE_MS,
      ...deps,
    });
  }

  async scan(job: ScanJob): Promise<ScanFindings[][] | undefined> {
    const blocks = Math.ceil(job.rows / BLOCK_ROWS);
    const rows = Math.ceil(blocks / this.#threads) * BLOCK_ROWS;
    const parts: Promise<ScanFindings[]>[] = [];
    for (let first = 0; first < job.rows; first += rows) {
      const end = Math.min(job.rows, first + rows);
      parts.push(this.#inTurns(job, { first, end }));
    }
    const settled = await Promise.allSettled(parts);
    const failed = settled.find((part) => part.status === 'rejected');
    if (!failed) return settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []));
    this.#log.warn({ err: failed.reason as unknown }, 'a scan of a gallery failed and is made again');
    return undefined;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** All questions about some rows, a few at a time, until enough are answered. */
  async #inTurns(job: ScanJob, range: { first: number; end: number }): Promise<ScanFindings[]> {
    const found: ScanFindings[] = [];
    for (let from = 0; from < answered(job); from += QUESTIONS_MAX) {
      const questions = job.questions.slice(from, from + QUESTIONS_MAX);
      const part = {
        ...job,
        ...range,
        questions,
        ...(job.enough && { enough: { ...job.enough, before: from } }),
      };
      found.push(...(await this.#fromPlace((place) => this.#pool.run<ScanFindings[]>({ ...part, place }))));
    }
    return found;
  }

  /** Runs as many scans at a time as there are threads, in order of arrival. */
  async #fromPlace(scan: (place: number) => Promise<{ value: ScanFindings[] }>): Promise<ScanFindings[]> {
    const place = this.#places.pop() ?? (await new Promise<number>((resolve) => this.#waiting.push(resolve)));
    try {
      return (await scan(place)).value;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(place);
      else this.#places.push(place);
    }
  }
}
