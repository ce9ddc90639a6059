// 1:N search: processor time per query, exactness and memory at several sizes, on one core.
import { dot, normalised } from '../src/voice/embedding/vector.js';
import { PrintIndex } from '../src/voice/search/print-index.js';
import type { BenchOptions, BenchReport } from './harness.js';

const DIM = 192;
/** Most milliseconds that a query may take, by number of prints. */
const BUDGET_MS: ReadonlyMap<number, number> = new Map([
  [100_000, 5],
  [1_000_000, 50],
]);

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
    normalised(Float32Array.from({ length: dim }, () => random() + random() + random() - 1.5));
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

export async function run({ tiny }: BenchOptions): Promise<BenchReport> {
  const sizes = tiny ? [1_000, 2_000] : [1_000, 10_000, ...BUDGET_MS.keys()];
  const figures = sizes.map((size) => measure(size, DIM, tiny ? 5 : 30));
  if (figures.some(({ exact }) => !exact)) throw new Error('the search missed a nearer print');
  return {
    name: 'identify',
    compared: `median processor time of one query in a 1:N search on one core, ${DIM} dimensions, beside the time we allow it`,
    lines: figures.flatMap(({ prints, medianMs }) => {
      const budget = BUDGET_MS.get(prints);
      if (budget === undefined) return [];
      const ratio = budget / medianMs;
      return [
        {
          subject: `${prints} prints`,
          peer: 'budget',
          unit: 'ms',
          value: medianMs,
          peerValue: budget,
          ratio,
          target: 1,
        },
      ];
    }),
    details: { figures },
  };
}
