// Who goes next, and who has to go, as tables.
import { describe, expect, it } from 'vitest';
import { FairQueue, putFirst, type Waiting } from '../../src/inference/pool/fair-queue.js';

interface Job extends Waiting {
  name: string;
}

let lastId = 0;

/**
 * `a1` is the first job of client a; a leading `!` is a live call, `~` background work, `^` bound to a worker, `+` one that has run
 * for long, `*` one that has run for very long; `@5` is due then.
 */
function jobOf(text: string): Job {
  const mark = /^[!~^+*]/.exec(text)?.[0];
  const [name = '', due] = (mark ? text.slice(1) : text).split('@');
  const priority = mark === '!' ? 'live' : mark === '~' ? 'background' : 'normal';
  return {
    name,
    id: ++lastId,
    level: mark === '*' ? 2 : mark === '+' ? 1 : 0,
    client: name.replace(/\d+$/, ''),
    priority,
    ...((mark === '^' || mark === '+' || mark === '*') && { pin: {} }),
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
    ['+a1 a2 a3', 'a2 a3 a1'],
    ['+a1 +a2 b1', 'b1 a1 a2'],
    ['*a1 +a2 a3 *a4', 'a3 a2 a1 a4'],
    ['a3 +b1 b2 +b3', 'a3 b2 b1 b3'],
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

  it.each([
    ['nobody', 'a1', '', 'no'],
    ['another client', 'a1', 'b1', 'afterSlice'],
    ['the same client', 'a1', 'a2', 'afterSlice'],
    ['a long job of the same client, which may be the shorter one', 'a1', '+a2', 'afterSlice'],
    ['background work', 'a1', '~b1', 'no'],
    ['a live call', 'a1', '!b1', 'atOnce'],
    ['a live call, among live calls', '!a1', '!b1 b2', 'afterSlice'],
    ['normal work, while background work runs', '~a1', 'a2', 'atOnce'],
  ])('with %s waiting, a job that runs is asked to give way: %s, %s, %s', (_, running, waiting, wish) => {
    const queue = filled(running);
    const job = queue.next(() => true) as Job;
    for (const each of waiting.split(' ').filter(Boolean)) queue.add(jobOf(each), 9);
    expect(queue.wish(job, () => true)).toBe(wish);
    expect(queue.wish(job, () => false)).toBe('no');
  });

  it('puts a job that nobody waits for any more before all others', () => {
    const queue = filled('!a1@5 b1 +c1');
    for (const job of queue) if (job.name === 'c1') putFirst(job);
    expect(order(queue)).toBe('c1 a1 b1');
  });

  it('gives a client that was just served its turn after the others', () => {
    const queue = filled('a1');
    queue.next(() => true);
    for (const job of ['a2', 'b1']) queue.add(jobOf(job), 9);
    expect(order(queue)).toBe('b1 a2');
  });
});
