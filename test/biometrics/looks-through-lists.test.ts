// How often a list is looked through for one comparison: once for all checkpoints where it is large, no further than to the one that
// is enough, and once more for what is left where that does not decide. What comes out is the same.
import { expect, it } from 'vitest';
import type { Side } from '../../src/biometrics/model/comparison.js';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import type { Candidate, Candidates } from '../../src/biometrics/operations/candidates.js';
import type { DecisionRun } from '../../src/biometrics/operations/audio-input.js';
import { Comparison } from '../../src/biometrics/operations/score-candidates.js';
import { silentLog } from '../../src/platform.js';
import type { SpeakerModel } from '../../src/voice/scoring/speaker-model.js';

const model = {
  thresholds: [
    { far: 0.01, llr: 0 },
    { far: 0.000_01, llr: 10 },
  ],
} as unknown as SpeakerModel;

/** A number that depends on how much speech there is. */
type AtNetMs = (netMs: number) => number;

const voiceOf = (netMs: number) => ({ netMs, embedding: new Float32Array(4), snrDb: 20, bandwidth: 'wide' });

/**
 * Candidates of whom the best scores so much after so many milliseconds of speech, as reliable as is said; they tell of each look at them,
 * and answer no more than they must.
 */
function listOf(count: number, llrAt: AtNetMs, reliabilityAt: AtNetMs): Candidates & { looks: number[][] } {
  const looks: number[][] = [];
  return {
    looks,
    count,
    scores: async () => undefined,
    nearest: async (_model, samples, enoughLlr = Infinity) => {
      const sure = samples.findIndex(({ netMs }) => llrAt(netMs) >= enoughLlr);
      const answered = sure < 0 ? samples : samples.slice(0, sure + 1);
      looks.push(answered.map(({ netMs }) => netMs));
      return answered.map(({ netMs }) => [
        { candidate: {} as Candidate, llr: llrAt(netMs), reliability: reliabilityAt(netMs) },
      ]);
    },
  };
}

/** What comes out for so much speech, and the checkpoints or windows that it has. */
async function compared(candidates: Candidates, side: Side, netMs: number, more: object) {
  const run = {
    call: { log: silentLog },
    context: { parameters: defaultParameters },
    calibration: { model },
  } as unknown as DecisionRun;
  const audio = {
    validity: 'AUDIO_OK',
    netAudioMs: netMs,
    model: { voice: voiceOf(netMs), checkpoints: [], ...more },
  };
  const comparison = new Comparison(run, { side, candidates, ignoreCheckpoints: false });
  const { decision, netSpeechMs } = await comparison.outcome(audio as never);
  return { decision, netSpeechMs };
}

const never = (): number => -20;
const always = (): number => 40;
const after = (ms: number) => (netMs: number) => (netMs >= ms ? 40 : -20);

const reliable = (): number => 100;
/** Not at the first checkpoint: what scores high enough decides nothing there. */
const reliableAfter = (ms: number) => (netMs: number) => (netMs >= ms ? 100 : 0);

it.each<[string, number, [llrAt: AtNetMs, reliabilityAt: AtNetMs], number[][], object]>([
  [
    'a stranger in a small list',
    3,
    [never, reliable],
    [[3000], [6000], [10_000], [12_000]],
    { netSpeechMs: 12_000 },
  ],
  [
    'a stranger in a large list',
    1e6,
    [never, reliable],
    [[3000, 6000, 10_000, 12_000]],
    { decision: 'NO_MATCH', netSpeechMs: 12_000 },
  ],
  [
    'a member who is found at once',
    1e6,
    [always, reliable],
    [[3000]],
    { decision: 'AUTHENTIC', netSpeechMs: 3000 },
  ],
  [
    'a member who is found later',
    1e6,
    [after(6000), reliable],
    [[3000, 6000]],
    { decision: 'AUTHENTIC', netSpeechMs: 6000 },
  ],
  [
    'a member who is found in the end',
    1e6,
    [after(12_000), reliable],
    [[3000, 6000, 10_000, 12_000]],
    { decision: 'AUTHENTIC', netSpeechMs: 12_000 },
  ],
  [
    'a member whose first score decides nothing',
    1e6,
    [always, reliableAfter(10_000)],
    [[3000], [6000, 10_000, 12_000]],
    { decision: 'AUTHENTIC', netSpeechMs: 10_000 },
  ],
  [
    'a member whose last score alone decides',
    1e6,
    [after(10_000), reliableAfter(12_000)],
    [[3000, 6000, 10_000], [12_000]],
    { decision: 'AUTHENTIC', netSpeechMs: 12_000 },
  ],
])('looks through the list for %s', async (_who, count, scores, looks, outcome) => {
  const list = listOf(count, ...scores);
  const checkpoints = [3000, 6000, 10_000].map(voiceOf);
  expect(await compared(list, 'AUTHENTICATION', 12_000, { checkpoints })).toMatchObject(outcome);
  expect(list.looks).toEqual(looks);
});

it.each<[string, number, AtNetMs, number[][], string]>([
  ['a stranger in a small one', 3, never, [[9000], [6000, 6000]], 'NO_RISK_DETECTED'],
  ['a stranger in a large one', 1e6, never, [[9000, 6000, 6000]], 'NO_RISK_DETECTED'],
  ['a fraudster', 1e6, always, [[9000]], 'FRAUD'],
  [
    'a fraudster who speaks for a part of the call',
    1e6,
    (netMs) => (netMs < 9000 ? 40 : -20),
    [[9000, 6000], [6000]],
    'FRAUD',
  ],
])('looks through a watchlist for %s', async (_who, count, llrAt, looks, decision) => {
  const list = listOf(count, llrAt, reliable);
  // Two stretches: of the first two and of the last two.
  const windows = [0, 1, 2].map((index) => ({
    startMs: 3000 * index,
    endMs: 3000 * (index + 1),
    netMs: 3000,
    embedding: new Float32Array(4).fill(0.5),
  }));
  expect(await compared(list, 'FRAUD_DETECTION', 9000, { windows })).toEqual({ decision, netSpeechMs: 9000 });
  expect(list.looks).toEqual(looks);
});
