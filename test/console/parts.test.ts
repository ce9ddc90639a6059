// The parts of the voice pages that need no browser: counting speech, reading trial lists, writing CSV.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SpeechMeter } from '../../src/console/audio/speech-meter.js';
import { parseTrialList } from '../../src/console/pages/accuracy/trials.js';
import { toCsv } from '../../src/manifest/csv.js';
import { text as operations } from '../../src/console/text/en/operations.js';
import { voiceSamples } from '../support/speech.js';

const RATE = 16_000;

function heard(samples: Float32Array): number {
  const meter = new SpeechMeter(RATE);
  let speech = 0;
  for (let at = 0; at < samples.length; at += 2048)
    speech = meter.push(samples.subarray(at, at + 2048)).speechSeconds;
  return speech;
}

describe('the speech meter', () => {
  it('counts most of a spoken sentence and nothing of silence or steady noise', async () => {
    const sentence = await voiceSamples('anna', 1);
    const share = heard(sentence) / (sentence.length / RATE);
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThanOrEqual(1.01);
    expect(heard(new Float32Array(RATE * 3))).toBe(0);
    let seed = 7;
    const noise = Float32Array.from({ length: RATE * 4 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed / 1_073_741_824 - 1) * 0.01;
    });
    expect(heard(noise)).toBeLessThan(1.5);
  });

  it('sees clipping', () => {
    expect(new SpeechMeter(RATE).push(new Float32Array(512).fill(1)).clipped).toBe(true);
    expect(new SpeechMeter(RATE).push(new Float32Array(512).fill(0.5)).clipped).toBe(false);
  });
});

describe('the catalogue of acts', () => {
  it('has words for everything that is audited for the installation', () => {
    const root = new URL('../../src/', import.meta.url).pathname;
    const files = ['auth', 'engagement-api'].flatMap((room) =>
      readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(`${root}${room}/${file}`, 'utf8')),
    );
    const calls = files.flatMap((text) =>
      [...text.matchAll(/\baudit\(([^{;]*)/g)].map(([, asked]) => asked ?? ''),
    );
    const acts = new Set(
      calls.flatMap((asked) => [...asked.matchAll(/'([a-z-]+(\.[a-z-]+)+)'/g)].map(([, act]) => act)),
    );
    expect(acts.size).toBeGreaterThan(30);
    for (const act of acts) expect(Object.keys(operations.operations)).toContain(act);
  });
});

describe('a trial list', () => {
  it('takes both orders, several words for the labels, comments and a head line', () => {
    expect(
      parseTrialList('score,label\n1.5,target\n# a note\nnontarget;-2\n0.25 1\n"-3",impostor\n'),
    ).toEqual({
      text: 'target 1.5\nnontarget -2\ntarget 0.25\nnontarget -3',
      targets: 2,
      nontargets: 2,
    });
  });

  it('names the line that is wrong, and an empty file', () => {
    expect(() => parseTrialList('1,target\nmaybe,target\n')).toThrow('Line 2');
    expect(() => parseTrialList('score,label\n')).toThrow('no trials');
  });
});

describe('CSV', () => {
  it('quotes what needs it and disarms formulas, but not negative numbers', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          ['x,"y"', '=SUM(A1)'],
          [-1.5, '-cmd'],
          ['two\nlines', undefined],
        ],
      ),
    ).toBe('a,b\r\n"x,""y""",\'=SUM(A1)\r\n-1.5,\'-cmd\r\n"two\nlines",\r\n');
  });
});
