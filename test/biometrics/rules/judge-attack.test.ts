// From a detector's measure to the decision of an attack check.
import { describe, expect, it } from 'vitest';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import { judgeAttack, type AttackEvidence } from '../../../src/biometrics/rules/judge-attack.js';
import type { SpoofScore } from '../../../src/voice/spoof/detector.js';

const parameters = resolveParameters({ attackChecks: { riskHigh: 700, reliabilityMin: 50 } });
const measured = (risk: number, reliability: number, reliable = true) =>
  ({ llr: 1.5, risk, reliability, reliable }) as SpoofScore;
const heard = (measure: SpoofScore | undefined, validity: AttackEvidence['validity'] = 'AUDIO_OK') => ({
  validity,
  measure,
  detectorRevision: 'detector-3',
});

const cases: [name: string, AttackEvidence, decision: string, reason: string][] = [
  ['below the threshold', heard(measured(699, 90)), 'NO_RISK_DETECTED', 'AUDIO_OK'],
  ['at the threshold', heard(measured(700, 90)), 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED'],
  ['at the least reliability', heard(measured(800, 50)), 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED'],
  ['below the least reliability', heard(measured(1000, 49)), 'UNCERTAIN', 'LOW_RELIABILITY'],
  [
    'where the detector itself does not trust it',
    heard(measured(1000, 90, false)),
    'UNCERTAIN',
    'LOW_RELIABILITY',
  ],
  ['without a measure', heard(undefined), 'UNCERTAIN', 'LOW_RELIABILITY'],
  [
    'on audio that is unfit, whatever the detector says',
    heard(measured(1000, 90), 'AUDIO_TOO_SHORT'),
    'UNCERTAIN',
    'AUDIO_TOO_SHORT',
  ],
  [
    'on mixed voices, which its reasons have no word for',
    heard(measured(1000, 90), 'MULTIPLE_SPEAKERS_DETECTED'),
    'UNCERTAIN',
    'LOW_RELIABILITY',
  ],
];

describe('an attack check', () => {
  it.each(cases)('%s', (_name, evidence, decision, reason) => {
    expect(judgeAttack('synthetic', evidence, parameters)).toMatchObject({
      kind: 'synthetic',
      decision,
      reason,
      detectorRevision: 'detector-3',
    });
  });

  it('names the attack by the detector that found it', () => {
    expect(judgeAttack('playback', heard(measured(900, 90)), parameters)).toMatchObject({
      decision: 'FRAUD',
      reason: 'PLAYBACK_INDICATION',
      score: 1.5,
      risk: { risk: 900, reliability: 90 },
    });
  });
});
