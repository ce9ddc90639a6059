/** Residues of Vorbis (Vorbis I, section 8): the fine structure of the spectra, as vectors in up to eight passes. */
import type { Codebook } from './vorbis-codebook.js';
import type { Residue } from './vorbis-setup.js';
import type { VorbisBits } from './vorbis-bits.js';

/** Adds one partition; false if the packet ends. */
function addPartition(
  bits: VorbisBits,
  book: Codebook,
  out: Float32Array,
  place: { at: number; size: number; spread: boolean },
): boolean {
  const vectors = book.vectors as Float32Array;
  const { dimensions } = book;
  const { at, size, spread } = place;
  const step = spread ? Math.floor(size / dimensions) : 1;
  for (let i = 0; i < size; i += dimensions) {
    const entry = book.entry(bits);
    if (entry < 0) return false;
    const from = spread ? at + i / dimensions : at + i;
    for (let d = 0; d < dimensions; d++) {
      const target = from + d * step;
      if (target < at + size)
        out[target] = (out[target] as number) + (vectors[entry * dimensions + d] as number);
    }
  }
  return true;
}

/** Fills `vectors`, one per channel, all of the same length; those marked silent are left at zero. */
function readVectors(
  bits: VorbisBits,
  residue: Residue,
  vectors: readonly Float32Array[],
  silent: readonly boolean[],
): void {
  const length = vectors[0]?.length ?? 0;
  const { classbook, partitionSize, classifications } = residue;
  const begin = Math.min(residue.begin, length);
  const partitions = Math.floor((Math.min(residue.end, length) - begin) / partitionSize);
  if (partitions <= 0) return;
  const classes = vectors.map(() => new Uint8Array(partitions + classbook.dimensions));
  for (let pass = 0; pass < 8; pass++) {
    for (let first = 0; first < partitions; first += classbook.dimensions) {
      if (pass === 0) {
        for (let v = 0; v < vectors.length; v++) {
          if (silent[v]) continue;
          let word = classbook.entry(bits);
          if (word < 0) return;
          for (let i = classbook.dimensions - 1; i >= 0; i--) {
            (classes[v] as Uint8Array)[first + i] = word % classifications;
            word = Math.floor(word / classifications);
          }
        }
      }
      const last = Math.min(partitions, first + classbook.dimensions);
      for (let partition = first; partition < last; partition++) {
        for (let v = 0; v < vectors.length; v++) {
          if (silent[v]) continue;
          const book = residue.books[(classes[v] as Uint8Array)[partition] as number]?.[pass];
          if (!book) continue;
          const place = {
            at: begin + partition * partitionSize,
            size: partitionSize,
            spread: residue.type === 0,
          };
          if (!addPartition(bits, book, vectors[v] as Float32Array, place)) return;
        }
      }
    }
  }
}

/** Adds the residues of the channels of one submap to their spectra. */
export function readResidues(
  bits: VorbisBits,
  residue: Residue,
  spectra: readonly Float32Array[],
  silent: readonly boolean[],
): void {
  if (residue.type !== 2) {
    readVectors(bits, residue, spectra, silent);
    return;
  }
  if (silent.every(Boolean)) return;
  // All channels of the submap in one vector, line by line.
  const count = spectra.length;
  const length = spectra[0]?.length ?? 0;
  const interleaved = new Float32Array(count * length);
  readVectors(bits, residue, [interleaved], [false]);
  spectra.forEach((spectrum, c) => {
    for (let i = 0; i < length; i++) spectrum[i] = interleaved[i * count + c] as number;
  });
}
