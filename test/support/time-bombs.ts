/** Files that do nothing but cost time, one per way of doing it; made to any size. */

function repeated(unit: Uint8Array, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += unit.length) out.set(unit.subarray(0, bytes - at), at);
  return out;
}

const text = (value: string): Uint8Array => Uint8Array.from(value, (c) => c.charCodeAt(0));

/** Stream information of one channel at 16 kHz, 16 bits, unknown length. */
const flacHead = Uint8Array.from([
  ...text('fLaC'), 0x80, 0, 0, 34, 0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x03, 0xe8, 0x00, 0xf0, 0, 0, 0, 0, ...Array<number>(16).fill(0),
]); // prettier-ignore

export const timeBombs: Record<string, (bytes: number) => Uint8Array> = {
  // Every four bytes begin a page of up to 64 KiB whose checksum is wrong.
  'Ogg capture patterns all over': (bytes) => {
    const out = repeated(text('OggS'), bytes);
    return out;
  },
  'Ogg pages of the largest size, overlapping': (bytes) => {
    const out = new Uint8Array(bytes).fill(255);
    for (let at = 0; at + 4 < bytes; at += 32) out.set(text('OggS'), at);
    return out;
  },
  'Ogg pages of one wrong byte': (bytes) =>
    repeated(Uint8Array.from([...text('OggS'), ...Array<number>(22).fill(0), 1, 1, 0]), bytes),
  'FLAC sync codes all over': (bytes) => {
    const out = repeated(Uint8Array.from([0xff, 0xf8]), bytes);
    out.set(flacHead);
    return out;
  },
  'FLAC frames that fail their checksum': (bytes) => {
    // A constant block of 65,536 samples with a sound header: cheap to write, dear to fail.
    const head = [0xff, 0xf8, 0x70, 0x08, 0x00, 0xff, 0xff];
    let crc = 0;
    for (const byte of head) {
      crc ^= byte;
      for (let k = 0; k < 8; k++) crc = crc & 0x80 ? ((crc << 1) ^ 7) & 255 : (crc << 1) & 255;
    }
    const out = repeated(Uint8Array.from([...head, crc, 0x00, 0x12, 0x34, 0, 0]), bytes);
    out.set(flacHead);
    return out;
  },
  'MP3 headers without frames': (bytes) => repeated(Uint8Array.from([0xff, 0xfb, 0xe0, 0x00, 0xff]), bytes),
  'WebM elements of no size': (bytes) => {
    const out = repeated(Uint8Array.from([0xec, 0x80]), bytes);
    out.set([0x1a, 0x45, 0xdf, 0xa3, 0x80]);
    return out;
  },
  'WAV chunks of no size': (bytes) => {
    const out = repeated(Uint8Array.from([...text('junk'), 0, 0, 0, 0]), bytes);
    out.set([...text('RIFF'), 0, 0, 0, 0, ...text('WAVE')]);
    return out;
  },
};
