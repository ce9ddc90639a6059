// Stores the network that a model runs with, with the weights that other processors need, beside it: otherwise each of their
// workers would have to convert the weights when it starts.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { weightsToRun, type Weights } from '../weights/byte-products.js';
import { haveSameProducts, withWeights } from '../weights/signed-weights.js';
import { openModel } from '../onnx.js';
import { readDetector, readSpeakerModel } from './manifest.js';
import { sha256 } from './sha256.js';

/** The processors that a model is prepared for. */
type Processors = 'this' | 'every';

type Manifest = Record<string, unknown>;

const manifestOf = (folder: string): string => join(folder, 'manifest.json');
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(manifestOf(folder), 'utf8')) as Manifest;

export function writeManifestEntry(folder: string, name: string, entry: object): void {
  const manifest = { ...readManifest(folder), [name]: entry };
  writeFileSync(manifestOf(folder), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** The path of the new file; undefined if the network runs as it is stored. */
export async function storeOtherWeights(folder: string, processors: Processors): Promise<string | undefined> {
  const manifest = readManifest(folder);
  if (manifest['kind'] === 'speaker') {
    const { packed } = readSpeakerModel(folder, false);
    const other = packed && (await turnedBeside(packed.file, packed.weights, processors));
    if (other)
      writeManifestEntry(folder, 'packed', { ...(manifest['packed'] as Manifest), other_weights: other.entry });
    return other?.path;
  }
  const { modelFile, weights } = readDetector(folder);
  const other = weights && (await turnedBeside(modelFile, weights, processors));
  if (other) writeManifestEntry(folder, 'other_weights', other.entry);
  return other?.path;
}

async function turnedBeside(file: string, weights: Weights, processors: Processors) {
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
  return { path, entry: { file: name, sha256: sha256(turned), of_sha256: sha256(stored), weights: others } };
}
