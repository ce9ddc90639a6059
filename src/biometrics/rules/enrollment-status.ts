// What the enrollment segments of a print allow, as pure rules over counts and net speech.
import type { Parameters } from '../model/parameters.js';

export type EnrollStatus = 'TRAIN_NOT_POSSIBLE' | 'TRAIN_POSSIBLE' | 'TRAIN_SUGGESTED' | 'FULL';

export type EnrollReason =
  'INTERNAL_ERROR' | 'ENROLL_OK' | 'TOO_SHORT' | 'MISSING_MODEL' | 'ALREADY_ADDED' | 'WRONG_PRINT_TYPE';

export function enrollStatus(
  segments: number,
  netSpeechMs: number,
  { enrollment }: Parameters,
): EnrollStatus {
  if (segments >= enrollment.segmentsMax) return 'FULL';
  if (segments < enrollment.segmentsMin || netSpeechMs < enrollment.netSpeechSecondsMin * 1000)
    return 'TRAIN_NOT_POSSIBLE';
  if (segments < enrollment.segmentsOptimal || netSpeechMs < enrollment.netSpeechSecondsOptimal * 1000)
    return 'TRAIN_POSSIBLE';
  return 'TRAIN_SUGGESTED';
}
