// Uploaded media and the audio models made from it.
import type { ExceededLimit } from '../../voice/audio/types.js';
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import type { Fingerprint } from '../../voice/fingerprint/fingerprint.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { AudioValidity, CustomData } from './outcome.js';
import type { CallType } from './sessions.js';

/** How to read bytes without a header; self-describing files need none of it. */
export interface AudioFormat {
  encoding: 'pcm' | 'alaw' | 'ulaw' | 'mp3';
  sampleRateHz?: number;
  channels?: number;
}

export type Container = 'RAW' | 'WAV' | 'MP3';

export interface CallParty {
  channelIndex: number;
  partyType: 'AGENT' | 'PERSON' | 'IVR' | 'OTHER' | 'UNSPECIFIED';
  gkPartyId?: string;
}

export interface MediaSegment {
  gkMediaSegmentId: string;
  gkScopeId: string;
  gkEngagementId: string;
  gkSessionId: string;
  container: Container;
  format?: AudioFormat;
  callParties: readonly CallParty[];
  callType?: CallType;
  /** Absent until the bytes have arrived; the blob is written once. */
  blob?: { blobId: string; bytes: number; sha256: string };
  uploadExpiresAtMs: number;
  gkPersonId?: string;
  /** By its own mark, or by an evidence hold on it or on a person who is linked to it. */
  legalHold: boolean;
  /** Known once the audio has been decoded. */
  lengthMs?: number;
  sampleRateHz?: number;
  channels?: number;
  customData: CustomData;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** Biometric content; stored sealed. */
export interface AudioModel {
  voice: VoiceSample;
  /** The first N seconds of net speech alone, ascending, for early decisions. */
  checkpoints: readonly VoiceSample[];
  /** The windows that `voice` is made of, in order. Absent in audio processed before windows were kept. */
  windows?: readonly VoiceWindow[];
}

export interface ProcessedAudio {
  gkProcessedAudioId: string;
  gkScopeId: string;
  gkMediaSegmentId: string;
  gkEngagementId: string;
  gkSessionId: string;
  validity: AudioValidity;
  /** What to do next, in words, if the audio is not usable. */
  advice: string;
  /** The limit because of which it is not usable, although it can be read. */
  exceeded?: ExceededLimit;
  /** Absent if the audio has no usable speech. */
  model?: AudioModel;
  /**
   * The sound's fingerprint, to recognize copies; stored sealed. Absent without a model, and in audio
   * processed before there were any.
   */
  fingerprint?: Fingerprint;
  /** There was a model, but its stored content cannot be read. */
  damaged?: true;
  calibrationRevisionId: string;
  forEnrollment: boolean;
  /** What the audio was processed for: NONE if only attack checks used it. */
  printType: 'VOICEPRINT' | 'NONE';
  /** Processed by an operation that compares voices, not by ProcessAudio: Enroll does not take it. */
  heardInCheck?: true;
  /** A decision at a checkpoint ended processing: the figures are those of the audio up to there. */
  endedByCheckpoint?: boolean;
  grossAudioMs: number;
  netAudioMs: number;
  snrDb?: number;
  speechLevelDb?: number;
  saturationPerMinute?: number;
  narrowband: boolean;
  mediaChannels?: number;
  mediaSampleRateHz?: number;
  selectedChannel?: number;
  /** All channels were mixed and were identical: it is one channel, stored several times. */
  isOneSound?: boolean;
  processedChannels: number;
  processedSampleRateHz: number;
  detectedSpeakers?: number;
  segmentationScore?: number;
  voiceClassScore?: number;
  /** Log-likelihood ratios of the attack checks that ran, higher is more suspicious. */
  syntheticScore?: number;
  playbackScore?: number;
  gkPersonId?: string;
  actualLanguage: string;
  customData: CustomData;
  /**
   * When its recording arrived; absent in audio processed before this was stored, and if there is no
   * recording.
   */
  receivedAtMs?: number;
  createdAtMs: number;
  modifiedAtMs: number;
}
