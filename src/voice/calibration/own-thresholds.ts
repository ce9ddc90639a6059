// Thresholds for the callers of one house. How often strangers are accepted at a threshold depends on who the
// strangers are: those who share a language, an accent and a microphone resemble one another more than the
// world's speakers do. So the thresholds are set on a house's own recordings, and checked on speakers who took no
// part: each half of the speakers is judged by what the other half asks for.
import type { Trial } from '../evaluation/arrange.js';
import { thresholdsFor } from './fit.js';

export interface OwnThreshold {
  far: number;
  llr: number;
  /** Measured on the halves that did not set it. */
  checked: { far: number; miss: number; falseAccepts: number };
}

export interface OwnThresholds {
  speakers: number;
  trials: { target: number; impostor: number };
  /** Trials inside the halves: what the check rests on. */
  checkedOn: { target: number; impostor: number };
  thresholds: OwnThreshold[];
}

type PairTrial = Trial & { groups: readonly [string, string] };

const SPEAKERS_MIN = 10;
/** Fewer trials cannot tell one stranger in a hundred. */
const IMPOSTORS_MIN = 1000;

/** Asked for before hours of listening, too. */
export function requireSpeakers(count: number): void {
  if (count < SPEAKERS_MIN)
    throw new RangeError(`${count} speakers are too few: thresholds need at least ${SPEAKERS_MIN}`);
}

export function setOwnThresholds(trials: readonly PairTrial[], rates: readonly number[]): OwnThresholds {
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
  const whole = thresholdsFor(strangers(trials), rates);
  const byHalf = halves.map((half) => thresholdsFor(strangers(half), rates));
  return {
    speakers: speakers.length,
    trials: count(trials),
    checkedOn: {
      target: count(halves.flat()).target,
      impostor: impostorsInHalves[0]! + impostorsInHalves[1]!,
    },
    thresholds: whole.map(({ far, llr }, index) => ({
      far,
      llr,
      checked: pooled([
        { trials: halves[0], llr: byHalf[1]?.[index]?.llr ?? llr },
        { trials: halves[1], llr: byHalf[0]?.[index]?.llr ?? llr },
      ]),
    })),
  };
}

function strangers(trials: readonly PairTrial[]): number[] {
  return trials.filter(({ target }) => !target).map(({ score }) => score);
}

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
