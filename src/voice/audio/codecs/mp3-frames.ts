/**
 * MPEG audio layer III, frame by frame: the positions of the frames, and the contents of their headers. The
 * decoder gets only whole frames of one kind, so that it cannot be made to search for long.
 */
import type { WorkBudget } from '../work-budget.js';

interface Mp3Header {
  sampleRateHz: number;
  channels: number;
  frameBytes: number;
  /** Samples per channel. */
  samples: number;
  /** Where the side information ends, from the start of the frame. */
  sideEnd: number;
}

const bitratesV1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const ratesV1 = [44100, 48000, 32000];

function readMp3Header(b: Uint8Array, at: number): Mp3Header | undefined {
  const b1 = b[at + 1] ?? 0;
  const b2 = b[at + 2] ?? 0;
  if (b[at] !== 0xff || (b1 & 0xe0) !== 0xe0 || at + 4 > b.length) return undefined;
  const version = (b1 >> 3) & 3; // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = (b1 >> 1) & 3; // 1: layer III
  const first = version === 3;
  const bitrate = (first ? bitratesV1 : bitratesV2)[b2 >> 4];
  const base = ratesV1[(b2 >> 2) & 3];
  if (version === 1 || layer !== 1 || bitrate === undefined || bitrate === 0 || base === undefined)
    return undefined;
  const sampleRateHz = first ? base : version === 2 ? base / 2 : base / 4;
  const frameBytes = Math.floor(((first ? 144 : 72) * bitrate * 1000) / sampleRateHz) + ((b2 >> 1) & 1);
  const channels = (b[at + 3] as number) >> 6 === 3 ? 1 : 2;
  const side = first ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return { sampleRateHz, channels, frameBytes, samples: first ? 1152 : 576, sideEnd: 4 + side };
}

/** Size of an ID3v2 tag at the start, or 0. */
function id3Size(b: Uint8Array): number {
  if (b[0] !== 0x49 || b[1] !== 0x44 || b[2] !== 0x33 || b.length < 10) return 0;
  return (
    10 +
    (((b[6] as number) & 127) << 21) +
    (((b[7] as number) & 127) << 14) +
    (((b[8] as number) & 127) << 7) +
    ((b[9] as number) & 127)
  );
}

/** Offset of the first frame: a header that is followed by a second one of the same kind, or by the end of the file. */
export function findMp3Start(b: Uint8Array, searchBytes: number): number {
  const from = Math.min(id3Size(b), b.length);
  const limit = Math.min(b.length - 4, from + searchBytes);
  for (let at = b.indexOf(0xff, from); at >= 0 && at <= limit; at = b.indexOf(0xff, at + 1)) {
    const header = readMp3Header(b, at);
    if (header === undefined) continue;
    const next = at + header.frameBytes;
    if (next >= b.length) return at;
    const second = readMp3Header(b, next);
    if (second !== undefined && second.sampleRateHz === header.sampleRateHz) return at;
  }
  return -1;
}

/** Silence that the encoder added before and after the sound, in samples. */
interface Padding {
  before: number;
  after: number;
}

/** Every layer III decoder delays the sound by this much, and encoders rely on it. */
const DECODER_DELAY = 529;

/** In many files the first frame has no sound, but an index and the encoder's notes. */
function readInfoFrame(b: Uint8Array, at: number, header: Mp3Header): Padding | undefined {
  const word = (from: number): string => String.fromCharCode(...b.subarray(at + from, at + from + 4));
  const none = { before: 0, after: 0 };
  if (word(36) === 'VBRI') return none;
  if (!['Xing', 'Info'].includes(word(header.sideEnd))) return undefined;
  const flags = b[at + header.sideEnd + 7] ?? 0;
  const fields = [4, 4, 100, 4].reduce((sum, size, bit) => sum + ((flags >> bit) & 1 ? size : 0), 0);
  const notes = header.sideEnd + 8 + fields;
  if (notes + 24 > header.frameBytes || !/^L(AME|avc|avf)/.test(word(notes))) return none;
  const bits = [21, 22, 23].reduce((value, from) => value * 256 + (b[at + notes + from] ?? 0), 0);
  const [delay, padding] = [bits >> 12, bits & 4095];
  return { before: delay + DECODER_DELAY, after: Math.max(0, padding - DECODER_DELAY) };
}

interface Mp3Frames {
  first: Mp3Header;
  /** The whole frames of that kind, one after another. */
  data: Uint8Array;
  frames: number;
  padding: Padding;
  /** Bytes between frames were skipped, or the last frame is cut off. */
  damaged: boolean;
}

/** All frames of the same kind as the first; anything between them is left out. */
export function collectMp3Frames(
  bytes: Uint8Array,
  start: number,
  budget: WorkBudget,
): Mp3Frames | undefined {
  const first = readMp3Header(bytes, start);
  if (!first) return undefined;
  const data = new Uint8Array(bytes.length - start);
  let [filled, frames, damaged] = [0, 0, false];
  const info = readInfoFrame(bytes, start, first);
  for (let at = start; at >= 0 && at < bytes.length;) {
    const header = readMp3Header(bytes, at);
    const end = at + (header?.frameBytes ?? 0);
    const fits = header?.sampleRateHz === first.sampleRateHz && header.channels === first.channels;
    // A frame must be followed by another one or by the end; a sync pattern inside the sound is not.
    if (header && fits && end <= bytes.length && (end === bytes.length || isFollowed(bytes, end))) {
      if (at > start || !info) {
        data.set(bytes.subarray(at, end), filled);
        filled += header.frameBytes;
        frames++;
      }
      at = end;
      continue;
    }
    const next = bytes.indexOf(0xff, at + 1);
    budget.waste(1);
    damaged ||= !isTag(bytes, at);
    at = next;
  }
  return { first, data: data.subarray(0, filled), frames, padding: info ?? { before: 0, after: 0 }, damaged };
}

function isFollowed(bytes: Uint8Array, at: number): boolean {
  return readMp3Header(bytes, at) !== undefined || isTag(bytes, at) || at + 4 > bytes.length;
}

/** A tag with names and pictures at the end of a file. */
function isTag(bytes: Uint8Array, at: number): boolean {
  const word = String.fromCharCode(...bytes.subarray(at, at + 4));
  return word.startsWith('TAG') || word === 'APET' || word.startsWith('ID3') || word === 'LYRI';
}
