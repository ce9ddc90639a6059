// `npm run bench -- NAME [OPTIONS]`: runs one bench; `--help` lists them (command-line.ts).
import { setV8Options } from '../src/v8-options.js';
import { readCommandLine } from './command-line.js';
import { printReport, type Bench } from './harness.js';

const asked = readCommandLine(process.argv.slice(2));
if ('help' in asked) {
  console.log(asked.help);
  process.exit(0);
}
if ('fault' in asked) {
  console.error(asked.fault);
  process.exit(2);
}
// As at the start of the program.
setV8Options();
const { run } = (await import(new URL(`./${asked.name}.ts`, import.meta.url).href)) as { run: Bench };
printReport(await run(asked.options), asked.json, console.log);
process.exit(0);
