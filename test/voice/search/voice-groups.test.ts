// Groups of one voice each: what joins as it comes, what joins when all calls of a group have a say, and what never does.
import { describe, expect, it } from 'vitest';
import { model } from '../../../bench/made-up-prints.js';
import { normalized } from '../../../src/voice/embedding/vector.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../../src/voice/scoring/template.js';
import { VoiceGroups, type GroupPlace, type VoiceGroup } from '../../../src/voice/search/voice-groups.js';

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

const all = new Map<string, VoiceSample>();
const newGroups = (ids = 'g'): VoiceGroups => {
  let made = 0;
  return new VoiceGroups({
    model,
    joinLlr: JOIN_LLR,
    newId: () => `${ids}${made++}`,
    voicesOf: (names) => Promise.resolve(names.flatMap((name) => all.get(name) ?? [])),
  });
};
const weakest = ({ members }: VoiceGroup): number => Math.min(...members.values());

async function addAll(groups: VoiceGroups, voices: Record<string, VoiceSample>): Promise<void> {
  for (const [name, sample] of Object.entries(voices)) {
    all.set(name, sample);
    await groups.add(name, sample);
  }
}

async function joined(groups: VoiceGroups): Promise<number> {
  let steps = 0;
  for await (const _step of groups.join(MEAN_LLR)) steps++;
  return steps;
}

const told = (groups: VoiceGroups): string[] =>
  groups.groups().map(({ members }) => [...members.keys()].sort().join(' '));

async function grouped(voices: Record<string, VoiceSample>, isJoined = false): Promise<string[]> {
  const groups = newGroups();
  await addAll(groups, voices);
  if (isJoined) expect(await joined(groups)).toBeLessThanOrEqual(4 * Object.keys(voices).length);
  return told(groups);
}

describe('voices in groups', () => {
  const person = { c1: calm[0], l1: loud[0], c2: calm[1], l2: loud[1] };

  it('join as they come where two are alike', async () => {
    expect([scores.alike, JOIN_LLR, scores.apart, MEAN_LLR, scores.strange]).toEqual(
      [scores.alike, JOIN_LLR, scores.apart, MEAN_LLR, scores.strange].sort((x, y) => y - x),
    );
    expect(await grouped({ ...person, s: stranger })).toEqual(['c1 c2', 'l1 l2', 's']);
  });

  it('join by all their calls together, without strangers', async () => {
    expect(await grouped({ ...person, s: stranger }, true)).toEqual(
      expect.arrayContaining(['c1 c2 l1 l2', 's']),
    );
  });

  it('take a single call in, but two single calls stay apart', async () => {
    expect(await grouped({ c1: calm[0], c2: calm[1], l1: loud[0] }, true)).toEqual(['c1 c2 l1']);
    expect(await grouped({ c1: calm[0], l1: loud[0] }, true)).toEqual(['c1', 'l1']);
  });

  it('say the least score that anything joined with', async () => {
    const groups = newGroups();
    await addAll(groups, person);
    const before = groups.groups().map(weakest);
    for (const llr of before) expect(llr).toBeGreaterThanOrEqual(JOIN_LLR);
    await joined(groups);
    const after = groups.groups().map(weakest);
    expect(after).toHaveLength(1);
    expect(after[0]).toBeLessThan(Math.min(...before));
    expect(after[0]).toBeGreaterThanOrEqual(MEAN_LLR);
  });
});

describe('groups that were put down and taken up again', () => {
  /** What storage would hold. */
  class Kept {
    readonly placed = new Map<string, GroupPlace>();
    readonly middles = new Map<string, Template>();

    keep(groups: VoiceGroups): void {
      const { placed, remade, removed } = groups.takeChanges();
      for (const [name, place] of placed) this.placed.set(name, place);
      for (const { id, middle } of remade) this.middles.set(id, middle);
      for (const id of removed) this.middles.delete(id);
    }

    takeUp(ids: string): VoiceGroups {
      const groups = newGroups(ids);
      for (const [id, middle] of this.middles) {
        const own = [...this.placed].filter(([, { groupId }]) => groupId === id);
        groups.restore({
          id,
          middle,
          members: new Map(own.map(([name, { llr }]) => [name, llr])),
          samples: own.flatMap(([name, { isSample }]) => (isSample ? name : [])),
        });
      }
      return groups;
    }
  }

  it.each([
    ['a call joins a group', { c1: calm[0], c2: calm[1], s: stranger }, { c3: calm[0] }, ['c1 c2 c3', 's']],
    ['a call joins a single one', { c1: calm[0], s: stranger }, { c2: calm[1] }, ['c1 c2', 's']],
    ['a single call joins by all calls', { c1: calm[0], c2: calm[1] }, { l1: loud[0] }, ['c1 c2 l1']],
    ['two groups join', { c1: calm[0], c2: calm[1], l1: loud[0] }, { l2: loud[1] }, ['c1 c2 l1 l2']],
    ['a stranger stays alone', { c1: calm[0], c2: calm[1] }, { s: stranger }, ['c1 c2', 's']],
  ])('%s', async (_name, before, after, expected) => {
    const kept = new Kept();
    for (const [index, voices] of [before, after].entries()) {
      const groups = kept.takeUp(`${index}-`);
      await addAll(groups, voices as Record<string, VoiceSample>);
      await joined(groups);
      kept.keep(groups);
      expect(told(kept.takeUp('same')).sort()).toEqual(told(groups).sort());
    }
    expect(told(kept.takeUp('last')).sort()).toEqual(expected);
  });

  it('have nothing to say where nothing is new', async () => {
    const kept = new Kept();
    const groups = newGroups();
    await addAll(groups, { c1: calm[0], c2: calm[1], l1: loud[0] });
    await joined(groups);
    kept.keep(groups);
    const again = kept.takeUp('again');
    expect(await joined(again)).toBe(0);
    expect(again.takeChanges()).toEqual({ placed: new Map(), remade: [], removed: [] });
  });

  it('of many calls have a middle of a few', async () => {
    const groups = newGroups();
    await addAll(groups, Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`c${at}`, calm[0]])));
    expect(groups.groups().map(({ members, samples }) => [members.size, samples.length])).toEqual([[9, 5]]);
  });
});
