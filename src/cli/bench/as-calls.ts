// The first part of `voxgate bench accuracy`: the recordings as calls, from the first look to the end.
import {
  callTrials,
  type CallState,
  type CallTrial,
  type HeardCall,
} from '../../biometrics/accuracy/whole-calls.js';
import { resolveParameters } from '../../biometrics/model/parameters.js';
import { sortTrials } from '../../voice/evaluation/arrange.js';
import type { Interval } from '../../voice/evaluation/metrics.js';
import { percent } from '../../voice/evaluation/percent.js';
import { ratesWithIntervals } from '../../voice/evaluation/rates.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';

/** Looks that are reported one by one; later ones and the end are "end". */
const reportedMs = [3000, 6000, 10_000] as const;
/** Windows of speech are this much longer than their checkpoint at most. */
const LOOK_SLACK_MS = 500;

interface Seconds {
  median: number;
  p90: number;
}

interface StatesAt {
  /** Seconds of speech. */
  at: number | 'end';
  /** Calls with that much speech. */
  calls: number;
  shares: Record<CallState, number>;
}

export interface CallsReport {
  enrolled_with: number;
  false_accept_rate: number;
  speakers: number;
  genuine: {
    calls: number;
    /** Not verified when the call was over. */
    false_rejects: Interval;
    /** Shown as NO_MATCH at any time. */
    ever_no_match: Interval;
    seconds_to_match: Seconds | null;
    by_look: StatesAt[];
  };
  strangers: {
    calls: number;
    /** Verified at any time. */
    false_accepts: Interval;
    verified_at_end: Interval;
    seconds_to_refusal: Seconds | null;
    by_look: StatesAt[];
  };
}

/** Undefined if no two people have four recordings. */
export async function reportCalls(
  model: SpeakerModel,
  calls: readonly HeardCall[],
  falseAcceptRate: number,
): Promise<CallsReport | undefined> {
  const parameters = resolveParameters({ authentication: { falseAcceptRate } });
  const trials = callTrials({ model, parameters }, calls);
  const [owners, strangers] = [true, false].map((isOwner) =>
    trials.filter((trial) => trial.isOwner === isOwner),
  ) as [CallTrial[], CallTrial[]];
  if (strangers.length === 0) return undefined;
  return {
    enrolled_with: 3,
    false_accept_rate: falseAcceptRate,
    speakers: new Set(owners.map(({ people }) => people[1])).size,
    genuine: {
      calls: owners.length,
      false_rejects: await shareOf(owners, (trial) => trial.shown.at(-1)?.state !== 'AUTHENTIC'),
      ever_no_match: await shareOf(owners, ({ shown }) => shown.some(({ state }) => state === 'NO_MATCH')),
      seconds_to_match: secondsTo('AUTHENTIC', owners),
      by_look: byLook(owners),
    },
    strangers: {
      calls: strangers.length,
      false_accepts: await shareOf(strangers, ({ shown }) =>
        shown.some(({ state }) => state === 'AUTHENTIC'),
      ),
      verified_at_end: await shareOf(strangers, (trial) => trial.shown.at(-1)?.state === 'AUTHENTIC'),
      seconds_to_refusal: secondsTo('NO_MATCH', strangers),
      by_look: byLook(strangers),
    },
  };
}

/** With an interval that knows that calls share people. */
async function shareOf(
  trials: readonly CallTrial[],
  counts: (trial: CallTrial) => boolean,
): Promise<Interval> {
  const sorted = sortTrials(
    trials.map((trial) => ({ score: counts(trial) ? 1 : 0, target: false, groups: trial.people })),
  );
  const pause = async (): Promise<void> => {};
  return (await ratesWithIntervals(sorted, 0.5, { level: 0.95, pause })).falseAccept;
}

/** Speech until that was shown first, where it was. */
function secondsTo(wanted: CallState, trials: readonly CallTrial[]): Seconds | null {
  const seconds = trials
    .flatMap(({ shown }) => shown.find(({ state }) => state === wanted)?.netMs ?? [])
    .map((netMs) => netMs / 1000)
    .sort((a, b) => a - b);
  const at = (share: number): number => seconds[Math.floor(share * (seconds.length - 1))] ?? 0;
  return seconds.length === 0 ? null : { median: at(0.5), p90: at(0.9) };
}

function byLook(trials: readonly CallTrial[]): StatesAt[] {
  const early = reportedMs.map((atMs) =>
    statesAt(
      atMs / 1000,
      trials.flatMap(({ shown }) =>
        shown
          .slice(0, -1)
          .filter(({ netMs }) => netMs >= atMs - 1 && netMs < atMs + LOOK_SLACK_MS)
          .map(({ state }) => state),
      ),
    ),
  );
  return [
    ...early,
    statesAt(
      'end',
      trials.flatMap(({ shown }) => shown.at(-1)?.state ?? []),
    ),
  ];
}

function statesAt(at: StatesAt['at'], states: readonly CallState[]): StatesAt {
  const share = (wanted: CallState): number =>
    states.length === 0 ? 0 : states.filter((state) => state === wanted).length / states.length;
  return {
    at,
    calls: states.length,
    shares: {
      AUTHENTIC: share('AUTHENTIC'),
      LISTENING: share('LISTENING'),
      UNCERTAIN: share('UNCERTAIN'),
      NO_MATCH: share('NO_MATCH'),
    },
  };
}

export function callsText({ enrolled_with, false_accept_rate, speakers, ...report }: CallsReport): string[] {
  const { genuine, strangers } = report;
  const share = ({ value, low, high }: Interval): string =>
    `${percent(value, 2).padStart(7)}  (95%: ${percent(low, 2)} to ${percent(high, 2)})`;
  const speech = (seconds: Seconds | null): string =>
    seconds
      ? `median ${seconds.median.toFixed(1)} s of speech, nine of ten ${seconds.p90.toFixed(1)} s`
      : 'none';
  const looks = (rows: readonly StatesAt[]): string[] =>
    rows
      .filter(({ calls }) => calls > 0)
      .map(
        ({ at, calls, shares }) =>
          `    ${(at === 'end' ? 'end' : `${at} s`).padEnd(5)} ${Object.entries(shares)
            .map(([state, value]) => `${state} ${percent(value, 1)}`)
            .join(', ')}   (${calls} calls)`,
      );
  return [
    `as calls: ${speakers} people enrolled with ${enrolled_with} other recordings, heard like live calls; false-accept rate ${percent(false_accept_rate)}`,
    `  genuine callers        ${genuine.calls} calls`,
    `    not verified         ${share(genuine.false_rejects)}`,
    `    ever "no match"      ${share(genuine.ever_no_match)}`,
    `    until verified       ${speech(genuine.seconds_to_match)}`,
    ...looks(genuine.by_look),
    `  strangers              ${strangers.calls} calls`,
    `    ever verified        ${share(strangers.false_accepts)}`,
    `    verified at the end  ${share(strangers.verified_at_end)}`,
    `    until "no match"     ${speech(strangers.seconds_to_refusal)}`,
    ...looks(strangers.by_look),
    'one recording against one',
  ];
}
