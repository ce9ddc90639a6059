// Where a tenant's own callers would be taken for attacks no more often than it wants: the line by the risks that an
// attack check gives to recordings of them. Nothing is assumed about how these are spread: of n recordings and one more
// each is as likely as any to be the k-th highest, so that k of n + 1 lie above the line in the long run.

/** One recording of a caller, as the check hears it. */
export interface HeardCaller {
  person: string;
  /** 0 to 1000. */
  risk: number;
}

export interface AlarmLine {
  /** At or above it is an alarm. */
  riskHigh: number;
  /** Recordings of these callers at or above it. */
  alarms: number;
  /** The same where people judge who did not set the line: nine tenths of them set it for the others. */
  checkedAlarms: number;
}

const LEAST_CALLERS = 20;
const PARTS = 10;
const [LEAST_RISK, MOST_RISK] = [1, 999];

/** Fewer cannot show so small a share. */
export const recordingsFor = (share: number): number => Math.ceil(1 / share) - 1;

/** @throws where there are too few callers or recordings for the share, or too many of them sound like attacks for any line */
export function ownAlarmLine(callers: readonly HeardCaller[], share: number): AlarmLine {
  const people = [...new Set(callers.map(({ person }) => person))].sort();
  if (people.length < LEAST_CALLERS)
    throw new Error(`recordings of at least ${LEAST_CALLERS} people are needed, ${people.length} were heard`);
  const least = recordingsFor(share);
  if (callers.length < least)
    throw new Error(`at least ${least} recordings are needed for this share, ${callers.length} were heard`);
  const riskHigh = lineOf(callers, share);
  const alarms = alarmsAt(callers, riskHigh);
  if (alarms > share * callers.length)
    throw new Error(
      `${alarms} of ${callers.length} recordings have the highest risk: no line makes so few alarms`,
    );
  const part = new Map(people.map((person, place) => [person, place % PARTS]));
  let checkedAlarms = 0;
  for (let judged = 0; judged < PARTS; judged++) {
    const [own, others] = [true, false].map((isOwn) =>
      callers.filter(({ person }) => (part.get(person) === judged) === isOwn),
    ) as [HeardCaller[], HeardCaller[]];
    checkedAlarms += alarmsAt(own, lineOf(others, share));
  }
  return { riskHigh, alarms, checkedAlarms };
}

export const alarmsAt = (callers: readonly HeardCaller[], riskHigh: number): number =>
  callers.filter(({ risk }) => risk >= riskHigh).length;

/** Just above the k-th highest. */
function lineOf(callers: readonly HeardCaller[], share: number): number {
  const place = Math.max(1, Math.floor(share * (callers.length + 1)));
  const risks = callers.map(({ risk }) => risk).sort((a, b) => b - a);
  return Math.min(MOST_RISK, Math.max(LEAST_RISK, (risks[place - 1] ?? 0) + 1));
}
