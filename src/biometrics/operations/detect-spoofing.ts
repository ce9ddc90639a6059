// DetectAudioSpoofing: the attack checks alone, with the same results as in AnalyzeAudio.
import { missingField, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import type { AudioInput } from './audio-input.js';
import { checkAttacks, type AttackChecks, type AttackOutcomes } from './analyze-audio.js';
import { findPerson, giveToPerson } from './audio-of-person.js';
import type { OperationDeps } from './deps.js';
import { attackRecord, type PromptWanted } from './record.js';
import { runDecision } from './run-decision.js';
import { say } from '../../words/server/say.js';

interface DetectSpoofingInput {
  context: RequestContext;
  audio: AudioInput;
  checks: AttackChecks & { footprint: boolean };
  /** The print that the footprint check names: the check is refused, but the request still says whose voice it is. */
  footprintOf?: string;
  /** Makes the audio personal data of this person. */
  gkPersonId?: string;
}

interface DetectSpoofingResult extends AttackOutcomes {
  audio: ProcessedAudio;
}

export function detectAudioSpoofing(
  deps: OperationDeps,
  call: Call,
  input: DetectSpoofingInput,
): Promise<DetectSpoofingResult & PromptWanted> {
  const { checks, gkPersonId, footprintOf } = input;
  return runDecision(deps, call, {
    name: 'DetectAudioSpoofing',
    request: input,
    faults: checkFaults(checks),
    find: (opened) => findPerson(opened, gkPersonId),
    named: { gkPersonId, prints: footprintOf ? [footprintOf] : [] },
    purpose: () => ({ forEnrollment: false, checkpointSeconds: [], spoof: checks, printType: 'NONE' }),
    judge: async (run) => checkAttacks(run, checks),
    speaker: () => gkPersonId,
    conclude: async (tx, run, { judged: outcomes }) => {
      if (gkPersonId) await giveToPerson(tx, run, run.prepared, gkPersonId);
      const judged = [outcomes.synthetic, outcomes.playback].filter((outcome) => outcome !== undefined);
      return {
        result: { audio: run.prepared.audio, ...outcomes },
        records: judged.map((outcome) => attackRecord(run, outcome)),
      };
    },
  });
}

function checkFaults({ synthetic, playback, footprint }: DetectSpoofingInput['checks']): FieldFault[] {
  if (footprint)
    return [
      {
        field: 'footprintPlaybackDetectionParameters',
        violation: 'OTHER',
        ...say('FIXED_PHRASES'),
      },
    ];
  if (synthetic || playback) return [];
  return ['syntheticSpeechDetectionParameters', 'channelPlaybackDetectionParameters'].map((field) => ({
    ...missingField(field),
    ...say('NO_CHECK_NAMED'),
  }));
}
