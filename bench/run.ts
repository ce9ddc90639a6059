// `npm run bench -- NAME [--json] [--seconds N]`: runs one bench, or lists them.
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printReport, type Bench } from './harness.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '12' },
    tiny: { type: 'boolean', default: false },
  },
});

const notBenches = new Set(['run.ts', 'harness.ts']);
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => /^[a-z-]+\.ts$/.test(file) && !notBenches.has(file) && !file.includes('-'))
  .map((file) => file.slice(0, -'.ts'.length));
const NAME = positionals[0];
const SECONDS = Number(values.seconds);

if (NAME === undefined || !names.includes(NAME) || !(SECONDS > 0)) {
  console.error(`usage: npm run bench -- NAME [--json] [--seconds N]\nbenches: ${names.join(', ')}`);
  process.exit(2);
}
const { run } = (await import(new URL(`./${NAME}.ts`, import.meta.url).href)) as { run: Bench };
printReport(await run({ seconds: SECONDS, tiny: values.tiny }), values.json, console.log);
process.exit(0);
