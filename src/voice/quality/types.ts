/** The measurements of a recording, and its verdict. */
import type { ExceededLimit, InvalidAudio } from '../audio/types.js';

export interface AudioQuality {
  /** All sound: speech, noise, silence. */
  grossMs: number;
  /** Speech only. */
  netMs: number;
  /** Sound that may be speech but is too uncertain to count: voices deep in noise. */
  uncertainMs: number;
  /** Speech against the sound between it; includes the uncertain speech if that is most of it. */
  snrDb: number;
  /** The simpler measure that the speaker model's calibration was fitted with; 0 to 30. */
  calibrationSnrDb: number;
  /** Mean power of the speech frames, relative to full scale. */
  speechLevelDbfs: number;
  peakDbfs: number;
  /** Samples at the limits of the range, per minute of audio. */
  saturatedPerMinute: number;
  bandwidth: 'narrow' | 'wide';
  /** Energy of the speech above 4 kHz relative to that from 1 to 3.4 kHz. */
  highBandDb: number;
  /** Stretches of digital silence inside speech: lost packets, muted lines. */
  dropouts: number;
  /** Only when the speakers were counted. */
  numberOfSpeakers?: number;
  /** -10 to 10, how alike the speakers sound; only when there is more than one. */
  segmentationScore?: number;
}

type AudioValidity =
  | 'AUDIO_OK'
  | 'NOT_ENOUGH_SEGMENTS'
  | 'INVALID_AUDIO'
  | 'AUDIO_TOO_SHORT'
  | 'AUDIO_TOO_SOFT'
  | 'AUDIO_TOO_LOUD'
  | 'AUDIO_TOO_NOISY'
  | 'MULTIPLE_SPEAKERS_DETECTED';

/** Limits of the gates. */
export interface AudioGates {
  netMsMin: number;
  speechLevelDbfsMin: number;
  saturatedPerMinuteMax: number;
  snrDbMin: number;
  speakersMax: number;
}

export interface GateFailure {
  validity: AudioValidity;
  explanation: string;
  /** What the caller, or the person speaking, can do about it. */
  advice: string;
}

export interface AudioVerdict extends GateFailure {
  /** Every gate that failed, in the order of judgment; the verdict is the first. Empty when the audio is fine. */
  failed: GateFailure[];
  /** Why the bytes could not be read; only when they could not. */
  invalidCode?: InvalidAudio['code'];
  exceeded?: ExceededLimit;
}
