// `voxgate keys rotate-signing`: beside the keys of encryption at rest, the one that signs tokens.
import type { Command } from 'commander';
import { rotateSigningKey } from '../../auth/tokens/rotate-signing-key.js';
import type { CliIo } from '../io.js';
import { addCommand } from './management.js';

export function registerSigningKey(program: Command, io: CliIo): void {
  const keys = program.commands.find((command) => command.name() === 'keys') ?? program.command('keys');
  addCommand(
    keys,
    io,
    'rotate-signing',
    'start using a new key for signing tokens; the old one stays valid until its last token has expired',
    async ({ auth, call }, _args, flags) => {
      const compromised = flags['compromised'] === true;
      const { kid, activeFromMs, unconfirmed } = await rotateSigningKey(auth, call, { compromised });
      return {
        value: { kid, activeFromMs, compromised, unconfirmedServers: unconfirmed },
        lines: [
          `key ${kid} signs from ${new Date(activeFromMs).toISOString()}`,
          ...unconfirmed.map(
            (name) =>
              `${name} has not confirmed: it is stopped, or cut off from the database; make sure of it`,
          ),
        ],
      };
    },
  ).option(
    '--compromised',
    'revoke the current keys and every token signed with them immediately; ends when all servers have dropped them',
  );
}
