// `npm run bench -- NAME [--json] [--seconds N | --minutes N] [--seed S] [--postgres] [--calls N] [--talking SHARE] [--earlier FOLDER]`: runs one bench, or lists them.
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printReport, type Bench } from './harness.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '12' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    calls: { type: 'string' },
    talking: { type: 'string' },
    earlier: { type: 'string' },
  },
});

const notBenches = new Set(['run.ts', 'harness.ts']);
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => /^[a-z-]+\.ts$/.test(file) && !notBenches.has(file) && !file.includes('-'))
  .map((file) => file.slice(0, -'.ts'.length));
const NAME = positionals[0];
const SECONDS = values.minutes === undefined ? Number(values.seconds) : 60 * Number(values.minutes);
const SEED = Number(values.seed);

if (NAME === undefined || !names.includes(NAME) || !(SECONDS > 0) || !Number.isInteger(SEED)) {
  console.error(
    `usage: npm run bench -- NAME [--json] [--seconds N | --minutes N] [--seed S] [--postgres] [--calls N] [--talking SHARE] [--earlier FOLDER]\nbenches: ${names.join(', ')}`,
  );
  process.exit(2);
}
const { run } = (await import(new URL(`./${NAME}.ts`, import.meta.url).href)) as { run: Bench };
const { tiny, postgres } = values;
const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
const CALLS = number(values.calls);
const TALKING = number(values.talking);
const more = {
  ...(CALLS !== undefined && { calls: CALLS }),
  ...(TALKING !== undefined && { talking: TALKING }),
  ...(values.earlier !== undefined && { earlier: values.earlier }),
};
printReport(await run({ seconds: SECONDS, tiny, seed: SEED, postgres, ...more }), values.json, console.log);
process.exit(0);
