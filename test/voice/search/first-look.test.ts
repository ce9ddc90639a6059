// @module-tag slow
// Where the processor can, most rows are passed over after a first look. That hides nobody, whatever voices there are; and
// processors without the instructions for it find the same, to the last bit.
import { describe, expect, it } from 'vitest';
import { normalized } from '../../../src/voice/embedding/vector.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import { buildTemplate, type Template } from '../../../src/voice/scoring/template.js';
import { BlockScan } from '../../../src/voice/search/block-scan.js';
import { HAS_COARSE_LOOK } from '../../../src/voice/search/coarse-look.js';
import { PrintGallery } from '../../../src/voice/search/print-gallery.js';
import { createScanKernel } from '../../../src/voice/search/scan-kernel.js';
import { ScanMemory } from '../../../src/voice/search/scan-memory.js';
import { createRng } from '../../support/sounds.js';

const DIM = 248;
const PRINTS = 6001;
const random = createRng(17);
const noise = () => random() + random() + random() - 1.5;
/** As people are: one peak or another. */
const usual = () => normalized(Float32Array.from({ length: DIM }, noise));
/** No peaks: in its own steps such a voice is longer than what a first look can sum up. */
const flat = () =>
  normalized(Float32Array.from({ length: DIM }, () => (random() < 0.5 ? -1 : 1) + 0.01 * noise()));
/** One peak: hardly any steps for all the rest. */
const peaked = () => normalized(Float32Array.from({ length: DIM }, (_, i) => (i === 5 ? 40 : noise())));

const model: SpeakerModel = {
  revision: 'm-1',
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
const sample = (embedding: Float32Array): VoiceSample => ({
  embedding,
  netMs: 2000 + 20_000 * random(),
  snrDb: 30 * random(),
  bandwidth: random() < 0.5 ? 'narrow' : 'wide',
  modelRevision: 'm-1',
});

const ended = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

const LIMIT = 20;
const isAdmitted = (row: number): boolean => row % 9 !== 0;

function oneByOne(templates: readonly Template[], heard: VoiceSample): number[] {
  const scores = templates.map((template) => scoreSample(model, template, heard).llr);
  return scores
    .filter((_, row) => isAdmitted(row))
    .sort((a, b) => b - a)
    .slice(0, LIMIT);
}

describe.each([
  ['as this processor can', HAS_COARSE_LOOK],
  ['without a first look', false],
])('a gallery that is looked through %s', (_how, looksTwice) => {
  it.each([
    ['as people are', [usual]],
    ['without peaks', [flat]],
    ['with one peak', [peaked]],
    ['of all kinds', [usual, flat, peaked]],
  ])('finds the best among voices %s', (_name, kinds) => {
    const templates = Array.from({ length: PRINTS }, (_, i) =>
      buildTemplate(model, [sample((kinds[i % kinds.length] as typeof usual)())]),
    );
    const gallery = new PrintGallery('m-1', DIM);
    templates.forEach((template, index) => gallery.add(`p${index}`, template));
    const samples = [usual, flat, peaked].map((kind) => sample(kind()));
    // Whoever is there is found, too, in rows that are looked at late.
    for (const row of [2501, 3332, 4321, 5800]) samples.push(sample((templates[row] as Template).embedding));
    const asked = { model, samples, limit: LIMIT };
    const job = gallery.scanJob(asked);
    const memory = new ScanMemory(DIM, job.memory);
    const scan = new BlockScan(memory, createScanKernel(memory, 1, looksTwice), job, isAdmitted);
    const parts = ended(scan.run(0, PRINTS));
    const found = ended(gallery.best(asked, job, [parts])).map((nearest) => nearest.map(({ llr }) => llr));
    expect(found).toEqual(samples.map((heard) => oneByOne(templates, heard)));
  });
});
