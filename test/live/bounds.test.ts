// What a call may cost at most: connections that never speak, senders that are faster than we listen, hours of silence.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AudioSocketSession } from '../../src/live/protocols/audiosocket.js';
import { firstFrameProtocol } from '../../src/live/protocols/first-frame.js';
import { twilioProtocol } from '../../src/live/protocols/twilio.js';
import { LiveCall } from '../../src/live/live-call.js';
import type { LiveCalls } from '../../src/live/live-calls.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { websocketProtocol } from '../../src/transport/sockets/websocket-protocol.js';
import type { EngineStream, StreamProgress } from '../../src/voice/engine.js';
import { SpeechTrack } from '../../src/voice/speech/speech-track.js';
import { SoundFigures } from '../../src/voice/quality/measure-quality.js';
import { logmel, speechModel } from '../support/speech.js';
import { callSamples } from './support.js';

const noCalls = {} as LiveCalls;
const SILENT_CONNECTIONS = 1000;

describe('a thousand connections that never speak', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const protocols = {
    websocket: websocketProtocol(noCalls, { ids: systemIds, log: silentLog }),
    twilio: twilioProtocol(noCalls, { authToken: '', publicUrl: '' }),
    stream: firstFrameProtocol(noCalls),
  };

  it.each(Object.entries(protocols))('are closed by %s, each after ten seconds', async (_name, protocol) => {
    const closed: number[] = [];
    for (let at = 0; at < SILENT_CONNECTIONS; at++) {
      const connection = {
        sendText: () => undefined,
        read: async () => undefined,
        close: (code: number) => void closed.push(code),
      };
      await protocol.enter({ headers: {}, url: '/', caller: undefined }, connection);
    }
    vi.advanceTimersByTime(9_999);
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(closed).toEqual(Array.from({ length: SILENT_CONNECTIONS }, () => 1008));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are closed by AudioSocket too, with its error frame', () => {
    const said: string[] = [];
    new AudioSocketSession(noCalls, {
      send: (bytes) => void said.push(Buffer.from(bytes).toString('hex')),
      close: () => void said.push('closed'),
    });
    vi.advanceTimersByTime(10_000);
    expect(said).toEqual(['ff000101', 'closed']);
  });
});

/** A call of telephone audio, with an engine of the test. */
function callOf(stream: EngineStream, clock = systemClock): LiveCall {
  const ids = { liveCallId: 'c', gkScopeId: 's', gkEngagementId: 'e', gkSessionId: 's' };
  return new LiveCall({
    info: { ...ids, protocol: 'd', startedAtMs: 0 },
    prints: [],
    externalCallId: '',
    resumeToken: '',
    resumeMs: 0,
    collects: false,
    pausesWhenDecided: false,
    isShared: false,
    detectors: {},
    alarms: { raised: {} },
    patience: new AbortController().signal,
    stream,
    bytesPerSecond: 8000,
    decide: () => Promise.reject(new Error('nothing to decide')),
    keepOnce: async () => undefined,
    keep: async () => undefined,
    assessed: async () => undefined,
    answered: () => undefined,
    clock,
    log: silentLog,
    waits: () => undefined,
    goesOn: () => undefined,
    ended: () => undefined,
  });
}

describe('a sender that is a hundred times faster than real time', () => {
  it('has to wait as soon as ten seconds are ahead, and nothing of it is lost', async () => {
    const heard: number[] = [];
    let release: (() => void) | undefined;
    const stream: EngineStream = {
      push: async (...chunks) => {
        await new Promise<void>((resolve) => (release = resolve));
        heard.push(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
        return { netMs: 0, grossMs: 1, heldBytes: 0, spareMs: 0, checkpoints: [] } satisfies StreamProgress;
      },
      finish: async () => ({ windows: [], checkpoints: [] }) as never,
      cancel: () => undefined,
    };
    const live = callOf(stream);
    const second = new Uint8Array(8000);
    let taken = 0;
    const sending = (async () => {
      for (; taken < 100; taken++) await live.audio(second);
    })();
    // The first second is with the engine, ten more wait, and the next is not taken.
    await expect.poll(() => live.heldBytes).toBe(88_000);
    expect(taken).toBe(11);
    while (taken < 100) {
      release?.();
      release = undefined;
      await new Promise((resolve) => setImmediate(resolve));
      expect(live.heldBytes).toBeLessThanOrEqual(88_000);
    }
    await sending;
    const end = live.finish('stopped');
    while (!live.isOver) {
      release?.();
      release = undefined;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await end;
    expect(heard.reduce((sum, bytes) => sum + bytes, 0)).toBe(800_000);
  });
});

describe('a call whose engine is busy', () => {
  it('is left alone until audio comes that may complete a decision, and then no longer', async () => {
    let nowMs = 0;
    const answers: ((progress: StreamProgress) => void)[] = [];
    const stream: EngineStream = {
      push: () => new Promise((resolve) => answers.push(resolve)),
      finish: async () => ({ windows: [], checkpoints: [] }) as never,
      cancel: () => undefined,
    };
    const live = callOf(stream, { now: () => nowMs });
    const hear = (frames: number): void => {
      for (let at = 0; at < frames; at++) {
        nowMs += 20;
        live.hear(new Uint8Array(160));
      }
    };
    hear(3);
    answers[0]?.({ netMs: 0, grossMs: 60, heldBytes: 0, spareMs: 1500, checkpoints: [] });
    await expect.poll(() => live.idleMs).toBe(1000);
    hear(50);
    // A second is with the engine, which needs half a second more, whatever it says of this one.
    expect(answers).toHaveLength(2);
    expect(live.idleMs).toBe(500);
    hear(10);
    expect(live.idleMs).toBe(300);
    hear(10);
    expect(live.idleMs).toBe(100);
    hear(5);
    // It may be what was missing; an engine that has enough to go on with is not waited for frame by frame.
    expect(live.idleMs).toBe(200);
  });
});

describe('a call that does not end', () => {
  const listener = (forgets: boolean) => {
    const figures = new SoundFigures(8000);
    const track = new SpeechTrack(8000, { model: speechModel, logmel, observers: [figures], forgets });
    return {
      push(samples: Float32Array): void {
        track.push(samples);
        if (!forgets) return;
        track.keepOnly([], [[track.settledFrames, Infinity]]);
        figures.forgetBefore(track.settledFrames);
      },
      heldBytes: () => track.heldBytes + figures.heldBytes,
      measure() {
        track.finish();
        const { speech } = track.upTo();
        return { ...figures.measure(speech, true), segments: speech.segments };
      },
    };
  };

  it('costs a byte for each frame once its first minutes are over', { tags: 'slow' }, () => {
    const { push, heldBytes } = listener(true);
    const held: number[] = [];
    for (let minute = 0; minute < 12; minute++) {
      for (let at = 0; at < 60; at++) push(new Float32Array(8000));
      held.push(heldBytes());
    }
    // 13 bytes a frame at first, and room to grow by half.
    expect((held[3] as number) - (held[0] as number)).toBeLessThan(3 * 6000 * 13 * 1.5);
    expect(held[0]).toBeLessThan(700_000);
    expect((held[11] as number) - (held[7] as number)).toBeLessThan(4 * 6000 * 1.5);
    expect(held[11]).toBeLessThan(1_200_000);
  });

  it('is measured as the same audio is that was kept', { tags: 'slow' }, async () => {
    const samples = (await callSamples('anna', [4, 5], 8000)).subarray(0, 80_000);
    const spoken = Float32Array.from(samples, (value) => value / 32_768);
    const [call, file] = [listener(true), listener(false)];
    // Quiet lines later than loud ones, for six and a half minutes.
    for (let at = 0; at < 39; at++) {
      const piece = new Float32Array(80_000);
      if (at % 4 === 0) piece.set(spoken.map((value) => value / (1 + at / 10)));
      call.push(piece);
      file.push(piece);
    }
    expect(call.measure()).toEqual(file.measure());
  });
});
