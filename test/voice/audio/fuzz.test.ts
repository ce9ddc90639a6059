// @module-tag slow
// A small run of bench/fuzz-decoders.ts: damaged files of every format end in samples or in a reason.
import { expect, it } from 'vitest';
import { decodeAudio } from '../../../src/voice/audio/decode-audio.js';
import { formatFile, formatNames } from '../../support/fixtures.js';
import { mutate } from '../../support/mutate.js';

it('survives 300 mutated files over every decoder', async () => {
  const names = formatNames().filter((name) => !name.endsWith('.raw'));
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 300; seed++) {
    const name = names[seed % names.length] ?? '';
    const other = names[(seed * 7 + 3) % names.length] ?? '';
    const result = await decodeAudio(mutate(formatFile(name), formatFile(other), 1_000_000 + seed));
    outcomes.add(result.ok ? 'decoded' : result.code);
    if (result.ok) expect(result.samples.every((v) => v >= -1 && v <= 1)).toBe(true);
  }
  expect([...outcomes]).toEqual(
    expect.arrayContaining(['decoded', 'CORRUPT', 'UNSUPPORTED_FORMAT', 'NO_AUDIO']),
  );
});
