/**
 * Vorbis codebooks (Vorbis I, section 3): a Huffman code over entries, and for most books a vector of numbers per entry.
 * Sizes are bounded: the format allows a header of a few kilobytes to ask for gigabytes.
 */
import { DecodeFault } from '../types.js';
import { bitsOf, type VorbisBits } from './vorbis-bits.js';

const SYNC = 0x564342;
/** Encoders in use stay below 10,000 entries per book and 60,000 values in all of its vectors. */
const ENTRIES_MAX = 1 << 16;
const VALUES_MAX = 1 << 20;
const LENGTH_MAX = 32;

const damaged = (): DecodeFault => new DecodeFault('CORRUPT', 'The Vorbis setup is damaged.');

export class Codebook {
  readonly dimensions: number;
  /** `dimensions` numbers per entry; undefined for a book of plain numbers. */
  readonly vectors: Float32Array | undefined;
  /** Two children per node: a later node, an entry as -1 - entry, or 0 for none. */
  readonly #tree: Int32Array;

  constructor(dimensions: number, lengths: Uint8Array, vectors: Float32Array | undefined) {
    this.dimensions = dimensions;
    this.vectors = vectors;
    this.#tree = growTree(lengths);
  }

  /** The next entry, or -1 if the packet ends or the code has a hole. */
  entry(bits: VorbisBits): number {
    let node = 0;
    for (let depth = 0; depth <= LENGTH_MAX; depth++) {
      const next = this.#tree[2 * node + bits.one()] as number;
      if (bits.ended) return -1;
      if (next < 0) return -1 - next;
      if (next === 0) return -1;
      node = next;
    }
    return -1;
  }
}

/**
 * Codewords are assigned from left to right in the order of the entries; each takes the first free place at
 * its depth.
 */
function growTree(lengths: Uint8Array): Int32Array {
  const used = lengths.reduce((count, length) => count + (length > 0 ? 1 : 0), 0);
  let tree = new Int32Array(Math.max(4, 4 * used));
  let nodes = 1;
  const newNode = (): number => {
    if (2 * nodes + 2 > tree.length) {
      const larger = new Int32Array(2 * tree.length);
      larger.set(tree);
      tree = larger;
    }
    return nodes++;
  };
  const nextCode = openPlaces();
  lengths.forEach((length, entry) => {
    if (length === 0) return;
    const code = nextCode(length);
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const at = 2 * node + (Math.floor(code / 2 ** bit) % 2);
      if ((tree[at] as number) < 0) throw damaged();
      if (tree[at] === 0) {
        const child = newNode();
        tree[at] = child;
      }
      node = tree[at] as number;
    }
    tree[2 * node + (code % 2)] = -1 - entry;
  });
  return tree.slice(0, 2 * nodes);
}

/**
 * Assigns codewords. At each depth at most one place is free: the right side of a branch whose left side is
 * taken.
 */
function openPlaces(): (length: number) => number {
  const free = new Float64Array(LENGTH_MAX + 1).fill(-1);
  free[0] = 0;
  return (length) => {
    let depth = length;
    while (depth >= 0 && (free[depth] as number) < 0) depth--;
    if (depth < 0) throw damaged();
    let code = free[depth] as number;
    free[depth] = -1;
    // Go left down to the wanted depth; the right sides become free.
    for (let d = depth + 1; d <= length; d++) {
      code *= 2;
      free[d] = code + 1;
    }
    return code;
  };
}

function readLengths(bits: VorbisBits, entries: number): Uint8Array {
  const lengths = new Uint8Array(entries);
  if (bits.one()) {
    let entry = 0;
    for (let length = bits.read(5) + 1; entry < entries; length++) {
      const count = bits.read(bitsOf(entries - entry));
      if (entry + count > entries || length > LENGTH_MAX || bits.ended) throw damaged();
      lengths.fill(length, entry, entry + count);
      entry += count;
    }
    return lengths;
  }
  const sparse = bits.one() === 1;
  for (let i = 0; i < entries; i++) {
    if (sparse && bits.one() === 0) continue;
    lengths[i] = bits.read(5) + 1;
    if (bits.ended) throw damaged();
  }
  return lengths;
}

function unpackFloat(word: number): number {
  const mantissa = word % 2 ** 21;
  const exponent = Math.floor(word / 2 ** 21) % 1024;
  return (word >= 2 ** 31 ? -mantissa : mantissa) * 2 ** (exponent - 788);
}

/** The largest number whose `dimensions`-th power is at most `entries`. */
function valuesPerDimension(entries: number, dimensions: number): number {
  let values = Math.floor(entries ** (1 / dimensions));
  while ((values + 1) ** dimensions <= entries) values++;
  while (values > 0 && values ** dimensions > entries) values--;
  return values;
}

function readVectors(bits: VorbisBits, entries: number, dimensions: number): Float32Array | undefined {
  const type = bits.read(4);
  if (type === 0) return undefined;
  if (type > 2 || dimensions === 0 || entries * dimensions > VALUES_MAX) throw damaged();
  const least = unpackFloat(bits.read(32));
  const step = unpackFloat(bits.read(32));
  const width = bits.read(4) + 1;
  const summed = bits.one() === 1;
  const count = type === 1 ? valuesPerDimension(entries, dimensions) : entries * dimensions;
  const values = Float64Array.from({ length: count }, () => bits.read(width) * step + least);
  if (bits.ended || count === 0) throw damaged();
  const vectors = new Float32Array(entries * dimensions);
  for (let entry = 0; entry < entries; entry++) {
    let last = 0;
    let divisor = 1;
    for (let d = 0; d < dimensions; d++) {
      const at = type === 1 ? Math.floor(entry / divisor) % count : entry * dimensions + d;
      const value = (values[at] as number) + last;
      if (summed) last = value;
      vectors[entry * dimensions + d] = value;
      divisor *= count;
    }
  }
  return vectors;
}

export function readCodebook(bits: VorbisBits): Codebook {
  if (bits.read(24) !== SYNC) throw damaged();
  const dimensions = bits.read(16);
  const entries = bits.read(24);
  if (entries === 0 || entries > ENTRIES_MAX || bits.ended) throw damaged();
  const lengths = readLengths(bits, entries);
  return new Codebook(dimensions, lengths, readVectors(bits, entries, dimensions));
}
