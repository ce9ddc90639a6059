// `voxgate migrate`: brings the schema up to date without starting a server. A server does the same on start.
import type { Command } from 'commander';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';

export function registerMigrate(program: Command, io: CliIo): void {
  commonFlags(program.command('migrate').description('update the database schema')).action(
    (flags: CommonFlags) =>
      runCommand(io, flags, () =>
        withStorage(io, flags, async ({ migration, database }) => {
          const done =
            migration.applied.length === 0 ? 'already up to date' : `applied ${migration.applied.join(', ')}`;
          print(io, flags, { database: database.dialect, ...migration }, [
            `schema version ${migration.to}: ${done}`,
          ]);
        }),
      ),
  );
}
