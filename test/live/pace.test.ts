// When audio need not be read: how far a call is behind the clock, and a socket that is left alone meanwhile.
import { PassThrough, type Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Pace, WaitingAudio } from '../../src/live/waiting-audio.js';
import { RestingReader } from '../../src/transport/sockets/resting-reader.js';

describe('the pace of a call', () => {
  const paced = () => {
    const clock = { nowMs: 1000, now: () => clock.nowMs };
    return { clock, pace: new Pace(clock) };
  };

  it('says when so much more will have come, by what has not come yet', () => {
    const { clock, pace } = paced();
    for (let frame = 0; frame < 50; frame++, clock.nowMs += 20) pace.heard(20);
    expect(pace.untilMs(700)).toBe(700);
    // Nothing was read for 600 ms: most of it is there already.
    clock.nowMs += 600;
    pace.heard(20);
    expect(pace.untilMs(680)).toBe(100);
    clock.nowMs += 200;
    expect(pace.untilMs(680)).toBe(0);
  });

  it('waits for nobody who sends faster than anybody speaks', () => {
    const { pace } = paced();
    pace.heard(5000);
    expect(pace.untilMs(900)).toBe(0);
  });

  it.each([
    ['a line was silent for long', 30_000],
    ['a line was silent for a while', 2000],
    ['it has come to lag', 400],
  ])('is taken as it is when %s', (_, silentMs) => {
    const { clock, pace } = paced();
    const speak = (frames: number): void => {
      for (let frame = 0; frame < frames; frame++, clock.nowMs += 20) pace.heard(20);
    };
    speak(50);
    clock.nowMs += silentMs;
    speak(1000);
    expect(pace.untilMs(700)).toBeGreaterThan(650);
  });

  it('is that of the sender, whose clock may be a little faster or slower than ours', () => {
    for (const frameMs of [19.9, 20.1]) {
      const { clock, pace } = paced();
      for (let frame = 0; frame < 50_000; frame++, clock.nowMs += frameMs) pace.heard(20);
      expect(pace.untilMs(700)).toBeGreaterThan(600);
    }
  });

  it.each([
    ['nothing yet', 0, 700, 700],
    ['a part', 400, 700, 300],
    ['enough', 800, 700, 0],
    ['more than is handed over at once', 0, 5000, 1000],
    ['the least that is', 0, 0, 60],
  ])('of audio that waits: %s', (_, hereMs, spareMs, missingMs) => {
    const waiting = new WaitingAudio(8000);
    waiting.add(new Uint8Array(8 * hereMs));
    expect(waiting.missingMs(spareMs)).toBe(missingMs);
    expect(waiting.isBatch(spareMs)).toBe(missingMs === 0);
  });
});

describe('a socket that is left alone', () => {
  afterEach(() => void vi.useRealTimers());

  const resting = () => {
    vi.useFakeTimers();
    const done: string[] = [];
    const handle = { reading: true, readStop: () => done.push('stop'), readStart: () => done.push('start') };
    const socket = Object.assign(new PassThrough(), { _handle: handle }) as Duplex;
    return { done, handle, socket, reader: new RestingReader(socket) };
  };

  it('is read from again a little before the audio is needed', () => {
    const { done, reader } = resting();
    reader.rest(300);
    // The same rest, whatever else comes of what was read before.
    reader.rest(400);
    vi.advanceTimersByTime(259);
    expect(done).toEqual(['stop']);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(['stop', 'start']);
  });

  it('is not left alone for so long that whoever hangs up would wait, nor for no time at all', () => {
    const { done, reader } = resting();
    reader.rest(79);
    expect(done).toEqual([]);
    reader.rest(60_000);
    vi.advanceTimersByTime(500);
    expect(done).toEqual(['stop', 'start']);
  });

  it('is read from at once, and from then on, when the connection ends', () => {
    const { done, reader } = resting();
    reader.rest(300);
    reader.stayAwake();
    expect(done).toEqual(['stop', 'start']);
    reader.rest(300);
    vi.advanceTimersByTime(1000);
    expect(done).toEqual(['stop', 'start']);
  });

  it('is not started twice, nor stopped, where Node has done so itself', () => {
    const { done, handle, reader } = resting();
    reader.rest(300);
    handle.reading = true;
    vi.advanceTimersByTime(300);
    expect(done).toEqual(['stop']);
    handle.reading = false;
    reader.rest(300);
    vi.advanceTimersByTime(300);
    expect(done).toEqual(['stop']);
  });

  it('is let go of when it is closed', async () => {
    const { done, socket, reader } = resting();
    reader.rest(300);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
    vi.advanceTimersByTime(1000);
    expect(done).toEqual(['stop']);
  });

  it('is read from all the time where there is no way to stop', () => {
    new RestingReader(new PassThrough()).rest(300);
  });
});
