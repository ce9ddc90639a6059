// The voice engine as the rest of the program sees it: bytes of audio in; validity, quality, a voice
// sample, checkpoints and attack scores out. Types only; src/inference/engine.ts implements it.
import type { RawFormat, StreamFormat } from './audio/types.js';
import type { SpeakerChange, VoiceWindow } from './embedding/voice-window.js';
import type { Fingerprint } from './fingerprint/fingerprint.js';
import type { Envelope } from './inspect/envelope.js';
import type { Spectrogram } from './inspect/spectrogram.js';
import type { AudioGates, AudioQuality, AudioVerdict } from './quality/types.js';
import type { SpeakerModel, VoiceSample } from './scoring/speaker-model.js';
import type { DetectorInfo, SpoofScore } from './spoof/detector.js';
import type { PromptLanguage, WordsHeard } from './words/model.js';

export interface ProcessOptions {
  /** 0 mixes all channels (the default), 1 is left, 2 right. */
  channel?: number;
  /** Headerless input only; otherwise the container is recognized by its content. */
  raw?: RawFormat;
  /** The length of input that arrives in pieces. If it is known, no more is read than is needed. */
  totalBytes?: number;
  /** Absent: the defaults of config sets for verification. */
  gates?: AudioGates;
  /** Longer files are refused; absent: an hour. */
  maxDurationMs?: number;
  /** Speech beyond this is not used. */
  maxNetSpeechMs?: number;
  /**
   * For each entry that the audio reaches, a voice sample of that many milliseconds of net speech is made.
   */
  checkpointsMs?: readonly number[];
  spoof?: { synthetic?: boolean; playback?: boolean };
  /** Count the speakers; costs several more embeddings. */
  enableSegmentation?: boolean;
  /** Milliseconds since 1970 after which the answer is of no use. */
  deadlineAtMs?: number;
  /**
   * The client that the work belongs to; clients take turns in the queue. Work without one shares a single
   * turn.
   */
  client?: string;
  /** Live calls go first, background work last; `normal` when absent. */
  priority?: WorkPriority;
  /**
   * For accuracy measurements only: if no speech is found, treat all audio as speech, so that a trial is not
   * lost. The service never sets it: it would turn noise into a voice.
   */
  treatAllAsSpeech?: boolean;
}

export type WorkPriority = 'live' | 'normal' | 'background';

/** The findings at a checkpoint, based only on the audio up to it. */
export interface CheckpointReached {
  /** The entry of `checkpointsMs`. */
  checkpointMs: number;
  voice: VoiceSample;
  /** Those so far, ascending. */
  windows: VoiceWindow[];
  /** Absent while there is too little speech for two sides. */
  speakerChange?: SpeakerChange;
  verdict: AudioVerdict;
  quality: AudioQuality;
  /** For streams only: the checks that were requested and could be made. */
  spoof?: ProcessedAudio['spoof'];
}

/** Returns whether that is enough; then nothing after the checkpoint is decoded, processed or embedded. */
export type AtCheckpoint = (point: CheckpointReached) => Promise<boolean>;

export interface MediaInfo {
  container: string;
  codec: string;
  channels: number;
  sampleRateHz: number;
  /** Unset for one-channel media. */
  selectedChannel: number | undefined;
  /** All channels were mixed and were identical: it is one channel, stored several times. */
  isOneSound?: boolean;
  durationMs: number;
  /**
   * False if processing ended early and no header gives the length: the recording lasts at least this long.
   */
  durationKnown: boolean;
  truncated: boolean;
  warnings: string[];
}

export interface ProcessedAudio {
  /** Bad audio is a value with its reason, never an exception. */
  verdict: AudioVerdict;
  /** Absent when the bytes could not be read. */
  media?: MediaInfo;
  quality?: AudioQuality;
  /** Absent if there is no usable speech; then nothing may be scored. */
  voice?: VoiceSample;
  /** Ascending net speech; only those that the audio reached. */
  checkpoints: VoiceSample[];
  /** The windows that `voice` is made of, ascending; a single one if there is little speech. */
  windows: VoiceWindow[];
  /** Absent if there is too little speech for two sides. */
  speakerChange?: SpeakerChange;
  /** Covers the sound up to the end of the last window; absent if there is no voice. */
  fingerprint?: Fingerprint;
  /** Where a checkpoint ended processing; absent if all audio was heard. */
  stoppedAtMs?: number;
  /** 0 to 100; absent when too little of the speech is voiced. */
  voiceClassScore?: number;
  /** Only the checks that were requested and could be made. */
  spoof: { synthetic?: SpoofScore; playback?: SpoofScore };
  speech: { startMs: number; endMs: number }[];
  /** No speech was found and all audio was used, because the caller asked for it. */
  allAudioUsed?: boolean;
  modelRevision: string;
  /** Milliseconds spent per stage. */
  timingsMs: Record<string, number>;
}

export interface InspectOptions {
  channel?: number;
  raw?: RawFormat;
  /** As in ProcessOptions. */
  gates?: AudioGates;
  /** Steps of the envelope; 0 leaves it out. */
  envelopePoints: number;
  /** Columns of the spectrogram; 0 leaves it out. */
  spectrogramColumns: number;
  /** Only look at the medium: no speech detection, no quality. */
  mediaOnly?: boolean;
  deadlineAtMs?: number;
  /** As in ProcessOptions. */
  client?: string;
}

/** An inspection of a recording, for people. Nothing in it identifies a voice. */
export interface InspectedAudio {
  verdict: AudioVerdict;
  /** Absent when the bytes could not be decoded. */
  media?: MediaInfo;
  quality?: AudioQuality;
  speech: { startMs: number; endMs: number }[];
  envelope?: Envelope;
  spectrogram?: Spectrogram;
}

export interface PlayOptions {
  /** 0 mixes all channels. */
  channel?: number;
  raw?: RawFormat;
  /** As in ProcessOptions. */
  client?: string;
}

/** A recording as 16-bit WAV with one channel, or why it cannot be played. */
export type PlayableAudio = { ok: true; wav: Uint8Array } | { ok: false; reason: string };

export interface HearWordsOptions {
  channel?: number;
  raw?: RawFormat;
  language: PromptLanguage;
  /** Words of `promptWords`, in order. */
  expected: readonly string[];
  /** As in ProcessOptions. */
  client?: string;
  priority?: WorkPriority;
  deadlineAtMs?: number;
}

/** How well expected words fit an answer. */
export interface AnswerHeard {
  /** Bad audio is a value with its reason, never an exception. */
  verdict: AudioVerdict;
  /** Absent when the bytes could not be read. */
  media?: MediaInfo;
  /** Absent if there is nothing to score. */
  words?: WordsHeard;
}

/**
 * Measures that need all of the sound again (counting speakers, the voice class) are not available for
 * streams.
 */
export interface StreamOptions extends Omit<
  ProcessOptions,
  'raw' | 'treatAllAsSpeech' | 'enableSegmentation'
> {
  format: StreamFormat;
}

export interface StreamProgress {
  /** Speech so far that no later audio can undo. */
  netMs: number;
  grossMs: number;
  /** Memory that the stream occupies. */
  heldBytes: number;
  /** No checkpoint can be reached before this much more audio has arrived, whatever it contains. */
  spareMs: number;
  /** Those newly reached. */
  checkpoints: CheckpointReached[];
  /** Set if the audio does not have the stated format; the stream is then of no further use. */
  fault?: string;
  /** The same, if nothing better follows. */
  doubt?: string;
}

/** Audio that is still arriving. Calls are answered in order. */
export interface EngineStream {
  /**
   * Pieces of any size, in order; for Opus, one packet each. AppError INVALID_REQUEST if they are not
   * packets.
   */
  push(...chunks: Uint8Array[]): Promise<StreamProgress>;
  /** The full result for everything that was pushed; ends the stream. */
  finish(): Promise<ProcessedAudio>;
  /** Stops early and discards the audio. */
  cancel(): void;
}

export interface EngineStats {
  /** The maximum number. */
  workers: number;
  /** Workers whose models are in memory now. */
  loaded: number;
  busy: number;
  queued: number;
  queueLimit: number;
  /** Jobs that have yielded to others and wait to be resumed. */
  suspended: number;
  /** Memory of the audio that workers have begun to process. */
  heldBytes: number;
  streams: number;
  processed: number;
  failed: number;
  rejected: number;
  restarts: number;
  /** Loaded workers that run the speaker network from its original file, and so more slowly. */
  warned: number;
}

export interface VoiceEngine {
  readonly model: SpeakerModel;
  readonly detectors: { synthetic?: DetectorInfo; playback?: DetectorInfo };
  /** AppError BUSY, DEADLINE_EXCEEDED, CANCELLED_CLIENT or INTERNAL_ERROR; everything else is a value. */
  processAudio(
    input: Uint8Array | AsyncIterable<Uint8Array>,
    options?: ProcessOptions,
    signal?: AbortSignal,
    atCheckpoint?: AtCheckpoint,
  ): Promise<ProcessedAudio>;
  /** Like processAudio, but only for drawing and judging: makes no voice sample. */
  inspectAudio(
    input: Uint8Array | AsyncIterable<Uint8Array>,
    options: InspectOptions,
    signal?: AbortSignal,
  ): Promise<InspectedAudio>;
  /** For listening: decodes in a worker, judges nothing. */
  toWav(
    input: Uint8Array | AsyncIterable<Uint8Array>,
    options: PlayOptions,
    signal?: AbortSignal,
  ): Promise<PlayableAudio>;
  /**
   * Scores a short answer (at most 30 s) against the words that were asked for. AppError INVALID_REQUEST for
   * words that `promptWords` does not have, NOT_IMPLEMENTED without a model for them.
   */
  hearWords(
    input: Uint8Array | AsyncIterable<Uint8Array>,
    options: HearWordsOptions,
    signal?: AbortSignal,
  ): Promise<AnswerHeard>;
  openStream(options: StreamOptions, signal?: AbortSignal): Promise<EngineStream>;
  stats(): EngineStats;
  healthy(): boolean;
  close(): Promise<void>;
}
