// Groups of one voice each: what joins as it comes, what joins when all calls of a group have a say, and what never does.
import { describe, expect, it } from 'vitest';
import { model } from '../../../bench/made-up-prints.js';
import { normalized } from '../../../src/voice/embedding/vector.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../../src/voice/scoring/template.js';
import { VoiceGroups } from '../../../src/voice/search/voice-groups.js';

/** A voice by its first few numbers. */
const voice = (...numbers: number[]): VoiceSample => ({
  embedding: normalized(Float32Array.from({ length: model.dim }, (_, at) => numbers[at] ?? 0)),
  netMs: 10_000,
  snrDb: 20,
  bandwidth: 'wide',
  modelRevision: model.revision,
});
const llr = (a: VoiceSample, b: VoiceSample): number => scoreSample(model, buildTemplate(model, [a]), b).llr;

/** One person in two moods, twice each; and strangers. */
const calm = [voice(1, 0.5), voice(1, 0.5, 0.1)] as const;
const loud = [voice(1, -0.5), voice(1, -0.5, 0.1)] as const;
const stranger = voice(0, 0, 1);
const scores = { alike: llr(...calm), apart: llr(calm[0], loud[0]), strange: llr(calm[0], stranger) };
const JOIN_LLR = (scores.alike + scores.apart) / 2;
const MEAN_LLR = (scores.apart + scores.strange) / 2;

function grouped(voices: Record<string, VoiceSample>, mean?: number): string[] {
  const groups = new VoiceGroups<string>(model, JOIN_LLR);
  for (const [name, sample] of Object.entries(voices)) groups.add(name, sample);
  let steps = 0;
  if (mean !== undefined) for (const _step of groups.join(mean)) steps++;
  expect(steps).toBeLessThanOrEqual(2 * Object.keys(voices).length);
  return groups.groups().map(({ members }) => members.sort().join(' '));
}

describe('voices in groups', () => {
  const person = { c1: calm[0], l1: loud[0], c2: calm[1], l2: loud[1] };

  it('join as they come where two are alike', () => {
    expect([scores.alike, JOIN_LLR, scores.apart, MEAN_LLR, scores.strange]).toEqual(
      [scores.alike, JOIN_LLR, scores.apart, MEAN_LLR, scores.strange].sort((x, y) => y - x),
    );
    expect(grouped({ ...person, s: stranger })).toEqual(['c1 c2', 'l1 l2', 's']);
  });

  it('join by all their calls together, without strangers', () => {
    expect(grouped({ ...person, s: stranger }, MEAN_LLR)).toEqual(
      expect.arrayContaining(['c1 c2 l1 l2', 's']),
    );
  });

  it('take a single call in, but two single calls stay apart', () => {
    expect(grouped({ c1: calm[0], c2: calm[1], l1: loud[0] }, MEAN_LLR)).toEqual(['c1 c2 l1']);
    expect(grouped({ c1: calm[0], l1: loud[0] }, MEAN_LLR)).toEqual(['c1', 'l1']);
  });

  it('say the least score that anything joined with', () => {
    const groups = new VoiceGroups<string>(model, JOIN_LLR);
    for (const [name, sample] of Object.entries(person)) groups.add(name, sample);
    const before = groups.groups().map(({ weakestLlr }) => weakestLlr);
    for (const weakest of before) expect(weakest).toBeGreaterThanOrEqual(JOIN_LLR);
    for (const _step of groups.join(MEAN_LLR));
    const [one, ...others] = groups.groups();
    expect(others).toEqual([]);
    expect(one?.weakestLlr).toBeLessThan(Math.min(...before));
    expect(one?.weakestLlr).toBeGreaterThanOrEqual(MEAN_LLR);
  });
});
