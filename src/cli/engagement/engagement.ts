// `voxgate engagement`: the only way, beside the management API, to register clients of the engagement API.
import type { Command } from 'commander';
import { lockClient, unlockClient } from '../../auth/clients/lock-client.js';
import { getClient, listEngagementClients } from '../../auth/clients/read-clients.js';
import { registerEngagementClient } from '../../auth/clients/register-engagement-client.js';
import type { Client } from '../../auth/model.js';
import { AppError } from '../../errors.js';
import type { CliIo } from '../io.js';
import { collect, list, table, text } from '../flags.js';
import { SHOWN_ONCE, addCommand, type ManagementSession, type Result } from '../applications/management.js';

export function registerEngagement(program: Command, io: CliIo): void {
  const engagement = program
    .command('engagement')
    .description('register, list, lock and unlock clients of the engagement API');

  addCommand(
    engagement,
    io,
    'register <name>',
    'register a client for one or more sites',
    async ({ auth, call, engagement: model }, [name = ''], flags) => {
      const scopes = list(flags, 'scope');
      const siteExists = async (siteId: string): Promise<boolean> =>
        (await model.store.read.site(siteId)) !== undefined;
      const input = {
        name,
        siteExists,
        sites: list(flags, 'site'),
        ...(scopes.length === 0 ? {} : { scopes }),
      };
      const { client, secret } = await registerEngagementClient(auth, call, input);
      return {
        value: {
          ...shown(client),
          clientSecret: secret,
          tokenUrl: `${auth.settings.issuer}/oauth-server/oauth/token`,
        },
        lines: [`Client  ${client.clientId}`, `Secret  ${secret}`, SHOWN_ONCE],
      };
    },
  )
    .option('--site <site_id>', 'site its tokens are valid for; required, repeat for several', collect)
    .option('--scope <name>', 'agentAvailability or engagement; repeat for both (default: both)', collect);

  addCommand(engagement, io, 'list', 'list clients of the engagement API', async ({ auth, call }) => {
    const clients = await listEngagementClients(auth, call);
    return { value: { clients: clients.map(shown) }, lines: table(clients.map(row), 'no clients') };
  });

  addCommand(
    engagement,
    io,
    'lock <client_id>',
    'lock a client; its secret and tokens stop working at once',
    async (session, [clientId = ''], flags) => {
      await requireEngagement(session, clientId);
      return changed(
        await lockClient(session.auth, session.call, { clientId, reason: text(flags, 'reason') ?? '' }),
      );
    },
  )
    .option('--reason <text>', 'reason, recorded in the audit trail')
    .addHelpText('after', '\nIf a secret has leaked, leave the client locked and register a new one.');

  addCommand(
    engagement,
    io,
    'unlock <client_id>',
    'unlock a client; tokens issued before the lock stay invalid',
    async (session, [clientId = '']) => {
      await requireEngagement(session, clientId);
      return changed(await unlockClient(session.auth, session.call, { clientId }));
    },
  );
}

async function requireEngagement({ auth, call }: ManagementSession, clientId: string): Promise<void> {
  const { client } = await getClient(auth, call, { clientId });
  if (client.kind !== 'engagement') throw new AppError('NOT_FOUND', 'no such client of the engagement API');
}

function shown({ clientId, name, sites, scopes, locked, createdAtMs, updatedAtMs }: Client): object {
  return { clientId, name, sites, scopes, locked, createdAtMs, updatedAtMs };
}

function row(client: Client): string[] {
  return [client.clientId, client.locked ? 'locked' : 'active', client.sites.join(' '), client.name];
}

function changed(client: Client): Result {
  return { value: shown(client), lines: table([row(client)], '') };
}
