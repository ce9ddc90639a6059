// Stores the same network with the weights that other processors need beside it: otherwise each of their
// workers would have to convert the weights when it starts.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { weightsToRun, type Weights } from '../graph/byte-products.js';
import { haveSameProducts, withWeights } from '../graph/signed-weights.js';
import { openModel } from '../onnx.js';
import { sha256 } from './sha256.js';

/** The manifest's entry. */
export interface OtherWeights {
  file: string;
  sha256: string;
  of_sha256: string;
  weights: Weights;
}

/** The processors that a model is packed for. */
export type Processors = 'this' | 'every';

/** Undefined if the stored weights are the right ones. */
export async function storeOtherWeights(
  file: string,
  weights: Weights,
  processors: Processors,
): Promise<OtherWeights | undefined> {
  const isNeeded = processors === 'every' || (await weightsToRun(weights, openModel)) !== weights;
  if (!isNeeded) return undefined;
  const others: Weights = weights === 'signed' ? 'unsigned' : 'signed';
  const stored = readFileSync(file);
  const turned = withWeights(stored, others);
  if (!haveSameProducts(stored, turned))
    throw new Error(`${file}: with ${others} weights it would compute something else`);
  const name = `${basename(file, '.onnx')}.${others}.onnx`;
  const path = join(dirname(file), name);
  writeFileSync(`${path}.new`, turned);
  renameSync(`${path}.new`, path);
  return { file: name, sha256: sha256(turned), of_sha256: sha256(stored), weights: others };
}
