// A call under the settings that are active and under others, on a scale whose thresholds are easy to see: 1 % at 0, 0.1 % at 2.
import { expect, it } from 'vitest';
import { resolveParameters, type ParameterOverrides } from '../../../src/biometrics/model/parameters.js';
import type { Factor } from '../../../src/biometrics/model/sessions.js';
import { compareCall } from '../../../src/biometrics/rules/decide-again.js';
import type { SpeakerModel } from '../../../src/voice/scoring/speaker-model.js';

const model = {
  revision: 'scale-1',
  thresholds: [
    { far: 0.01, llr: 0 },
    { far: 0.001, llr: 2 },
    { far: 0.0001, llr: 4 },
  ],
} as unknown as SpeakerModel;

const active = resolveParameters({ authentication: { falseAcceptRate: 0.01 } });
const strict: ParameterOverrides = { authentication: { falseAcceptRate: 0.001 } };

const factor = (kind: Factor['kind'], decision: Factor['decision'], fields: Partial<Factor> = {}): Factor =>
  ({
    kind,
    decision,
    reason: '',
    risk: 250,
    reliability: 90,
    netSpeechMs: 8000,
    prints: 1,
    ...fields,
  }) as Factor;
/** Above 1 %, below 0.1 %. */
const near = factor('AUTHENTICATION', 'AUTHENTIC', { score: 1 });
const sure = factor('AUTHENTICATION', 'AUTHENTIC', { score: 6, risk: 5 });
const doubted = factor('AUTHENTICATION', 'UNCERTAIN', { score: 6, reason: 'LOW_RELIABILITY', risk: 400 });
const unscored = {
  kind: 'AUTHENTICATION',
  decision: 'UNCERTAIN',
  reason: 'AUDIO_TOO_SHORT',
  netSpeechMs: 900,
} as Factor;
const live = factor('SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', { score: -3, risk: 20 });
const machine = factor('SYNTHETIC_SPEECH', 'FRAUD', { score: 3, risk: 850 });
const unsure = factor('SYNTHETIC_SPEECH', 'UNCERTAIN', { score: 0, risk: 20, reliability: 10 });

it.each<[string, Factor[], ParameterOverrides, string | undefined]>([
  ['nothing decided', [], strict, undefined],
  ['a match that the other threshold does not accept', [near], strict, 'AUTHENTIC NO_MATCH'],
  ['a match under either', [sure], strict, 'AUTHENTIC AUTHENTIC'],
  ['its checks are no calls of their own', [near, live], strict, 'AUTHENTIC NO_MATCH'],
  [
    'a call that was judged several times is one',
    [near, near, near, live, live],
    strict,
    'AUTHENTIC NO_MATCH',
  ],
  [
    'of which the most speech speaks',
    [near, { ...sure, netSpeechMs: 20_000 }],
    strict,
    'AUTHENTIC AUTHENTIC',
  ],
  ['an attack under either', [near, machine], strict, 'FRAUD FRAUD'],
  [
    'an attack by the active one only',
    [sure, machine],
    { attackChecks: { riskHigh: 900 } },
    'FRAUD AUTHENTIC',
  ],
  ['a check that could not tell', [sure, unsure], strict, 'AUTHENTIC AUTHENTIC'],
  [
    'a check that could not tell, where the other draws the line below its score',
    [sure, unsure],
    { attackChecks: { syntheticRiskHigh: 10 } },
    'AUTHENTIC FRAUD',
  ],
  [
    'the same, where the line for its band does so',
    [sure, { ...unsure, bandwidth: 'narrow' }],
    { attackChecks: { syntheticRiskHighNarrow: 10, syntheticRiskHighWide: 500 } },
    'AUTHENTIC FRAUD',
  ],
  [
    'the same, where only the line for the other band does so',
    [sure, { ...unsure, bandwidth: 'wide' }],
    { attackChecks: { syntheticRiskHighNarrow: 10, syntheticRiskHighWide: 500 } },
    'AUTHENTIC AUTHENTIC',
  ],
  [
    'the same of a band that nobody knows: by the higher of the two',
    [sure, unsure],
    { attackChecks: { syntheticRiskHighNarrow: 10, syntheticRiskHighWide: 500 } },
    'AUTHENTIC AUTHENTIC',
  ],
  [
    'a check that was distrusted for another reason',
    [sure, { ...unsure, reliability: 5 }],
    { attackChecks: { syntheticRiskHigh: 10 } },
    'AUTHENTIC AUTHENTIC',
  ],
  [
    'an alarm below the line of the detector that the other would not raise is no all-clear',
    [{ ...machine, risk: 400 }],
    {},
    'FRAUD UNCERTAIN',
  ],
  ['somebody else in a part of it', [doubted], strict, 'UNCERTAIN UNCERTAIN'],
  ['audio that no threshold mends', [unscored], strict, 'UNCERTAIN UNCERTAIN'],
  [
    'less speech than the other asks for',
    [sure],
    { authentication: { netSpeechSecondsMin: 20 } },
    'AUTHENTIC UNCERTAIN',
  ],
])('%s', (_name, factors, overrides, expected) => {
  const measured = factors.map((each) => ({ factor: each, own: active }));
  const compared = compareCall(measured, model, { active, shadow: resolveParameters(overrides) });
  expect(compared && `${compared.active} ${compared.shadow}`).toBe(expected);
});

it('names the check that the two differ in', () => {
  const shadow = resolveParameters(strict);
  const measured = [near, live].map((each) => ({ factor: each, own: active }));
  expect(compareCall(measured, model, { active, shadow })?.factor).toBe(near);
  expect(compareCall([{ factor: sure, own: shadow }], model, { active, shadow })?.factor).toBe(sure);
});
