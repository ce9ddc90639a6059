// The limits that audio has to pass, from the config set to the engine.
import type { AudioGates } from '../../voice/quality/types.js';
import type { Parameters } from '../model/parameters.js';

/** Counted only if the config set requests it (`EnableSegmentation`). */
const SPEAKERS_MAX = 1;

export function audioGates(
  { audio, authentication, enrollment }: Parameters,
  forEnrollment: boolean,
): AudioGates {
  const netSpeechSecondsMin = forEnrollment
    ? enrollment.netSpeechSecondsMinPerSegment
    : authentication.netSpeechSecondsMin;
  return {
    netMsMin: netSpeechSecondsMin * 1000,
    snrDbMin: forEnrollment ? audio.snrDbMinEnroll : audio.snrDbMinVerify,
    speechLevelDbfsMin: audio.speechLevelDbMin,
    saturatedPerMinuteMax: audio.saturationPerMinuteMax,
    speakersMax: SPEAKERS_MAX,
  };
}
