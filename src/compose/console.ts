// Serves the built console; a checkout that runs from its sources serves what the last build left in dist.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { registerConsoleRoutes } from '../transport/routes/console.js';
import type { Part } from './part.js';

export function composeConsole(): Part {
  return { routes: [(http) => registerConsoleRoutes(http, { folder: consoleFolder() })] };
}

function consoleFolder(): string {
  const beside = join(dirname(dirname(fileURLToPath(import.meta.url))), 'console');
  // In dist the bundle lies beside the compiled server; in src that place holds the console's sources.
  return existsSync(join(beside, 'vite.config.ts'))
    ? join(dirname(dirname(beside)), 'dist', 'console')
    : beside;
}
