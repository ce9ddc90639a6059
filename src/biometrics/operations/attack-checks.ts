// Judges the attack checks that a call requests on its audio.
import { judgeAttack, type AttackKind, type AttackOutcome } from '../rules/judge-attack.js';
import type { OpenedCall } from './opened-call.js';
import type { PreparedAudio } from './audio-input.js';

export interface AttackChecks {
  synthetic: boolean;
  playback: boolean;
}

export interface AttackOutcomes {
  synthetic?: AttackOutcome;
  playback?: AttackOutcome;
}

export function checkAttacks(
  { deps, context, prepared }: OpenedCall & { prepared: PreparedAudio },
  checks: AttackChecks,
): AttackOutcomes {
  const judged = (kind: AttackKind) =>
    judgeAttack(
      kind,
      {
        validity: prepared.audio.validity,
        measure: prepared.spoof[kind],
        detector: deps.engine.detectors[kind],
        bandwidth: prepared.audio.narrowband ? 'narrow' : 'wide',
      },
      context.parameters,
    );
  return {
    ...(checks.synthetic && { synthetic: judged('synthetic') }),
    ...(checks.playback && { playback: judged('playback') }),
  };
}
