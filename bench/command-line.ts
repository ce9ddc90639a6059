// The command line of `npm run bench`: which bench with which options, its help, or one line that says what is wrong.
import { parseArgs } from 'node:util';
import type { BenchOptions } from './harness.js';

export type Request =
  | { help: string }
  // Told in one line.
  | { fault: string }
  | { name: string; json: boolean; options: BenchOptions };

/** What each bench measures; a test looks that none is missing. */
const benches: Readonly<Record<string, string>> = {
  batch: 'a batch beside the engine alone, and what live calls wait meanwhile',
  chaos: 'clients work while the server is killed, stopped, flooded, starved and moved in time',
  cluster: 'what a call costs with one, two and three nodes',
  engine: 'processor time of the voice engine by stage, beside sherpa-onnx',
  gallery: 'reading a watchlist of a million prints after a start',
  identify: '1:N search in galleries of several sizes',
  lists: 'the lists of the console over a full tenant',
  live: 'calls at once in real time, each verified at its checkpoints',
  'voice-search': 'a search for one voice through 100,000 stored calls',
  nodes: 'three nodes, killed one after another under load',
  preemption: 'what a short call waits while another client has long files processed',
  rolling: 'an earlier version is replaced by this one under load, and replaced back',
  rpc: 'gRPC and REST calls beside bare servers',
  service: 'the whole service under mixed load',
  tokens: 'the token endpoint beside oidc-provider',
  watchlist: 'Identify and DetectKnownFraudsters among a million prints through the API',
};

interface Flag {
  type: 'string' | 'boolean';
  /** Stands for its value. */
  value?: string;
  about: string;
  isWhole?: true;
}
const flags = {
  json: { type: 'boolean', about: 'only the report as JSON' },
  seconds: { type: 'string', value: 'N', about: 'measuring time in all (12 if absent)' },
  minutes: { type: 'string', value: 'N', about: 'the same in minutes' },
  seed: {
    type: 'string',
    value: 'S',
    about: 'what happens follows from it: chaos, nodes (1 if absent)',
    isWhole: true,
  },
  postgres: { type: 'boolean', about: 'on PostgreSQL: chaos, lists' },
  calls: { type: 'string', value: 'N', about: 'calls at once: live, batch', isWhole: true },
  talking: { type: 'string', value: 'SHARE', about: 'of the time in which a caller speaks: live' },
  earlier: { type: 'string', value: 'FOLDER', about: 'a built checkout of the earlier version: rolling' },
  tiny: { type: 'boolean', about: 'the smallest input that still runs every line' },
  help: { type: 'boolean', about: 'this text' },
} as const satisfies Record<string, Flag>;
type FlagName = keyof typeof flags;
type Values = Partial<Record<FlagName, string | boolean>>;

const USAGE = 'npm run bench -- NAME [OPTIONS]';
const SEE = 'npm run bench -- --help lists what there is';
const SECONDS_USUAL = 12;

function helpText(): string {
  const row = (name: string, about: string): string => `  ${name.padEnd(18)}${about}`;
  return [
    `usage: ${USAGE}`,
    '',
    'Benches:',
    ...Object.entries(benches).map(([name, about]) => row(name, about)),
    '',
    'Options:',
    ...Object.entries<Flag>(flags).map(([name, { value, about }]) =>
      row(`--${name}${value === undefined ? '' : ` ${value}`}`, about),
    ),
  ].join('\n');
}

export function readCommandLine(args: readonly string[]): Request {
  const options = Object.fromEntries(
    Object.entries<Flag>(flags).map(([name, { type }]) => [name, { type, multiple: false }] as const),
  );
  // Without strictness nothing is thrown, and what is wrong is said here in our own words.
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const values = parsed.values as Values;
  const [name, ...more] = parsed.positionals;
  if (values.help === true || args.includes('-h')) return { help: helpText() };
  const unknown = parsed.tokens.find((token) => token.kind === 'option' && !(token.name in flags));
  if (unknown?.kind === 'option') return { fault: `there is no option ${unknown.rawName}; ${SEE}` };
  if (name === undefined) return { fault: `usage: ${USAGE}; ${SEE}` };
  if (!Object.hasOwn(benches, name)) return { fault: `there is no bench ${name}; ${SEE}` };
  if (more.length > 0) return { fault: `one bench at a time: ${more.join(', ')} is too much` };
  const fault = faultOf(values);
  return fault === undefined
    ? { name, json: values.json === true, options: optionsOf(values) }
    : { fault: `${fault}; ${SEE}` };
}

function faultOf(values: Values): string | undefined {
  for (const [name, flag] of Object.entries<Flag>(flags)) {
    const value = values[name as FlagName];
    if (value === undefined) continue;
    if (flag.type === 'boolean' && value !== true) return `--${name} takes no value`;
    if (flag.type === 'string' && (typeof value !== 'string' || value === ''))
      return `--${name} needs a value: ${flag.value}`;
    if (flag.type === 'boolean' || name === 'earlier') continue;
    const figure = Number(value);
    if (flag.isWhole ? !Number.isSafeInteger(figure) || figure < 0 : !(figure > 0 && Number.isFinite(figure)))
      return `--${name} must be a ${flag.isWhole ? 'whole number' : 'number above 0'}, not ${value}`;
  }
  return undefined;
}

function optionsOf({
  minutes,
  seconds,
  seed,
  postgres,
  tiny,
  calls,
  talking,
  earlier,
}: Values): BenchOptions {
  return {
    seconds: minutes === undefined ? Number(seconds ?? SECONDS_USUAL) : 60 * Number(minutes),
    seed: Number(seed ?? 1),
    postgres: postgres === true,
    tiny: tiny === true,
    ...(calls !== undefined && { calls: Number(calls) }),
    ...(talking !== undefined && { talking: Number(talking) }),
    ...(typeof earlier === 'string' && { earlier }),
  };
}
