/**
 * Ogg pages to packets (RFC 3533). Only the first logical stream that carries a known audio codec is followed; pages with a
 * wrong checksum are dropped, as every Ogg reader does, so damage cannot be mistaken for a packet.
 */
import type { WorkBudget } from '../work-budget.js';

export interface OggPacket {
  data: Uint8Array;
  /** Granule position of the page on which the packet ends, for the last packet of that page; otherwise undefined. */
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

/** All packets of the first stream for which `accepts` says yes to the first packet. */
export function* oggPackets(
  bytes: Uint8Array,
  accepts: (first: Uint8Array) => boolean,
  damage: OggDamage,
  budget: WorkBudget,
): Generator<OggPacket> {
  let serial: number | undefined;
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  let at = findCapture(bytes, 0);
  while (at >= 0 && at + 27 <= bytes.length) {
    const segments = bytes[at + 26] as number;
    const bodyAt = at + 27 + segments;
    let bodySize = 0;
    for (let i = at + 27; i < bodyAt; i++) bodySize += bytes[i] ?? 0;
    const end = bodyAt + bodySize;
    if (end > bytes.length) {
      damage.badPages++;
      budget.waste(segments);
      at = findCapture(bytes, at + 4);
      continue;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 27);
    if (view.getUint32(22, true) !== oggPageCrc(bytes.subarray(at, end))) {
      damage.badPages++;
      // A page is up to 64 KiB, and the next one may claim to begin four bytes on.
      budget.waste(end - at);
      // A lost page breaks the packet that runs across it.
      parts = [];
      partBytes = 0;
      at = findCapture(bytes, at + 4);
      continue;
    }
    const flags = bytes[at + 5] as number;
    const pageSerial = view.getUint32(14, true);
    if (serial === undefined && flags & 2 && accepts(bytes.subarray(bodyAt, end))) serial = pageSerial;
    if (pageSerial === serial) {
      if (!(flags & 1) && parts.length > 0) {
        parts = [];
        partBytes = 0;
      }
      // A page that continues a packet of which we have no beginning: that piece is skipped.
      let orphan = (flags & 1) !== 0 && parts.length === 0;
      const granule = granuleAt(bytes, at + 6);
      let p = bodyAt;
      let start = bodyAt;
      let lastEnd = -1;
      for (let i = segments - 1; i >= 0; i--) {
        if ((bytes[at + 27 + i] as number) < 255) {
          lastEnd = i;
          break;
        }
      }
      for (let i = 0; i < segments; i++) {
        const lace = bytes[at + 27 + i] as number;
        p += lace;
        if (lace === 255) continue;
        if (!orphan) {
          parts.push(bytes.subarray(start, p));
          const data = parts.length === 1 ? (parts[0] as Uint8Array) : join(parts);
          yield {
            data,
            granule: i === lastEnd ? granule : undefined,
            lastPage: (flags & 4) !== 0 && i === lastEnd,
          };
        }
        orphan = false;
        parts = [];
        partBytes = 0;
        start = p;
      }
      if (start < p && !orphan) {
        parts.push(bytes.subarray(start, p));
        partBytes += p - start;
        if (partBytes > PACKET_BYTES_MAX) {
          damage.badPages++;
          parts = [];
          partBytes = 0;
        }
      }
      if (flags & 4) return;
    }
    at = bytes[end] === 0x4f && bytes[end + 1] === 0x67 ? end : findCapture(bytes, end);
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
