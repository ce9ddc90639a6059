/**
 * WebM/Matroska demultiplexing (RFC 8794 and RFC 9559), as far as one audio track needs it: elements are
 * walked in file order without recursion, containers are simply entered, and every other element is skipped
 * by its size.
 */
import { DecodeFault } from '../types.js';

export interface WebmTrack {
  number: number;
  codec: string;
  codecPrivate: Uint8Array | undefined;
  codecDelayNs: number;
}

const ID_SEGMENT = 0x18538067;
const ID_TRACKS = 0x1654ae6b;
const ID_TRACK_ENTRY = 0xae;
const ID_TRACK_NUMBER = 0xd7;
const ID_TRACK_TYPE = 0x83;
const ID_CODEC_ID = 0x86;
const ID_CODEC_PRIVATE = 0x63a2;
const ID_CODEC_DELAY = 0x56aa;
const ID_AUDIO = 0xe1;
const ID_CLUSTER = 0x1f43b675;
const ID_BLOCK_GROUP = 0xa0;
const ID_BLOCK = 0xa1;
const ID_SIMPLE_BLOCK = 0xa3;
const entered = new Set([ID_SEGMENT, ID_TRACKS, ID_TRACK_ENTRY, ID_AUDIO, ID_CLUSTER, ID_BLOCK_GROUP]);
const TRACK_TYPE_AUDIO = 2;

interface Element {
  id: number;
  dataAt: number;
  /** -1: size unknown, runs until its parent ends. */
  size: number;
}

function readElement(b: Uint8Array, at: number): Element | undefined {
  const first = b[at];
  if (first === undefined || first < 0x10) return undefined;
  const idLength = Math.clz32(first) - 23;
  let id = 0;
  for (let i = 0; i < idLength; i++) id = id * 256 + (b[at + i] ?? 0);
  const size = readVint(b, at + idLength);
  if (size === undefined) return undefined;
  return { id, dataAt: at + idLength + size.length, size: size.value };
}

/** Variable-length integer; -1 for the reserved "unknown" pattern. */
function readVint(b: Uint8Array, at: number): { value: number; length: number } | undefined {
  const first = b[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  let value = first & (2 ** (8 - length) - 1);
  let ones = value === 2 ** (8 - length) - 1;
  for (let i = 1; i < length; i++) {
    const byte = b[at + i];
    if (byte === undefined) return undefined;
    value = value * 256 + byte;
    ones = ones && byte === 255;
  }
  return { value: ones ? -1 : value, length };
}

function unsignedOf(b: Uint8Array): number {
  let v = 0;
  for (let i = 0; i < Math.min(b.length, 8); i++) v = v * 256 + (b[i] as number);
  return v;
}

/** Splits the frames of a block; lacing packs several into one (RFC 9559 section 10.3). */
function* blockFrames(b: Uint8Array, trackNumber: number): Generator<Uint8Array> {
  const track = readVint(b, 0);
  if (track === undefined || track.value !== trackNumber || b.length < track.length + 3) return;
  const lacing = ((b[track.length + 2] as number) >> 1) & 3;
  let at = track.length + 3;
  if (lacing === 0) {
    yield b.subarray(at);
    return;
  }
  const count = (b[at++] ?? 0) + 1;
  const sizes: number[] = [];
  if (lacing === 2) {
    const each = Math.floor((b.length - at) / count);
    for (let i = 0; i < count - 1; i++) sizes.push(each);
  } else if (lacing === 1) {
    for (let i = 0; i < count - 1; i++) {
      let size = 0;
      while (b[at] === 255) {
        size += 255;
        at++;
      }
      size += b[at++] ?? 0;
      sizes.push(size);
    }
  } else {
    let size = 0;
    for (let i = 0; i < count - 1; i++) {
      const v = readVint(b, at);
      if (v === undefined) return;
      at += v.length;
      size = i === 0 ? v.value : size + v.value - (2 ** (7 * v.length - 1) - 1);
      sizes.push(size);
    }
  }
  for (const size of sizes) {
    if (size < 0 || at + size > b.length) return;
    yield b.subarray(at, at + size);
    at += size;
  }
  if (at < b.length) yield b.subarray(at);
}

/** Walks the file once: first reports the audio track, then yields its frames. */
export function* webmFrames(bytes: Uint8Array, onTrack: (track: WebmTrack) => void): Generator<Uint8Array> {
  let chosen: WebmTrack | undefined;
  let entry: (WebmTrack & { type: number; end: number }) | undefined;
  const close = (): void => {
    if (
      entry !== undefined &&
      chosen === undefined &&
      entry.type === TRACK_TYPE_AUDIO &&
      entry.codec !== ''
    ) {
      chosen = entry;
      onTrack(entry);
    }
    entry = undefined;
  };
  let at = 0;
  while (at < bytes.length) {
    if (entry !== undefined && at >= entry.end) close();
    const element = readElement(bytes, at);
    if (element === undefined) break;
    const { id, dataAt } = element;
    const end = element.size < 0 ? bytes.length : Math.min(bytes.length, dataAt + element.size);
    if (entered.has(id)) {
      if (id === ID_TRACK_ENTRY) {
        close();
        entry = { number: 0, codec: '', codecPrivate: undefined, codecDelayNs: 0, type: 0, end };
      } else if (id === ID_CLUSTER) close();
      at = dataAt;
      continue;
    }
    if (element.size < 0) break;
    const data = bytes.subarray(dataAt, end);
    if (entry !== undefined) {
      if (id === ID_TRACK_NUMBER) entry.number = unsignedOf(data);
      else if (id === ID_TRACK_TYPE) entry.type = unsignedOf(data);
      else if (id === ID_CODEC_ID)
        entry.codec = String.fromCharCode(...data.subarray(0, 64)).replace(/\0+$/, '');
      else if (id === ID_CODEC_PRIVATE) entry.codecPrivate = data;
      else if (id === ID_CODEC_DELAY) entry.codecDelayNs = unsignedOf(data);
    } else if (id === ID_SIMPLE_BLOCK || id === ID_BLOCK) {
      if (chosen === undefined)
        throw new DecodeFault('UNSUPPORTED_FORMAT', 'The WebM file has no audio track.');
      yield* blockFrames(data, chosen.number);
    }
    at = end;
  }
  if (chosen === undefined) close();
  if (chosen === undefined) throw new DecodeFault('UNSUPPORTED_FORMAT', 'The WebM file has no audio track.');
}
