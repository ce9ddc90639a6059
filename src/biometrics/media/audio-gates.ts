// The limits that audio has to pass, from the config set to the engine.
import type { AudioGates } from '../../voice/quality/types.js';
import type { Parameters } from '../model/parameters.js';

export function audioGates(
  { audio, authentication, enrollment }: Parameters,
  forEnrollment: boolean,
): Omit<AudioGates, 'speakersMax'> {
  const netSpeechSecondsMin = forEnrollment
    ? enrollment.netSpeechSecondsMinPerSegment
    : authentication.netSpeechSecondsMin;
  return {
    netMsMin: netSpeechSecondsMin * 1000,
    snrDbMin: forEnrollment ? audio.snrDbMinEnroll : audio.snrDbMinVerify,
    speechLevelDbfsMin: audio.speechLevelDbMin,
    saturatedPerMinuteMax: audio.saturationPerMinuteMax,
  };
}
