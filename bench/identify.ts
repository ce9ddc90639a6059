// 1:N search in a gallery: processor time per query, by calibrated score and in steps, exactness, and memory per print with
// everything that is kept about it, at several sizes, on one core.
import { scoreSample } from '../src/voice/scoring/score.js';
import type { VoiceSample } from '../src/voice/scoring/speaker-model.js';
import type { Template } from '../src/voice/scoring/template.js';
import { wanted, type BenchOptions, type BenchReport } from './harness.js';
import { DIM, filled, inPieces, model, sample } from './made-up-prints.js';

/** Most milliseconds that a query may take, by number of prints. */
const budgetMs: ReadonlyMap<number, number> = new Map([
  [100_000, 10],
  [1_000_000, 100],
]);

/** Most milliseconds of a search between two pauses. */
const STEP_BUDGET_MS = 10;
const PRINT_BYTES_MAX = 600;

interface GalleryFigures {
  prints: number;
  medianMs: number;
  stepP95Ms: number;
  addUs: number;
  bytesPerPrint: number;
  exact: boolean;
}

/**
 * Queries that are not counted: the compiler works beside the first ones, on other threads, and its processor time cannot be told from
 * theirs. Among 10,000 prints a query takes half of the time from about the 150th on. A server is past them within its first minutes.
 */
const WARM_UP_QUERIES = 200;
/** Of these, those whose answer is checked. */
const CHECKED_QUERIES = 2;

async function measure(prints: number, warmUps: number, repeats: number): Promise<GalleryFigures> {
  const { gallery, first, addUs } = filled(prints);
  const searches: number[] = [];
  const steps: number[] = [];
  let exact = true;
  const view = gallery.at(0, undefined);
  for (let round = 0; round < warmUps + repeats; round++) {
    const heard = sample();
    const { result, pieces } = await inPieces(() => view.nearest({ model, samples: [heard], limit: 100 }));
    if (round >= warmUps) {
      steps.push(...pieces);
      searches.push(pieces.reduce((sum, ms) => sum + ms, 0));
    } else if (round < CHECKED_QUERIES) exact &&= highest(first, heard) <= (result[0]?.[0]?.llr ?? -Infinity);
  }
  return {
    prints,
    medianMs: at(searches, 0.5),
    stepP95Ms: at(steps, 0.95),
    addUs,
    bytesPerPrint: gallery.memoryBytes() / prints,
    exact,
  };
}

const highest = (templates: readonly Template[], heard: VoiceSample): number =>
  templates.reduce((most, template) => Math.max(most, scoreSample(model, template, heard).llr), -Infinity);

const at = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

export async function run({ tiny }: BenchOptions): Promise<BenchReport> {
  const sizes = tiny ? [1_000, 2_000] : [1_000, 10_000, ...budgetMs.keys()];
  const figures: GalleryFigures[] = [];
  const [warmUps, repeats] = tiny ? [CHECKED_QUERIES, 5] : [WARM_UP_QUERIES, 30];
  for (const size of sizes) figures.push(await measure(size, warmUps, repeats));
  if (figures.some(({ exact }) => !exact)) throw new Error('the search missed a nearer print');
  return {
    name: 'identify',
    compared: `median processor time of one query in a 1:N search by score on one core, ${DIM} dimensions, and memory per print`,
    lines: figures.flatMap(({ prints, medianMs, stepP95Ms, bytesPerPrint }) => {
      const budget = budgetMs.get(prints);
      if (budget === undefined) return [];
      return [
        wanted(`${prints} prints`, medianMs, budget, 'ms'),
        wanted(`${prints} prints, p95 without a pause`, stepP95Ms, STEP_BUDGET_MS, 'ms'),
        wanted(`${prints} prints, memory of each`, bytesPerPrint, PRINT_BYTES_MAX, 'bytes'),
      ];
    }),
    details: { figures },
  };
}
