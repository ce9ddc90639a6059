/**
 * Vorbis audio packets to samples (Vorbis I, section 4.3), decoded here and not by a library: each packet
 * costs no more than its block size allows, and decoding can stop between any two of them.
 */
import { DecodeFault } from '../types.js';
import { InverseMdct } from './mdct.js';
import { bitsOf, VorbisBits } from './vorbis-bits.js';
import { applyFloor, readFloorValues } from './vorbis-floor.js';
import { readResidues } from './vorbis-residue.js';
import { readVorbisSetup, type Mapping, type Mode } from './vorbis-setup.js';

interface VorbisIdentity {
  channels: number;
  sampleRateHz: number;
  /** Samples per short and per long block. */
  blocks: readonly [number, number];
}

const BLOCK_MIN = 64;
const BLOCK_MAX = 8192;

export function readVorbisIdentity(packet: Uint8Array): VorbisIdentity {
  if (packet.length < 30) throw new DecodeFault('CORRUPT', 'The Vorbis header is cut short.');
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const sizes = packet[28] as number;
  const blocks = [1 << (sizes & 15), 1 << (sizes >> 4)] as const;
  if (
    view.getUint32(7, true) !== 0 ||
    blocks[0] > blocks[1] ||
    blocks[0] < BLOCK_MIN ||
    blocks[1] > BLOCK_MAX
  )
    throw new DecodeFault('CORRUPT', 'The Vorbis header is damaged.');
  return { channels: packet[11] as number, sampleRateHz: view.getUint32(12, true), blocks };
}

/** Half a window: rises from nothing to one. */
function risingSlope(length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => {
    const s = Math.sin((((i + 0.5) / length) * Math.PI) / 2);
    return Math.sin((Math.PI / 2) * s * s);
  });
}

export class VorbisDecoder {
  readonly #identity: VorbisIdentity;
  readonly #modes: Mode[];
  readonly #transforms: readonly [InverseMdct, InverseMdct];
  readonly #slopes: readonly [Float32Array, Float32Array];
  /** The second half of the previous block, already windowed, per channel. */
  #tails: Float32Array[] | undefined;
  readonly #blocks: Float32Array[];

  constructor(identity: VorbisIdentity, setup: Uint8Array) {
    this.#identity = identity;
    this.#modes = readVorbisSetup(setup, identity.channels);
    const [short, long] = identity.blocks;
    this.#transforms = [new InverseMdct(short), new InverseMdct(long)];
    this.#slopes = [risingSlope(short / 2), risingSlope(long / 2)];
    this.#blocks = Array.from({ length: identity.channels }, () => new Float32Array(long));
  }

  /**
   * Samples per channel; none for the first packet. Undefined for a packet that is not audio or is damaged.
   */
  decode(packet: Uint8Array): Float32Array[] | undefined {
    const bits = new VorbisBits(packet);
    if (bits.one() !== 0) return undefined;
    const mode = this.#modes[bits.read(bitsOf(this.#modes.length - 1))];
    if (!mode) return undefined;
    // A long block says whether its neighbors are long; a short one treats all neighbors as short.
    const longBefore = mode.long && bits.one() === 1;
    const longAfter = mode.long && bits.one() === 1;
    if (bits.ended) return undefined;
    const size = this.#identity.blocks[mode.long ? 1 : 0];
    const spectra = this.#spectra(bits, mode.mapping, size / 2);
    const slopes = { before: this.#slopes[longBefore ? 1 : 0], after: this.#slopes[longAfter ? 1 : 0] };
    const blocks = spectra.map((spectrum, c) => {
      const block = (this.#blocks[c] as Float32Array).subarray(0, size);
      if (spectrum) this.#transforms[mode.long ? 1 : 0].run(spectrum, block);
      else block.fill(0);
      shape(block, slopes.before, slopes.after);
      return block;
    });
    const out = blocks.map((block, c) => overlap(this.#tails?.[c], block));
    this.#tails = blocks.map((block) => block.slice(size / 2));
    return out;
  }

  /** The spectra of all channels; undefined for silent ones. */
  #spectra(bits: VorbisBits, mapping: Mapping, lines: number): (Float32Array | undefined)[] {
    const floors = mapping.channels.map((submap) =>
      readFloorValues(bits, (mapping.submaps[submap] as Mapping['submaps'][number]).floor),
    );
    const silent = floors.map((floor) => floor === undefined);
    // Neither of two coupled channels can be rebuilt without the other.
    for (const { magnitude, angle } of mapping.coupling)
      if (!silent[magnitude] || !silent[angle]) silent[magnitude] = silent[angle] = false;
    const spectra = floors.map(() => new Float32Array(lines));
    mapping.submaps.forEach(({ residue }, submap) => {
      const own = mapping.channels.flatMap((s, channel) => (s === submap ? [channel] : []));
      const pick = <T>(all: readonly T[]): T[] => own.map((channel) => all[channel] as T);
      if (own.length > 0) readResidues(bits, residue, pick(spectra), pick(silent));
    });
    for (const { magnitude, angle } of mapping.coupling.slice().reverse())
      uncouple(spectra[magnitude] as Float32Array, spectra[angle] as Float32Array);
    return spectra.map((spectrum, channel) => {
      const values = floors[channel];
      if (!values) return undefined;
      const submap = mapping.submaps[mapping.channels[channel] as number] as Mapping['submaps'][number];
      applyFloor(submap.floor, values, spectrum);
      return spectrum;
    });
  }
}

/** Square polar coupling: sum and difference, whichever has the larger sign. */
function uncouple(magnitude: Float32Array, angle: Float32Array): void {
  for (let i = 0; i < magnitude.length; i++) {
    const m = magnitude[i] as number;
    const a = angle[i] as number;
    const other = m > 0 === a > 0 ? m - a : m + a;
    if (a > 0) angle[i] = other;
    else {
      magnitude[i] = other;
      angle[i] = m;
    }
  }
}

/**
 * The window: a slope of either length in the middle of each half, with silence before the first and after
 * the second.
 */
function shape(block: Float32Array, before: Float32Array, after: Float32Array): void {
  const size = block.length;
  const [leftAt, rightAt] = [size / 4 - before.length / 2, (size * 3) / 4 - after.length / 2];
  block.fill(0, 0, leftAt);
  for (let i = 0; i < before.length; i++)
    block[leftAt + i] = (block[leftAt + i] as number) * (before[i] as number);
  for (let i = 0; i < after.length; i++)
    block[rightAt + i] = (block[rightAt + i] as number) * (after[after.length - 1 - i] as number);
  block.fill(0, rightAt + after.length);
}

/**
 * From the middle of the previous block to the middle of this one; the two halves are centered on each other.
 */
function overlap(tail: Float32Array | undefined, block: Float32Array): Float32Array {
  if (!tail) return new Float32Array(0);
  const head = block.length / 2;
  const out = new Float32Array(tail.length / 2 + head / 2);
  // The centers of both halves meet, a quarter of a block from where each begins.
  const offset = tail.length / 2 - head / 2;
  for (let i = 0; i < out.length; i++) {
    const at = i - offset;
    out[i] = (tail[i] ?? 0) + (at >= 0 ? (block[at] ?? 0) : 0);
  }
  return out;
}
