// Groups of people who sound alike, where nobody has said what language they speak: k-means over the mean voice of each. Such
// groups are at least as hard as groups by language, because what is put together is what the network confuses.
import { dot, weightedMean } from '../src/voice/embedding/vector.js';
import { seededRandom } from '../src/voice/evaluation/metrics.js';
import type { VoiceSample } from '../src/voice/scoring/speaker-model.js';

const ROUNDS = 100;

/** The people of each group, the largest group first. */
export function alikeGroups(
  voices: ReadonlyMap<string, readonly VoiceSample[]>,
  count: number,
  seed: number,
): string[][] {
  const people = [...voices.keys()];
  const means = people.map((person) => meanOf((voices.get(person) ?? []).map(({ embedding }) => embedding)));
  let centers = spreadOut(means, count, seededRandom(seed));
  let places: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const next = means.map((mean) => nearest(mean, centers));
    if (next.every((place, i) => place === places[i])) break;
    places = next;
    centers = centers.map((center, at) => {
      const own = means.filter((_, i) => places[i] === at);
      return own.length > 0 ? meanOf(own) : center;
    });
  }
  return centers
    .map((_, at) => people.filter((_person, i) => places[i] === at))
    .sort((a, b) => b.length - a.length);
}

/** One drawn, then always the one that is least like all before. */
function spreadOut(means: readonly Float32Array[], count: number, random: () => number): Float32Array[] {
  const chosen = [means[Math.floor(random() * means.length)] as Float32Array];
  while (chosen.length < count) {
    const likeness = means.map((mean) => Math.max(...chosen.map((center) => dot(mean, center))));
    chosen.push(means[likeness.indexOf(Math.min(...likeness))] as Float32Array);
  }
  return chosen;
}

function nearest(mean: Float32Array, centers: readonly Float32Array[]): number {
  const likeness = centers.map((center) => dot(mean, center));
  return likeness.indexOf(Math.max(...likeness));
}

const meanOf = (vectors: readonly Float32Array[]): Float32Array =>
  weightedMean(
    vectors,
    vectors.map(() => 1),
  );
