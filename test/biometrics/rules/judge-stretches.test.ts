// Which part of a recording speaks against its owner, and what a recording is cut into for that.
import { describe, expect, it } from 'vitest';
import type { ScoredStretch } from '../../../src/biometrics/model/comparison.js';
import { comparisonsOf, stretchAgainstOwner } from '../../../src/biometrics/rules/judge-stretches.js';
import type { VoiceWindow } from '../../../src/voice/embedding/voice-window.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { stretchesOf, windowsUpTo } from '../../../src/voice/scoring/stretches.js';

const scored = (...llrs: number[]): ScoredStretch[] =>
  llrs.map((llr, index) => ({ startMs: 1000 * index, endMs: 1000 * index + 900, llr, reliability: 90 }));

describe('a stretch against the owner', () => {
  const change = (likeness: number) => ({ atMs: 7000, likeness });

  it.each<
    [
      string,
      { long: number[]; short?: number[]; likeness?: number; llrMin?: number; secondVoiceMost?: number },
      number | undefined,
    ]
  >([
    ['is none when all are theirs', { long: [9, 4], short: [5, 1, 3], likeness: 0.6 }, undefined],
    ['is the worst of enough length', { long: [9, -2, -5], short: [-8], likeness: 0.6 }, -5],
    [
      'is none where only a short one scores badly',
      { long: [9, 4], short: [-6, 3], likeness: 0.4 },
      undefined,
    ],
    ['is the worst short one where the speaker changes', { long: [9, 4], short: [3, -6], likeness: 0.2 }, -6],
    [
      'is none where voices differ but each scores well',
      { long: [9, 4], short: [1], likeness: 0.2 },
      undefined,
    ],
    [
      'is none where a short one falls far behind the rest without a change',
      { long: [16, 9], short: [15, -5], likeness: 0.3 },
      undefined,
    ],
    ['is none where nobody can tell of a change', { long: [9], short: [9, -3] }, undefined],
    ['is none just above the lines', { long: [9, -1], short: [0], likeness: 0.2 }, undefined],
    ['is found just below the line', { long: [9, -1.1] }, -1.1],
    ['is none without stretches', { long: [] }, undefined],
    ['is found by a stricter line', { long: [9, 1.5], llrMin: 2 }, 1.5],
    ['is missed by a laxer one', { long: [9, -2], llrMin: -3 }, undefined],
    [
      'is a short one only by a stricter line',
      { long: [14, 9], short: [12, 0.5], likeness: 0.2, llrMin: 0 },
      0.5,
    ],
    [
      "is the worst short one by the model's own threshold for two voices",
      { long: [9, 4], short: [3, -6], likeness: 0.26, secondVoiceMost: 0.28 },
      -6,
    ],
  ])('%s', (_name, { long, short = [], likeness, llrMin = -1, secondVoiceMost }, expected) => {
    const found = stretchAgainstOwner(
      {
        stretches: scored(...long),
        shortStretches: scored(...short),
        speakerChange: likeness === undefined ? undefined : change(likeness),
      },
      llrMin,
      secondVoiceMost === undefined ? {} : { likeness: { sameSpeakerMin: 0.29, secondVoiceMost } },
    );
    expect(found?.llr).toBe(expected);
  });

  it.each([
    [2000, 1],
    [11_999, 1],
    [12_000, 2],
    [60_000, 10],
  ])('of %i ms of speech is looked for %i times', (netMs, looks) => {
    expect(comparisonsOf(netMs)).toBe(looks);
  });
});

describe('stretches', () => {
  const windowsOf = (...netMs: number[]): VoiceWindow[] =>
    netMs.map((net, index) => ({
      startMs: 4000 * index,
      endMs: 4000 * index + net,
      netMs: net,
      embedding: Float32Array.of(index === 0 ? 1 : 0, index === 0 ? 0 : 1),
    }));
  const voice = (netMs: number): VoiceSample => ({
    embedding: Float32Array.of(1, 0),
    netMs,
    snrDb: 20,
    bandwidth: 'narrow',
    modelRevision: 'm',
  });

  it('are the shortest runs of enough speech, one from each window, and never the whole', () => {
    const found = stretchesOf(voice(13_000), windowsOf(3000, 3000, 4000, 3000), 6000);
    expect(found.map(({ startMs, endMs, sample }) => [startMs, endMs, sample.netMs])).toEqual([
      [0, 7000, 6000],
      [4000, 12_000, 7000],
      [8000, 15_000, 7000],
    ]);
    expect(found[1]?.sample).toMatchObject({
      bandwidth: 'narrow',
      snrDb: 20,
      embedding: Float32Array.of(0, 1),
    });
    expect(stretchesOf(voice(6000), windowsOf(3000, 3000), 6000)).toEqual([]);
    expect(stretchesOf(voice(3000), windowsOf(3000), 3000)).toEqual([]);
    expect(stretchesOf(voice(0), [], 6000)).toEqual([]);
  });

  it('stay few in a long recording, and leave no window out', () => {
    const windows = windowsOf(...Array.from({ length: 1000 }, () => 3000));
    const found = stretchesOf(voice(3_000_000), windows, 6000);
    expect(found.length).toBeLessThanOrEqual(60);
    for (const window of windows)
      expect(
        found.some((stretch) => stretch.startMs <= window.startMs && stretch.endMs >= window.endMs),
      ).toBe(true);
  });

  it('up to a checkpoint come from the windows that end there', () => {
    const windows = windowsOf(3000, 3000, 4000, 3000);
    expect(windowsUpTo(windows, 10_000)).toEqual(windows.slice(0, 3));
    expect(windowsUpTo(windows, 2000)).toEqual([]);
  });
});
