// The client half of ApplicationsManager: credentials of an environment, their secrets, keys and locks.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { getEnvironment } from '../../../auth/get-environment.js';
import { readCertificates, thumbprintOf } from '../../../auth/clients/certificates.js';
import { createClient } from '../../../auth/clients/create-client.js';
import { deleteClientKeys } from '../../../auth/clients/delete-client-keys.js';
import { deleteClient } from '../../../auth/clients/delete-client.js';
import { lockClient, unlockClient } from '../../../auth/clients/lock-client.js';
import { grantableScopes } from '../../../auth/grantable-scopes.js';
import { getClient, listClients } from '../../../auth/clients/read-clients.js';
import { regenerateSecret } from '../../../auth/clients/regenerate-secret.js';
import { setClientCertificate } from '../../../auth/clients/set-certificate.js';
import { updateClient } from '../../../auth/clients/update-client.js';
import type { Auth } from '../../../auth/create.js';
import type { Client, Environment } from '../../../auth/model.js';
import {
  requireClientRight,
  requireOwner,
  type ClientRight,
  type requireManager,
} from '../../../auth/permissions.js';
import { invalidFields, missingField, notFound } from '../../../errors.js';
import type {
  ApplicationsManager,
  ClientSchema,
} from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { Call } from '../../../platform.js';
import type { Handlers } from '../../service.js';
import {
  changedFields,
  inContractNames,
  readJwks,
  requireFields,
  requireFieldsOf,
  time,
  timeField,
} from './shared.js';
import { say } from '../../../words/server/say.js';

export interface ManagementDeps {
  auth: Auth;
  /** Newest token of each of these clients, from the event log. */
  lastTokenAtMs(clientIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Whether there is such a tenant to be granted. */
  scopeExists(gkScopeId: string): Promise<boolean>;
  /** Days that recordings are kept. */
  mediaDays: number;
  /**
   * Runs `work`; where that is refused because somebody else has changed the same (`subjectId`), the refusal says who. `facts` are the
   * names that the fields of the request have in the trail.
   */
  namingChangeOf<T>(
    subjectId: string,
    facts: Readonly<Record<string, string>>,
    work: () => Promise<T>,
  ): Promise<T>;
}

const clientFields = { scopes: 'allowed_scopes', keys: 'jwks_json', dpop_required: 'dpop_bound' };
const clientFacts = { allowed_scopes: 'scopes', dpop_bound: 'dpopRequired' };

type CredentialHandlers = Pick<
  Handlers<typeof ApplicationsManager>,
  | 'regenerateClientSecret'
  | 'lockClient'
  | 'unlockClient'
  | 'setClientKeys'
  | 'setClientCertificate'
  | 'deleteClientKeys'
>;

type ClientHandlers = Pick<
  Handlers<typeof ApplicationsManager>,
  | 'createClient'
  | 'listClients'
  | 'getClient'
  | 'updateClient'
  | 'deleteClient'
  | 'regenerateClientSecret'
  | 'lockClient'
  | 'unlockClient'
  | 'setClientKeys'
  | 'setClientCertificate'
  | 'deleteClientKeys'
>;

export function clientHandlers(deps: ManagementDeps): ClientHandlers {
  const { auth } = deps;
  return {
    createClient: async (call, request) => {
      const { appId, name, allowedScopes, dpopBound, jwksJson } = request;
      const environment = await environmentFor(deps, call, appId, requireOwner, { name });
      const input = {
        appId,
        geography: request.geography || onlyGeography(environment),
        name,
        dpopRequired: dpopBound,
        ...(allowedScopes.length === 0 ? {} : { scopes: allowedScopes }),
        ...(jwksJson === '' ? {} : { keys: readJwks('jwks_json', jwksJson) }),
      };
      const { client, secret } = await inContractNames(clientFields, () => createClient(auth, call, input));
      return newClientInit(auth, { client, secret: secret ?? '' });
    },
    listClients: async (call, { appId }) => {
      requireFields({ app_id: appId });
      const clients = await listClients(auth, call, { appId });
      return {
        clients: await Promise.all(clients.map(({ clientId }) => clientInit(deps, call, clientId))),
        grantableScopes: [...(await grantableScopes(auth, call))],
      };
    },
    getClient: async (call, { clientId }) => ({ client: await clientInit(deps, call, clientId) }),
    updateClient: async (call, { clientId, allowedScopes, dpopBound, expected, fieldMask }) => {
      await requireRuntime(deps, call, clientId, 'manage', { field_mask: fieldMask });
      const changed = changedFields(fieldMask, ['allowed_scopes', 'dpop_bound']);
      const input = {
        clientId,
        ...(changed.has('allowed_scopes') ? { scopes: allowedScopes } : {}),
        ...(changed.has('dpop_bound') ? { dpopRequired: dpopBound } : {}),
        ...(expected && { expected: { scopes: expected.allowedScopes, dpopRequired: expected.dpopBound } }),
      };
      await deps.namingChangeOf(clientId, clientFacts, () =>
        inContractNames(clientFields, () => updateClient(auth, call, input)),
      );
      return { client: await clientInit(deps, call, clientId) };
    },
    deleteClient: async (call, { clientId }) => {
      await requireRuntime(deps, call, clientId);
      await deleteClient(auth, call, { clientId });
      return {};
    },
    ...credentialHandlers(deps),
  };
}

/** What makes a client able to ask for tokens, or stops it. */
function credentialHandlers(deps: ManagementDeps): CredentialHandlers {
  const { auth } = deps;
  return {
    regenerateClientSecret: async (call, { clientId, overlapSeconds }) => {
      await requireRuntime(deps, call, clientId, 'hold-secret');
      const longestSeconds = Math.floor(auth.settings.secretOverlapMaxMs / 1000);
      if (overlapSeconds < 0 || overlapSeconds > longestSeconds) {
        throw invalidFields([
          {
            field: 'overlap_seconds',
            violation: 'OUT_OF_RANGE',
            ...say('OUT_OF_RANGE', { min: 0, max: longestSeconds }),
          },
        ]);
      }
      const { secret } = await regenerateSecret(auth, call, { clientId, overlapMs: overlapSeconds * 1000 });
      return { clientSecret: secret, client: await clientInit(deps, call, clientId) };
    },
    lockClient: async (call, { clientId, reason }) => {
      await requireRuntime(deps, call, clientId);
      await lockClient(auth, call, { clientId, reason });
      return { client: await clientInit(deps, call, clientId) };
    },
    unlockClient: async (call, { clientId }) => {
      await requireRuntime(deps, call, clientId);
      await unlockClient(auth, call, { clientId });
      return { client: await clientInit(deps, call, clientId) };
    },
    setClientKeys: async (call, { clientId, jwksJson }) => {
      await requireRuntime(deps, call, clientId, 'hold-secret', { jwks_json: jwksJson });
      const keys = readJwks('jwks_json', jwksJson);
      await inContractNames(clientFields, () => updateClient(auth, call, { clientId, keys }));
      return { client: await clientInit(deps, call, clientId) };
    },
    setClientCertificate: async (call, { clientId, certificatesPem, ...names }) => {
      await requireRuntime(deps, call, clientId, 'hold-secret');
      const certificates =
        certificatesPem === '' ? undefined : readCertificates('certificates_pem', certificatesPem);
      const rule = {
        ...(certificates ? { thumbprints: certificates.map(thumbprintOf) } : {}),
        ...(names.subjectDn === '' ? {} : { subjectDn: names.subjectDn }),
        ...(names.sanDns === '' ? {} : { sanDns: names.sanDns }),
        ...(names.sanUri === '' ? {} : { sanUri: names.sanUri }),
      };
      await inContractNames({ certificate: 'certificates_pem' }, () =>
        setClientCertificate(auth, call, { clientId, rule }),
      );
      return { client: await clientInit(deps, call, clientId) };
    },
    deleteClientKeys: async (call, { clientId }) => {
      await requireRuntime(deps, call, clientId);
      await deleteClientKeys(auth, call, { clientId });
      return { client: await clientInit(deps, call, clientId) };
    },
  };
}

/** The geography that goes without saying. */
export function onlyGeography({ geographies }: Environment): string {
  const [first, second] = geographies;
  if (first === undefined || second !== undefined) throw invalidFields([missingField('geography')]);
  return first;
}

/** This service is about clients of applications; the other kinds have their own services and rules. */
async function requireRuntime(
  { auth }: ManagementDeps,
  call: Call,
  clientId: string,
  right: ClientRight = 'see',
  fields: Parameters<typeof requireFields>[0] = {},
): Promise<void> {
  const requireRight = async (): Promise<void> => {
    const { client } = await getClient(auth, call, { clientId });
    if (client.kind !== 'runtime') throw notFound('client', 'client_id');
    await requireClientRight(auth, call, client, right);
  };
  await requireFieldsOf({ client_id: clientId }, requireRight, fields);
}

/** An environment in whose application the caller may do what `require` asks for. */
export async function environmentFor(
  { auth }: ManagementDeps,
  call: Call,
  appId: string,
  require: typeof requireManager,
  fields: Parameters<typeof requireFields>[0] = {},
): Promise<Environment> {
  const environmentIfAllowed = async (): Promise<Environment> => {
    const environment = await getEnvironment(auth, call, { appId });
    await require(auth, call, environment.applicationId);
    return environment;
  };
  return requireFieldsOf({ app_id: appId }, environmentIfAllowed, fields);
}

async function clientInit(
  deps: ManagementDeps,
  call: Call,
  clientId: string,
): Promise<MessageInitShape<typeof ClientSchema>> {
  await requireRuntime(deps, call, clientId);
  const { client, secrets } = await getClient(deps.auth, call, { clientId });
  const current = secrets.find((secret) => secret.expiresAtMs === undefined);
  const previous = secrets.find((secret) => secret.expiresAtMs !== undefined);
  const lastUsed = await deps.lastTokenAtMs([clientId]);
  return {
    ...fromClient(client),
    hasSecret: current !== undefined,
    ...timeField('secretCreatedTimestamp', current?.createdAtMs),
    ...timeField('previousSecretExpiresTimestamp', previous?.expiresAtMs),
    ...timeField('lastUsedTimestamp', lastUsed.get(clientId)),
  };
}

export function newClientInit(
  { clock }: Pick<Auth, 'clock'>,
  { client, secret }: { client: Client; secret: string },
): { client: MessageInitShape<typeof ClientSchema>; clientSecret: string } {
  const hasSecret = secret !== '';
  const created = hasSecret ? client.createdAtMs || clock.now() : undefined;
  return {
    client: { ...fromClient(client), hasSecret, ...timeField('secretCreatedTimestamp', created) },
    clientSecret: secret,
  };
}

function fromClient(client: Client): MessageInitShape<typeof ClientSchema> {
  return {
    clientId: client.clientId,
    appId: client.appId ?? '',
    name: client.name,
    geography: client.geography ?? '',
    allowedScopes: [...client.scopes],
    dpopBound: client.dpopRequired,
    locked: client.locked,
    hasKeys: client.keys.length > 0,
    hasCertificate: client.certificate !== undefined,
    creationTimestamp: time(client.createdAtMs),
    modificationTimestamp: time(client.updatedAtMs),
  };
}
