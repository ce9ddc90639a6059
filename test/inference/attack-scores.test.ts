// Attack checks of calls and files: who takes over late is told by what they say themselves, and not by all that was said before.
import { describe, expect, it } from 'vitest';
import { AttackScores } from '../../src/inference/attack-scores.js';
import type { Models } from '../../src/inference/models/models.js';
import { WIDE_RATE_HZ_MIN } from '../../src/voice/quality/bandwidth.js';
import type { AudioQuality } from '../../src/voice/quality/types.js';
import type { DetectorInfo, SpoofScore } from '../../src/voice/spoof/detector.js';

const RATE_HZ = 16_000;
const WINDOW_S = 4;
const info: DetectorInfo = {
  kind: 'synthetic',
  revision: 'test-1',
  window: { samples: WINDOW_S * RATE_HZ, hop: WINDOW_S * RATE_HZ, minRest: RATE_HZ, max: 8 },
  calibration: { wide: { a: 1, b: 0 }, narrow: { a: 1, b: 0 } },
  alarmLlr: { wide: 2, narrow: 2 },
  reliability: [{ bandwidth: 'any', minSnrDb: -100, minNetSpeechS: 0, value: 90 }],
  reliabilityFloor: 50,
  unfamiliar: [],
  experimental: false,
};
/** Loud samples are a machine's. */
const models = {
  detectors: {
    synthetic: {
      info,
      score: async (window: Float32Array) => ({
        score: window[0]! > 10_000 ? 3 : window[0]! > 6000 ? 2.5 : -1,
      }),
    },
  },
} as unknown as Pick<Models, 'detectors'>;

const REAL = 0.1;
const MACHINE = 0.5;
const NEARLY = 0.25;
const SILENT_MACHINE = -0.5;

/** Of windows one after another: a checkpoint behind each. */
const alarmsIn = async (windows: readonly number[], isCall = true): Promise<boolean[]> =>
  (await scoresIn(windows, isCall)).map((synthetic) => synthetic?.alarm === true);

async function scoresIn(windows: readonly number[], isCall = true): Promise<(SpoofScore | undefined)[]> {
  const attacks = new AttackScores(models, { synthetic: true }, isCall);
  const samples = Float32Array.from({ length: windows.length * WINDOW_S * RATE_HZ }, (_, at) =>
    Math.abs(windows[Math.floor(at / RATE_HZ / WINDOW_S)] ?? 0),
  );
  const mask = Uint8Array.from({ length: samples.length / 160 }, (_, frame) =>
    (windows[Math.floor(frame / 100 / WINDOW_S)] ?? 0) > 0 ? 1 : 0,
  );
  const scores: (SpoofScore | undefined)[] = [];
  for (let heard = 1; heard <= windows.length; heard++) {
    const length = heard * WINDOW_S * RATE_HZ;
    const check = async () => undefined;
    if (isCall) await attacks.settle(samples.subarray(0, length), 0, check);
    const speech = { mask: mask.subarray(0, length / 160), netMs: 4000 * heard } as never;
    const quality = { bandwidth: 'narrow', calibrationSnrDb: 20 } as AudioQuality;
    const { synthetic } = await attacks.of(
      samples.subarray(0, length),
      { speech, samples: length },
      quality,
      check,
    );
    scores.push(synthetic);
  }
  return scores;
}

const times = (count: number, what: number): number[] => Array.from({ length: count }, () => what);
const firstOf = (alarms: readonly boolean[]): number => alarms.indexOf(true);

it('a machine that takes over after a minute is told after three windows, and stays told', async () => {
  const call = [...times(15, REAL), ...times(4, MACHINE), ...times(10, REAL)];
  const alarms = await alarmsIn(call);
  expect(firstOf(alarms)).toBe(17);
  expect(alarms.slice(17)).toEqual(times(12, 1).map(() => true));
});

it.each<[string, number[]]>([
  ['a person', times(30, REAL)],
  ['a person who sounds a little like one for a while', [...times(10, REAL), ...times(4, NEARLY)]],
  ['two windows alone', [...times(10, REAL), ...times(2, MACHINE), ...times(10, REAL)]],
  ['windows in which nobody speaks', [...times(10, REAL), ...times(6, SILENT_MACHINE), ...times(10, REAL)]],
])('%s raises no alarm', async (_who, call) => {
  expect(firstOf(await alarmsIn(call))).toBe(-1);
});

it('a file is listened to as a call is', async () => {
  expect(firstOf(await alarmsIn([...times(15, REAL), ...times(4, MACHINE)], false))).toBe(17);
});

describe.each([
  ['call', true],
  ['file', false],
])('a %s with windows that sound like a machine by themselves', (_what, isCall) => {
  it.each<[string, number[]]>([
    ['at its end', [...times(20, REAL), ...times(2, MACHINE)]],
    ['among many', [...times(21, REAL), MACHINE, ...times(18, REAL)]],
  ])('%s gets no all-clear, and hears where', async (_where, windows) => {
    const at = windows.indexOf(MACHINE);
    const score = (await scoresIn(windows, isCall)).at(-1);
    expect(score).toMatchObject({
      alarm: false,
      reliable: false,
      doubts: [{ measure: 'score', value: 3, limit: 2 }],
    });
    expect(score?.reliability).toBeLessThan(50);
    expect(score?.spans).toEqual([
      { startMs: 4000 * at, endMs: 4000 * (windows.lastIndexOf(MACHINE) + 1), llr: 3 },
    ]);
  });

  it('that nobody speaks in gets it', async () => {
    const windows = [...times(13, REAL), SILENT_MACHINE, ...times(6, REAL)];
    expect((await scoresIn(windows, isCall)).at(-1)).toMatchObject({ reliable: true, spans: [], doubts: [] });
  });
});

it('the first and the last windows in which somebody speaks go along with a call that moves', async () => {
  const startsIn = async (...windows: number[]): Promise<(number | undefined)[][]> => {
    const { first = [], last = [] } = (await scoresIn(windows)).at(-1)?.spoken ?? {};
    return [first, last].map((edge) => edge.map(({ startMs }) => startMs / 1000));
  };
  expect(await startsIn(REAL)).toEqual([[0], [0]]);
  expect(await startsIn(REAL, SILENT_MACHINE, REAL, REAL, MACHINE)).toEqual([
    [0, 8],
    [12, 16],
  ]);
  expect((await scoresIn([REAL, REAL, REAL], false)).at(-1)).not.toHaveProperty('spoken');
});

it.each([8000, 16_000])(
  'a call at %i Hz is heard by the playback check only where it can answer',
  async (rateHz) => {
    let windows = 0;
    // Never reliable enough on telephone sound.
    const reliability = [{ bandwidth: 'wide' as const, minSnrDb: -100, minNetSpeechS: 0, value: 90 }];
    const playback = {
      info: { ...info, kind: 'playback' as const, reliability, reliabilityFloor: 0 },
      score: async () => ({ score: ++windows }),
    };
    const attacks = new AttackScores({ detectors: { playback } } as never, { playback: true }, true);
    if (rateHz < WIDE_RATE_HZ_MIN) attacks.leaveOutThoseForWide();
    const samples = new Float32Array(20 * RATE_HZ).fill(REAL);
    await attacks.settle(samples, 0, async () => undefined);
    expect(windows > 0).toBe(rateHz === 16_000);
    // Nor is any sound kept for it.
    expect(attacks.needed(100, 0).length > 0).toBe(rateHz === 16_000);
  },
);
