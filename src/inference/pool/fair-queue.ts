// Jobs that wait. Live calls go first, the one that is due soonest before the others, and background work last; among equals the
// clients take turns, so that one with a hundred jobs delays another's single job by one. Of one client, jobs that have run for long
// let the others go first; the longest are done one after another. When the queue is full, whoever waits with the most gives way.
import type { WorkPriority } from '../../voice/engine.js';
import type { GiveWay } from './give-way.js';

export interface Waiting {
  /** Ascending in the order in which they came. */
  id: number;
  /** How long it has run already, in coarse steps: 0 where that is not long. */
  level: number;
  /** Absent: all such jobs share one turn. */
  client?: string;
  priority?: WorkPriority;
  /** When somebody begins to wait for it; absent: at once. */
  dueAtMs?: number;
  /** The worker that holds its state: such a job is never refused, because half of its work is done. */
  pin?: object;
}

const firstOfAll = { priority: 'live', dueAtMs: -Infinity } as const;

/** Makes a job the next one, before all others: for one whose caller has gone, and whose state only takes up room. */
export const putFirst = (job: Waiting): void => void Object.assign(job, firstOfAll);

const rank: Record<WorkPriority, number> = { live: 0, normal: 1, background: 2 };
const rankOf = (job: Waiting): number => rank[job.priority ?? 'normal'];
/** Turns are remembered for so many clients; beyond that all begin anew. */
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

  /**
   * Adds a job. With the queue at its limit, either the newcomer or another job has to go: it is returned, and is no longer in
   * the queue.
   */
  add(job: J, limit: number): J | undefined {
    this.#jobs.push(job);
    const refusable = this.#jobs.filter((waiting) => !waiting.pin);
    if (job.pin || refusable.length <= limit) return undefined;
    const gone = this.#leastDue(refusable);
    this.remove(gone);
    return gone;
  }

  has(job: J): boolean {
    return this.#jobs.includes(job);
  }

  remove(job: J): boolean {
    const at = this.#jobs.indexOf(job);
    if (at >= 0) this.#jobs.splice(at, 1);
    return at >= 0;
  }

  /** Takes out the job whose turn it is, of those that can run now. */
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

  /** How much a job that runs is in the way of those that could run in its place. Where it is new, it may turn out to be long. */
  wish(running: J, canRun: (job: J) => boolean): GiveWay {
    const rank = rankOf(running);
    const longer = { ...running, level: Infinity };
    let wish: GiveWay = 'no';
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

  /** The newest job of the lowest rank there is, of the client that has the most of them. */
  #leastDue(jobs: readonly J[]): J {
    const lowest = Math.max(...jobs.map(rankOf));
    const candidates = jobs.filter((job) => rankOf(job) === lowest);
    const counts = new Map<string, number>();
    for (const { client = '' } of candidates) counts.set(client, (counts.get(client) ?? 0) + 1);
    const most = Math.max(...counts.values());
    // The newcomer is the last: on equal terms it is the one to go.
    return candidates.filter(({ client = '' }) => counts.get(client) === most).at(-1) as J;
  }
}
