// One PostgreSQL per test run, started by the first test file that asks for it and stopped at the end of
// the run. VOXGATE_TEST_POSTGRES_URL names a server to use instead.
import { rmSync } from 'node:fs';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { onceInRun, outcomeOf } from './once-in-run.js';
import { makeRunFolder, startPostgres, stopPostgres, type RunningPostgres } from './postgres-server.js';

/** Under which name the run knows the database that others are copies of. */
export const TEMPLATE = 'postgres-template';

/** Vitest's global set-up; the server itself starts lazily, so that a run without databases stays quick. */
export default function setup(project: TestProject): () => Promise<void> {
  const runFolder = makeRunFolder();
  project.provide('runFolder', runFolder);
  return async () => {
    const outcome = outcomeOf<RunningPostgres>(runFolder, 'postgres');
    if (outcome && 'value' in outcome) await stopPostgres(outcome.value.folder);
    const template = outcomeOf<string>(runFolder, TEMPLATE);
    const given = process.env['VOXGATE_TEST_POSTGRES_URL'];
    if (given && template && 'value' in template) await administer(given, dropStatement(template.value));
    rmSync(runFolder, { recursive: true, force: true });
  };
}

/** `socketUrl` is the same server without TCP in between, which a fifth of the time of each statement goes to. */
export type PostgresAnswer = { url: string; socketUrl: string } | { fault: string };

/** The run's server, or why there is none. */
export async function sharedPostgres(): Promise<PostgresAnswer> {
  const given = process.env['VOXGATE_TEST_POSTGRES_URL'];
  if (given) return { url: given, socketUrl: given };
  const outcome = await onceInRun('postgres', startPostgres);
  return 'value' in outcome ? { url: outcome.value.url, socketUrl: socketUrl(outcome.value) } : outcome;
}

function socketUrl({ url, folder }: RunningPostgres): string {
  const local = new URL(url);
  local.searchParams.set('host', folder);
  return local.toString();
}

export const dropStatement = (name: string): string => `drop database if exists ${name} with (force)`;

export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
