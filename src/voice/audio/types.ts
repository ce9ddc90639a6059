/**
 * The vocabulary of audio input: what a decoder returns, and the ways in which a file can be unusable. An
 * unusable file is an expected outcome, so it is a value with a reason and not an exception.
 */

export type RawEncoding = 's16le' | 'alaw' | 'mulaw';

/** How to read bytes that carry no header of their own. */
export interface RawFormat {
  encoding: RawEncoding;
  sampleRateHz: number;
  channels: number;
}

/** Audio that arrives without a container; Opus one packet at a time. */
export type StreamFormat = RawFormat | { encoding: 'opus'; sampleRateHz: number; channels: number };

interface DecodeLimits {
  maxBytes: number;
  maxDurationMs: number;
}

export const defaultDecodeLimits: Readonly<DecodeLimits> = Object.freeze({
  maxBytes: 50 * 1024 * 1024,
  maxDurationMs: 60 * 60 * 1000,
});

/** Below the lower one, too little of a voice is left; the higher one is the highest that recorders use. */
export const SAMPLE_RATE_HZ_MIN = 6000;
export const SAMPLE_RATE_HZ_MAX = 192_000;
export const CHANNELS_MAX = 8;

export interface DecodeOptions {
  /** 0: all channels mixed to one (the default); 1: left; 2: right; n: the n-th. Ignored for one channel. */
  channel?: number;
  /** If given, the bytes are headerless; if absent, the container is recognized by its content. */
  raw?: RawFormat;
  limits?: Partial<DecodeLimits>;
}

export type Container = 'wav' | 'raw' | 'flac' | 'mp3' | 'ogg' | 'webm';

/** A decoder at work: fills the sink, and pauses now and then. */
export type Decoding = AsyncGenerator<void, void, void>;

/** What a file turned out to be. */
export interface MediaFacts {
  ok: true;
  sampleRateHz: number;
  /** The rate the medium states. Differs from `sampleRateHz` only for Opus, which is decoded at 16 kHz directly. */
  mediaSampleRateHz: number;
  /** Channels of the medium, before selection. */
  channels: number;
  /** Unset for one-channel media, where there is nothing to select. */
  selectedChannel: number | undefined;
  /** All channels were mixed and were identical in everything that was read. */
  isOneSound?: boolean;
  container: Container;
  codec: string;
  durationMs: number;
  /** False if reading ended early and no header tells the length. */
  durationKnown: boolean;
  /** The file ended before its own header said it would; the readable part is here. */
  truncated: boolean;
  warnings: string[];
}

export interface DecodedAudio extends MediaFacts {
  /** One channel, within -1..1, at `sampleRateHz`. */
  samples: Float32Array;
}

type InvalidAudioCode =
  | 'EMPTY'
  | 'TOO_LARGE'
  | 'TOO_LONG'
  | 'UNSUPPORTED_FORMAT'
  | 'UNSUPPORTED_RATE'
  | 'NO_SUCH_CHANNEL'
  | 'NO_AUDIO'
  | 'CORRUPT';

/** A limit that readable audio exceeds. */
export interface ExceededLimit {
  measure: 'duration_s' | 'sampling_rate_hz' | 'channels' | 'bytes';
  value: number;
  min?: number;
  max: number;
}

export interface InvalidAudio {
  ok: false;
  code: InvalidAudioCode;
  reason: string;
  exceeded?: ExceededLimit;
  /** What the file says of itself, if it was read that far. */
  media?: Omit<MediaFacts, 'ok'>;
}

/**
 * How decoders report failure internally; `decodeAudio` turns it into an InvalidAudio value. It never leaves
 * this folder.
 */
export class DecodeFault extends Error {
  readonly code: InvalidAudioCode;
  readonly exceeded: ExceededLimit | undefined;

  constructor(code: InvalidAudioCode, message: string, exceeded?: ExceededLimit) {
    super(message);
    this.code = code;
    this.exceeded = exceeded;
  }
}
