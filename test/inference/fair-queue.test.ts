// Who goes next, and who has to go, as tables.
import { describe, expect, it } from 'vitest';
import { FairQueue, type Waiting } from '../../src/inference/pool/fair-queue.js';

interface Job extends Waiting {
  name: string;
}

/** `a1` is the first job of client a; a leading `!` is a live call, `~` background work, `^` bound to a worker; `@5` is due then. */
function jobOf(text: string): Job {
  const mark = /^[!~^]/.exec(text)?.[0];
  const [name = '', due] = (mark ? text.slice(1) : text).split('@');
  const priority = mark === '!' ? 'live' : mark === '~' ? 'background' : 'normal';
  return {
    name,
    client: name.replace(/\d+$/, ''),
    priority,
    pinned: mark === '^',
    ...(due && { dueAtMs: Number(due) }),
  };
}

const filled = (jobs: string, limit = 100): FairQueue<Job> => {
  const queue = new FairQueue<Job>();
  for (const job of jobs.split(' ')) queue.add(jobOf(job), limit);
  return queue;
};

function order(queue: FairQueue<Job>): string {
  const names: string[] = [];
  for (let job = queue.next(() => true); job; job = queue.next(() => true)) names.push(job.name);
  return names.join(' ');
}

describe('the queue of jobs', () => {
  it.each([
    ['a1 a2 a3', 'a1 a2 a3'],
    ['a1 a2 a3 b1 c1', 'a1 b1 c1 a2 a3'],
    ['a1 a2 b1 b2 b3', 'a1 b1 a2 b2 b3'],
    ['a1 ~b1 !c1 a2', 'c1 a1 a2 b1'],
    ['!a1 !a2 !b1 c1', 'a1 b1 a2 c1'],
    ['~a1 ~a2 ~b1', 'a1 b1 a2'],
    ['!a1@9 !a2@5 !b1@7 c1 !d1', 'd1 a2 b1 a1 c1'],
    ['!a1@5 !a2@5 !b1@5', 'a1 b1 a2'],
  ])('%s is served as %s', (jobs, served) => {
    expect(order(filled(jobs))).toBe(served);
  });

  it('passes over jobs that cannot run now, without taking their turn', () => {
    const queue = filled('a1 b1 a2');
    expect(queue.next((job) => job.name !== 'a1')?.name).toBe('b1');
    expect(order(queue)).toBe('a1 a2');
  });

  it.each([
    ['the newcomer, of one client', 'a1 a2 a3', 'a4', 'a4'],
    ['the newest of the client with the most', 'a1 a2 a3', 'b1', 'a3'],
    ['the newcomer where all have as many', 'a1 b1 c1', 'd1', 'd1'],
    ['background work, whoever has more', 'a1 a2 ~b1', 'c1', 'b1'],
    ['anything for a live call', 'a1 b1 b2', '!c1', 'b2'],
    ['the newcomer among live calls only', '!a1 !b1 !c1', 'd1', 'd1'],
  ])('at its limit lets go of %s', (_, waiting, newcomer, gone) => {
    const queue = filled(waiting, 3);
    expect(queue.add(jobOf(newcomer), 3)?.name).toBe(gone);
    expect(queue.length).toBe(3);
  });

  it('never lets go of a job whose first half is done', () => {
    const queue = filled('a1 a2 a3', 3);
    expect(queue.add(jobOf('^a4'), 3)).toBeUndefined();
    expect(queue.add(jobOf('b1'), 3)?.name).toBe('a3');
    expect([...queue].map((job) => job.name)).toEqual(['a1', 'a2', 'a4', 'b1']);
  });

  it('gives a client that was just served its turn after the others', () => {
    const queue = filled('a1');
    queue.next(() => true);
    for (const job of ['a2', 'b1']) queue.add(jobOf(job), 9);
    expect(order(queue)).toBe('b1 a2');
  });
});
