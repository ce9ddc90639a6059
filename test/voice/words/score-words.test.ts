import { describe, expect, it } from 'vitest';
import { scoreWords, type FrameLogits, type ScoredWords } from '../../../src/voice/words/score-words.js';

const vocabulary = ['one', 'two', 'three'];
const FRAME_MS = 40;
const CLASSES = vocabulary.length + 2;
const SURE = 8;

/** A letter per frame: `.` nothing, 1 to 3 a word, `x` other speech. */
function heard(text: string): FrameLogits {
  const data = new Float32Array(text.length * (CLASSES + 1));
  [...text].forEach((letter, frame) => {
    const kind = letter === '.' ? 0 : letter === 'x' ? CLASSES - 1 : Number(letter);
    data[frame * (CLASSES + 1) + kind] = SURE;
    data[frame * (CLASSES + 1) + CLASSES] = kind > 0 && kind < CLASSES - 1 ? SURE : -SURE;
  });
  return { data, frames: text.length, frameMs: FRAME_MS };
}

const score = (text: string, ...expected: string[]): ScoredWords =>
  scoreWords(heard(text), { vocabulary, expected }, { a: 1, b: 0 });

describe('expected words', () => {
  it('are recognized in their order, with their places', () => {
    const { score: odds, words, detectedText } = score('..11...222..3.', 'one', 'two', 'three');
    expect(odds).toBeGreaterThan(2);
    expect(detectedText).toBe('one two three');
    expect(words.map((word) => word.heard)).toEqual(['one', 'two', 'three']);
    expect(words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [80, 160],
      [280, 400],
      [480, 520],
    ]);
  });

  it.each([
    ['another word', '.11..3..3.'],
    ['a missing word', '.11.....3.'],
    ['a further word', '.11..2..1..3.'],
    ['another order', '.22..1..3.'],
    ['words twice', '.1.2.3.1.2.3.'],
    ['other speech between the words', '.1.2.xx.3.'],
    ['other speech alone', '.xxxx.xx.'],
    ['nothing', '..........'],
  ])('are refused for %s', (_, text) => {
    expect(score(text, 'one', 'two', 'three').score).toBeLessThan(-2);
  });

  it('may have other speech before and after them', () => {
    expect(score('.xx.x..1.2..3.xx.xx.', 'one', 'two', 'three').score).toBeGreaterThan(2);
  });

  it('may be the same word twice, if it is said twice', () => {
    expect(score('.1..1.', 'one', 'one').score).toBeGreaterThan(2);
    expect(score('.111..', 'one', 'one').score).toBeLessThan(-2);
    expect(score('.1..1.', 'one').score).toBeLessThan(-2);
  });

  it('are marked one by one', () => {
    const { words } = score('.11..3..3.', 'one', 'two', 'three');
    expect(words.map(({ expected, heard }) => [expected, heard])).toEqual([
      ['one', 'one'],
      ['two', 'three'],
      ['three', 'three'],
    ]);
    expect(words.map((word) => word.score > 0)).toEqual([true, false, true]);
    const missing = score('.11.....3.', 'one', 'two', 'three').words;
    expect(missing.map((word) => word.heard)).toEqual(['one', undefined, 'three']);
    expect(missing[1]).toMatchObject({ startMs: 120, endMs: 320 });
  });

  it('are refused where there is no sound', () => {
    const { score: odds, detectedText } = score('', 'one', 'two');
    expect(odds).toBe(-30);
    expect(detectedText).toBe('');
  });
});
