/** Opus packets to an Ogg file (RFC 7845), so that packets of a call can be heard like a recording. */
import { oggPageCrc } from './containers/ogg-pages.js';

const SERIAL = 1;
const HEAD_BYTES = 19;
const LACES_MAX = 255;
const GRANULES_PER_MS = 48;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;

/** Milliseconds of a frame by its configuration (RFC 6716, section 3.1): SILK, hybrid, CELT. */
const silkMs = [10, 20, 40, 60];
const hybridMs = [10, 20];
const celtMs = [2.5, 5, 10, 20];

export function opusPacketMs(packet: Uint8Array): number {
  const [toc] = packet;
  if (toc === undefined) return 0;
  const configuration = toc >> 3;
  const frameMs =
    configuration < 12
      ? silkMs[configuration % 4]
      : configuration < 16
        ? hybridMs[configuration % 2]
        : celtMs[configuration % 4];
  const code = toc & 3;
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 63 : 2;
  return (frameMs ?? 0) * frames;
}

export function encodeOggOpus(
  packets: readonly Uint8Array[],
  { channels, sampleRateHz }: { channels: number; sampleRateHz: number },
): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('OpusHead');
  head.writeUInt8(1, 8);
  head.writeUInt8(channels, 9);
  head.writeUInt32LE(sampleRateHz, 12);
  // No vendor, no comments.
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
  const pages = [page(head, 0, { flags: FIRST_PAGE, granule: 0 }), page(tags, 1, { flags: 0, granule: 0 })];
  let granule = 0;
  for (const [at, packet] of packets.entries()) {
    granule += opusPacketMs(packet) * GRANULES_PER_MS;
    const flags = at === packets.length - 1 ? LAST_PAGE : 0;
    pages.push(page(packet, pages.length, { flags, granule }));
  }
  return Buffer.concat(pages);
}

/** Of one packet. */
function page(
  packet: Uint8Array,
  number: number,
  { flags, granule }: { flags: number; granule: number },
): Buffer {
  const whole = Math.floor(packet.length / LACES_MAX);
  const laces = [...Array.from({ length: whole }, () => LACES_MAX), packet.length % LACES_MAX];
  const head = Buffer.alloc(27 + laces.length);
  head.write('OggS');
  head.writeUInt8(flags, 5);
  head.writeBigInt64LE(BigInt(Math.round(granule)), 6);
  head.writeUInt32LE(SERIAL, 14);
  head.writeUInt32LE(number, 18);
  head.writeUInt8(laces.length, 26);
  head.set(laces, 27);
  const bytes = Buffer.concat([head, packet]);
  bytes.writeUInt32LE(oggPageCrc(bytes), 22);
  return bytes;
}
