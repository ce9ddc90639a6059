// What a call takes along to another node: nothing of it is lost, and nothing counted twice.
import { describe, expect, it } from 'vitest';
import { inWholeSamples, joinedWith, voicesOf, type HandoverState } from '../../src/live/call-handover.js';
import type { LiveFormat } from '../../src/live/model.js';
import type { VoiceWindow } from '../../src/voice/embedding/voice-window.js';
import type { CheckpointReached } from '../../src/voice/engine.js';
import {
  spoofScore,
  type DetectorInfo,
  type SpokenWindow,
  type SpoofScore,
} from '../../src/voice/spoof/detector.js';

const handoverOf = (more: Partial<HandoverState> = {}): HandoverState => ({
  windows: [],
  grossMs: 0,
  receivedBytes: 0,
  events: [],
  decision: undefined,
  agentWord: undefined,
  agentConsent: false,
  ...more,
});
const window = (startMs: number, netMs: number, ...embedding: number[]): VoiceWindow => ({
  startMs,
  endMs: startMs + netMs,
  netMs,
  embedding: Float32Array.from(embedding),
});
const heardOf = (snrDb: number, bandwidth: 'narrow' | 'wide', ...windows: VoiceWindow[]): CheckpointReached =>
  ({
    windows,
    voice: { snrDb, bandwidth, netMs: windows.reduce((sum, { netMs }) => sum + netMs, 0) },
    quality: { netMs: 1, grossMs: 10_000 },
  }) as CheckpointReached;

describe('what was heard before and after a move', () => {
  it('is one voice with one sound, each part by how much was said', () => {
    const before = voicesOf(
      undefined,
      heardOf(30, 'wide', window(500, 3000, 1, 0), window(4000, 3000, 1, 0)),
    );
    expect(before.sound).toEqual({ snrDb: 30, bandwidth: 'wide' });
    const handover = handoverOf({ ...before, grossMs: 8000 });
    const whole = joinedWith(handover, heardOf(15, 'narrow', window(100, 3000, 0, 1)), {});
    expect(whole.voice).toMatchObject({ snrDb: 25, bandwidth: 'wide', netMs: 9000 });
    expect(whole.quality).toMatchObject({ netMs: 9000, grossMs: 18_000 });
    expect(whole.windows.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [500, 3500],
      [4000, 7000],
      [8100, 11_100],
    ]);
    // And once more.
    expect(voicesOf(handover, heardOf(15, 'narrow', window(100, 3000, 0, 1)))).toMatchObject({
      windows: whole.windows,
      sound: { snrDb: 25, bandwidth: 'wide' },
    });
  });

  it('lies behind what was heard before, also where nobody spoke there', () => {
    const whole = joinedWith(
      handoverOf({ grossMs: 8000 }),
      heardOf(15, 'narrow', window(100, 3000, 0, 1)),
      {},
    );
    expect(whole.windows).toMatchObject([{ startMs: 8100, endMs: 11_100 }]);
    expect(whole.quality).toMatchObject({ grossMs: 18_000 });
    expect(whole.voice).toMatchObject({ snrDb: 15, bandwidth: 'narrow' });
  });

  it('is what came before, where nobody speaks behind it', () => {
    const { windows, sound } = voicesOf(undefined, heardOf(30, 'wide', window(500, 3000, 1, 0)));
    const handover = handoverOf({ windows, ...(sound && { sound }), grossMs: 8000 });
    expect(voicesOf(handover, { windows: [] })).toEqual({ windows, sound });
    expect(voicesOf(handover)).toEqual({ windows, sound });
  });
});

describe('what attack checks heard before and after a move', () => {
  const detector = (revision = 'd-1'): DetectorInfo => ({
    kind: 'synthetic',
    revision,
    window: { samples: 64_000, hop: 64_000, minRest: 16_000, max: 8 },
    calibration: { wide: { a: 1, b: 0 }, narrow: { a: 1, b: 0 } },
    alarmLlr: { wide: 2, narrow: 2 },
    clearLlr: { wide: -1, narrow: -1 },
    reliability: [{ bandwidth: 'any', minSnrDb: 0, minNetSpeechS: 5, value: 80 }],
    reliabilityFloor: 50,
    unfamiliar: [],
    experimental: false,
  });
  const at = (seconds: number) => ({ bandwidth: 'narrow', snrDb: 30, netMs: 1000 * seconds }) as const;
  const scored = (seconds: number, ...scores: number[]): SpoofScore =>
    spoofScore(
      detector(),
      scores.map((score, index) => ({ score, startMs: 4000 * index, endMs: 4000 * (index + 1) })),
      at(seconds),
    );
  const joined = (before: SpoofScore, now: SpoofScore, info = detector()): SpoofScore | undefined => {
    const handover = handoverOf({
      ...voicesOf(undefined, {
        ...heardOf(30, 'narrow', window(0, 4000, 1, 0)),
        spoof: { synthetic: before },
      }),
      grossMs: 9000,
    });
    const heard = { ...heardOf(30, 'narrow', window(0, 2000, 1, 0)), spoof: { synthetic: now } };
    return joinedWith(handover, heard, { synthetic: info }).spoof?.synthetic;
  };

  it('is judged together, by the windows of both', () => {
    const now = scored(2, -3);
    expect(now.reliable).toBe(false);
    const whole = joined(scored(4, 1, 2), now);
    expect(whole).toMatchObject({ llr: 0, alarm: false });
    // Of the short rest alone nothing could be said; with what came before, it is enough.
    expect(joined(scored(4, -2, -3), now)).toMatchObject({ alarm: false, reliable: true });
    expect(whole?.heard.map(({ startMs }) => startMs)).toEqual([0, 4000, 9000]);
  });

  it('is an alarm where either is one by itself that the other does not bring down, or the later is', () => {
    expect(joined(scored(4, 5, 5), scored(4, -1))).toMatchObject({ alarm: true, llr: 3 });
    expect(joined(scored(4, -3, -3), scored(4, 5))).toMatchObject({ alarm: true, llr: 5 });
  });

  const spoken = (...scores: number[]): SpokenWindow[] =>
    scores.map((score, at) => ({ score, startMs: 4000 * at, endMs: 4000 * (at + 1), netMs: 3000 }));
  /** A part of a call, of which every window is spoken. */
  const part = (...scores: number[]): SpoofScore => ({
    ...scored(4 * scores.length, ...scores),
    spoken: { first: spoken(...scores).slice(0, 2), last: spoken(...scores).slice(-2) },
  });

  it.each<[string, SpoofScore, SpoofScore, boolean]>([
    ['two windows before and one behind it', part(-3, -3, 3, 3), part(3, -3), true],
    ['one window before and two behind it', part(-3, -3, -3, 3), part(3, 3, -3, -3), true],
    ['two windows alone', part(-3, -3, -3, 3), part(3, -3), false],
    ['windows that are below the line of stretches', part(-3, -3, 2.5, 2.5), part(2.5, -3), false],
    ['windows that another detector scored', { ...part(-3, -3, 3, 3), revision: 'd-0' }, part(3, -3), false],
    ['a node that told of no stretches', scored(16, -3, -3, 3, 3), part(3, -3), false],
  ])('of a machine that takes over around the move: %s', (_name, before, now, alarm) => {
    expect(joined(before, now)?.alarm).toBe(alarm);
  });

  it('tells a machine that takes over around a move also after another move, in its place of the call', () => {
    // By what stands for all of it, the part between the moves is a person's.
    const between: SpoofScore = { ...part(3), ...scored(4, -3) };
    const first = joined(part(-3, 3), between) as SpoofScore;
    expect(first.alarm).toBe(false);
    expect(first.heard).toHaveLength(3);
    expect(first.spoken?.last.map(({ startMs }) => startMs)).toEqual([4000, 9000]);
    const second = joined(first, part(3, -3)) as SpoofScore;
    expect(second).toMatchObject({ alarm: true, llr: 3 });
    expect(second.heard).toHaveLength(5);
    expect(second.spans[0]).toMatchObject({ startMs: 4000 });
  });

  it('is what came after it, where another detector heard that', () => {
    const now = { ...scored(2, -3), revision: 'd-2' };
    expect(joined(scored(4, 5, 5), now, detector('d-2'))).toEqual(now);
  });
});

it.each<[LiveFormat['format'], number, number]>([
  [{ encoding: 'mulaw', sampleRateHz: 8000, channels: 1 }, 4801, 4801],
  [{ encoding: 'mulaw', sampleRateHz: 8000, channels: 2 }, 4801, 4800],
  [{ encoding: 's16le', sampleRateHz: 16_000, channels: 1 }, 4801, 4800],
  [{ encoding: 's16le', sampleRateHz: 16_000, channels: 2 }, 4803, 4800],
  [{ encoding: 'opus', sampleRateHz: 48_000, channels: 2 }, 4801, 4801],
])('of %j, with %i bytes received the next node asks for what is behind %i', (format, received, asked) => {
  const handover = handoverOf({ receivedBytes: received });
  expect(inWholeSamples(handover, { format, customerChannel: 1 }).receivedBytes).toBe(asked);
});
