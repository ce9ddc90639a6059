/** The Vorbis setup header (Vorbis I, section 4.2): codebooks, floors, residues, mappings and modes of a stream. */
import { DecodeFault } from '../types.js';
import { bitsOf, VorbisBits } from './vorbis-bits.js';
import { readCodebook, type Codebook } from './vorbis-codebook.js';

export interface Floor {
  /** Class of each partition. */
  partitions: number[];
  classes: FloorClass[];
  multiplier: number;
  /** Positions in the order of the stream; the first two are the ends. */
  x: number[];
  /** Indices of `x` in rising order. */
  sorted: number[];
  /** For each position from the third on, its nearest neighbors among those before it. */
  neighbors: { low: number; high: number }[];
}

interface FloorClass {
  dimensions: number;
  subclassBits: number;
  masterbook: Codebook | undefined;
  books: (Codebook | undefined)[];
}

export interface Residue {
  type: number;
  begin: number;
  end: number;
  partitionSize: number;
  classifications: number;
  classbook: Codebook;
  /** For each classification, the book of each of the eight passes. */
  books: (Codebook | undefined)[][];
}

export interface Mapping {
  coupling: { magnitude: number; angle: number }[];
  /** Submap of each channel. */
  channels: number[];
  submaps: { floor: Floor; residue: Residue }[];
}

export interface Mode {
  long: boolean;
  mapping: Mapping;
}

const POSITIONS_MAX = 65;
const damaged = (): DecodeFault => new DecodeFault('CORRUPT', 'The Vorbis setup is damaged.');

/** A list preceded by its length less one. */
function list<T>(bits: VorbisBits, countBits: number, read: () => T): T[] {
  const count = bits.read(countBits) + 1;
  return Array.from({ length: count }, () => {
    if (bits.ended) throw damaged();
    return read();
  });
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw damaged();
  return item;
}

function readFloorClass(bits: VorbisBits, books: readonly Codebook[]): FloorClass {
  const dimensions = bits.read(3) + 1;
  const subclassBits = bits.read(2);
  const masterbook = subclassBits > 0 ? pick(books, bits.read(8)) : undefined;
  const own = Array.from({ length: 1 << subclassBits }, () => {
    const book = bits.read(8) - 1;
    return book < 0 ? undefined : pick(books, book);
  });
  return { dimensions, subclassBits, masterbook, books: own };
}

function readFloor(bits: VorbisBits, books: readonly Codebook[]): Floor {
  if (bits.read(16) !== 1)
    throw new DecodeFault('UNSUPPORTED_FORMAT', 'This kind of Vorbis stream (floor 0) is no longer in use.');
  const partitions = Array.from({ length: bits.read(5) }, () => bits.read(4));
  const classes = Array.from({ length: Math.max(-1, ...partitions) + 1 }, () => readFloorClass(bits, books));
  const multiplier = bits.read(2) + 1;
  const rangeBits = bits.read(4);
  const x = [0, 1 << rangeBits];
  for (const partition of partitions)
    for (let i = 0; i < pick(classes, partition).dimensions; i++) x.push(bits.read(rangeBits));
  if (bits.ended || x.length > POSITIONS_MAX || new Set(x).size !== x.length) throw damaged();
  const sorted = x.map((_, i) => i).sort((a, b) => (x[a] as number) - (x[b] as number));
  const neighbors = x.map((own, i) => {
    let [low, high] = [0, 1];
    for (let j = 0; j < i; j++) {
      const other = x[j] as number;
      if (other < own && other > (x[low] as number)) low = j;
      if (other > own && other < (x[high] as number)) high = j;
    }
    return { low, high };
  });
  return { partitions, classes, multiplier, x, sorted, neighbors };
}

function readResidue(bits: VorbisBits, books: readonly Codebook[]): Residue {
  const type = bits.read(16);
  if (type > 2) throw damaged();
  const begin = bits.read(24);
  const end = bits.read(24);
  const partitionSize = bits.read(24) + 1;
  const classifications = bits.read(6) + 1;
  const classbook = pick(books, bits.read(8));
  if (classbook.dimensions === 0 || end < begin) throw damaged();
  const cascades = Array.from({ length: classifications }, () => {
    const low = bits.read(3);
    return (bits.one() ? bits.read(5) << 3 : 0) | low;
  });
  const own = cascades.map((cascade) =>
    Array.from({ length: 8 }, (_, pass) => {
      if (((cascade >> pass) & 1) === 0) return undefined;
      const book = pick(books, bits.read(8));
      if (!book.vectors) throw damaged();
      return book;
    }),
  );
  return { type, begin, end, partitionSize, classifications, classbook, books: own };
}

function readMapping(
  bits: VorbisBits,
  channelCount: number,
  floors: readonly Floor[],
  residues: readonly Residue[],
): Mapping {
  if (bits.read(16) !== 0) throw damaged();
  const submapCount = bits.one() ? bits.read(4) + 1 : 1;
  const width = bitsOf(channelCount - 1);
  const coupling = bits.one()
    ? list(bits, 8, () => ({ magnitude: bits.read(width), angle: bits.read(width) }))
    : [];
  if (coupling.some((c) => c.magnitude === c.angle || Math.max(c.magnitude, c.angle) >= channelCount))
    throw damaged();
  if (bits.read(2) !== 0) throw damaged();
  const channels = Array.from({ length: channelCount }, () => (submapCount > 1 ? bits.read(4) : 0));
  if (channels.some((submap) => submap >= submapCount)) throw damaged();
  const submaps = Array.from({ length: submapCount }, () => {
    bits.read(8);
    return { floor: pick(floors, bits.read(8)), residue: pick(residues, bits.read(8)) };
  });
  return { coupling, channels, submaps };
}

/** `packet` begins with its type and the word "vorbis". */
export function readVorbisSetup(packet: Uint8Array, channels: number): Mode[] {
  const bits = new VorbisBits(packet, 7);
  const books = list(bits, 8, () => readCodebook(bits));
  list(bits, 6, () => {
    if (bits.read(16) !== 0) throw damaged();
  });
  const floors = list(bits, 6, () => readFloor(bits, books));
  const residues = list(bits, 6, () => readResidue(bits, books));
  const mappings = list(bits, 6, () => readMapping(bits, channels, floors, residues));
  const modes = list(bits, 6, () => {
    const long = bits.one() === 1;
    if (bits.read(16) !== 0 || bits.read(16) !== 0) throw damaged();
    return { long, mapping: pick(mappings, bits.read(8)) };
  });
  if (bits.one() !== 1 || bits.ended) throw damaged();
  return modes;
}
