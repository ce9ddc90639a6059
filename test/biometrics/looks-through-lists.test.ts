// How often a list is looked through for one comparison: once for a voice that is found at the first checkpoint, and once more
// for all that is left where the list is large. What comes out is the same.
import { expect, it } from 'vitest';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import type { Candidate, Candidates } from '../../src/biometrics/operations/candidates.js';
import type { DecisionRun } from '../../src/biometrics/operations/decision-run.js';
import { Comparison } from '../../src/biometrics/operations/score-candidates.js';
import { silentLog } from '../../src/platform.js';
import type { SpeakerModel } from '../../src/voice/scoring/speaker-model.js';

const model = {
  thresholds: [
    { far: 0.01, llr: 0 },
    { far: 0.000_01, llr: 10 },
  ],
} as unknown as SpeakerModel;

const voiceOf = (netMs: number) => ({ netMs, embedding: new Float32Array(4), snrDb: 20, bandwidth: 'wide' });

/** Candidates of whom the best scores so much after so many milliseconds of speech; they tell of each look at them. */
function listOf(count: number, llrAt: (netMs: number) => number): Candidates & { looks: number[][] } {
  const looks: number[][] = [];
  return {
    looks,
    count,
    scores: async () => undefined,
    nearest: async (_model, samples) => {
      looks.push(samples.map(({ netMs }) => netMs));
      return samples.map(({ netMs }) => [
        { candidate: {} as Candidate, llr: llrAt(netMs), reliability: 100 },
      ]);
    },
  };
}

async function compared(candidates: Candidates) {
  const run = {
    call: { log: silentLog },
    context: { parameters: defaultParameters },
    calibration: { model },
  } as unknown as DecisionRun;
  const checkpoints = [3000, 6000, 10_000].map(voiceOf);
  const audio = { validity: 'AUDIO_OK', netAudioMs: 12_000, model: { voice: voiceOf(12_000), checkpoints } };
  const comparison = new Comparison(run, { side: 'AUTHENTICATION', candidates, ignoreCheckpoints: false });
  const { decision, netSpeechMs } = await comparison.outcome(audio as never);
  return { decision, netSpeechMs };
}

const never = (): number => -20;
const always = (): number => 40;
const after = (ms: number) => (netMs: number) => (netMs >= ms ? 40 : -20);

it.each<[string, number, (netMs: number) => number, number[][], object]>([
  ['a stranger in a small list', 3, never, [[3000], [6000], [10_000], [12_000]], { netSpeechMs: 12_000 }],
  ['a stranger in a large list', 1e6, never, [[3000], [6000, 10_000, 12_000]], { netSpeechMs: 12_000 }],
  ['a member who is found at once', 1e6, always, [[3000]], { decision: 'AUTHENTIC', netSpeechMs: 3000 }],
  [
    'a member who is found later',
    1e6,
    after(6000),
    [[3000], [6000, 10_000, 12_000]],
    { decision: 'AUTHENTIC', netSpeechMs: 6000 },
  ],
  [
    'a member who is found in the end',
    1e6,
    after(12_000),
    [[3000], [6000, 10_000, 12_000]],
    { decision: 'AUTHENTIC', netSpeechMs: 12_000 },
  ],
])('looks through the list for %s', async (_who, count, llrAt, looks, outcome) => {
  const list = listOf(count, llrAt);
  expect(await compared(list)).toMatchObject(outcome);
  expect(list.looks).toEqual(looks);
});
