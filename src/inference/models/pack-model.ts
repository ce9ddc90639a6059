// Packs a model. The network of a speaker model is rearranged for speed (graph/rows-graph.ts), with signed
// weights (graph/signed-weights.ts), proved to answer as the original does, and stored beside it. If
// processors need other weights, those are stored too, also for a detector. Workers then open a file whose
// hash is in the manifest, and rearrange nothing.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dot, normalized } from '../../voice/embedding/vector.js';
import { standardFeatures } from '../../voice/features/mel.js';
import type { Weights } from '../graph/byte-products.js';
import { arrangeByRows } from '../graph/rows-graph.js';
import { withWeights } from '../graph/signed-weights.js';
import { openModel } from '../onnx.js';
import { readDetector, readSpeakerModel } from './manifest.js';
import { openPacked } from './open-packed.js';
import { storeOtherWeights, type OtherWeights, type Processors } from './other-weights.js';
import { sha256 } from './sha256.js';

/** Lowest acceptable similarity of the two networks' answers; rounding alone stays far above it. */
const PARITY_COSINE_MIN = 0.9995;
const parityFrames = [50, 121, 300, 500] as const;
const PACKED_FILE = 'model.rows.onnx';
const WEIGHTS: Weights = 'signed';

interface PackedModel {
  file: string;
  sha256: string;
  /** Over inputs of several lengths. */
  parityCosine: number;
  /** For processors that need them. */
  otherWeights?: OtherWeights;
}

/** Deterministic features with the slow and fast changes of speech. */
function trialFeatures(frames: number): Float32Array {
  const { melBins } = standardFeatures;
  let state = frames;
  return Float32Array.from({ length: frames * melBins }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const [frame, bin] = [Math.floor(i / melBins), i % melBins];
    return 2 * Math.sin(frame / 9) * Math.cos(bin / 11) + 3 * (state / 2 ** 32 - 0.5);
  });
}

type Manifest = Record<string, unknown>;

const manifestOf = (folder: string): string => join(folder, 'manifest.json');
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(manifestOf(folder), 'utf8')) as Manifest;

export const isSpeakerModel = (folder: string): boolean => readManifest(folder)['kind'] === 'speaker';

/** Null records that there is none. */
function writeEntry(folder: string, name: string, entry: object | null): void {
  const manifest = { ...readManifest(folder), [name]: entry };
  writeFileSync(manifestOf(folder), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Undefined if a detector needs no further file: these processors run the stored one. */
export async function packDetector(folder: string, processors: Processors): Promise<OtherWeights | undefined> {
  const { modelFile, weights } = readDetector(folder);
  const otherWeights = weights && (await storeOtherWeights(modelFile, weights, processors));
  if (otherWeights) writeEntry(folder, 'other_weights', otherWeights);
  return otherWeights;
}

/** Undefined if this kind of network has to run as it is. Throws if the two do not answer alike. */
export async function packSpeakerModel(
  folder: string,
  processors: Processors = 'this',
): Promise<PackedModel | undefined> {
  const { modelFile, input, output } = readSpeakerModel(folder, false);
  const arranged = arrangeByRows(readFileSync(modelFile));
  const packed = arranged && withWeights(arranged, WEIGHTS);
  if (!packed) {
    writeEntry(folder, 'packed', null);
    return undefined;
  }
  // Written beside the file that may be in use, until it is proved.
  const file = join(folder, PACKED_FILE);
  const fresh = `${file}.new`;
  writeFileSync(fresh, packed);
  const [asFiled, asPacked] = [
    await openModel(modelFile, input, output),
    await openPacked({ file: fresh, weights: WEIGHTS }, input, output),
  ];
  let parityCosine = 1;
  for (const frames of parityFrames) {
    const shape = [1, frames, standardFeatures.melBins];
    const [a, b] = [
      await asFiled(trialFeatures(frames), shape),
      await asPacked(trialFeatures(frames), shape),
    ];
    parityCosine = Math.min(parityCosine, dot(normalized(a), normalized(b)));
  }
  if (!(parityCosine >= PARITY_COSINE_MIN)) {
    rmSync(fresh);
    throw new Error(`${file}: answers differ from those of ${modelFile} (cosine ${parityCosine.toFixed(5)})`);
  }
  renameSync(fresh, file);
  const otherWeights = await storeOtherWeights(file, WEIGHTS, processors);
  const entry = {
    file: PACKED_FILE,
    sha256: sha256(packed),
    of_sha256: readManifest(folder)['sha256'],
    weights: WEIGHTS,
    parity_cosine: +parityCosine.toFixed(6),
    ...(otherWeights && { other_weights: otherWeights }),
  };
  writeEntry(folder, 'packed', entry);
  return { file, sha256: entry.sha256, parityCosine, ...(otherWeights && { otherWeights }) };
}
