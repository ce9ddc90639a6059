// How far a tenant's own voices may move a threshold, and what puts a config set exactly there.
import { expect, it } from 'vitest';
import { assessThreshold, lowestOwnThreshold } from '../../../src/biometrics/accuracy/assess-threshold.js';
import { thresholdForFar } from '../../../src/voice/scoring/risk.js';
import { model as made } from '../galleries/prints.js';

/** As models ship. */
const model = {
  ...made,
  thresholds: [
    { far: 0.01, llr: 3.05 },
    { far: 0.005, llr: 3.6 },
    { far: 0.001, llr: 4.61 },
    { far: 0.0001, llr: 6.22 },
  ],
};

const found = { misses: 0, targets: 40, speakers: 12, isOwn: true };

it.each([0.00001, 0.0001, 0.001, 0.005, 0.01, 0.05, 0.1])(
  'for a rate of %d there is a threshold that can be saved',
  (rate) => {
    const { threshold, far } = lowestOwnThreshold(model, rate);
    expect(far).toBe(Math.min(0.1, 10 * rate));
    const { falseAcceptRate, objections } = assessThreshold(model, { ...found, threshold });
    expect(objections).toEqual([]);
    expect(falseAcceptRate).toBeCloseTo(far, 9);
    expect(falseAcceptRate).toBeLessThanOrEqual(0.1 + 1e-9);
  },
);

it.each([
  [0.6, /^a config set goes no lower than score/],
  [0.000001, /^a config set goes no higher than score/],
])('what the calibration takes for %d is out of reach of a config set', (far, objection) => {
  const { falseAcceptRate, objections } = assessThreshold(model, {
    ...found,
    threshold: thresholdForFar(model, far),
  });
  expect(falseAcceptRate).toBeUndefined();
  expect(objections.map(({ message }) => message).join()).toMatch(objection);
});
