// `voxgate bootstrap`: makes, once, what a first client needs, and prints it.
import type { Command } from 'commander';
import { bootstrap } from '../../compose/bootstrap.js';
import { silentLog, systemClock, systemIds } from '../../platform.js';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';

export const KEEP_PASSWORD_HELP =
  'the password that is made for the administrator need not be replaced at the first sign-in';

export function registerBootstrap(program: Command, io: CliIo): void {
  commonFlags(
    program
      .command('bootstrap')
      .description('create a first administrator, tenant, config set and application, and print them'),
  )
    .option('--keep-password', KEEP_PASSWORD_HELP)
    .addHelpText(
      'after',
      '\nSecrets are printed only by the run that creates them. Later runs print the same identifiers.',
    )
    .action((flags: CommonFlags & { keepPassword?: boolean }) =>
      runCommand(io, flags, () =>
        withStorage(io, flags, async (storage, config) => {
          const made = await bootstrap(
            { config, clock: systemClock, ids: systemIds, log: silentLog },
            storage,
            // A person chooses the first password behind a link; a program takes the one that is made for it.
            flags.keepPassword ? 'kept' : flags.json ? 'made' : 'by-link',
          );
          print(io, flags, made, [
            `Administrator  ${made.admin.username}${secret(made.admin.password)}`,
            `Tenant         ${made.scope.scope_id} (${made.scope.gk_scope_id})`,
            `Config set     ${made.configset_id}`,
            `Application    ${made.application.app_id}`,
            `Client         ${made.application.client_id}${secret(made.application.client_secret)}`,
            `Token URL      ${made.urls.token}`,
            ...(made.admin.setup_url === undefined
              ? []
              : [
                  '',
                  'Start the server (voxgate serve), open this link and choose a password:',
                  `  ${made.admin.setup_url}`,
                ]),
          ]);
        }),
      ),
    );
}

function secret(value: string | undefined): string {
  return value === undefined ? '' : `  ${value}  (shown once)`;
}
