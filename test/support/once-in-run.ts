// Work that the files of a test run need once between them, in whichever worker they are: the first who asks does it, the
// others wait for its result.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    runFolder: string;
  }
}

export type Outcome<T> = { value: T } | { fault: string };

const WAIT_MS = 240_000;
const STEP_MS = 50;

export async function onceInRun<T>(name: string, work: () => Promise<T>): Promise<Outcome<T>> {
  const runFolder = inject('runFolder');
  if (!claim(join(runFolder, `${name}.claim`))) return awaitOutcome<T>(runFolder, name);
  const outcome = await work().then(
    (value): Outcome<T> => ({ value }),
    (error: unknown): Outcome<T> => ({ fault: error instanceof Error ? error.message : String(error) }),
  );
  const file = join(runFolder, `${name}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(outcome));
  renameSync(`${file}.new`, file);
  return outcome;
}

/** What came of it so far; undefined while nobody asked or the work goes on. */
export function outcomeOf<T>(runFolder: string, name: string): Outcome<T> | undefined {
  const file = join(runFolder, `${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome<T>) : undefined;
}

async function awaitOutcome<T>(runFolder: string, name: string): Promise<Outcome<T>> {
  for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    const outcome = outcomeOf<T>(runFolder, name);
    if (outcome) return outcome;
    await sleep(STEP_MS);
  }
  return { fault: `another test file began with ${name} and never finished` };
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
