// What the enrollment segments of a print allow, as pure rules over counts and net speech.
import type { Parameters } from '../model/parameters.js';

export type EnrollStatus = 'TRAIN_NOT_POSSIBLE' | 'TRAIN_POSSIBLE' | 'TRAIN_SUGGESTED' | 'FULL';

export type EnrollReason =
  | 'INTERNAL_ERROR'
  | 'ENROLL_OK'
  | 'TOO_SHORT'
  | 'MISSING_MODEL'
  // The same recording as before.
  | 'ALREADY_ADDED'
  | 'WRONG_PRINT_TYPE'
  | 'PRINT_FULL';

interface EnrolledSpeech {
  /** All segments. */
  added: number;
  /** Those that Train can use. */
  trainable: number;
  /** Of the trainable ones. */
  netSpeechMs: number;
}

export function enrollStatus(
  { added, trainable, netSpeechMs }: EnrolledSpeech,
  { enrollment }: Parameters,
): EnrollStatus {
  if (added >= enrollment.segmentsMax) return 'FULL';
  if (trainable < enrollment.segmentsMin || netSpeechMs < enrollment.netSpeechSecondsMin * 1000)
    return 'TRAIN_NOT_POSSIBLE';
  if (trainable < enrollment.segmentsOptimal || netSpeechMs < enrollment.netSpeechSecondsOptimal * 1000)
    return 'TRAIN_POSSIBLE';
  return 'TRAIN_SUGGESTED';
}
