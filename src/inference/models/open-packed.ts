// Opens a network that computes in 8 bits with the weights that this processor multiplies exactly, and fastest. Nearly all want them as they are stored, so that
// nothing is worked out at the start.
import { readFileSync } from 'node:fs';
import { weightsToRun, type Weights } from '../graph/byte-products.js';
import { withSignedWeights, withUnsignedWeights } from '../graph/signed-weights.js';
import { openModel, type Run } from '../onnx.js';
import type { InRuntime } from '../work.js';

export interface PackedFile {
  file: string;
  /** Unsigned where an earlier version packed it. */
  weights: Weights;
}

const turnedTo = { signed: withSignedWeights, unsigned: withUnsignedWeights } as const;

/** The network as it runs here: its file, or the bytes of it with other weights. */
export async function networkToRun(
  { file, weights }: PackedFile,
  inRuntime?: InRuntime,
): Promise<string | Uint8Array> {
  const wanted = await weightsToRun(weights, (trial, from, to) => openModel(trial, from, to, inRuntime));
  return wanted === weights ? file : turnedTo[wanted](readFileSync(file));
}

export const openPacked = async (
  packed: PackedFile,
  input: string,
  output: string,
  inRuntime?: InRuntime,
): Promise<Run> => openModel(await networkToRun(packed, inRuntime), input, output, inRuntime);
