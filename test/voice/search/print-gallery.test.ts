// The gallery answers what comparing with every print alone would answer, to the last bit.
import { describe, expect, it } from 'vitest';
import { normalized } from '../../../src/voice/embedding/vector.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import type { Bandwidth, SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../../src/voice/scoring/template.js';
import { PrintGallery } from '../../../src/voice/search/print-gallery.js';
import { createRng } from '../../support/sounds.js';

const DIM = 48;
const random = createRng(11);
const vector = (dim = DIM) =>
  normalized(Float32Array.from({ length: dim }, () => random() + random() + random() - 1.5));

function speakerModel(coefficients: readonly number[], withCohort = true, dim = DIM): SpeakerModel {
  return {
    revision: 'm-1',
    dim,
    ...(withCohort && {
      cohort: { wide: rows(300, dim), narrow: rows(300, dim), dim, topN: 60, minSd: 0.01 },
    }),
    scoring: {
      coefficients,
      netTestClampS: [1, 30],
      netEnrolClampS: [2, 60],
      snrClampDb: [0, 30],
      llrClamp: [-12, 12],
    },
    thresholds: [{ far: 0.01, llr: 1 }],
  };
}

function rows(count: number, dim: number): Float32Array {
  const all = new Float32Array(count * dim);
  for (let row = 0; row < count; row++) all.set(vector(dim), row * dim);
  return all;
}

const usual = [-2.5, 1.1, 6, 0.2, -0.1, 0.05, -0.3, -0.6, 0.15, 0.1, 0.05, -0.1, -0.2];

function sample(
  embedding = vector(),
  bandwidth: Bandwidth = random() < 0.5 ? 'narrow' : 'wide',
): VoiceSample {
  return { embedding, netMs: 800 + 20_000 * random(), snrDb: 30 * random(), bandwidth, modelRevision: 'm-1' };
}

function near(embedding: Float32Array, noise: number): Float32Array {
  const other = vector(embedding.length);
  return normalized(embedding.map((value, i) => value + noise * (other[i] as number)));
}

interface Print {
  id: string;
  template: Template;
}

function prints(model: SpeakerModel, count: number): Print[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    template: buildTemplate(model, [sample(vector(model.dim)), sample(vector(model.dim))]),
  }));
}

function galleryOf(all: readonly Print[]): PrintGallery {
  const gallery = new PrintGallery('m-1', all[0]?.template.embedding.length ?? DIM);
  for (const { id, template } of all) gallery.add(id, template);
  return gallery;
}

const usualModel = speakerModel(usual);
let many: Print[] | undefined;
/** For tests that change none of them, made once. More than one block, and a last turn that is not full. */
const manyPrints = (): readonly Print[] => (many ??= prints(usualModel, 5003));

/** What a gallery finds, by the ids of the prints. */
function nearest(
  gallery: PrintGallery,
  ...[model, heard, limit, admits]: [SpeakerModel, VoiceSample, number, ((id: string) => boolean)?]
) {
  return gallery
    .nearest(model, heard, limit, admits && ((row) => admits(gallery.ids.id(row))))
    .map(({ row, ...score }) => ({ label: gallery.ids.id(row), ...score }));
}

function oneByOne(model: SpeakerModel, all: readonly Print[], heard: VoiceSample, limit: number) {
  return all
    .map(({ id, template }) => ({ id, ...scoreSample(model, template, heard) }))
    .sort((a, b) => b.llr - a.llr)
    .slice(0, limit)
    .map(({ id, llr, reliability }) => ({ label: id, llr, reliability }));
}

/** Prints with the same score may stand in any order. */
const byScore = (a: { llr: number; label: string }, b: { llr: number; label: string }) =>
  b.llr - a.llr || (a.label < b.label ? -1 : 1);

describe('PrintGallery', () => {
  const falling = { ...usualModel.scoring, coefficients: usual.map((value) => -value) };
  it.each<[string, SpeakerModel, number?]>([
    ['the usual calibration', usualModel],
    ['no cohort', speakerModel(usual, false), 5000],
    ['a calibration that falls with the cosine', { ...usualModel, scoring: falling }],
    ['voices of 192 numbers', speakerModel(usual, true, 192), 1000],
    ['voices of 200 numbers, which fill no whole registers', speakerModel(usual, true, 200), 1000],
    ['voices of 250 numbers, which fill no whole words', speakerModel(usual, true, 250), 1000],
  ])('gives the scores of comparing one by one: %s', (_name, model, count) => {
    const all = count === undefined ? manyPrints() : prints(model, count);
    const gallery = galleryOf(all);
    for (const limit of [1, 10, 100]) {
      for (const noise of [0.3, 1, 50]) {
        const target = all[Math.floor(random() * all.length)] as Print;
        const heard = sample(near(target.template.embedding, noise));
        const found = nearest(gallery, model, heard, limit);
        const wanted = oneByOne(model, all, heard, limit);
        expect(found.map(({ llr }) => llr)).toEqual(wanted.map(({ llr }) => llr));
        const last = wanted.at(-1)?.llr as number;
        const sure = (list: typeof found) => list.filter(({ llr }) => llr > last).sort(byScore);
        expect(sure(found)).toEqual(sure(wanted));
      }
    }
  });

  it.each([1, 2, 3, 5])('gives the same to %i samples that are asked about at once', (count) => {
    const model = usualModel;
    const all = manyPrints();
    const gallery = galleryOf(all);
    const samples = Array.from({ length: count }, (_, index) => {
      const target = all[Math.floor(random() * all.length)] as Print;
      return sample(index % 2 === 0 ? near(target.template.embedding, 0.3) : vector());
    });
    const steps = gallery.search({ model, samples, limit: 10 }, (row) => row % 7 !== 0);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const admitted = all.filter((_, row) => row % 7 !== 0);
    const scores = step.value.map((found) => found.map(({ llr }) => llr));
    expect(scores).toEqual(
      samples.map((heard) => oneByOne(model, admitted, heard, 10).map(({ llr }) => llr)),
    );
  });

  it.each<[string, string, number]>([
    ['the first', 'ksss', 1],
    ['the second', 'sksk', 2],
    ['the last', 'ssk', 3],
    ['none', 'sssss', 5],
  ])('answers no further than to the one that is sure: %s', (_which, heard, answers) => {
    const model = speakerModel(usual, false);
    // More than one block.
    const all = prints(model, 4300);
    const gallery = galleryOf(all);
    // Only found in the end, when others have been compared with everybody else.
    const target = (all.at(-2) as Print).template.embedding;
    const samples = [...heard].map((who) => sample(who === 'k' ? near(target, 0.1) : vector()));
    const wanted = samples.map((each) => oneByOne(model, all, each, 10).map(({ llr }) => llr));
    const best = (who: string) => wanted.flatMap(([llr = 0], i) => (heard[i] === who ? llr : []));
    const enoughLlr = (Math.max(...best('s')) + Math.min(14, ...best('k'))) / 2;
    const steps = gallery.search({ model, samples, limit: 10, enoughLlr }, () => true);
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(step.value.map((found) => found.map(({ llr }) => llr))).toEqual(wanted.slice(0, answers));
  });

  it('follows additions, replacements and removals', () => {
    const model = speakerModel(usual);
    const all = prints(model, 300);
    const gallery = galleryOf(all);
    for (let round = 0; round < 200; round++) {
      const index = Math.floor(random() * all.length);
      const print = all[index] as Print;
      if (round % 3 === 0) {
        expect(gallery.remove(print.id)).toMatchObject({ last: all.length - 1 });
        all.splice(index, 1);
      } else if (round % 3 === 1) {
        const fresh = { id: print.id, template: buildTemplate(model, [sample()]) };
        all[index] = fresh;
        gallery.add(fresh.id, fresh.template);
      } else {
        const fresh = { id: `n${round}`, template: buildTemplate(model, [sample()]) };
        all.push(fresh);
        gallery.add(fresh.id, fresh.template);
      }
    }
    expect(gallery.size).toBe(all.length);
    const heard = sample();
    expect(nearest(gallery, model, heard, all.length).sort(byScore)).toEqual(
      oneByOne(model, all, heard, all.length).sort(byScore),
    );
    expect(gallery.remove('never there')).toBeUndefined();
  });

  it('leaves out what is not admitted without losing the next best', () => {
    const model = usualModel;
    const all = manyPrints();
    const heard = sample(near((all[7] as Print).template.embedding, 0.2));
    const [first, second] = oneByOne(model, all, heard, 2);
    const found = nearest(galleryOf(all), model, heard, 1, (id) => id !== first?.label);
    expect(found).toEqual([second]);
  });

  it('refuses prints and samples of another model, and prints that are no numbers', () => {
    const model = speakerModel(usual);
    const gallery = galleryOf(prints(model, 2));
    const template = buildTemplate(model, [sample()]);
    expect(() => gallery.add('x', { ...template, modelRevision: 'm-2' })).toThrow(RangeError);
    expect(() => gallery.add('x', { ...template, embedding: new Float32Array(DIM).fill(NaN) })).toThrow(
      RangeError,
    );
    expect(() => gallery.nearest(model, { ...sample(), modelRevision: 'm-2' }, 1)).toThrow(RangeError);
  });
});
