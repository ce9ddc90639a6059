// Who speaks beside the first speaker of a shared channel: nobody, as long as what is left may be the same voice.
import { describe, expect, it } from 'vitest';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import type { OpenedCall } from '../../src/biometrics/operations/opened-call.js';
import { heardOfCustomer, KnownWindows } from '../../src/biometrics/operations/without-agent.js';
import type { CheckpointReached } from '../../src/voice/engine.js';
import type { SpeakerModel } from '../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../src/voice/scoring/template.js';

const model: SpeakerModel = {
  revision: 'test-1',
  dim: 3,
  scoring: {
    // The score is 10 times the cosine, less 5.
    coefficients: [-5, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    netTestClampS: [1, 60],
    netEnrolClampS: [1, 60],
    snrClampDb: [0, 30],
    llrClamp: [-20, 20],
  },
  thresholds: [{ far: 0.01, llr: 0 }],
};

const parameters = {
  ...defaultParameters,
  authentication: { ...defaultParameters.authentication, firstSpeakerIsAgent: true },
};
const opened = { calibration: { model }, context: { parameters } } as unknown as OpenedCall;

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const first = unit(1, 0, 0);
/** Of the same voice: this much like the first window. */
const like = (cosine: number): Float32Array => unit(cosine, Math.sqrt(1 - cosine * cosine), 0);
const other = unit(0, 0, 1);

const customerMs = (...embeddings: Float32Array[]): Promise<number> => customerMsKnowing(embeddings);

const customerMsKnowing = async (
  embeddings: readonly Float32Array[],
  known?: KnownWindows,
): Promise<number> => {
  const windows = embeddings.map((embedding, at) => ({
    startMs: 3000 * at,
    endMs: 3000 * (at + 1),
    netMs: 3000,
    embedding,
  }));
  const voice = { embedding: first, netMs: 0, snrDb: 20, bandwidth: 'narrow', modelRevision: 'test-1' };
  const heard = { windows, voice, quality: {} } as unknown as CheckpointReached;
  return (await heardOfCustomer(opened, {}, heard, known))?.voice.netMs ?? 0;
};

describe('beside the owner of a print', () => {
  const named = (print: Float32Array): OpenedCall => {
    const voice = {
      embedding: print,
      netMs: 20_000,
      snrDb: 20,
      bandwidth: 'narrow' as const,
      modelRevision: 'test-1',
    };
    // Twenty times the cosine, less ten: a window can be much like a voice.
    const steep = {
      ...model,
      scoring: { ...model.scoring, coefficients: [-10, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    };
    const trained = { template: buildTemplate(steep, [voice]) };
    const profile = { ownerType: 'PERSON', trained };
    const deps = { store: { read: { profiles: { find: async () => profile } } }, engine: { model: steep } };
    return {
      calibration: { model: steep },
      context: { parameters: defaultParameters },
      deps,
    } as unknown as OpenedCall;
  };
  /** What is left of the windows, by their places. */
  const leftOf = async (call: OpenedCall, embeddings: readonly Float32Array[]): Promise<number[]> => {
    const windows = embeddings.map((embedding, at) => ({
      startMs: at,
      endMs: at + 1,
      netMs: 3000,
      embedding,
    }));
    const voice = { embedding: first, netMs: 0, snrDb: 20, bandwidth: 'narrow', modelRevision: 'test-1' };
    const heard = { windows, voice, quality: {} } as unknown as CheckpointReached;
    const found = await heardOfCustomer(call, { agent: 'agent' }, heard);
    return found?.windows.map(({ startMs }) => startMs) ?? [];
  };
  // The agent sounds otherwise in this call than in the print: half the way to another voice, and in one window still further.
  const here = unit(0.6, 0.8, 0);
  const further = unit(0.3, 0.954, 0);

  it.each([
    ['what the print tells is left out', [here, other, other], [1, 2]],
    ['so is what sounds much like that', [here, other, further, other], [1, 3]],
    ['what sounds as much like the rest is not', [here, further, unit(0.25, 0.968, 0)], [1, 2]],
    ['nothing is left out by its sound where there is no rest to compare with', [here, further], [1]],
    ['nor where the print tells nothing', [further, other, other], [0, 1, 2]],
  ])('%s', async (_what, embeddings, left) => {
    expect(await leftOf(named(first), embeddings)).toEqual(left);
  });
});

describe('beside the first speaker', () => {
  it.each([
    ['nobody has spoken yet', 0, [first]],
    ['nobody speaks whose voice is that of a window that is theirs', 0, [first, like(0.6), like(0.4)]],
    ['nobody speaks in a window that may still be theirs', 0, [first, like(0.45)]],
    ['another voice is heard', 3000, [first, like(0.6), other]],
    ['another voice is heard as often as it speaks', 6000, [first, other, like(0.6), other]],
  ])('%s', async (_what, ms, embeddings) => {
    expect(await customerMs(...embeddings)).toBe(ms);
  });

  it.each([
    ['at once', [first, like(0.6), other, other]],
    ['late', [first, like(0.6), like(0.4), like(0.45), other, like(0.5), other]],
    ['not at all', [first, like(0.45), like(0.6), like(0.5)]],
  ])(
    'it is the same whether a call is looked at while it runs or when it is over: another voice %s',
    async (_when, all) => {
      const known = new KnownWindows();
      let last = 0;
      for (let heard = 1; heard <= all.length; heard++)
        last = await customerMsKnowing(all.slice(0, heard), known);
      expect(last).toBe(await customerMs(...all));
    },
  );

  it('an hour of speech is compared window by window, and not all of it at every look', async () => {
    let compared = 0;
    const counting = Object.defineProperty({ ...model.scoring }, 'coefficients', {
      get: () => {
        compared++;
        return model.scoring.coefficients;
      },
    });
    const calibration = { model: { ...model, scoring: counting } };
    const call = { ...opened, calibration } as unknown as OpenedCall;
    const known = new KnownWindows();
    const windows = Array.from({ length: 1080 }, (_, at) => ({
      startMs: 3000 * at,
      endMs: 3000 * (at + 1),
      netMs: 3000,
      embedding: at % 3 === 2 ? other : first,
    }));
    const voice = { embedding: first, netMs: 0, snrDb: 20, bandwidth: 'narrow', modelRevision: 'test-1' };
    const look = async (count: number): Promise<number> => {
      const heard = { windows: windows.slice(0, count), voice, quality: {} } as unknown as CheckpointReached;
      await heardOfCustomer(call, {}, heard, known);
      const before = compared;
      compared = 0;
      return before;
    };
    for (let count = 1; count < 1080; count++) await look(count);
    const terms = model.scoring.coefficients.length;
    // The new window, and whether all that is left is another voice.
    expect((await look(1080)) / terms).toBe(2);
  });
});
