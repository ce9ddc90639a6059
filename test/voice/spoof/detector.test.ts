// What a detector's windows come to: the score, the trust in it, and where it comes from.
import { describe, expect, it } from 'vitest';
import {
  detectorInput,
  detectorReliability,
  detectorWindows,
  isLastingWindow,
  spoofScore,
  type DetectorInfo,
} from '../../../src/voice/spoof/detector.js';
import {
  spansAbove,
  spreadOf,
  unfamiliarity,
  type FamiliarityLimit,
} from '../../../src/voice/spoof/evidence.js';

const window = { samples: 100, hop: 100, minRest: 25, max: 4 };
const info: DetectorInfo = {
  kind: 'synthetic', revision: 's-1', window, calibration: { wide: { a: 2, b: -1 }, narrow: { a: 1, b: 0 } }, alarmLlr: { wide: 3, narrow: 1 }, reliabilityFloor: 40,
  reliability: [
    { bandwidth: 'wide', minSnrDb: 20, minNetSpeechS: 4, value: 90 },
    { bandwidth: 'any', minSnrDb: 10, minNetSpeechS: 1, value: 60 },
    { bandwidth: 'any', minSnrDb: 0, minNetSpeechS: 0, value: 10 },
  ],
  unfamiliar: [], experimental: false,
}; // prettier-ignore
const good = { bandwidth: 'wide', snrDb: 25, netMs: 5000 } as const;
/** Windows of a second each, one after another. */
const heard = (...scores: number[]) =>
  scores.map((score, i) => ({ startMs: 1000 * i, endMs: 1000 * (i + 1), score }));

describe('attack detector', () => {
  it('cuts windows as its manifest says', () => {
    expect(detectorWindows(window, 99)).toBeUndefined();
    expect(detectorWindows(window, 100)).toEqual([0]);
    expect(detectorWindows(window, 124)).toEqual([0]);
    expect(detectorWindows(window, 125)).toEqual([0, 25]);
    expect(detectorWindows(window, 1000)).toEqual([0, 400, 800, 900]);
  });

  it('never asks for a window again that it could leave out before', () => {
    const places = (length: number) => (detectorWindows(window, length) ?? []).map((start) => start / 100);
    for (let length = 200; length <= 10_000; length += 100) {
      const [before, now] = [places(length - 100), places(length)];
      expect(now.length).toBeLessThanOrEqual(4);
      for (const place of now.slice(0, -1)) expect(before, String(length)).toContain(place);
      for (const place of now.slice(0, -1)) expect(isLastingWindow(window, place)).toBe(true);
    }
  });

  it('repeats short audio and scales to 16 bits', () => {
    const data = detectorInput(
      window,
      Float32Array.from({ length: 40 }, (_, i) => i / 64),
    );
    expect(data.length).toBe(100);
    expect(data[41]).toBe((1 / 64) * 32768);
  });

  it('takes the first reliability row whose conditions hold', () => {
    expect(detectorReliability(info.reliability, { bandwidth: 'wide', snrDb: 25, netMs: 5000 })).toBe(90);
    expect(detectorReliability(info.reliability, { bandwidth: 'narrow', snrDb: 25, netMs: 5000 })).toBe(60);
    expect(detectorReliability(info.reliability, { bandwidth: 'wide', snrDb: 5, netMs: 5000 })).toBe(10);
  });

  it('raises the alarm at its threshold, where the risk is 700, and says when it cannot be trusted', () => {
    const trusted = { reliable: true, doubts: [], unfamiliar: false };
    expect(spoofScore(info, heard(2), good)).toMatchObject({ llr: 3, risk: 700, alarm: true, ...trusted });
    expect(spoofScore(info, heard(1, 3), good)).toMatchObject({ llr: 3, alarm: true });
    expect(spoofScore(info, heard(1.9), good)).toMatchObject({ alarm: false, ...trusted });
    expect(spoofScore(info, heard(2), { ...good, snrDb: 3 })).toMatchObject({
      reliable: false,
      reliability: 10,
      doubts: [{ measure: 'reliability', value: 10, limit: 40 }],
    });
  });

  it('gives the all-clear only below its own threshold, and does not know in between', () => {
    const careful = { ...info, clearLlr: { wide: -1, narrow: -2 } };
    expect(spoofScore(careful, heard(2), good)).toMatchObject({
      alarm: true,
      reliable: true,
      reliability: 90,
    });
    expect(spoofScore(careful, heard(0), good)).toMatchObject({ llr: -1, alarm: false, reliable: true });
    expect(spoofScore(careful, heard(0.5), good)).toMatchObject({
      llr: 0,
      alarm: false,
      reliable: false,
      reliability: 10,
      doubts: [{ measure: 'score', value: 0, limit: -1 }],
    });
    expect(spoofScore(careful, heard(-1.5), { ...good, bandwidth: 'narrow' })).toMatchObject({
      reliable: false,
    });
  });

  it('has no reliability at all where the audio is unlike its training, alarm or not', () => {
    const spread: FamiliarityLimit = {
      measure: 'spread',
      bandwidth: 'any',
      beyond: 'above',
      limit: 1.5,
      onlyClear: false,
    };
    const strict = { ...info, unfamiliar: [spread] };
    const at = (score: number, value: number, detector = strict) =>
      // A mean over the windows, one above and one below it.
      spoofScore(
        detector,
        heard(score, score).map((each, i) => ({ ...each, spread: value + (i === 0 ? 1 : -1) })),
        good,
      );
    const lost = {
      reliability: 0,
      reliable: false,
      unfamiliar: true,
      doubts: [{ measure: 'spread', value: 2, limit: 1.5 }],
    };
    expect(at(-3, 2)).toMatchObject({ alarm: false, ...lost });
    expect(at(5, 2)).toMatchObject({ alarm: true, ...lost });
    expect(at(-3, 1.5)).toMatchObject({ reliability: 90, reliable: true, unfamiliar: false });
    const lenient = { ...info, unfamiliar: [{ ...spread, onlyClear: true }] };
    expect(at(-3, 2, lenient)).toMatchObject(lost);
    expect(at(5, 2, lenient)).toMatchObject({ alarm: true, reliable: true, reliability: 90 });
  });

  it('says where it sounds like an attack, also when the whole does not', () => {
    const { alarm, spans } = spoofScore(info, heard(0, 2, 2.5, 0, 3), good);
    expect(alarm).toBe(false);
    expect(spans).toEqual([
      { startMs: 1000, endMs: 3000, llr: 4 },
      { startMs: 4000, endMs: 5000, llr: 5 },
    ]);
  });
});

describe('spans', () => {
  const at = (startMs: number, endMs: number, llr: number) => ({ startMs, endMs, llr });
  it.each([
    ['nothing above the line', [at(0, 4, 1), at(4, 8, 1.9)], []],
    ['the line itself counts', [at(0, 4, 2)], [at(0, 4, 2)]],
    ['neighbors are one', [at(0, 4, 2), at(4, 8, 5), at(8, 12, 3)], [at(0, 12, 5)]],
    ['overlapping windows are one', [at(0, 4, 2), at(2, 6, 3)], [at(0, 6, 3)]],
    ['a gap parts them', [at(0, 4, 2), at(4, 8, 0), at(8, 12, 3)], [at(0, 4, 2), at(8, 12, 3)]],
    ['in the order of the recording', [at(8, 12, 3), at(0, 4, 2)], [at(0, 4, 2), at(8, 12, 3)]],
    ['the last window lies inside the one before', [at(0, 4, 2), at(1, 3, 3)], [at(0, 4, 3)]],
  ])('%s', (_name, windows, expected) => {
    expect(spansAbove(windows, 2)).toEqual(expected);
  });
});

describe('familiarity', () => {
  const line = (fields: Partial<FamiliarityLimit>): FamiliarityLimit => ({
    measure: 'snr_db', bandwidth: 'any', beyond: 'below', limit: 10, onlyClear: false, ...fields,
  }); // prettier-ignore
  const measured = { snr_db: 8, net_speech_s: 3 };
  const narrow = { bandwidth: 'narrow', alarm: false } as const;
  it.each([
    ['below a least value', [line({})], [{ measure: 'snr_db', value: 8, limit: 10 }]],
    ['at the least value', [line({ limit: 8 })], []],
    ['above a greatest value', [line({ beyond: 'above', limit: 5 })], [{ measure: 'snr_db', value: 8, limit: 5 }]],
    ['at the greatest value', [line({ beyond: 'above', limit: 8 })], []],
    ['of the other band', [line({ bandwidth: 'wide' })], []],
    ['of a measure that was not taken', [line({ measure: 'distance', beyond: 'above', limit: 0 })], []],
    [
      'of several, each that is beyond',
      [line({}), line({ measure: 'net_speech_s', limit: 4 }), line({ measure: 'net_speech_s', limit: 2 })],
      [{ measure: 'snr_db', value: 8, limit: 10 }, { measure: 'net_speech_s', value: 3, limit: 4 }],
    ],
  ])('%s', (_name, limits, expected) => {
    expect(unfamiliarity(limits, measured, narrow)).toEqual(expected);
  }); // prettier-ignore

  it('spread is the standard deviation of the votes', () => {
    expect(spreadOf(Float32Array.from([1, 3]))).toBe(1);
    expect(spreadOf(Float32Array.from([2, 4, 4, 4, 5, 5, 7, 9]))).toBe(2);
    expect(spreadOf(Float32Array.from([4]))).toBe(0);
  });
});
