// Opens an 8-bit network with the weights that this processor multiplies exactly, and fastest. Nearly all
// processors use them as stored; for the others `voxgate model pack` stores a second file, so that nothing
// has to be converted at start.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { weightsToRun, type Weights } from '../weights/byte-products.js';
import { withWeights } from '../weights/signed-weights.js';
import { openModel, type Run } from '../onnx.js';
import type { InRuntime } from '../work.js';

export interface PackedFile {
  file: string;
  /** Unsigned if an earlier version packed it. */
  weights: Weights;
  /** The same network with the other weights, if stored. */
  otherFile?: string;
}

/** The network as it runs here: its file, or its bytes with converted weights. */
interface NetworkToRun {
  network: string | Uint8Array;
  /** Why no stored file could be opened as it is. */
  fallback?: string;
}

export function storedNetwork({ file, weights, otherFile }: PackedFile, wanted: Weights): NetworkToRun {
  if (wanted === weights) return { network: file };
  if (otherFile !== undefined) return { network: otherFile };
  return {
    network: withWeights(readFileSync(file), wanted),
    fallback: `this processor needs ${wanted} weights, and ${file} has others: voxgate model pack ${dirname(file)} stores them`,
  };
}

export async function networkToRun(packed: PackedFile, inRuntime?: InRuntime): Promise<NetworkToRun> {
  const open = (trial: Uint8Array, from: string, to: string) => openModel(trial, from, to, inRuntime);
  return storedNetwork(packed, await weightsToRun(packed.weights, open));
}

export const openPacked = async (packed: PackedFile, input: string, output: string): Promise<Run> =>
  openModel((await networkToRun(packed)).network, input, output);
