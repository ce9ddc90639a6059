// Whether the clock of this node agrees with the one that all nodes share, that of the database. Nodes whose clocks differ
// refuse each other's tokens, although each of them alone looks fine. With SQLite there is one node, and nothing to compare
// with.
import type { Clock, Log } from '../platform.js';
import { askTime } from '../storage/checks/time.js';
import type { Database } from '../storage/database.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { ReadinessCheck } from '../transport/readiness.js';

/** Beyond what tokens allow (five seconds), one node refuses what another has just issued. */
export const OFFSET_MAX_MS = 5000;
/** What came so slowly says too little about when it was said. */
const ROUND_TRIP_MAX_MS = 2000;
/** Further off, a node should not be given calls. */
const READY_MAX_MS = 30_000;
const LOOK_EVERY_MS = 60_000;

export interface ClockWatch {
  metrics: OwnMetric[];
  /** Compares again, and tells the log of a change. */
  look(): Promise<void>;
  /** Whether the clock goes with the database's, where that is known. */
  keepsTime(): boolean | undefined;
  /**
   * A node far off refuses the tokens of the others and should get no calls, but only while another one goes with the database: where
   * none does, it is the database whose clock is wrong, and nobody would be served at all.
   */
  checksBeside(isTimeKeptByAnother: () => boolean): ReadinessCheck[];
  stop(): Promise<void>;
}

interface Watched {
  clock: Clock;
  log: Log;
}

/** How far ahead of the database the clock is; nothing where that cannot be said. */
export async function clockOffset(database: Database, clock: Clock): Promise<number | undefined> {
  if (database.dialect === 'sqlite') return undefined;
  const askedAtMs = performance.now();
  const theirsMs = await askTime(database);
  const roundTripMs = performance.now() - askedAtMs;
  if (roundTripMs > ROUND_TRIP_MAX_MS) return undefined;
  return clock.now() - roundTripMs / 2 - theirsMs;
}

export async function watchClock({ clock, log }: Watched, database: Database): Promise<ClockWatch> {
  let offsetMs: number | undefined;
  let isReported = false;
  const look = async (): Promise<void> => {
    const found = await clockOffset(database, clock).catch(() => undefined);
    if (found === undefined) return;
    offsetMs = found;
    const isOff = Math.abs(found) > OFFSET_MAX_MS;
    if (isOff && !isReported) log.warn({ offsetMs: Math.round(found) }, clockIsOff(found));
    if (!isOff && isReported)
      log.warn({ offsetMs: Math.round(found) }, 'the clock agrees with the database again');
    isReported = isOff;
  };
  if (database.dialect === 'sqlite')
    return { look, keepsTime: () => undefined, checksBeside: () => [], metrics: [], stop: async () => {} };
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return {
    look,
    keepsTime: () => (offsetMs === undefined ? undefined : Math.abs(offsetMs) <= OFFSET_MAX_MS),
    checksBeside: (isTimeKeptByAnother) => [
      {
        name: 'clock',
        check: async () =>
          offsetMs === undefined ||
          Math.abs(offsetMs) <= READY_MAX_MS ||
          !isTimeKeptByAnother() ||
          `it is ${offsetInWords(offsetMs)}, with which other nodes go`,
      },
    ],
    metrics: [
      {
        name: 'voxgate_clock_offset_seconds',
        type: 'gauge',
        help: "How far the clock of this node is ahead of the database's",
        value: () => (offsetMs === undefined ? [] : [{ labels: {}, value: offsetMs / 1000 }]),
      },
    ],
    stop: async () => clearInterval(timer),
  };
}

export const CLOCK_ADVICE =
  'Set the clocks of all nodes and of the database by one time service (NTP): nodes whose clocks differ refuse the tokens of each other';

/** In words, such as "3600 s ahead of". */
export const offsetInWords = (offsetMs: number): string =>
  `${Math.round(Math.abs(offsetMs) / 1000)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's`;

const clockIsOff = (offsetMs: number): string =>
  `THE CLOCK OF THIS NODE IS ${offsetInWords(offsetMs)}. ${CLOCK_ADVICE}`;
