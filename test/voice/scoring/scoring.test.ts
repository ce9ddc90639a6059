import { describe, expect, it } from 'vitest';
import { dot } from '../../../src/voice/embedding/vector.js';
import {
  decodeSample,
  decodeTemplate,
  encodeSample,
  encodeTemplate,
} from '../../../src/voice/scoring/codec.js';
import { cohortStatistics, rememberedStatistics } from '../../../src/voice/scoring/cohort.js';
import { consistentSubset } from '../../../src/voice/scoring/consistency.js';
import { reliabilityOf, weaknessOf } from '../../../src/voice/scoring/reliability.js';
import {
  authenticationRisk,
  fraudRisk,
  llrAtAuthenticationRisk,
  thresholdForFar,
} from '../../../src/voice/scoring/risk.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import { buildTemplate } from '../../../src/voice/scoring/template.js';
import { DIM, gaussianVector, randomSource, testModel, utterance } from './synthetic-speakers.js';

const model = testModel();
const random = randomSource(1);
const alice = gaussianVector(random);
const bob = gaussianVector(random);
const say = (who: Float32Array, extra = {}) => utterance(random, who, 0.5, extra);

describe('template', () => {
  it('has length one and leans towards the segment with more speech', () => {
    const long = say(alice, { netMs: 20000 });
    const short = say(alice, { netMs: 1000 });
    const template = buildTemplate(model, [long, short]);
    expect(dot(template.embedding, template.embedding)).toBeCloseTo(1, 4);
    expect(dot(template.embedding, long.embedding)).toBeGreaterThan(dot(template.embedding, short.embedding));
    expect(template.netMs).toBe(21000);
  });

  it('is narrow-band only when most of its speech is', () => {
    const narrow = say(alice, { bandwidth: 'narrow', netMs: 3000 });
    expect(buildTemplate(model, [narrow, say(alice, { netMs: 4000 })]).bandwidth).toBe('wide');
    expect(buildTemplate(model, [narrow, say(alice, { netMs: 2000 })]).bandwidth).toBe('narrow');
  });

  it('refuses segments of another model and an empty list', () => {
    expect(() => buildTemplate(model, [say(alice, { modelRevision: 'other-1' })])).toThrow(RangeError);
    expect(() => buildTemplate(model, [])).toThrow(RangeError);
  });
});

describe('score', () => {
  const template = buildTemplate(model, [say(alice), say(alice), say(alice)]);

  it('is high for the speaker and low for a stranger', () => {
    expect(scoreSample(model, template, say(alice)).llr).toBeGreaterThan(4);
    expect(scoreSample(model, template, say(bob)).llr).toBeLessThan(0);
  });

  it('follows the written definition of normalization and calibration', () => {
    const sample = say(alice, { netMs: 2500, snrDb: 12, bandwidth: 'narrow' });
    const s = dot(template.embedding, sample.embedding);
    const t = cohortStatistics(model.cohort!, template.embedding, 'narrow');
    const v = cohortStatistics(model.cohort!, sample.embedding, 'wide');
    const z = 0.5 * ((s - t.mean) / t.sd + (s - v.mean) / v.sd);
    const [lt, le, q] = [Math.log(2.5), Math.log(15), 1.2];
    const c = model.scoring.coefficients as number[];
    const expected = [1, z, s, lt, le, q, 0, 1, z * lt, z * le, z * q, 0, z].reduce(
      (sum, x, i) => sum + x * c[i]!,
      0,
    );
    expect(scoreSample(model, template, sample).llr).toBeCloseTo(Math.min(20, expected), 4);
  });

  it('is never computed across model revisions', () => {
    expect(() => scoreSample(model, template, { ...say(alice), modelRevision: 'other-2' })).toThrow(
      RangeError,
    );
    expect(() => scoreSample(testModel({ revision: 'other-2' }), template, say(alice))).toThrow(RangeError);
  });

  it('takes the mean and spread of the nearest strangers, with a floor under the spread', () => {
    const cohort = { ...model.cohort!, topN: 5, minSd: 0.5 };
    const embedding = say(alice).embedding;
    const all = Array.from({ length: 200 }, (_, row) => dot(embedding, cohort.wide, row * DIM)).sort(
      (a, b) => b - a,
    );
    const statistics = cohortStatistics(cohort, embedding, 'wide');
    expect(statistics.mean).toBeCloseTo(all.slice(0, 5).reduce((a, b) => a + b) / 5, 5);
    expect(statistics.sd).toBe(0.5);
  });

  it('does not take the remembered statistics of one voice for those of another', () => {
    // Two checksums of 32 bits, which used to tell voices apart, are the same for these.
    const voices = [
      [0.5, 0.25, 0.75],
      [-0.495119989, 0.753558397, -6.85013468e-20],
    ].map((numbers) => Float32Array.from(numbers));
    const rows = Float32Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6, 0.8, 0]);
    const cohort = { wide: rows, narrow: rows, dim: 3, topN: 4, minSd: 0.02 };
    for (const voice of voices)
      expect(rememberedStatistics(cohort, voice, 'wide')).toEqual(cohortStatistics(cohort, voice, 'wide'));
  });
});

describe('consistency', () => {
  it('keeps agreeing segments and leaves out the odd one', () => {
    const result = consistentSubset(model, [say(alice), say(alice), say(bob), say(alice)]);
    expect(result.map((r) => r.used)).toEqual([true, true, false, true]);
    expect(result[2]!.score).toBeLessThan(0);
    expect(result[0]!.score).toBeGreaterThan(0);
  });

  it('cannot tell two strangers apart from each other: one remains, and is compared with nothing', () => {
    const result = consistentSubset(model, [say(alice), say(bob)]);
    expect(result.filter((r) => r.used)).toEqual([{ used: true }]);
    expect(result.filter((r) => !r.used)).toEqual([{ used: false, score: expect.any(Number) }]);
  });

  it('accepts a single segment, without a score', () => {
    expect(consistentSubset(model, [say(alice)])).toEqual([{ used: true }]);
  });
});

describe('what lowers the reliability most', () => {
  const good = { netTestMs: 20_000, netEnrolMs: 60_000, snrDb: 30, narrowSides: 0 } as const;
  it.each([
    ['too_short', { netTestMs: 500 }],
    ['noise', { snrDb: 3 }],
    ['print', { netEnrolMs: 800 }],
    ['channel', { narrowSides: 1 as const }],
    ['too_short', { netTestMs: 400, snrDb: 5 }],
    ['noise', { netTestMs: 3000, snrDb: 0 }],
  ])('is %s: %j', (cause, at) => {
    expect(weaknessOf({ ...good, ...at })).toBe(cause);
  });
});

describe('risk', () => {
  // The table of docs/reference/voiceprint-contract.md#risk.
  it.each([
    [10, 25],
    [6, 73],
    [3, 156],
    [0, 300],
    [-1, 363],
    [-3, 500],
    [-6, 700],
    [-9, 845],
    [-12, 928],
    [-20, 992],
  ])('of a score %i units from the accepting threshold is %i', (units, risk) => {
    expect(authenticationRisk(4 + units, 4)).toBe(risk);
    expect(llrAtAuthenticationRisk(risk, 4)).toBeCloseTo(4 + units, 0);
  });

  it('never gives a score below a line the risk of the line', () => {
    expect(authenticationRisk(3.9999, 4)).toBe(301);
    expect(authenticationRisk(4, 4)).toBe(300);
  });

  it('meets the high threshold exactly where a watchlist hit is reported', () => {
    expect(fraudRisk(6, 6)).toBe(700);
    expect(fraudRisk(-5, 6)).toBe(0);
    expect(fraudRisk(20, 6)).toBe(1000);
  });

  it('is monotone in the evidence', () => {
    for (let llr = -20; llr < 20; llr += 0.25) {
      expect(authenticationRisk(llr + 0.25, 3)).toBeLessThanOrEqual(authenticationRisk(llr, 3));
      expect(fraudRisk(llr + 0.25, 3)).toBeGreaterThanOrEqual(fraudRisk(llr, 3));
    }
  });

  it('gives the shipped thresholds and goes straight in log rate between and beyond them', () => {
    expect(thresholdForFar(model, 0.01)).toBeCloseTo(2);
    expect(thresholdForFar(model, 0.0001)).toBeCloseTo(6);
    expect(thresholdForFar(model, 10 ** -2.5)).toBeCloseTo(3);
    expect(thresholdForFar(model, 0.00001)).toBeCloseTo(8);
    expect(thresholdForFar(model, 0.1)).toBeCloseTo(0);
    expect(() => thresholdForFar(model, 0)).toThrow(RangeError);
  });
});

describe('reliability', () => {
  const good = { netTestMs: 10000, netEnrolMs: 40000, snrDb: 25, narrowSides: 0 } as const;
  it('rises with speech and falls with noise and mixed bandwidth', () => {
    expect(reliabilityOf(good)).toBeGreaterThan(90);
    expect(reliabilityOf({ ...good, netTestMs: 500 })).toBeLessThan(50);
    expect(reliabilityOf({ ...good, snrDb: 0 })).toBeLessThan(reliabilityOf({ ...good, snrDb: 10 }));
    expect(reliabilityOf({ ...good, narrowSides: 1 })).toBeLessThan(
      reliabilityOf({ ...good, narrowSides: 2 }),
    );
  });
});

describe('stored form', () => {
  it('brings samples and templates back as they were', () => {
    const sample = say(alice, { bandwidth: 'narrow', netMs: 1234, snrDb: 7.5 });
    expect(decodeSample(encodeSample(sample))).toEqual(sample);
    const template = buildTemplate(model, [sample]);
    const back = decodeTemplate(encodeTemplate(template));
    expect(back.embedding).toEqual(template.embedding);
    expect(back.norm.narrow.mean).toBeCloseTo(template.norm.narrow.mean, 6);
    expect(scoreSample(model, back, sample).llr).toBeCloseTo(scoreSample(model, template, sample).llr, 4);
  });

  it('refuses bytes of another kind, version or length', () => {
    const bytes = encodeSample(say(alice));
    expect(() => decodeTemplate(bytes)).toThrow(RangeError);
    expect(() => decodeSample(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
    expect(() => decodeSample(new Uint8Array(3))).toThrow(RangeError);
  });
});
