// `voxgate client`: credentials of an environment, and the config.json that developers download.
import type { Command } from 'commander';
import { getClientConfig } from '../../auth/applications/get-client-config.js';
import { getEnvironment } from '../../auth/get-environment.js';
import { readCertificates, thumbprintOf } from '../../auth/clients/certificates.js';
import { createClient } from '../../auth/clients/create-client.js';
import { deleteClient } from '../../auth/clients/delete-client.js';
import { lockClient, unlockClient } from '../../auth/clients/lock-client.js';
import { getClient, listClients } from '../../auth/clients/read-clients.js';
import { regenerateSecret } from '../../auth/clients/regenerate-secret.js';
import { setClientCertificate } from '../../auth/clients/set-certificate.js';
import { updateClient } from '../../auth/clients/update-client.js';
import type { Client, PublicJwk } from '../../auth/model.js';
import { readingEvents } from '../../compose/management.js';
import { AppError } from '../../errors.js';
import { listRequests, type LoggedRequest } from '../../events/list-requests.js';
import { systemClock } from '../../platform.js';
import { eventStore } from '../../storage/events/event-store.js';
import type { CliIo } from '../io.js';
import { table, text, wholeNumber, type Flags } from '../flags.js';
import { SHOWN_ONCE, addCommand, readText, type ManagementSession, type Result } from './management.js';
import { inEnglish } from '../../words/server/say.js';

const HOUR_MS = 3600_000;

export function registerClient(program: Command, io: CliIo): void {
  const client = program
    .command('client')
    .description('manage the client credentials of an environment, and print its config.json');
  registerCreate(client, io);
  registerReading(client, io);
  registerCredentials(client, io);
  registerLocks(client, io);
  registerScopes(client, io);
  registerKeys(client, io);
  registerCertificate(client, io);
  registerGateway(client, io);
  registerDelete(client, io);
  registerConfig(client, io);
  registerRequests(client, io);
}

function registerCreate(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'create <app_id> <name>',
    'create a client',
    async (session, [appId = '', name = ''], flags) => {
      const scopes = text(flags, 'scopes');
      const jwks = text(flags, 'jwks');
      const made = await createClient(session.auth, session.call, {
        appId,
        name,
        geography: await geographyOf(session, appId, flags),
        dpopRequired: flags['dpop'] === true,
        ...(scopes === undefined ? {} : { scopes: scopes.split(/[ ,]+/) }),
        ...(jwks === undefined ? {} : { keys: readKeys(jwks) }),
      });
      const { clientId } = made.client;
      const secretLines = made.secret === undefined ? [] : [`Secret  ${made.secret}`, SHOWN_ONCE];
      return {
        value: { ...made.client, clientSecret: made.secret },
        lines: [`Client  ${clientId}`, ...secretLines],
      };
    },
  )
    .option('--geography <name>', 'region; needed only if the environment has several')
    .option('--scopes <list>', 'comma-separated scopes it may request (default: all runtime scopes)')
    .option(
      '--jwks <file>',
      'JWK set with public keys (-: standard input); the client then signs its requests and has no secret',
    )
    .option('--dpop', 'issue only tokens that are bound to a key of the client (DPoP)');
}

function registerReading(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'list <app_id>',
    'list the clients of an environment',
    async ({ auth, call }, [appId = '']) => {
      const clients = await listClients(auth, call, { appId });
      return { value: { clients }, lines: table(clients.map(row), 'no clients') };
    },
  );

  addCommand(client, io, 'show <client_id>', 'show a client', async ({ auth, call }, [clientId = '']) => {
    const found = await getClient(auth, call, { clientId });
    return { value: { ...found.client, secrets: found.secrets }, lines: table([row(found.client)], '') };
  });
}

function registerCredentials(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'regenerate <client_id>',
    'generate a new secret',
    async ({ auth, call }, [clientId = ''], flags) => {
      const overlapSeconds = wholeNumber(flags, 'overlap') ?? 0;
      const made = await regenerateSecret(auth, call, { clientId, overlapMs: overlapSeconds * 1000 });
      const until =
        overlapSeconds === 0
          ? 'The old secret no longer works. Tokens that were fetched before work until they expire; "client lock" ends these.'
          : `The old secret keeps working until ${new Date(made.previousExpiresAtMs).toISOString()}.`;
      return {
        value: { clientId, clientSecret: made.secret, previousExpiresAtMs: made.previousExpiresAtMs },
        lines: [`Secret  ${made.secret}`, SHOWN_ONCE, until],
      };
    },
  ).option('--overlap <seconds>', 'how long the old secret keeps working (default: 0)');
}

function registerLocks(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'lock <client_id>',
    'lock a client; its secret and tokens stop working',
    async ({ auth, call }, [clientId = ''], flags) =>
      changed(await lockClient(auth, call, { clientId, reason: text(flags, 'reason') ?? '' })),
  ).option('--reason <text>', 'reason, recorded in the audit trail');

  addCommand(client, io, 'unlock <client_id>', 'unlock a client', async ({ auth, call }, [clientId = '']) =>
    changed((await unlockClient(auth, call, { clientId })).client),
  );
}

function registerScopes(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'scopes <client_id> <list>',
    'set the scopes a client may request (comma-separated)',
    async ({ auth, call }, [clientId = '', scopes = '']) =>
      changed(await updateClient(auth, call, { clientId, scopes: scopes.split(/[ ,]+/) })),
  );
}

function registerKeys(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'keys <client_id> <file>',
    'register public keys (a JWK set; -: standard input); the secret stops working',
    async ({ auth, call }, [clientId = '', file = '']) =>
      changed(await updateClient(auth, call, { clientId, keys: readKeys(file) })),
  );
}

function registerCertificate(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'certificate <client_id>',
    'let a client prove itself by a certificate (mutual TLS); its secret or keys stop working',
    async ({ auth, call }, [clientId = ''], flags) => {
      const file = text(flags, 'file');
      const [subjectDn, sanDns, sanUri] = [
        text(flags, 'subjectDn'),
        text(flags, 'sanDns'),
        text(flags, 'sanUri'),
      ];
      const rule = {
        ...(file === undefined
          ? {}
          : { thumbprints: readCertificates('--file', readText(file)).map(thumbprintOf) }),
        ...(subjectDn === undefined ? {} : { subjectDn }),
        ...(sanDns === undefined ? {} : { sanDns }),
        ...(sanUri === undefined ? {} : { sanUri }),
      };
      return changed(await setClientCertificate(auth, call, { clientId, rule }));
    },
  )
    .option('--file <file>', 'PEM file with the certificate itself (-: standard input)')
    .option(
      '--subject-dn <dn>',
      'subject of a certificate from a trusted authority, such as CN=ivr,O=Example',
    )
    .option('--san-dns <name>', 'DNS name in such a certificate')
    .option('--san-uri <uri>', 'URI in such a certificate');
}

function registerGateway(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'gateway <client_id>',
    'allow a client to introspect the tokens of every application',
    async ({ auth, call }, [clientId = ''], flags) =>
      changed(await updateClient(auth, call, { clientId, introspectAny: flags['off'] !== true })),
  ).option('--off', 'withdraw the permission');
}

function registerDelete(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'delete <client_id>',
    'delete a client; the last client of an environment cannot be deleted',
    async ({ auth, call }, [clientId = '']) => {
      await deleteClient(auth, call, { clientId });
      return { value: { clientId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerConfig(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'config <app_id>',
    'print the config.json of an environment, with the secrets left blank',
    async (session, [appId = ''], flags) => {
      const language = text(flags, 'language');
      const geography = await geographyOf(session, appId, flags);
      const blocks = await getClientConfig(session.auth, session.call, {
        appId,
        geography,
        ...(language === undefined ? {} : { language }),
      });
      return { value: blocks, lines: [JSON.stringify(blocks.config, null, 2)] };
    },
  )
    .option('--geography <name>', 'region; needed only if the environment has several')
    .option('--language <code>', 'language of the models in the URNs, such as eng-USA')
    .addHelpText(
      'after',
      '\nWith --json, the URN blocks asr_params, nlu_params and dlg_params are included.',
    );
}

function registerRequests(client: Command, io: CliIo): void {
  addCommand(
    client,
    io,
    'requests <app_id>',
    'list the latest requests of the clients of an environment, also for tokens, newest first',
    async ({ auth, storage, call }, [appId = ''], flags) => {
      const hours = wholeNumber(flags, 'hours') ?? 24;
      const deps = readingEvents({ clock: systemClock }, auth, eventStore(storage.database));
      const { requests } = await listRequests(deps, call, {
        appId,
        clientId: text(flags, 'client') ?? '',
        method: text(flags, 'method') ?? '',
        requestId: text(flags, 'requestId') ?? '',
        ...(flags['failed'] === true ? { isOk: false } : {}),
        fromMs: systemClock.now() - hours * HOUR_MS,
        pageSize: wholeNumber(flags, 'limit') ?? 0,
        pageToken: '',
      });
      return { value: { requests }, lines: table(requests.map(requestRow), 'no requests') };
    },
  )
    .option('--client <id>', 'only requests of this client')
    .option('--method <name>', 'only this operation, such as Verify or RequestToken')
    .option('--request-id <id>', 'only this request')
    .option('--failed', 'only requests that were refused or failed')
    .option('--hours <number>', 'how far to look back (default: 24)')
    .option('--limit <number>', 'show at most this many (default: 100, limit: 1000)');
}

function requestRow(request: LoggedRequest): string[] {
  const { atMs, clientId, service, method, transport, outcome, durationMs, requestId, reason, address } =
    request;
  // Nobody measures requests for tokens; where they came from is known instead.
  const [took, from] =
    service === 'oauth2'
      ? ['', [address, reason].filter(Boolean).join(' ')]
      : [`${durationMs} ms`, requestId];
  return [new Date(atMs).toISOString(), clientId, transport, method, outcome, took, from];
}

async function geographyOf({ auth, call }: ManagementSession, appId: string, flags: Flags): Promise<string> {
  const named = text(flags, 'geography');
  if (named !== undefined) return named;
  const { geographies } = await getEnvironment(auth, call, { appId });
  const [only, second] = geographies;
  if (only === undefined || second !== undefined) {
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(`choose one of its geographies with --geography: ${geographies.join(', ')}`),
    );
  }
  return only;
}

function readKeys(file: string): PublicJwk[] {
  const parsed = JSON.parse(readText(file)) as { keys?: unknown };
  if (!Array.isArray(parsed.keys))
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish('the file is not a JWK set (an object with a list named keys)'),
    );
  return parsed.keys as PublicJwk[];
}

function row(client: Client): string[] {
  return [client.clientId, client.locked ? 'locked' : 'active', client.authMethod, client.scopes.join(' ')];
}

function changed(client: Client): Result {
  return { value: client, lines: table([row(client)], '') };
}
