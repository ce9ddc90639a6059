// Recordings of a corpus as calls: what is shown look by look. Voices are told by their cosine: a score of -5 is a stranger's, 10 the owner's.
import { describe, expect, it } from 'vitest';
import { callTrials, type HeardCall } from '../../../src/biometrics/accuracy/whole-calls.js';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';

const REVISION = 'plain-1';
const PEOPLE = 3;
const model: SpeakerModel = {
  revision: REVISION,
  dim: PEOPLE + 1,
  scoring: {
    coefficients: [-5, 15, ...Array<number>(11).fill(0)],
    netTestClampS: [0.5, 30],
    netEnrolClampS: [0.5, 120],
    snrClampDb: [0, 30],
    llrClamp: [-20, 20],
  },
  // Of 1 %: 3.2 is needed at an early look, 2.6 later.
  thresholds: [
    { far: 0.01, llr: 2 },
    { far: 0.001, llr: 4 },
    { far: 0.0001, llr: 6 },
  ],
};
const parameters = resolveParameters({ authentication: { falseAcceptRate: 0.01 } });

/** A voice that is this much like its person, and otherwise like nobody. */
function voice(person: number, likeness: number, netMs: number): VoiceSample {
  const embedding = new Float32Array(PEOPLE + 1);
  embedding[person] = likeness;
  embedding[PEOPLE] = Math.sqrt(1 - likeness ** 2);
  return { embedding, netMs, snrDb: 30, bandwidth: 'narrow', modelRevision: REVISION };
}

/** Looked at after 3 and 6 s, and at its end after 14. */
const call = (person: number, name: string, [first, second, whole]: number[] = [1, 1, 1]): HeardCall => ({
  name,
  speaker: `p${person}`,
  voice: voice(person, whole ?? 1, 14_000),
  windows: [],
  checkpoints: [voice(person, first ?? 1, 3000), voice(person, second ?? 1, 6000)],
});

const corpus = (looks?: number[]): HeardCall[] =>
  Array.from({ length: PEOPLE }, (_, person) => [
    call(person, 'tested', person === 0 ? looks : undefined),
    ...['1', '2', '3'].map((name) => call(person, name)),
  ]).flat();

describe('a recording as a call', () => {
  it.each<[name: string, looks: number[], shown: string[]]>([
    ['of the right person', [1, 1, 1], ['AUTHENTIC', 'AUTHENTIC', 'AUTHENTIC']],
    ['that begins not quite well', [0.5, 1, 1], ['LISTENING', 'AUTHENTIC', 'AUTHENTIC']],
    ['that is never good enough', [0.5, 0.5, 0.5], ['LISTENING', 'LISTENING', 'NO_MATCH']],
    ['that is enough at its end', [0.51, 0.51, 0.51], ['LISTENING', 'LISTENING', 'AUTHENTIC']],
    ['that begins like somebody else', [0, 1, 1], ['NO_MATCH', 'AUTHENTIC', 'AUTHENTIC']],
    ['in which a doubt comes later', [1, 0.5, 1], ['AUTHENTIC', 'AUTHENTIC', 'AUTHENTIC']],
    ['that turns out to be somebody else', [1, 0, 0], ['AUTHENTIC', 'NO_MATCH', 'NO_MATCH']],
  ])('%s is shown so', (_name, looks, shown) => {
    const [tested] = callTrials({ model, parameters }, corpus(looks));
    expect(tested?.isOwner).toBe(true);
    expect(tested?.shown.map(({ state }) => state)).toEqual(shown);
    expect(tested?.shown.map(({ netMs }) => netMs)).toEqual([3000, 6000, 14_000]);
  });

  it('is tried once on its speaker, enrolled with others, and on everybody else', () => {
    const trials = callTrials({ model, parameters }, corpus());
    expect(trials.filter(({ isOwner }) => isOwner)).toHaveLength(4 * PEOPLE);
    const strangers = trials.filter(({ isOwner }) => !isOwner);
    expect(strangers).toHaveLength(4 * PEOPLE * (PEOPLE - 1));
    expect(strangers.every(({ people: [owner, speaker] }) => owner !== speaker)).toBe(true);
    expect(new Set(strangers.flatMap(({ shown }) => shown.map(({ state }) => state)))).toEqual(
      new Set(['NO_MATCH']),
    );
  });

  it('says nothing of people with fewer than four recordings', () => {
    const few = corpus().filter(({ speaker, name }) => speaker !== 'p2' || name !== '3');
    expect(new Set(callTrials({ model, parameters }, few).flatMap(({ people }) => people))).toEqual(
      new Set(['p0', 'p1']),
    );
  });
});
