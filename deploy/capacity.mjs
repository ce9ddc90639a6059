// From how many prints and calls to how many cores, gigabytes and what they cost: `node deploy/capacity.mjs --calls 10000 --prints
// 100000000`. Every constant was measured or is a choice, and docs/guides/capacity.md says which. Figures of your own machine
// and prices replace them: `--core-ms-per-speech-second 9 --price-core-month 20`.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What you have and want; the first are yours, the others measured or chosen. */
export const defaults = {
  /** Calls that run at the same time, and how long one lasts. */
  calls: 1000,
  callSeconds: 240,
  /** 1: every call is listened to while it runs; 0: one recording of each is verified. */
  live: 0,
  /** Speech that a verification hears, and bytes of it that are kept (G.711: 8,000 bytes a second). */
  speechSeconds: 10,
  keptSecondsPerCall: 30,
  keptBytesPerSecond: 8000,
  keptDays: 90,
  /** Prints in all, and those of the groups and watchlists that a node is asked about. */
  prints: 1_000_000,
  printsSearched: 0,
  /** Share of its time that a core may work before callers wait. */
  use: 0.6,
  coresPerNode: 8,
  spareNodes: 1,
  /** Measured on an arm64 core. */
  coreMsPerSpeechSecond: 10,
  coreMsPerCallBesides: 50,
  coreMsPerLiveSecond: 6.5,
  coreMsPerMillionSearched: 56,
  nodeMegabytes: 110,
  workerMegabytes: 90,
  liveMegabytesPerCall: 0.5,
  bytesPerPrintInMemory: 600,
  databaseBytesPerPrint: 38_000,
  databaseBytesPerCall: 12_000,
  databaseDays: 365,
  /** Acknowledged changes that one tenant makes in a second: they wait for each other at its audit chain. */
  changesPerCall: 4,
  changesPerSecondOfTenant: 300,
  /** Prices in whatever you pay with, per month. */
  priceCoreMonth: 25,
  priceGigabyteObjectMonth: 0.023,
  priceGigabyteDatabaseMonth: 0.12,
};

const GIGA = 1e9;
const DAY_SECONDS = 86_400;
/** Of a day's hours as if all calls came in the busy ones. */
const BUSY_DAY_SHARE = 0.4;

export function capacity(given = {}) {
  const of = { ...defaults, ...given };
  const callsPerSecond = of.calls / of.callSeconds;
  const search = (of.coreMsPerMillionSearched * of.printsSearched) / 1e6;
  const recorded =
    callsPerSecond * (of.speechSeconds * of.coreMsPerSpeechSecond + of.coreMsPerCallBesides + search);
  const listened = of.calls * of.coreMsPerLiveSecond + callsPerSecond * (of.coreMsPerCallBesides + search);
  const busyCores = ((1 - of.live) * recorded + of.live * listened) / 1000;
  const nodes = Math.max(2, Math.ceil(busyCores / of.use / of.coresPerNode) + of.spareNodes);
  const callsPerDay = callsPerSecond * DAY_SECONDS * BUSY_DAY_SHARE;
  const memoryGigabytesPerNode =
    (of.nodeMegabytes +
      of.coresPerNode * of.workerMegabytes +
      (of.live * of.calls * of.liveMegabytesPerCall) / Math.max(1, nodes - of.spareNodes)) /
      1000 +
    (of.printsSearched * of.bytesPerPrintInMemory) / GIGA;
  const recordingsGigabytes =
    (callsPerDay * of.keptDays * of.keptSecondsPerCall * of.keptBytesPerSecond) / GIGA;
  const databaseGigabytes =
    (of.prints * of.databaseBytesPerPrint + callsPerDay * of.databaseDays * of.databaseBytesPerCall) / GIGA;
  const changesPerSecond = callsPerSecond * of.changesPerCall;
  return {
    callsPerSecond,
    busyCores,
    nodes,
    memoryGigabytesPerNode,
    recordingsGigabytes,
    databaseGigabytes,
    changesPerSecond,
    /** At least as many tenants must share the load, because one alone is slower than that. */
    tenantsAtLeast: Math.ceil(changesPerSecond / of.changesPerSecondOfTenant),
    costPerMonth:
      nodes * of.coresPerNode * of.priceCoreMonth +
      recordingsGigabytes * of.priceGigabyteObjectMonth +
      databaseGigabytes * of.priceGigabyteDatabaseMonth,
  };
}

const LARGEST = 1e15;
const shares = ['live', 'use'];
const divisors = ['callSeconds', 'use', 'coresPerNode', 'changesPerSecondOfTenant'];
const flagOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(answerTo(process.argv.slice(2)));
  } catch (error) {
    process.stderr.write(`${error.message.split('\n')[0]}\n`);
    process.exitCode = 1;
  }
}

function answerTo(args) {
  const names = Object.keys(defaults);
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' }])),
      help: { type: 'boolean' },
    },
  });
  if (values.help)
    return [
      'node deploy/capacity.mjs [--calls 1000] [--prints 1000000] ...',
      'Cores, memory, storage and money for so many calls and prints; docs/guides/capacity.md says where the figures come from.',
      '',
      ...names.map((name) => `  --${flagOf(name)} <number>  (default: ${defaults[name]})`),
      '',
    ].join('\n');
  const given = Object.fromEntries(
    names
      .filter((name) => values[flagOf(name)] !== undefined)
      .map((name) => [name, Number(values[flagOf(name)])]),
  );
  for (const [name, value] of Object.entries(given)) {
    if (values[flagOf(name)].trim() === '' || !(value >= 0 && value <= LARGEST))
      throw new Error(`--${flagOf(name)}: must be a number from 0 to ${LARGEST}`);
    if (shares.includes(name) && value > 1) throw new Error(`--${flagOf(name)}: must be a share from 0 to 1`);
    if (divisors.includes(name) && value === 0) throw new Error(`--${flagOf(name)}: must be more than 0`);
  }
  return `${JSON.stringify(capacity(given), null, 2)}\n`;
}
