// Packing a speaker model: its network rearranged for speed (graph/rows-graph.ts), with signed weights (graph/signed-weights.ts), proved to answer as the original does,
// and stored beside it. Workers then open a file whose hash the manifest knows, and rearrange nothing.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dot, normalized } from '../../voice/embedding/vector.js';
import { standardFeatures } from '../../voice/features/mel.js';
import type { Weights } from '../graph/byte-products.js';
import { arrangeByRows } from '../graph/rows-graph.js';
import { withSignedWeights } from '../graph/signed-weights.js';
import { openModel } from '../onnx.js';
import { readSpeakerModel } from './manifest.js';
import { openPacked } from './open-packed.js';

/** Least likeness of the two networks' answers; rounding alone stays far above it. */
const PARITY_COSINE_MIN = 0.9995;
const parityFrames = [50, 121, 300, 500] as const;
const PACKED_FILE = 'model.rows.onnx';
const WEIGHTS: Weights = 'signed';

export interface PackedModel {
  file: string;
  sha256: string;
  /** Over inputs of several lengths. */
  parityCosine: number;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Something with the slow and fast changes of speech, the same for everybody. */
function trialFeatures(frames: number): Float32Array {
  const { melBins } = standardFeatures;
  let state = frames;
  return Float32Array.from({ length: frames * melBins }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const [frame, bin] = [Math.floor(i / melBins), i % melBins];
    return 2 * Math.sin(frame / 9) * Math.cos(bin / 11) + 3 * (state / 2 ** 32 - 0.5);
  });
}

/** Undefined where the network is of a kind that runs as it is. Throws when the two do not answer alike. */
export async function packSpeakerModel(folder: string): Promise<PackedModel | undefined> {
  const { modelFile, input, output } = readSpeakerModel(folder, false);
  const arranged = arrangeByRows(readFileSync(modelFile));
  const packed = arranged && withSignedWeights(arranged);
  const manifestFile = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, unknown>;
  const writeManifest = (entry: object | null): void =>
    writeFileSync(manifestFile, `${JSON.stringify({ ...manifest, packed: entry }, null, 1)}\n`);
  if (!packed) {
    writeManifest(null);
    return undefined;
  }
  // Beside the one that may be in use, until it is proved.
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
  const entry = {
    file: PACKED_FILE,
    sha256: sha256(packed),
    of_sha256: manifest['sha256'],
    weights: WEIGHTS,
    parity_cosine: +parityCosine.toFixed(6),
  };
  renameSync(fresh, file);
  writeManifest(entry);
  return { file, sha256: entry.sha256, parityCosine };
}
