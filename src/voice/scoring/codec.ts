// Samples, windows and templates as bytes, for storage: little endian, versioned, and self-describing enough
// that a print of another model is recognized before anything is compared.
import { isFiniteVector } from '../embedding/vector.js';
import type { VoiceWindow } from '../embedding/voice-window.js';
import type { Bandwidth, VoiceSample } from './speaker-model.js';
import type { Template } from './template.js';
import { onGrid } from './template-grid.js';

const VERSION = 1;
const kind = { sample: 1, template: 2, window: 3 } as const;
const bands: readonly Bandwidth[] = ['wide', 'narrow'];
const HEADER_BYTES = 16;
const NORM_BYTES = 16;
const PLACE_BYTES = 8;
const decoder = new TextDecoder();

type Common = Pick<VoiceSample, 'embedding' | 'netMs' | 'snrDb' | 'bandwidth' | 'modelRevision'>;

function encode(kind: number, value: Common, norm: readonly number[]): Uint8Array {
  const revision = new TextEncoder().encode(value.modelRevision);
  if (revision.length > 255) throw new RangeError('model revision too long');
  const bytes = new Uint8Array(HEADER_BYTES + revision.length + 4 * norm.length + 4 * value.embedding.length);
  const view = new DataView(bytes.buffer);
  bytes.set([VERSION, kind, bands.indexOf(value.bandwidth), revision.length]);
  view.setUint32(4, value.embedding.length, true);
  view.setFloat32(8, value.netMs, true);
  view.setFloat32(12, value.snrDb, true);
  bytes.set(revision, HEADER_BYTES);
  let at = HEADER_BYTES + revision.length;
  for (const number of [...norm, ...value.embedding]) {
    view.setFloat32(at, number, true);
    at += 4;
  }
  return bytes;
}

function decode(kind: number, normBytes: number, bytes: Uint8Array): { common: Common; norm: number[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION || bytes[1] !== kind)
    throw new RangeError('not a voice record of this version');
  const revisionLength = bytes[3] ?? 0;
  const dim = view.getUint32(4, true);
  const floatsAt = HEADER_BYTES + revisionLength;
  if (bytes.length !== floatsAt + normBytes + 4 * dim)
    throw new RangeError('voice record of the wrong length');
  // Plain loops: galleries decode a hundred thousand of these at once.
  const norm: number[] = [];
  for (let at = floatsAt; at < floatsAt + normBytes; at += 4) norm.push(view.getFloat32(at, true));
  const embedding = new Float32Array(dim);
  for (let i = 0, at = floatsAt + normBytes; i < dim; i++, at += 4) embedding[i] = view.getFloat32(at, true);
  // A single non-finite number would make every comparison with it meaningless.
  if (!isFiniteVector(embedding) || !norm.every(Number.isFinite))
    throw new RangeError('voice record that holds no numbers');
  return {
    common: {
      embedding,
      netMs: view.getFloat32(8, true),
      snrDb: view.getFloat32(12, true),
      bandwidth: bands[bytes[2] ?? 0] ?? 'wide',
      modelRevision: decoder.decode(bytes.subarray(HEADER_BYTES, floatsAt)),
    },
    norm,
  };
}

export const encodeSample = (sample: VoiceSample): Uint8Array => encode(kind.sample, sample, []);

export const decodeSample = (bytes: Uint8Array): VoiceSample => decode(kind.sample, 0, bytes).common;

/** Encodes a window of the recording that `voice` is the sample of; the conditions are the same. */
export function encodeWindow(window: VoiceWindow, voice: VoiceSample): Uint8Array {
  const { startMs, endMs, netMs, embedding } = window;
  return encode(kind.window, { ...voice, netMs, embedding }, [startMs, endMs]);
}

export function decodeWindow(bytes: Uint8Array): VoiceWindow {
  const { common, norm } = decode(kind.window, PLACE_BYTES, bytes);
  const [startMs = 0, endMs = 0] = norm;
  return { startMs, endMs, netMs: common.netMs, embedding: common.embedding };
}

export const isWindow = (bytes: Uint8Array): boolean => bytes[1] === kind.window;

export function encodeTemplate(template: Template): Uint8Array {
  const { narrow, wide } = template.norm;
  return encode(kind.template, template, [narrow.mean, narrow.sd, wide.mean, wide.sd]);
}

export function decodeTemplate(bytes: Uint8Array): Template {
  const { common, norm } = decode(kind.template, NORM_BYTES, bytes);
  const [narrowMean = 0, narrowSd = 1, wideMean = 0, wideSd = 1] = norm;
  return {
    ...common,
    // Prints may have been stored before there was a grid.
    embedding: onGrid(common.embedding),
    norm: { narrow: { mean: narrowMean, sd: narrowSd }, wide: { mean: wideMean, sd: wideSd } },
  };
}
