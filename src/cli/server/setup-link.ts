// `voxgate setup-link`: a fresh link to choose the first password, for when the printed one was lost.
import type { Command } from 'commander';
import { openAuth } from '../../compose/auth.js';
import { knownAddresses } from '../../compose/addresses.js';
import { setupUrlOf } from '../../compose/bootstrap.js';
import { AppError } from '../../errors.js';
import { silentLog, systemClock, systemIds } from '../../platform.js';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';
import { inEnglish } from '../../words/server/say.js';

export function registerSetupLink(program: Command, io: CliIo): void {
  commonFlags(
    program
      .command('setup-link')
      .description(
        "print a new link for choosing the administrator's first password; earlier links stop working",
      ),
  ).action((flags: CommonFlags) =>
    runCommand(io, flags, () =>
      withStorage(io, flags, async (storage, config) => {
        const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
        const addresses = await knownAddresses(storage.database, config);
        const setupUrl = await setupUrlOf(addresses, await openAuth(core, storage));
        if (setupUrl === undefined)
          throw new AppError(
            'ALREADY_EXISTS',
            inEnglish(
              config.signIn.localAccounts
                ? 'this installation is set up: use `voxgate user password <user>` to set a new password'
                : 'nobody signs in with a password: signIn.localAccounts is false',
            ),
          );
        print(io, flags, { setup_url: setupUrl }, [setupUrl]);
      }),
    ),
  );
}
