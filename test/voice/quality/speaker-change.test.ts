// Where the speaker changes: the split at which both sides are least alike, each with enough speech.
import { expect, it } from 'vitest';
import type { VoiceWindow } from '../../../src/voice/embedding/voice-window.js';
import { speakerChange } from '../../../src/voice/quality/speaker-change.js';

const a = Float32Array.from([1, 0]);
const b = Float32Array.from([0, 1]);
const windows = (netMs: number, ...voices: Float32Array[]): VoiceWindow[] =>
  voices.map((embedding, i) => ({ startMs: 10_000 * i, endMs: 10_000 * i + netMs, netMs, embedding }));

it.each([
  ['a change in the middle', windows(3000, a, a, b, b), { atMs: 20_000, likeness: 0 }],
  ['a change after the first window', windows(3000, b, a, a, a), { atMs: 10_000, likeness: 0 }],
  ['one voice throughout', windows(3000, a, a, a), { atMs: 10_000, likeness: 1 }],
  ['too little speech on either side', windows(1000, a, b), undefined],
  ['one window', windows(3000, a), undefined],
  ['no speech', [], undefined],
])('finds %s', (_, speech, expected) => {
  expect(speakerChange(speech)).toEqual(expected);
});
