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

export interface ProcessOptions {
  /** 0 mixes all channels (the default), 1 is left, 2 right. */
  channel?: number;
  /** Headerless input only; otherwise the container is recognized by its content. */
  raw?: RawFormat;
  /** Of input that comes in pieces: how long it is. Known, it is read no further than it is listened to. */
  totalBytes?: number;
  /** Absent: those that config sets start with, for verification. */
  gates?: AudioGates;
  /** Speech beyond this is not used. */
  maxNetSpeechMs?: number;
  /** A voice sample of the first so many milliseconds of net speech, for each that the audio reaches. */
  checkpointsMs?: readonly number[];
  spoof?: { synthetic?: boolean; playback?: boolean };
  /** Count the speakers; costs several more embeddings. */
  enableSegmentation?: boolean;
  /** Milliseconds since 1970 after which the answer is of no use. */
  deadlineAtMs?: number;
  /** Whose work this is; clients take turns in the queue. Absent: all such work shares one turn. */
  client?: string;
  /** Live calls go first, background work last; `normal` when absent. */
  priority?: WorkPriority;
  /**
   * For accuracy measurements only: where no speech is found, treat all audio as speech, so that a
   * trial is not lost. The service never sets it: it would turn noise into a voice.
   */
  treatAllAsSpeech?: boolean;
}

export type WorkPriority = 'live' | 'normal' | 'background';

/** What is known when a checkpoint is reached: of the audio heard so far, and of nothing behind it. */
export interface CheckpointReached {
  /** The entry of `checkpointsMs`. */
  checkpointMs: number;
  voice: VoiceSample;
  /** So far, ascending. */
  windows: VoiceWindow[];
  /** Absent while there is too little speech to have two sides. */
  speakerChange?: SpeakerChange;
  verdict: AudioVerdict;
  quality: AudioQuality;
  /** Of streams only: the checks that were asked for and could be made. */
  spoof?: ProcessedAudio['spoof'];
}

/** Answers whether that is enough; then nothing behind the checkpoint is decoded, listened to or embedded. */
export type AtCheckpoint = (point: CheckpointReached) => Promise<boolean>;

export interface MediaInfo {
  container: string;
  codec: string;
  channels: number;
  sampleRateHz: number;
  /** Unset for one-channel media. */
  selectedChannel: number | undefined;
  /** All channels were mixed, and were the same: it is one channel that is there several times. */
  isOneSound?: boolean;
  durationMs: number;
  /** False where the listening ended early and no header tells how long the recording is: it lasts at least so long. */
  durationKnown: boolean;
  truncated: boolean;
  warnings: string[];
}

export interface ProcessedAudio {
  /** Bad audio is a value with its reason, never an exception. */
  verdict: AudioVerdict;
  /** Absent when the bytes could not be decoded. */
  media?: MediaInfo;
  quality?: AudioQuality;
  /** Absent when there is no usable speech; then nothing may be scored. */
  voice?: VoiceSample;
  /** Ascending net speech; only those that the audio reached. */
  checkpoints: VoiceSample[];
  /** What `voice` is made of, ascending; a single one when there is little speech. */
  windows: VoiceWindow[];
  /** Absent where there is too little speech to have two sides. */
  speakerChange?: SpeakerChange;
  /** Of the sound up to the end of the last window; absent when there is no voice. */
  fingerprint?: Fingerprint;
  /** Where a checkpoint ended the listening; absent when all audio was heard. */
  stoppedAtMs?: number;
  /** 0 to 100; absent when too little of the speech is voiced. */
  voiceClassScore?: number;
  /** Only the checks that were asked for and could be made. */
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

/** A look inside a recording, for people. Nothing in it identifies a voice. */
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

/** A recording as 16-bit WAV of one channel, or why it cannot be played. */
export type PlayableAudio = { ok: true; wav: Uint8Array } | { ok: false; reason: string };

/** What needs all of the sound again (counting speakers, the voice class) is not told of streams. */
export interface StreamOptions extends Omit<
  ProcessOptions,
  'raw' | 'treatAllAsSpeech' | 'enableSegmentation'
> {
  format: StreamFormat;
}

export interface StreamProgress {
  /** Speech so far that no later audio can take back. */
  netMs: number;
  grossMs: number;
  /** Memory that the stream occupies. */
  heldBytes: number;
  /** No checkpoint can be reached before so much more audio has come, whatever is said in it. */
  spareMs: number;
  /** Those newly reached. */
  checkpoints: CheckpointReached[];
  /** Set where the audio is none of its format; the stream is of no further use. */
  fault?: string;
}

/** Audio that is still arriving. Calls are answered in order. */
export interface EngineStream {
  /** Pieces of any size in the order of the call; of Opus one packet each. AppError INVALID_REQUEST where they are none. */
  push(...chunks: Uint8Array[]): Promise<StreamProgress>;
  /** The full result for everything that was pushed; the stream is over. */
  finish(): Promise<ProcessedAudio>;
  /** Early stop: forgets the audio. */
  cancel(): void;
}

export interface EngineStats {
  /** The most there may be. */
  workers: number;
  /** Those that have their models in memory now. */
  loaded: number;
  busy: number;
  queued: number;
  queueLimit: number;
  /** Jobs that gave way to others and wait to be taken up again. */
  suspended: number;
  /** Memory of the audio that workers have begun with. */
  heldBytes: number;
  streams: number;
  processed: number;
  failed: number;
  rejected: number;
  restarts: number;
  /** Loaded workers that run the speaker network as its file has it, and so more slowly. */
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
  /** As processAudio, but for drawing and judging only: no voice sample is made. */
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
  openStream(options: StreamOptions, signal?: AbortSignal): Promise<EngineStream>;
  stats(): EngineStats;
  healthy(): boolean;
  close(): Promise<void>;
}
