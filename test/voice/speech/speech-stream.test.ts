// Checkpoints while audio arrives: in order, only on settled speech, and in the end the same as for the whole file.
import { describe, expect, it } from 'vitest';
import { resample } from '../../../src/voice/resample.js';
import { SpeechStream, type Checkpoint } from '../../../src/voice/speech/speech-stream.js';
import { pinkNoise, createRng, silence } from '../../support/sounds.js';
import { hear, joined, logmel, speechModel, voiceSamples } from '../../support/speech.js';

async function call(): Promise<Float32Array> {
  return joined(
    silence(0.7),
    await voiceSamples('anna', 1),
    silence(1),
    await voiceSamples('anna', 2),
    silence(0.5),
  );
}

function feed(stream: SpeechStream, x: Float32Array, size: number): Checkpoint[] {
  const points: Checkpoint[] = [];
  for (let at = 0; at < x.length; at += size) points.push(...stream.push(x.subarray(at, at + size)));
  points.push(...stream.finish());
  return points;
}

describe('SpeechStream', () => {
  it.each([
    [16000, 320],
    [8000, 160],
    [8000, 1999],
    [44100, 882],
  ])('reports checkpoints of audio at %d Hz in chunks of %d', async (rate, size) => {
    const x = resample(await call(), 16000, rate);
    const points = feed(
      new SpeechStream({
        sampleRateHz: rate,
        model: speechModel,
        logmel,
        checkpointsNetMs: [6000, 3000, 600000],
      }),
      x,
      size,
    );
    expect(points.map((p) => [p.final, p.final ? 0 : p.netMs])).toEqual([
      [false, 3000],
      [false, 6000],
      [true, 0],
    ]);
    const whole = hear(x, rate);
    const last = points.at(-1) as Checkpoint;
    expect(last.frames).toBe(whole.speech.mask.length);
    expect(Math.abs(last.netMs - whole.speech.netMs)).toBeLessThanOrEqual(20);
    expect(Math.abs(last.samples16k.length - whole.samples16k.length)).toBeLessThanOrEqual(1);
    for (const p of points.slice(0, 2)) {
      expect(p.speech.netMs).toBeGreaterThanOrEqual(p.netMs);
      expect(p.grossMs).toBeLessThan(last.grossMs);
      // What was reported early is still so at the end.
      const settled = p.speech.mask.length - 60;
      expect([...p.speech.probability.subarray(0, settled)]).toEqual([
        ...last.speech.probability.subarray(0, settled),
      ]);
    }
  });

  it('never reaches a checkpoint on noise', () => {
    const stream = new SpeechStream({
      sampleRateHz: 16000,
      model: speechModel,
      logmel,
      checkpointsNetMs: [500],
    });
    const points = feed(stream, pinkNoise(8, createRng(2)), 4000);
    expect(points.map((p) => [p.final, p.netMs])).toEqual([[true, 0]]);
  });

  it('stops taking audio at its limit, and after the end', async () => {
    const stream = new SpeechStream({
      sampleRateHz: 16000,
      model: speechModel,
      logmel,
      checkpointsNetMs: [],
      maxDurationMs: 2000,
    });
    const points = feed(stream, await call(), 1600);
    expect(stream.full).toBe(true);
    expect(points.at(-1)?.grossMs).toBe(2000);
    expect(stream.push(new Float32Array(1000))).toEqual([]);
    expect(stream.finish()).toEqual([]);
  });

  it('tells how much speech it has heard so far', async () => {
    const stream = new SpeechStream({
      sampleRateHz: 16000,
      model: speechModel,
      logmel,
      checkpointsNetMs: [],
    });
    expect(stream.netMs).toBe(0);
    stream.push(await call());
    expect(stream.netMs).toBeGreaterThan(3000);
  });
});
