// 1:N search: processor time per query, exactness and memory at several sizes, on one core; of the index, which
// ranks by cosine, and of the gallery, which ranks by calibrated score and searches in steps.
import { dot, normalized } from '../src/voice/embedding/vector.js';
import type { SpeakerModel, VoiceSample } from '../src/voice/scoring/speaker-model.js';
import { PrintGallery } from '../src/voice/search/print-gallery.js';
import { PrintIndex } from './print-index.js';
import type { BenchLine, BenchOptions, BenchReport } from './harness.js';

const DIM = 192;
/** Most milliseconds that a query may take, by number of prints. */
const budgetMs: ReadonlyMap<number, number> = new Map([
  [100_000, 5],
  [1_000_000, 50],
]);

/** Most milliseconds of a gallery's search between two pauses. */
const STEP_BUDGET_MS = 10;

interface IdentifyFigures {
  prints: number;
  dim: number;
  medianMs: number;
  p95Ms: number;
  addUs: number;
  memoryMb: number;
  exact: boolean;
}

function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function measure(prints: number, dim: number, repeats: number): IdentifyFigures {
  const random = randomSource(1);
  const vector = (): Float32Array =>
    normalized(Float32Array.from({ length: dim }, () => random() + random() + random() - 1.5));
  const index = new PrintIndex(dim);
  const sample: Float32Array[] = [];
  let addMs = 0;
  const batch = 1000;
  for (let first = 0; first < prints; first += batch) {
    const fresh = Array.from({ length: Math.min(batch, prints - first) }, vector);
    if (sample.length < 20_000) sample.push(...fresh);
    const start = processorMs();
    fresh.forEach((print, i) => index.add(`print-${first + i}`, print));
    addMs += processorMs() - start;
  }
  const queries = Array.from({ length: repeats + 2 }, vector);
  const times = queries.map((query) => {
    const start = processorMs();
    index.search(query, 50);
    return processorMs() - start;
  });
  const sorted = times.slice(2).sort((a, b) => a - b);
  // Checked against a plain float search over the first prints: the best of those must not beat the answer.
  const exact = queries.slice(0, 3).every((query) => {
    const answer = index.search(query, 1)[0]?.cosine ?? -1;
    return Math.max(...sample.map((print) => dot(query, print))) <= answer + 1e-6;
  });
  return {
    prints,
    dim,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? NaN,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? NaN,
    addUs: (1000 * addMs) / prints,
    memoryMb: index.memoryBytes() / 1e6,
    exact,
  };
}

interface GalleryFigures {
  prints: number;
  medianMs: number;
  steps: number;
  stepP95Ms: number;
  memoryMb: number;
}

const galleryModel: SpeakerModel = {
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

function measureGallery(prints: number, repeats: number): GalleryFigures {
  const random = randomSource(2);
  const sample = (): VoiceSample => ({
    embedding: normalized(Float32Array.from({ length: DIM }, () => random() + random() + random() - 1.5)),
    netMs: 2000 + 20_000 * random(),
    snrDb: 30 * random(),
    bandwidth: random() < 0.5 ? 'narrow' : 'wide',
    modelRevision: galleryModel.revision,
  });
  const gallery = new PrintGallery<number>(galleryModel.revision, DIM);
  const norm = { narrow: { mean: 0, sd: 1 }, wide: { mean: 0, sd: 1 } };
  for (let row = 0; row < prints; row++) gallery.add(`print-${row}`, { ...sample(), norm }, row);
  const searches: number[] = [];
  const steps: number[] = [];
  for (let round = 0; round < repeats + 2; round++) {
    const search = gallery.search(galleryModel, sample(), 100);
    const own: number[] = [];
    for (let over = false; !over;) {
      const start = processorMs();
      over = search.next().done === true;
      own.push(processorMs() - start);
    }
    // The first two are compiled while they run.
    if (round < 2) continue;
    steps.push(...own);
    searches.push(own.reduce((sum, ms) => sum + ms, 0));
  }
  const at = (values: number[], share: number): number =>
    values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
  return {
    prints,
    medianMs: at(searches, 0.5),
    steps: steps.length / repeats,
    stepP95Ms: at(steps, 0.95),
    memoryMb: gallery.memoryBytes() / 1e6,
  };
}

export async function run({ tiny }: BenchOptions): Promise<BenchReport> {
  const sizes = tiny ? [1_000, 2_000] : [1_000, 10_000, ...budgetMs.keys()];
  const figures = sizes.map((size) => measure(size, DIM, tiny ? 5 : 30));
  const gallery = sizes.map((size) => measureGallery(size, tiny ? 5 : 30));
  if (figures.some(({ exact }) => !exact)) throw new Error('the search missed a nearer print');
  return {
    name: 'identify',
    compared: `median processor time of one query in a 1:N search on one core, ${DIM} dimensions, beside the time we allow it`,
    lines: [
      ...figures.flatMap(({ prints, medianMs }) =>
        within(`${prints} prints`, medianMs, budgetMs.get(prints)),
      ),
      ...gallery
        .filter(({ prints }) => budgetMs.has(prints))
        .flatMap(({ prints, medianMs, stepP95Ms }) =>
          within(
            `${prints} prints by score (${medianMs.toFixed(1)} ms in all), p95 without a pause`,
            stepP95Ms,
            STEP_BUDGET_MS,
          ),
        ),
    ],
    details: { figures, gallery },
  };
}

function within(subject: string, value: number, budget: number | undefined): BenchLine[] {
  if (budget === undefined) return [];
  return [
    { subject, peer: 'budget', unit: 'ms', value, peerValue: budget, ratio: budget / value, target: 1 },
  ];
}
