/**
 * RIFF/WAVE and its large-file sibling RF64, read by walking the chunks. Real recorders write wrong sizes,
 * unknown chunks and `data` lengths of zero or 2^32-1 (streams), so every size is clamped to the file; only a
 * missing format or missing data is an error.
 */
import type { ArrivingBytes } from '../arriving-bytes.js';
import type { SampleSink } from '../sample-sink.js';
import { DecodeFault, type Decoding } from '../types.js';
import { pushPcm, type PcmEncoding } from '../codecs/pcm.js';

interface WavFormat {
  tag: number;
  channels: number;
  sampleRateHz: number;
  blockAlign: number;
  bits: number;
}

const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_A_LAW = 6;
const FORMAT_MU_LAW = 7;
const FORMAT_EXTENSIBLE = 0xfffe;
// Tail of the sub-format GUID that marks "the first two bytes are an ordinary format tag".
const subFormatTail = [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71];

function ascii(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

function readFormat(view: DataView, at: number, size: number): WavFormat {
  if (size < 14) throw new DecodeFault('CORRUPT', 'The WAV format block is too short.');
  const format: WavFormat = {
    tag: view.getUint16(at, true),
    channels: view.getUint16(at + 2, true),
    sampleRateHz: view.getUint32(at + 4, true),
    blockAlign: view.getUint16(at + 12, true),
    bits: size >= 16 ? view.getUint16(at + 14, true) : 8,
  };
  if (format.tag === FORMAT_EXTENSIBLE) {
    if (size < 40) throw new DecodeFault('CORRUPT', 'The extensible WAV format block is too short.');
    if (subFormatTail.some((b, i) => view.getUint8(at + 26 + i) !== b)) {
      throw new DecodeFault('UNSUPPORTED_FORMAT', 'The WAV sub-format is not known.');
    }
    format.tag = view.getUint16(at + 24, true);
  }
  return format;
}

function encodingOf(format: WavFormat): { encoding: PcmEncoding; width: number } {
  const bytes = Math.ceil(format.bits / 8);
  // A sample may be stored in a wider container (24 bits in 4 bytes); it is then left-justified and reads as
  // the wider type.
  const padded = format.blockAlign / format.channels;
  const width =
    format.tag !== FORMAT_FLOAT && Number.isInteger(padded) && padded > bytes && padded <= 4 ? padded : bytes;
  switch (format.tag) {
    case FORMAT_PCM:
      if (width === 1) return { encoding: 'u8', width };
      if (width === 2) return { encoding: 's16le', width };
      if (width === 3) return { encoding: 's24le', width };
      if (width === 4) return { encoding: 's32le', width };
      break;
    case FORMAT_FLOAT:
      if (width === 4) return { encoding: 'f32le', width };
      if (width === 8) return { encoding: 'f64le', width };
      break;
    case FORMAT_A_LAW:
      return { encoding: 'alaw', width: 1 };
    case FORMAT_MU_LAW:
      return { encoding: 'mulaw', width: 1 };
  }
  throw new DecodeFault(
    'UNSUPPORTED_FORMAT',
    `WAV format ${format.tag} with ${format.bits} bits is not supported.`,
  );
}

/** A chunk's name and size, and as much of a format block as is read. */
const CHUNK_HEAD_BYTES = 8 + 40;

export async function* decodeWav(sink: SampleSink, file: ArrivingBytes): Decoding {
  const bytes = file.all;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: WavFormat | undefined;
  let data: { at: number; size: number } | undefined;
  let at = 12;
  while (at + 8 <= bytes.length) {
    yield* file.until(at + CHUNK_HEAD_BYTES);
    const stated = view.getUint32(at + 4, true);
    const left = bytes.length - at - 8;
    if (ascii(bytes, at, 'fmt ') && format === undefined) {
      format = readFormat(view, at + 8, Math.min(stated, left));
    } else if (ascii(bytes, at, 'data') && data === undefined) {
      const open = stated === 0 || stated >= 0x7ffff000;
      if (stated > left && !open) sink.truncated = true;
      data = { at: at + 8, size: open ? left : Math.min(stated, left) };
      if (format !== undefined) break;
    }
    at += 8 + stated + (stated & 1);
  }
  if (format === undefined) throw new DecodeFault('CORRUPT', 'The WAV file has no format block.');
  if (data === undefined) throw new DecodeFault('NO_AUDIO', 'The WAV file has no data block.');
  if (format.channels === 0) throw new DecodeFault('CORRUPT', 'The WAV file states zero channels.');
  const { encoding, width } = encodingOf(format);
  const frames = Math.floor(data.size / (width * format.channels));
  sink.begin(format.sampleRateHz, format.channels, frames);
  if (format.blockAlign !== width * format.channels)
    sink.warn('The WAV header states a wrong block size; the sample width was used.');
  if (sink.truncated) sink.warn('The WAV file is shorter than its header says.');
  sink.codec = encoding === 'alaw' || encoding === 'mulaw' ? encoding : `pcm_${encoding}`;
  yield* pushPcm(sink, file, { offset: data.at, frames, encoding, stride: width });
}
