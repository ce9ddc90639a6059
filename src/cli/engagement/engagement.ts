// `voxgate engagement`: the only way, beside the management API, to register clients of the engagement API.
import type { Command } from 'commander';
import { lockClient, unlockClient } from '../../auth/clients/lock-client.js';
import { getClient, listEngagementClients } from '../../auth/clients/read-clients.js';
import { registerEngagementClient } from '../../auth/clients/register-engagement-client.js';
import { updateClient } from '../../auth/clients/update-client.js';
import { siteExistsIn } from '../../engagement-api/manage-sites.js';
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
      const sites = list(flags, 'site');
      const input = {
        name,
        sites,
        siteExists: siteExistsIn(model),
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

  registerChanges(engagement, io);
}

function registerChanges(engagement: Command, io: CliIo): void {
  addCommand(
    engagement,
    io,
    'lock <client_id>',
    'lock a client; its tokens stop working at once, and its secret for good',
    async (session, [clientId = ''], flags) => {
      await requireEngagement(session, clientId);
      return changed(
        await lockClient(session.auth, session.call, { clientId, reason: text(flags, 'reason') ?? '' }),
      );
    },
  )
    .option('--reason <text>', 'reason, recorded in the audit trail')
    .addHelpText('after', '\nFor a new secret without a lock: client regenerate. To delete: client delete.');

  addCommand(
    engagement,
    io,
    'unlock <client_id>',
    'unlock a client and give it a new secret; tokens issued before the lock stay invalid',
    async (session, [clientId = '']) => {
      await requireEngagement(session, clientId);
      const { client, secret } = await unlockClient(session.auth, session.call, { clientId });
      const { value, lines } = changed(client);
      if (secret === undefined) return { value, lines };
      return {
        value: { ...value, clientSecret: secret },
        lines: [...lines, `Secret  ${secret}`, SHOWN_ONCE],
      };
    },
  );

  addCommand(
    engagement,
    io,
    'update <client_id>',
    'change the sites or the actions of a client',
    async (session, [clientId = ''], flags) => {
      await requireEngagement(session, clientId);
      const sites = list(flags, 'site');
      const scopes = list(flags, 'scope');
      const siteExists = siteExistsIn(session.engagement);
      const input = { siteExists, ...(sites.length > 0 && { sites }), ...(scopes.length > 0 && { scopes }) };
      return changed(await updateClient(session.auth, session.call, { clientId, ...input }));
    },
  )
    .option(
      '--site <site_id>',
      'site its tokens are valid for, instead of the present ones; repeat for several',
      collect,
    )
    .option('--scope <name>', 'agentAvailability or engagement; repeat for both', collect);
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
