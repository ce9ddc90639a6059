// Uploaded media and the audio models made from it.
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import type { Fingerprint } from '../../voice/fingerprint/fingerprint.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { AudioValidity, CustomData } from './outcome.js';
import type { CallType } from './sessions.js';

/** How header-less bytes are to be read; self-describing files need none of it. */
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
  /** What `voice` is made of, in order. Absent in what was processed before windows were kept. */
  windows?: readonly VoiceWindow[];
}

export interface ProcessedAudio {
  gkProcessedAudioId: string;
  gkScopeId: string;
  gkMediaSegmentId: string;
  gkEngagementId: string;
  gkSessionId: string;
  validity: AudioValidity;
  /** What to do next, in words, when the audio is not fit. */
  advice: string;
  /** Absent when the audio gave no usable speech. */
  model?: AudioModel;
  /** What it sounds like, to recognize copies; stored sealed. Absent without a model, and in what was processed before there were any. */
  fingerprint?: Fingerprint;
  /** There was a model, but what is stored of it cannot be read. */
  damaged?: true;
  calibrationRevisionId: string;
  forEnrollment: boolean;
  /** What the audio was processed for: NONE when only attack checks looked at it. */
  printType: 'VOICEPRINT' | 'NONE';
  /** A decision at a checkpoint ended the listening: the figures are those of the audio up to there. */
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
  /** All channels were mixed, and were the same: it is one channel that is there several times. */
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
  /** When its recording came; absent in what was processed before this was kept, and where there is none. */
  receivedAtMs?: number;
  createdAtMs: number;
  modifiedAtMs: number;
}
