/**
 * The one way in for audio: bytes of any supported container to one channel of samples. The container is recognised by its
 * content, never by a name the caller gives. Hostile input ends in an InvalidAudio value; nothing is thrown.
 */
import { findMp3Start } from './mp3.js';
import { decodeFlac } from './flac.js';
import { decodeMp3 } from './mp3.js';
import { decodeOgg } from './ogg-audio.js';
import { decodeRaw } from './pcm.js';
import { decodeWav } from './wav.js';
import { decodeWebm } from './webm-audio.js';
import { SampleSink } from './sample-sink.js';
import {
  DecodeFault,
  defaultDecodeLimits,
  type Container,
  type DecodedAudio,
  type DecodeOptions,
  type InvalidAudio,
} from './types.js';

function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Names the container by its first bytes; MP3 has no magic number, so it is tried last and must show two frames in a row. */
export function sniffContainer(bytes: Uint8Array): Exclude<Container, 'raw'> | undefined {
  if ((startsWith(bytes, 'RIFF') || startsWith(bytes, 'RF64')) && startsWith(bytes, 'WAVE', 8)) return 'wav';
  if (startsWith(bytes, 'fLaC')) return 'flac';
  if (startsWith(bytes, 'OggS')) return 'ogg';
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return 'webm';
  if (startsWith(bytes, 'ID3')) return 'mp3';
  if (bytes[0] === 0xff && findMp3Start(bytes, 0) === 0) return 'mp3';
  return undefined;
}

interface Decoded {
  codec: string;
  mediaRateHz: number | undefined;
}

async function dispatch(
  container: Container,
  sink: SampleSink,
  bytes: Uint8Array,
  options: DecodeOptions,
): Promise<Decoded> {
  const plain = (codec: string): Decoded => ({ codec, mediaRateHz: undefined });
  switch (container) {
    case 'raw':
      return plain(decodeRaw(sink, bytes, options.raw as NonNullable<DecodeOptions['raw']>));
    case 'wav':
      return plain(decodeWav(sink, bytes));
    case 'flac':
      return plain(decodeFlac(sink, bytes));
    case 'mp3':
      return plain(await decodeMp3(sink, bytes));
    case 'ogg':
      return decodeOgg(sink, bytes);
    case 'webm':
      return decodeWebm(sink, bytes);
  }
}

function invalid(code: InvalidAudio['code'], reason: string): InvalidAudio {
  return { ok: false, code, reason };
}

export async function decodeAudio(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Promise<DecodedAudio | InvalidAudio> {
  const limits = { ...defaultDecodeLimits, ...options.limits };
  const channel = options.channel ?? 0;
  if (bytes.length === 0) return invalid('EMPTY', 'The audio is empty.');
  if (bytes.length > limits.maxBytes)
    return invalid('TOO_LARGE', `The audio is larger than ${limits.maxBytes} bytes.`);
  if (!Number.isInteger(channel) || channel < 0)
    return invalid('NO_SUCH_CHANNEL', 'The channel must be 0 (all), 1 (left) or 2 (right).');
  const container = options.raw !== undefined ? 'raw' : sniffContainer(bytes);
  if (container === undefined) {
    return invalid(
      'UNSUPPORTED_FORMAT',
      'The audio format is not recognised. WAV, FLAC, MP3, Ogg (Opus, Vorbis, FLAC) and WebM (Opus, Vorbis) can be used.',
    );
  }
  const sink = new SampleSink(channel, limits.maxDurationMs);
  let decoded: Decoded;
  try {
    decoded = await dispatch(container, sink, bytes, options);
  } catch (fault) {
    if (fault instanceof DecodeFault) return invalid(fault.code, fault.message);
    // Anything else comes out of a WebAssembly codec that met input it could not bear (a trap, a refused allocation).
    return invalid('CORRUPT', `The ${container} audio is damaged.`);
  }
  const samples = sink.finish();
  if (samples.length === 0) return invalid('NO_AUDIO', 'The file holds no audio that can be read.');
  return {
    ok: true,
    samples,
    sampleRateHz: sink.sampleRateHz,
    mediaSampleRateHz: decoded.mediaRateHz ?? sink.sampleRateHz,
    channels: sink.channels,
    selectedChannel: sink.channels === 1 ? undefined : channel,
    container,
    codec: decoded.codec,
    durationMs: (samples.length / sink.sampleRateHz) * 1000,
    truncated: sink.truncated,
    warnings: sink.warnings,
  };
}
