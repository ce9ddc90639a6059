// Thresholds for the callers of one organization. How often strangers are accepted at a threshold depends on
// who the strangers are: people who share a language, an accent and a microphone resemble one another more
// than the world's speakers do. So the thresholds are set on an organization's own recordings, and checked on
// speakers who took no part: each half of the speakers is judged by the thresholds of the other half.
//
// However many recordings there are, a few dozen people form few pairs of strangers. Those who happen to
// sound most alike make up the tail of their scores, and counted alone it would set the threshold too low. So
// it is averaged with the line that thresholds from callers follow; the more people there are, the more
// weight the counted tail has.
import { arrangeTrials, type Trial } from '../evaluation/arrange.js';
import { reachedByStrangers, type StrangerTrial } from './caller-thresholds.js';
import { thresholdsFor } from './fit.js';

interface OwnThreshold {
  far: number;
  llr: number;
  /** Measured on the halves that did not set it. */
  checked: { far: number; miss: number; falseAccepts: number };
}

export interface OwnThresholds {
  speakers: number;
  trials: { target: number; impostor: number };
  /** The trials within the halves, which the check is based on. */
  checkedOn: { target: number; impostor: number };
  thresholds: OwnThreshold[];
}

type PairTrial = Trial & { normalized: number; groups: readonly [string, string] };

const SPEAKERS_MIN = 10;
/** With fewer trials, one stranger in a hundred cannot be measured. */
const IMPOSTORS_MIN = 1000;
/** The line weighs as much as the scores of this many people; chosen on two corpora (training/RESULTS.md). */
const LINE_PEOPLE = 10;
/** More pairs do not improve the line. */
const LINE_PAIRS_MAX = 20_000;

/** Also called before hours of processing begin. */
export function requireSpeakers(count: number): void {
  if (count < SPEAKERS_MIN)
    throw new RangeError(`${count} speakers are too few: thresholds need at least ${SPEAKERS_MIN}`);
}

export async function setOwnThresholds(
  trials: readonly PairTrial[],
  rates: readonly number[],
  strangerSpread: number | undefined,
): Promise<OwnThresholds> {
  const speakers = [...new Set(trials.flatMap(({ groups }) => groups))].sort();
  requireSpeakers(speakers.length);
  const halfOf = new Map(speakers.map((speaker, index) => [speaker, index % 2]));
  const halves = [0, 1].map((half) =>
    trials.filter(({ groups }) => groups.every((speaker) => halfOf.get(speaker) === half)),
  ) as [PairTrial[], PairTrial[]];
  const impostorsInHalves = halves.map((half) => strangers(half).length);
  if (Math.min(...impostorsInHalves) < IMPOSTORS_MIN)
    throw new RangeError(
      `${Math.min(...impostorsInHalves)} pairs of different speakers in one half of the corpus are too few: thresholds need at least ${IMPOSTORS_MIN}; add speakers or recordings`,
    );
  const whole = await labeledThresholds(strangers(trials), rates, strangerSpread);
  const byHalf: number[][] = [];
  for (const half of halves) byHalf.push(await labeledThresholds(strangers(half), rates, strangerSpread));
  return {
    speakers: speakers.length,
    trials: count(trials),
    checkedOn: {
      target: count(halves.flat()).target,
      impostor: impostorsInHalves[0]! + impostorsInHalves[1]!,
    },
    thresholds: rates.map((far, index) => ({
      far,
      llr: whole[index]!,
      checked: pooled([
        { trials: halves[0], llr: byHalf[1]![index]! },
        { trials: halves[1], llr: byHalf[0]![index]! },
      ]),
    })),
  };
}

/** The LLRs that strangers reach at the rates, from all pairs of known people. */
export async function labeledThresholds(
  pairs: readonly StrangerTrial[],
  rates: readonly number[],
  strangerSpread: number | undefined,
): Promise<number[]> {
  const counted = thresholdsFor(
    pairs.map(({ score }) => score),
    rates,
  ).map(({ llr }) => llr);
  const pause = async (): Promise<void> => {};
  const some = thinned(pairs);
  const line = await reachedByStrangers(some, await arrangeTrials(some, pause), rates, {
    level: 0.95,
    pause,
    strangerSpread,
  });
  if (!line) return counted;
  const people = new Set(pairs.flatMap(({ groups }) => groups)).size;
  const share = people / (people + LINE_PEOPLE);
  return counted.map((llr, index) => share * llr + (1 - share) * line[index]!.value);
}

function thinned(pairs: readonly StrangerTrial[]): readonly StrangerTrial[] {
  if (pairs.length <= LINE_PAIRS_MAX) return pairs;
  const step = pairs.length / LINE_PAIRS_MAX;
  return Array.from({ length: LINE_PAIRS_MAX }, (_, i) => pairs[Math.floor(i * step)]!);
}

const strangers = (trials: readonly PairTrial[]): StrangerTrial[] =>
  trials.filter((trial): trial is PairTrial & StrangerTrial => !trial.target);

function count(trials: readonly PairTrial[]): { target: number; impostor: number } {
  const target = trials.filter((trial) => trial.target).length;
  return { target, impostor: trials.length - target };
}

function pooled(parts: readonly { trials: readonly PairTrial[]; llr: number }[]): OwnThreshold['checked'] {
  const all = parts.flatMap(({ trials, llr }) =>
    trials.map(({ score, target }) => ({ accepted: score >= llr, target })),
  );
  const targets = all.filter(({ target }) => target);
  const falseAccepts = all.filter(({ accepted, target }) => accepted && !target).length;
  return {
    far: falseAccepts / (all.length - targets.length),
    miss: targets.filter(({ accepted }) => !accepted).length / targets.length,
    falseAccepts,
  };
}
