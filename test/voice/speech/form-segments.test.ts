// Rules that turn probabilities into segments.
import { describe, expect, it } from 'vitest';
import { formSegments, uncertainSpeech } from '../../../src/voice/speech/form-segments.js';
import { SpeechRuns } from '../../../src/voice/speech/speech-runs.js';
import { defaultSpeechParams } from '../../../src/voice/speech/types.js';
import { createRng } from '../../support/sounds.js';

const params = {
  onset: 0.6,
  offset: 0.4,
  speechMsMin: 160,
  silenceMsMin: 200,
  padMs: 0,
  certainMin: 0.85,
  certainMs: 300,
  doubtfulMin: 0.6,
  certainReachMs: 2000,
};

/** [value, milliseconds] pairs to one probability per 10 ms. */
function course(...parts: [number, number][]): Float32Array {
  return Float32Array.from(parts.flatMap(([v, ms]) => Array<number>(ms / 10).fill(v)));
}

describe('formSegments', () => {
  it('begins at the onset, reaches back to the offset, and ends below it', () => {
    const s = formSegments(course([0, 500], [0.5, 50], [0.9, 400], [0.5, 50], [0.1, 500]), params);
    expect(s.segments).toEqual([{ startMs: 500, endMs: 1000 }]);
    expect(s.netMs).toBe(500);
  });

  it('bridges short pauses and keeps long ones', () => {
    const s = formSegments(course([0.9, 300], [0, 150], [0.9, 300], [0, 250], [0.9, 300]), params);
    expect(s.segments).toEqual([
      { startMs: 0, endMs: 750 },
      { startMs: 1000, endMs: 1300 },
    ]);
  });

  it('drops bursts and stretches of doubt', () => {
    expect(
      formSegments(course([0, 300], [0.95, 100], [0, 300], [0.8, 900], [0, 300]), params).segments,
    ).toEqual([]);
  });

  it('believes a stretch of doubt beside certain speech, before or after it, and nowhere else', () => {
    const doubt: [number, number][] = [[0.7, 400], [0, 1000]]; // prettier-ignore
    const certain: [number, number][] = [[0.9, 400], [0, 1000]]; // prettier-ignore
    const starts = (...parts: [number, number][]): number[] =>
      formSegments(course(...parts), params).segments.map((segment) => segment.startMs);
    expect(starts(...doubt, ...certain, ...doubt)).toEqual([0, 1400, 2800]);
    expect(starts(...doubt, [0, 1100], ...certain, [0, 1100], ...doubt)).toEqual([2500]);
    expect(starts(...doubt, ...doubt)).toEqual([]);
    expect(starts([0.65, 400], [0.55, 400], [0, 1000], ...certain)).toEqual([0, 1800]);
    expect(starts([0.61, 100], [0.55, 400], [0, 1000], ...certain)).toEqual([1500]);
    // Half as long as a stretch that must be certain: certain enough beside speech, never alone.
    expect(starts([1, 200], [0, 1000], ...certain)).toEqual([0, 1200]);
    expect(starts([1, 200], [0, 1000])).toEqual([]);
  });

  it('never takes back what it has heard when more audio follows', () => {
    const whole = course([0.7, 400], [0, 500], [0.95, 350], [0.45, 600], [0, 900], [0.7, 500], [0, 300]);
    let net = 0;
    for (let frames = 0; frames <= whole.length; frames += 5) {
      const now = formSegments(whole.subarray(0, frames), params).netMs;
      expect(now).toBeGreaterThanOrEqual(net);
      net = now;
    }
    expect(net).toBe(400 + 950 + 500);
  });

  it('keeps speech that is certain only half of the time', () => {
    expect(formSegments(course([0, 300], [0.95, 300], [0.5, 250], [0, 300]), params).segments).toEqual([
      { startMs: 300, endMs: 850 },
    ]);
  });

  it('pads on both sides within the recording', () => {
    const s = formSegments(course([0.9, 300], [0, 400]), { ...params, padMs: 40 });
    expect(s.segments).toEqual([{ startMs: 0, endMs: 340 }]);
  });

  it('counts the 15 ms tail of the last frame as audio', () => {
    expect(formSegments(course([0, 1000]), params).grossMs).toBe(1015);
    expect(formSegments(new Float32Array(0), params).grossMs).toBe(0);
  });
});

describe('uncertainSpeech', () => {
  const doubtMs = (probability: Float32Array): number =>
    uncertainSpeech(formSegments(probability)).reduce((sum, v) => sum + 10 * v, 0);

  it('marks stretches of doubt, with their short pauses, but not certain speech, bursts or noise', () => {
    expect(doubtMs(course([0, 500], [0.4, 500], [0.05, 150], [0.4, 350], [0, 500]))).toBe(1080);
    expect(doubtMs(course([0, 500], [0.95, 1000], [0, 500]))).toBe(0);
    expect(doubtMs(course([0, 500], [0.4, 100], [0, 500]))).toBe(0);
    expect(doubtMs(course([0.15, 3000]))).toBe(0);
  });

  it('counts only what surrounds the certain part of a stretch', () => {
    const probability = course([0, 500], [0.25, 400], [0.95, 1000], [0, 500]);
    const speech = formSegments(probability);
    const marked = uncertainSpeech(speech);
    expect(marked.some((v, i) => v === 1 && speech.mask[i] === 1)).toBe(false);
    expect(marked.reduce((sum, v) => sum + 10 * v, 0)).toBe(400);
  });
});

describe('speech found while it comes', () => {
  const rng = createRng(11);
  const restless = (frames: number): Float32Array => {
    let level = 0.2;
    return Float32Array.from({ length: frames }, () => {
      if (rng() < 0.03) level = rng();
      return Math.min(1, Math.max(0, level + 0.2 * (rng() - 0.5)));
    });
  };

  it.each([1, 13, 50, 700])('is the same in steps of %i frames as for the whole, and in order', (size) => {
    const probability = restless(20_000);
    const runs = new SpeechRuns(defaultSpeechParams);
    const found: number[] = [];
    for (let at = 0; at < probability.length; at += size)
      found.push(...runs.push(probability.subarray(at, at + size)));
    const { mask } = formSegments(probability);
    expect(found).toEqual([...mask.keys()].filter((frame) => mask[frame]));
    expect(found.length).toBeGreaterThan(1000);
  });

  it('can be asked what would be found, and takes nothing of it', () => {
    const probability = restless(4000);
    const [asked, silent] = [new SpeechRuns(defaultSpeechParams), new SpeechRuns(defaultSpeechParams)];
    for (let at = 0; at < probability.length; at += 100) {
      const next = probability.subarray(at, at + 100);
      asked.preview(restless(300));
      const { fresh, openFrom } = asked.preview(next);
      expect(fresh).toEqual(silent.push(next));
      expect(openFrom).toBe(silent.openFrom);
      expect(asked.push(next)).toEqual(fresh);
    }
    expect(Buffer.compare(asked.mask, silent.mask)).toBe(0);
    expect([...asked.probability()]).toEqual([...silent.probability()]);
  });
});
