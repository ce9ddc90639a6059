// Runs a bench from its TypeScript source; see bench/run.ts, which answers --help.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const run = fileURLToPath(new URL('../bench/run.ts', import.meta.url));
const result = spawnSync(process.execPath, ['--import', 'tsx', run, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(result.status ?? 1);
