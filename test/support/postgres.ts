// One PostgreSQL per test run, started by the first test file that asks for it and stopped at the end of
// the run. VOXGATE_TEST_POSTGRES_URL names a server to use instead.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { onceInRun, outcomeOf } from './once-in-run.js';
import { makeRunFolder, startPostgres, stopPostgres, type RunningPostgres } from './postgres-server.js';

/** Vitest's global set-up; the server itself starts lazily, so that a run without databases stays quick. */
export default function setup(project: TestProject): () => Promise<void> {
  const runFolder = makeRunFolder();
  project.provide('runFolder', runFolder);
  return async () => {
    const outcome = outcomeOf<RunningPostgres>(runFolder, 'postgres');
    if (outcome && 'value' in outcome) await stopPostgres(outcome.value.folder);
    rmSync(runFolder, { recursive: true, force: true });
  };
}

export type PostgresAnswer = { url: string } | { fault: string };

/** The run's server, or why there is none. */
export async function sharedPostgres(): Promise<PostgresAnswer> {
  const given = process.env['VOXGATE_TEST_POSTGRES_URL'];
  if (given) return { url: given };
  const outcome = await onceInRun('postgres', startPostgres);
  return 'value' in outcome ? { url: outcome.value.url } : outcome;
}

export interface FreshSchema {
  url: string;
  /** Deletes all rows, but not what the migrations noted down about themselves. */
  clear(): Promise<void>;
  drop(): Promise<void>;
}

export interface FreshPostgres {
  /** An empty schema of its own: as good as a database to its users, and twenty times quicker to make. */
  newSchema(): Promise<FreshSchema>;
  drop(): Promise<void>;
}

/** A new database on the run's server, for one test file. */
export async function freshPostgresDatabase(serverUrl: string): Promise<FreshPostgres> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await administer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  let schemas = 0;
  return {
    async newSchema() {
      const schema = `s${++schemas}`;
      await client.query(`create schema ${schema}`);
      const schemaUrl = new URL(url);
      schemaUrl.searchParams.set('options', `-c search_path=${schema}`);
      return {
        url: schemaUrl.toString(),
        clear: async () => void (await client.query(clearStatement(schema))),
        drop: async () => void (await client.query(`drop schema if exists ${schema} cascade`)),
      };
    },
    async drop() {
      await client.end();
      await administer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** As a replica the session may delete in any order: foreign keys are not checked. */
function clearStatement(schema: string): string {
  return `
    set session_replication_role = replica;
    do $$ declare t text; begin
      for t in select tablename from pg_tables where schemaname = '${schema}' and tablename <> 'schema_migrations' loop
        execute format('delete from ${schema}.%I', t);
      end loop;
    end $$;
    set session_replication_role = default`;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
