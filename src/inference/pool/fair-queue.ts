// Waiting jobs. Live calls go first, those due soonest before the others, and background work goes last.
// Among equals, clients take turns, so that one with a hundred jobs delays another's single job by one.
// Within one client, jobs that have run for long let the others go first; the longest run one after another.
// When the queue is full, the client with the most waiting jobs loses one.
import type { WorkPriority } from '../../voice/engine.js';
import type { Preemption } from './preemption.js';

export interface Waiting {
  /** Ascending in order of arrival. */
  id: number;
  /** How long it has run already, in coarse steps: 0 if not for long. */
  level: number;
  /** If absent, the job shares one turn with all others without a client. */
  client?: string;
  priority?: WorkPriority;
  /** When the caller begins to wait for it; absent: at once. */
  dueAtMs?: number;
  /** The worker that holds its state. Such a job is never refused, because half of its work is done. */
  pin?: object;
}

const firstOfAll = { priority: 'live', dueAtMs: -Infinity } as const;

/**
 * Puts a job before all others: for one whose caller has gone, so that its state no longer takes up memory.
 */
export const putFirst = (job: Waiting): void => void Object.assign(job, firstOfAll);

const rank: Record<WorkPriority, number> = { live: 0, normal: 1, background: 2 };
const rankOf = (job: Waiting): number => rank[job.priority ?? 'normal'];
/** Turns are remembered for this many clients; beyond that all start again. */
const CLIENTS_REMEMBERED = 1000;

export class FairQueue<J extends Waiting> {
  readonly #jobs: J[] = [];
  /** When a client last had a turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  get length(): number {
    return this.#jobs.length;
  }

  [Symbol.iterator](): Iterator<J> {
    return this.#jobs[Symbol.iterator]();
  }

  /** Adds a job. If the queue is full, either the new job or another one is removed from it and returned. */
  add(job: J, limit: number): J | undefined {
    this.#jobs.push(job);
    const refusable = this.#jobs.filter((waiting) => !waiting.pin);
    if (job.pin || refusable.length <= limit) return undefined;
    const refused = this.#leastDue(refusable);
    this.remove(refused);
    return refused;
  }

  has(job: J): boolean {
    return this.#jobs.includes(job);
  }

  remove(job: J): boolean {
    const at = this.#jobs.indexOf(job);
    if (at >= 0) this.#jobs.splice(at, 1);
    return at >= 0;
  }

  /** Removes and returns the job whose turn it is, among those that can run now. */
  next(canRun: (job: J) => boolean): J | undefined {
    let best: J | undefined;
    for (const job of this.#jobs) {
      if (best && !this.#isBefore(job, best)) continue;
      if (canRun(job)) best = job;
    }
    if (!best) return undefined;
    this.remove(best);
    if (this.#turns.size >= CLIENTS_REMEMBERED) this.#turns.clear();
    this.#turns.set(best.client ?? '', ++this.#turn);
    return best;
  }

  /**
   * Whether a running job should yield to jobs that could run in its place. Even a new one counts as long,
   * because it may turn out to be.
   */
  wish(running: J, canRun: (job: J) => boolean): Preemption {
    const rank = rankOf(running);
    const longer = { ...running, level: Infinity };
    let wish: Preemption = 'no';
    for (const job of this.#jobs) {
      if (!this.#isBefore(job, longer) || !canRun(job)) continue;
      if (rankOf(job) < rank) return 'atOnce';
      wish = 'afterSlice';
    }
    return wish;
  }

  /** Empties the queue. */
  clear(): J[] {
    return this.#jobs.splice(0);
  }

  #isBefore(a: Waiting, b: Waiting): boolean {
    const ranks = rankOf(a) - rankOf(b);
    if (ranks !== 0) return ranks < 0;
    const due = (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0);
    if (due !== 0) return due < 0;
    const turns = (this.#turns.get(a.client ?? '') ?? 0) - (this.#turns.get(b.client ?? '') ?? 0);
    if (turns !== 0) return turns < 0;
    return a.level === b.level ? a.id < b.id : a.level < b.level;
  }

  /** The newest job of the lowest rank, of the client that has the most of those. */
  #leastDue(jobs: readonly J[]): J {
    const lowest = Math.max(...jobs.map(rankOf));
    const candidates = jobs.filter((job) => rankOf(job) === lowest);
    const counts = new Map<string, number>();
    for (const { client = '' } of candidates) counts.set(client, (counts.get(client) ?? 0) + 1);
    const most = Math.max(...counts.values());
    // The new job comes last, so that it is chosen in a tie.
    return candidates.filter(({ client = '' }) => counts.get(client) === most).at(-1) as J;
  }
}
