// The same network with the weights that other processors need, stored beside it: otherwise each of their workers would have to turn
// the weights when it starts.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { weightsToRun, type Weights } from '../graph/byte-products.js';
import { haveSameProducts, withWeights } from '../graph/signed-weights.js';
import { openModel } from '../onnx.js';
import { sha256 } from './sha256.js';

/** As the manifest has it. */
export interface OtherWeights {
  file: string;
  sha256: string;
  of_sha256: string;
  weights: Weights;
}

/** For which processors a model is packed. */
export type Processors = 'this' | 'every';

/** Undefined where the stored weights are what is needed. */
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
