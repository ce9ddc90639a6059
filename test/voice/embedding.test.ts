import { describe, expect, it } from 'vitest';
import { embedSpeech, windowBounds } from '../../src/voice/embedding/embed-speech.js';
import { planWindows, WindowEmbedder, windowRows } from '../../src/voice/embedding/speech-windows.js';
import { dot } from '../../src/voice/embedding/vector.js';

describe('windows of speech', () => {
  const numbered = (frames: number) => Float32Array.from({ length: 2 * frames }, (_, i) => Math.floor(i / 2));
  const picked = (data: Float32Array) => [...data].filter((_, i) => i % 2 === 0);
  const range = (a: number, b: number) => Array.from({ length: b - a }, (_, i) => a + i);

  const source = (frames: number, ...speech: [number, number][]) => ({
    logmel: numbered(frames),
    bins: 2,
    frames,
    speechFrames: speech.flatMap(([a, b]) => range(a, b)),
  });

  it('take the speech with a little of its surroundings, in order', () => {
    const rows = windowRows(source(200, [50, 60], [120, 140]), [0, 30]);
    expect(picked(rows.data)).toEqual([...range(35, 75), ...range(105, 155)]);
    expect(rows.frames).toBe(90);
  });

  it('join stretches whose surroundings meet, and end with the recording', () => {
    const rows = windowRows(source(100, [5, 10], [30, 40], [95, 100]), [0, 20]);
    expect(picked(rows.data)).toEqual([...range(0, 55), ...range(80, 100)]);
  });

  it('have no frame of another window, but what lies between them', () => {
    const spoken = source(200, [50, 80], [100, 120]);
    expect(picked(windowRows(spoken, [0, 20]).data)).toEqual(range(35, 70));
    expect(picked(windowRows(spoken, [20, 40]).data)).toEqual([...range(70, 110)]);
    expect(picked(windowRows(spoken, [40, 50]).data)).toEqual(range(110, 135));
  });

  it.each([
    [0, []],
    [40, [[0, 40]]],
    [449, [[0, 449]]],
    [450, [[0, 300], [300, 450]]],
    [1000, [[0, 300], [300, 600], [600, 1000]]],
    [1149, [[0, 300], [300, 600], [600, 1149]]],
    [1700, [[0, 300], [300, 600], [600, 1000], [1000, 1300], [1300, 1700]]],
  ])('of %i frames lie where those of more speech do', (frames, plan) => {
    expect(planWindows(frames)).toEqual(plan);
  }); // prettier-ignore

  it('are embedded once, however often they are asked for', async () => {
    const seen: number[] = [];
    const embedder = new WindowEmbedder(
      async (_, frames) => (seen.push(frames), Float32Array.from([1, frames])),
      { minFrames: 50, maxFrames: 1000 },
    );
    const spoken = source(2000, [0, 2000]);
    for (const frames of [300, 600, 1000, 2000]) await embedder.windows(spoken, frames, () => undefined);
    expect(seen).toEqual([300, 300, 400, 300, 300, 400]);
    await embedder.windows(spoken, 800, () => undefined);
    expect(seen.slice(6)).toEqual([200]);
  });

  it('are nearly equal and leave no remainder', () => {
    expect(windowBounds(1000, 1000)).toEqual([[0, 1000]]);
    const bounds = windowBounds(2501, 1000);
    expect(bounds).toHaveLength(3);
    expect(bounds[0]![0]).toBe(0);
    expect(bounds.at(-1)![1]).toBe(2501);
    for (const [start, end] of bounds) expect(end - start).toBeGreaterThan(800);
  });

  it('are averaged by their length into an embedding of length one', async () => {
    const seen: number[] = [];
    const rows = { data: new Float32Array(250 * 2).fill(1), frames: 250 };
    const embedding = await embedSpeech(
      async (_, frames) => (seen.push(frames), Float32Array.from([frames, 1])),
      { minFrames: 50, maxFrames: 100 },
      rows,
      2,
      () => undefined,
    );
    expect(seen).toEqual([83, 83, 84]);
    expect(dot(embedding, embedding)).toBeCloseTo(1, 5);
  });

  it('repeat short speech up to what the network takes', async () => {
    const bins = 4;
    const rows = {
      data: Float32Array.from({ length: 3 * bins }, (_, i) => Math.floor(i / bins) + 1),
      frames: 3,
    };
    let given: number[] = [];
    await embedSpeech(
      async (features) => ((given = [...features]), Float32Array.from([1])),
      { minFrames: 7, maxFrames: 100 },
      rows,
      bins,
      () => undefined,
    );
    const mean = (1 + 2 + 3 + 1 + 2 + 3 + 1) / 7;
    expect(given).toHaveLength(7 * bins);
    given.forEach((value, i) => expect(value).toBeCloseTo((Math.floor(i / bins) % 3) + 1 - mean, 5));
  });

  it('stop when the job is given up, before the next window', async () => {
    const rows = { data: new Float32Array(300), frames: 300 };
    let windows = 0;
    const check = () => {
      if (windows === 2) throw new Error('enough');
    };
    await expect(
      embedSpeech(
        async () => (windows++, Float32Array.from([1])),
        { minFrames: 1, maxFrames: 50 },
        rows,
        1,
        check,
      ),
    ).rejects.toThrow('enough');
    expect(windows).toBe(2);
  });
});
