// Galleries of made-up voices, and what some work on them costs: what the benches of 1:N search have in common.
import { randomUUID } from 'node:crypto';
import { Gallery } from '../src/biometrics/galleries/gallery.js';
import { unlocked } from '../src/biometrics/rules/profile-changes.js';
import { findModels } from '../src/inference/engine.js';
import { readSpeakerModel } from '../src/inference/models/manifest.js';
import { normalized } from '../src/voice/embedding/vector.js';
import type { SpeakerModel, VoiceSample } from '../src/voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../src/voice/scoring/template.js';

/** As many numbers as the voices of the speaker model that ships. */
export const DIM = readSpeakerModel(findModels({ modelsDir: '' }).speaker, false).model.dim;
/** Prints whose templates are told, so that answers can be checked against them one by one. */
const TOLD_PRINTS = 20_000;

function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export const model: SpeakerModel = {
  revision: 'bench',
  dim: DIM,
  scoring: {
    coefficients: [-2.5, 1.1, 6, 0.2, -0.1, 0.05, -0.3, -0.6, 0.15, 0.1, 0.05, -0.1, -0.2],
    netTestClampS: [1, 30],
    netEnrolClampS: [2, 60],
    snrClampDb: [0, 30],
    llrClamp: [-12, 12],
  },
  thresholds: [],
};

const random = randomSource(2);
export const sample = (): VoiceSample => ({
  embedding: normalized(Float32Array.from({ length: DIM }, () => random() + random() + random() - 1.5)),
  netMs: 2000 + 20_000 * random(),
  snrDb: 30 * random(),
  bandwidth: random() < 0.5 ? 'narrow' : 'wide',
  modelRevision: model.revision,
});

/** A gallery of made-up voices; the first of them are told, too. */
export function filled(prints: number): { gallery: Gallery; first: Template[]; addUs: number } {
  const gallery = new Gallery(model);
  const first: Template[] = [];
  let addMs = 0;
  for (let made = 0; made < prints;) {
    const batch = Array.from({ length: Math.min(1000, prints - made) }, () =>
      buildTemplate(model, [sample()]),
    );
    if (first.length < TOLD_PRINTS) first.push(...batch);
    const startMs = processorMs();
    for (const template of batch)
      gallery.put({
        gkVoiceprintProfileId: randomUUID(),
        gkOwnerId: randomUUID(),
        ownerType: 'FRAUDSTER',
        tag: 'main',
        version: 1,
        lock: unlocked,
        trained: { template, calibrationRevisionId: 'bench', segmentCount: 1, trainedAtMs: 0 },
      });
    addMs += processorMs() - startMs;
    made += batch.length;
  }
  return { gallery, first, addUs: (1000 * addMs) / prints };
}

/** Processor time of some work, in the pieces that others had to wait for. */
export async function inPieces<T>(work: () => Promise<T>): Promise<{ result: T; pieces: number[] }> {
  const pieces: number[] = [];
  let isOver = false;
  let lastMs = processorMs();
  const look = (): void => {
    const nowMs = processorMs();
    pieces.push(nowMs - lastMs);
    lastMs = nowMs;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const result = await work().finally(() => (isOver = true));
  look();
  return { result, pieces };
}
