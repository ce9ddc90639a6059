// The alarm threshold at which a tenant's own callers are taken for attacks no more often than it
// wants, computed from the risks that an attack check gives to recordings of them. Nothing is assumed about
// their distribution: of n recordings and one more, each is equally likely to be the k-th highest, so that in
// the long run k of n + 1 lie above the line. Telephones and microphones have a line each.
import { shareWithInterval } from '../evaluation/binomial.js';
import { intervalOf, seededRandom, type Interval } from '../evaluation/metrics.js';
import type { Bandwidth } from '../scoring/speaker-model.js';

/** One recording of a caller, with the check's result. */
export interface HeardCaller {
  person: string;
  /** 0 to 1000. */
  risk: number;
}

export interface AlarmThreshold {
  /** At or above it is an alarm. */
  riskHigh: number;
  /** How many recordings of these callers are at or above it. */
  alarms: number;
  /** The same, cross-validated: nine tenths of the people set the line for the remaining tenth. */
  checkedAlarms: number;
  /** Their share; the interval is by people, since recordings of one person are alike. */
  checked: Interval;
  /**
   * The line without the one person who raises it most: how far a single attacker among them may have moved
   * it.
   */
  withoutOne: number;
}

/** The line of one bandwidth, or the reason why there is none. */
export interface BandLine<T extends HeardCaller = HeardCaller> {
  bandwidth: Bandwidth;
  callers: T[];
  people: number;
  line?: AlarmThreshold;
  /** Why there is none. */
  refusal?: string;
}

export const LEAST_CALLERS = 20;
export const LINE_LEVEL = 0.95;
const PARTS = 10;
const ROUNDS = 200;
const [LEAST_RISK, MOST_RISK] = [1, 999];

/** With fewer recordings, so small a share cannot be shown. */
export const recordingsFor = (share: number): number => Math.ceil(1 / share) - 1;

const peopleAmong = (callers: readonly HeardCaller[]): string[] =>
  [...new Set(callers.map(({ person }) => person))].sort();

/** For each bandwidth that occurs. */
export function linesByBand<T extends HeardCaller & { bandwidth: Bandwidth }>(
  heard: readonly T[],
  share: number,
): BandLine<T>[] {
  return (['narrow', 'wide'] as const).flatMap((bandwidth): BandLine<T>[] => {
    const callers = heard.filter((caller) => caller.bandwidth === bandwidth);
    if (callers.length === 0) return [];
    const band = { bandwidth, callers, people: peopleAmong(callers).length };
    try {
      return [{ ...band, line: tenantAlarmThreshold(callers, share) }];
    } catch (refusal) {
      if (!(refusal instanceof RangeError)) throw refusal;
      return [{ ...band, refusal: refusal.message }];
    }
  });
}

/**
 * @throws RangeError if there are too few callers or recordings for the share, or if too many of them sound
 * like attacks for any line
 */
export function tenantAlarmThreshold(callers: readonly HeardCaller[], share: number): AlarmThreshold {
  const people = peopleAmong(callers);
  if (people.length < LEAST_CALLERS)
    throw new RangeError(
      `recordings of at least ${LEAST_CALLERS} people are needed, ${people.length} were heard`,
    );
  const least = recordingsFor(share);
  if (callers.length < least)
    throw new RangeError(
      `at least ${least} recordings are needed for this share, ${callers.length} were heard`,
    );
  const ranked = rankedBy(callers);
  const riskHigh = lineOf(ranked, share);
  const alarms = alarmsAt(callers, riskHigh);
  if (alarms > share * callers.length)
    throw new RangeError(
      `${alarms} of ${callers.length} recordings have the highest risk: no line gives so few alarms`,
    );
  const judged = judgedByOthers(ranked, people, share);
  const checkedAlarms = judged.reduce((sum, person) => sum + person.alarms, 0);
  const checked = shareByPeople(judged, checkedAlarms, callers.length);
  return { riskHigh, alarms, checkedAlarms, checked, withoutOne: lineWithoutOne(ranked, share) };
}

/** The recordings, highest risk first, and how many each person has. */
interface Ranked {
  callers: readonly HeardCaller[];
  ofPerson: ReadonlyMap<string, readonly HeardCaller[]>;
}

function rankedBy(callers: readonly HeardCaller[]): Ranked {
  const ofPerson = new Map<string, HeardCaller[]>();
  for (const caller of callers) {
    const own = ofPerson.get(caller.person);
    if (own) own.push(caller);
    else ofPerson.set(caller.person, [caller]);
  }
  return { callers: callers.toSorted((a, b) => b.risk - a.risk), ofPerson };
}

interface JudgedPerson {
  alarms: number;
  recordings: number;
}

/** Judges each person by a line that neither they nor the rest of their tenth have set. */
function judgedByOthers(ranked: Ranked, people: readonly string[], share: number): JudgedPerson[] {
  const judged: JudgedPerson[] = [];
  for (let left = 0; left < PARTS; left++) {
    const tenth = new Set(people.filter((_person, place) => place % PARTS === left));
    const line = lineOf(ranked, share, tenth);
    for (const person of tenth) {
      const own = ranked.ofPerson.get(person) ?? [];
      judged.push({ alarms: alarmsAt(own, line), recordings: own.length });
    }
  }
  return judged;
}

/**
 * The wider of two intervals (ADR 32): the bootstrap says nothing if there was no alarm, and the exact one
 * treats recordings of one person as independent.
 */
function shareByPeople(judged: readonly JudgedPerson[], alarms: number, recordings: number): Interval {
  const exact = shareWithInterval(alarms, recordings, LINE_LEVEL);
  const random = seededRandom(1);
  const drawn = Array.from({ length: ROUNDS }, () => {
    const sum = { alarms: 0, recordings: 0 };
    for (let place = 0; place < judged.length; place++) {
      const person = judged[Math.floor(random() * judged.length)];
      sum.alarms += person?.alarms ?? 0;
      sum.recordings += person?.recordings ?? 0;
    }
    return sum.alarms / sum.recordings;
  });
  const { low, high } = intervalOf(exact.value, drawn, LINE_LEVEL);
  return { value: exact.value, low: Math.min(exact.low, low), high: Math.max(exact.high, high) };
}

/** Only people who have a recording above the line, or set it, can have raised it. */
function lineWithoutOne(ranked: Ranked, share: number): number {
  const line = lineOf(ranked, share);
  const below = ranked.callers.findIndex(({ risk }) => risk < line - 1);
  const high = new Set(ranked.callers.slice(0, below < 0 ? undefined : below).map(({ person }) => person));
  return Math.min(line, ...[...high].map((person) => lineOf(ranked, share, new Set([person]))));
}

export const alarmsAt = (callers: readonly Pick<HeardCaller, 'risk'>[], riskHigh: number): number =>
  callers.filter(({ risk }) => risk >= riskHigh).length;

const nobody: ReadonlySet<string> = new Set();

/** Just above the k-th highest risk of the people who are not left out. */
function lineOf({ callers, ofPerson }: Ranked, share: number, left = nobody): number {
  const without = [...left].reduce((sum, person) => sum + (ofPerson.get(person)?.length ?? 0), 0);
  let rest = Math.max(1, Math.floor(share * (callers.length - without + 1)));
  const kth = callers.find(({ person }) => !left.has(person) && --rest === 0);
  return Math.min(MOST_RISK, Math.max(LEAST_RISK, (kth?.risk ?? 0) + 1));
}
