// `npm run tools -- pack-model FOLDER`: rearranges the network of a speaker model for speed (rows-graph.ts), with signed weights, proves
// that it answers as the original does, and stores it beside it. The server opens that file and rearranges nothing.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSpeakerModel } from '../../src/inference/models/manifest.js';
import { openPacked } from '../../src/inference/models/open-packed.js';
import { writeManifestEntry } from '../../src/inference/models/other-weights.js';
import { sha256 } from '../../src/inference/models/sha256.js';
import { openModel } from '../../src/inference/onnx.js';
import type { Weights } from '../../src/inference/weights/byte-products.js';
import { withWeights } from '../../src/inference/weights/signed-weights.js';
import { dot, normalized } from '../../src/voice/embedding/vector.js';
import { standardFeatures } from '../../src/voice/features/mel.js';
import { arrangeByRows } from './rows-graph.js';

/** Lowest acceptable similarity of the two networks' answers; rounding alone stays far above it. */
const PARITY_COSINE_MIN = 0.9995;
const parityFrames = [50, 121, 300, 500] as const;
const PACKED_FILE = 'model.rows.onnx';
const WEIGHTS: Weights = 'signed';

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

/** Undefined if this kind of network has to run as it is. Throws if the two do not answer alike. */
export async function packModel(folder: string): Promise<{ file: string; parityCosine: number } | undefined> {
  const { modelFile, input, output } = readSpeakerModel(folder, false);
  const original = readFileSync(modelFile);
  const arranged = arrangeByRows(original);
  const packed = arranged && withWeights(arranged, WEIGHTS);
  if (!packed) return undefined;
  // Written beside the file that may be in use, until it is proved.
  const file = join(folder, PACKED_FILE);
  const fresh = `${file}.new`;
  writeFileSync(fresh, packed);
  const asFiled = await openModel(modelFile, input, output);
  const asPacked = await openPacked({ file: fresh, weights: WEIGHTS }, input, output);
  let parityCosine = 1;
  for (const frames of parityFrames) {
    const shape = [1, frames, standardFeatures.melBins];
    const a = await asFiled(trialFeatures(frames), shape);
    const b = await asPacked(trialFeatures(frames), shape);
    parityCosine = Math.min(parityCosine, dot(normalized(a), normalized(b)));
  }
  if (!(parityCosine >= PARITY_COSINE_MIN)) {
    rmSync(fresh);
    throw new Error(`${file}: answers differ from those of ${modelFile} (cosine ${parityCosine.toFixed(5)})`);
  }
  renameSync(fresh, file);
  writeManifestEntry(folder, 'packed', {
    file: PACKED_FILE,
    sha256: sha256(packed),
    of_sha256: sha256(original),
    weights: WEIGHTS,
    parity_cosine: +parityCosine.toFixed(6),
  });
  return { file, parityCosine };
}
