// The course of a call while nothing can be stored: what is held, what followers are told, and what is told when others have declared
// the call over.
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.js';
import type { Decision } from '../../src/biometrics/model/outcome.js';
import { CallCourse } from '../../src/live/call-course.js';
import { Overtaken } from '../../src/live/call-outcomes.js';
import type { LiveCallParts } from '../../src/live/call-parts.js';
import type { LiveCallInfo } from '../../src/live/model.js';
import { silentLog } from '../../src/platform.js';
import { DatabaseUnavailable } from '../../src/storage/unavailable.js';
import type { CheckpointReached } from '../../src/voice/engine.js';
import { inEnglish } from '../../src/words/server/say.js';

const away = new DatabaseUnavailable('away');
const ids = { liveCallId: 'c', gkScopeId: 's', gkEngagementId: 'e', gkSessionId: 's' };
const point = (netMs: number) => ({ windows: [], voice: { netMs } }) as unknown as CheckpointReached;

function courseOf() {
  const patience = new AbortController();
  const clock = { nowMs: 0, attempts: 0 };
  const call = { found: 'AUTHENTIC' as Decision, fault: undefined as unknown, isOver: false };
  /** Work of the database that is waited for. */
  const database = { busy: Promise.resolve() };
  const judged: number[] = [];
  const stored: LiveCallInfo[] = [];
  const failed: unknown[] = [];
  const course = new CallCourse(
    {
      info: { ...ids, protocol: 'd', startedAtMs: 0 },
      clock: { now: () => clock.nowMs },
      log: silentLog,
      detectors: {},
      patience: patience.signal,
      decide: async ({ voice: { netMs: netSpeechMs } }, { before }, current) => {
        clock.attempts += 1;
        if (call.fault !== undefined) throw call.fault;
        judged.push(netSpeechMs);
        const decided = { decision: call.found, reason: 'VOICEPRINT_MATCH', netSpeechMs } as const;
        if (call.found !== before) stored.push(current(decided));
        await database.busy;
        return { netSpeechMs, decided };
      },
      keepOnce: async (current) => {
        clock.attempts += 1;
        if (call.fault !== undefined) throw call.fault;
        stored.push(current());
      },
      assessed: async () => undefined,
      keep: async (current) => {
        if (call.fault !== undefined) throw call.fault;
        stored.push(current());
      },
    } as Partial<LiveCallParts> as LiveCallParts,
    {
      get info() {
        const { events, last } = course.trail;
        return { ...ids, ended: last.endReason !== undefined, events, netSpeechMs: 0, positionMs: 0 };
      },
      get isOver() {
        return call.isOver;
      },
      positionOf: () => 0,
      fail: async (cause) => void failed.push(cause),
    },
  );
  const told = () => course.trail.events.map(({ state, reason }) => `${state} ${reason}`);
  /** Resolves when it has been tried again after so long. */
  const after = async (ms: number): Promise<void> => {
    clock.nowMs += ms;
    const { attempts } = clock;
    await expect.poll(() => clock.attempts).toBeGreaterThan(attempts);
  };
  return { course, call, database, judged, stored, failed, told, patience, after };
}

it('holds the newest checkpoint, and judges it when the database is back', async () => {
  const { course, call, judged, told } = courseOf();
  call.fault = away;
  // The sender is heard on.
  for (const netMs of [3000, 6000]) await course.reached(point(netMs));
  expect(judged).toEqual([]);
  call.fault = undefined;
  await course.settled();
  expect(judged).toEqual([6000]);
  expect(told().at(-1)).toBe('AUTHENTIC VOICEPRINT_MATCH');
});

it.each<[Decision, boolean]>([
  ['AUTHENTIC', true],
  ['NO_RISK_DETECTED', true],
  ['NO_MATCH', false],
  ['FRAUD', false],
])('that cannot be judged for ten seconds says so beside %s: %s', async (found, isTold) => {
  const { course, call, stored, told, after } = courseOf();
  call.found = found;
  await course.reached(point(3000));
  call.fault = away;
  void course.reached(point(10_000));
  await after(9999);
  const decided = `${found} VOICEPRINT_MATCH`;
  expect(told().at(-1)).toBe(decided);
  await after(1);
  await after(60_000);
  const heldUp = isTold ? ['UNCERTAIN DATABASE_UNAVAILABLE'] : [];
  expect(told()).toEqual(['LISTENING STARTED', decided, ...heldUp]);
  call.fault = undefined;
  await course.settled();
  // The decision is told anew, and stored with what was told before it.
  expect(told()).toEqual(['LISTENING STARTED', decided, ...(isTold ? [...heldUp, decided] : [])]);
  expect(stored).toHaveLength(isTold ? 2 : 1);
  expect(stored.at(-1)?.events).toEqual(course.trail.events);
  expect(stored.at(-1)?.heldUp?.reason).toBe(isTold ? 'DATABASE_UNAVAILABLE' : undefined);
  expect(course.current.heldUp).toBeUndefined();
});

it('ends when its last decision and its end can be stored, and not before', async () => {
  const { course, call, stored, told, after } = courseOf();
  call.fault = away;
  const concluded = course.conclude({ reached: point(4000), dueMs: 0, isLast: true });
  await after(60_000);
  await after(60_000);
  expect(told()).toEqual(['LISTENING STARTED', 'UNCERTAIN DATABASE_UNAVAILABLE']);
  call.fault = undefined;
  await concluded;
  expect(await course.end('stopped')).toMatchObject({ state: 'AUTHENTIC', endReason: 'stopped' });
  expect(stored.at(-1)).toMatchObject({ ended: true, events: course.trail.events });
});

it('fails for what will not pass, and for anything when there is no patience left', async () => {
  const { course, call, failed, patience, after } = courseOf();
  call.fault = new AppError('INVALID_REQUEST', inEnglish('the session is over'));
  await course.reached(point(3000));
  expect(failed).toEqual([call.fault]);
  call.fault = away;
  const concluded = course.conclude({ reached: point(4000), isLast: true });
  await after(0);
  expect(failed).toHaveLength(1);
  patience.abort();
  await concluded;
  expect(failed.slice(1)).toEqual([away]);
});

it('tells how others say that it ended, whatever it has told that they do not know', async () => {
  const { course, call, told, after } = courseOf();
  await course.reached(point(3000));
  const crashed = { ...course.trail.last, sequence: 3, endReason: 'crashed' as const };
  const theirs: LiveCallInfo = { ...course.current, ended: true, events: [...course.trail.events, crashed] };
  call.fault = away;
  void course.reached(point(10_000));
  await after(10_000);
  await after(0);
  call.isOver = true;
  call.fault = new Overtaken(theirs);
  expect(await course.end('stopped')).toMatchObject({
    state: 'AUTHENTIC',
    endReason: 'crashed',
    sequence: 4,
  });
  expect(told()).toEqual([
    'LISTENING STARTED',
    'AUTHENTIC VOICEPRINT_MATCH',
    'UNCERTAIN DATABASE_UNAVAILABLE',
    'AUTHENTIC VOICEPRINT_MATCH',
  ]);
});

const asked = { state: 'ASKED', expectedText: 'one two three four' } as const;
const passed = { ...asked, state: 'PASSED' } as const;

describe('a prompt', () => {
  it('is numbered after the decision that is being stored', async () => {
    const { course, database, stored } = courseOf();
    let store = (): void => {};
    database.busy = new Promise((resolve) => (store = resolve));
    const reached = course.reached(point(3000));
    await expect.poll(() => stored.length).toBe(1);
    const told = course.tellPrompt(asked);
    store();
    await Promise.all([reached, told]);
    const { events } = course.trail;
    expect(events.map(({ sequence, state, prompt }) => [sequence, state, prompt?.state])).toEqual([
      [1, 'LISTENING', undefined],
      [2, 'AUTHENTIC', undefined],
      [3, 'AUTHENTIC', 'ASKED'],
    ]);
    expect(stored.at(-1)?.events).toEqual(events);
  });

  it('that was answered has the call judged again, and no checkpoint is left out for it', async () => {
    const { course, database, judged } = courseOf();
    await course.reached(point(3000));
    let store = (): void => {};
    database.busy = new Promise((resolve) => (store = resolve));
    const reached = course.reached(point(6000));
    const next = course.reached(point(10_000));
    const told = course.tellPrompt(passed);
    store();
    await Promise.all([reached, next, told]);
    expect(judged).toEqual([3000, 6000, 10_000, 10_000]);
    expect(course.trail.last.prompt?.state).toBe('PASSED');
  });

  it('waits for the database, and what was told of the outage before is taken back first', async () => {
    const { course, call, stored, after } = courseOf();
    await course.reached(point(3000));
    call.fault = away;
    const told = course.tellPrompt(asked);
    await after(20_000);
    call.fault = undefined;
    await told;
    const { events } = course.trail;
    expect(events.map(({ sequence, state, prompt }) => [sequence, state, prompt?.state])).toEqual([
      [1, 'LISTENING', undefined],
      [2, 'AUTHENTIC', undefined],
      [3, 'UNCERTAIN', undefined],
      [4, 'AUTHENTIC', undefined],
      [5, 'AUTHENTIC', 'ASKED'],
    ]);
    expect(stored.at(-1)?.events).toEqual(events);
  });
});

it('numbers its end after a decision that is being stored', async () => {
  const { course, call, database, stored } = courseOf();
  let store = (): void => {};
  database.busy = new Promise((resolve) => (store = resolve));
  void course.reached(point(3000));
  await expect.poll(() => stored.length).toBe(1);
  call.isOver = true;
  const ended = course.end('failed', 'INTERNAL_ERROR');
  store();
  expect(await ended).toMatchObject({ sequence: 3, endReason: 'failed' });
  expect(course.trail.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});
