/**
 * Ogg pages to packets (RFC 3533). Only the first logical stream that carries a known audio codec is followed; pages with a
 * wrong checksum are dropped, as every Ogg reader does, so damage cannot be mistaken for a packet.
 */
import type { WorkBudget } from '../work-budget.js';

export interface OggPacket {
  data: Uint8Array;
  /** Granule position of the page on which the packet ends, if it is the last packet of that page. */
  granule: number | undefined;
  lastPage: boolean;
}

const PACKET_BYTES_MAX = 1 << 18;

const crcTable = Uint32Array.from({ length: 256 }, (_, i) => {
  let c = i << 24;
  for (let k = 0; k < 8; k++) c = c & 0x80000000 ? (c << 1) ^ 0x04c11db7 : c << 1;
  return c >>> 0;
});

export function oggPageCrc(page: Uint8Array): number {
  let crc = 0;
  for (let i = 0; i < page.length; i++) {
    const byte = i >= 22 && i < 26 ? 0 : (page[i] as number);
    crc = ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 0xff] as number)) >>> 0;
  }
  return crc;
}

function findCapture(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x4f, from); at >= 0; at = bytes.indexOf(0x4f, at + 1)) {
    if (bytes[at + 1] === 0x67 && bytes[at + 2] === 0x67 && bytes[at + 3] === 0x53) return at;
  }
  return -1;
}

function granuleAt(bytes: Uint8Array, at: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
  const high = view.getInt32(4, true);
  if (high < 0) return undefined;
  return high * 2 ** 32 + view.getUint32(0, true);
}

export interface OggDamage {
  badPages: number;
}

interface Page {
  at: number;
  segments: number;
  bodyAt: number;
  end: number;
  flags: number;
  serial: number;
}

const CONTINUES = 1;
const BEGINS = 2;
const LAST = 4;

/** The page that begins at `at`; undefined if its end is missing or its checksum wrong. */
function readPage(bytes: Uint8Array, at: number, budget: WorkBudget): Page | undefined {
  const segments = bytes[at + 26] as number;
  const bodyAt = at + 27 + segments;
  let end = bodyAt;
  for (let i = at + 27; i < bodyAt; i++) end += bytes[i] ?? 0;
  if (end > bytes.length) {
    budget.waste(segments);
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 27);
  if (view.getUint32(22, true) !== oggPageCrc(bytes.subarray(at, end))) {
    // A page is up to 64 KiB, and the next one may claim to begin four bytes later.
    budget.waste(end - at);
    return undefined;
  }
  return { at, segments, bodyAt, end, flags: bytes[at + 5] as number, serial: view.getUint32(14, true) };
}

/** Reassembles packets that span pages. */
class Packets {
  readonly #bytes: Uint8Array;
  readonly #damage: OggDamage;
  #parts: Uint8Array[] = [];
  #partBytes = 0;

  constructor(bytes: Uint8Array, damage: OggDamage) {
    this.#bytes = bytes;
    this.#damage = damage;
  }

  /** A lost page breaks the packet that spans it. */
  drop(): void {
    this.#parts = [];
    this.#partBytes = 0;
  }

  *of(page: Page): Generator<OggPacket> {
    const { at, segments, bodyAt, flags } = page;
    if (!(flags & CONTINUES)) this.drop();
    // If a page continues a packet whose beginning is missing, that piece is skipped.
    let orphan = (flags & CONTINUES) !== 0 && this.#parts.length === 0;
    const laces = this.#bytes.subarray(at + 27, at + 27 + segments);
    const lastEnd = laces.findLastIndex((lace) => lace < 255);
    let [start, end] = [bodyAt, bodyAt];
    for (const [i, lace] of laces.entries()) {
      end += lace;
      if (lace === 255) continue;
      if (!orphan) {
        this.#parts.push(this.#bytes.subarray(start, end));
        const isLast = i === lastEnd;
        yield {
          data: this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : join(this.#parts),
          granule: isLast ? granuleAt(this.#bytes, at + 6) : undefined,
          lastPage: (flags & LAST) !== 0 && isLast,
        };
      }
      orphan = false;
      this.drop();
      start = end;
    }
    if (start < end && !orphan) this.#begin(start, end);
  }

  #begin(start: number, end: number): void {
    this.#parts.push(this.#bytes.subarray(start, end));
    this.#partBytes += end - start;
    if (this.#partBytes <= PACKET_BYTES_MAX) return;
    this.#damage.badPages++;
    this.drop();
  }
}

/** All packets of the first stream whose first packet `accepts` approves. */
export function* oggPackets(
  bytes: Uint8Array,
  accepts: (first: Uint8Array) => boolean,
  damage: OggDamage,
  budget: WorkBudget,
): Generator<OggPacket> {
  let serial: number | undefined;
  const packets = new Packets(bytes, damage);
  let at = findCapture(bytes, 0);
  while (at >= 0 && at + 27 <= bytes.length) {
    const page = readPage(bytes, at, budget);
    if (!page) {
      damage.badPages++;
      packets.drop();
      at = findCapture(bytes, at + 4);
      continue;
    }
    if (serial === undefined && page.flags & BEGINS && accepts(bytes.subarray(page.bodyAt, page.end)))
      serial = page.serial;
    if (page.serial === serial) {
      yield* packets.of(page);
      if (page.flags & LAST) return;
    }
    at = bytes[page.end] === 0x4f && bytes[page.end + 1] === 0x67 ? page.end : findCapture(bytes, page.end);
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
