// The schema of Voxgate 0.2.0, the oldest version whose databases are upgraded. Its number is that of the last of the
// steps that used to lead here.
import { sql } from 'kysely';
import type { DialectName } from '../database.js';
import { AUTH } from './baseline/auth.js';
import { CALLS } from './baseline/calls.js';
import { CORE } from './baseline/core.js';
import { ENGAGEMENT } from './baseline/engagement.js';
import { OPERATION } from './baseline/operation.js';
import { PEOPLE } from './baseline/people.js';
import type { Migration } from './migration.js';

export const baseline: Migration = {
  version: 49,
  name: 'baseline',
  async up(db, { dialect }) {
    for (const script of [CORE, AUTH, ENGAGEMENT, PEOPLE, CALLS, OPERATION])
      for (const statement of statementsOf(script, dialect)) await sql.raw(statement).execute(db);
  },
};

/** The scripts are written for SQLite. PostgreSQL differs in its type for bytes and in how an index reads JSON text. */
function statementsOf(script: string, dialect: DialectName): string[] {
  const statements = script
    .replaceAll(/^--.*$/gm, '')
    .split(';\n')
    .filter((statement) => statement.trim() !== '');
  if (dialect === 'sqlite') return statements;
  return statements.map((statement) =>
    statement
      .replaceAll(/\bblob\b/g, 'bytea')
      .replaceAll(/json_extract\((\w+), '\$\.(\w+)'\)/g, `substring($1 from '"$2":"([^"]*)"')`),
  );
}
