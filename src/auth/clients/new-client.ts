// The starting state of a client of each kind.
import type { Client, PublicJwk } from '../model.js';

const base = {
  appId: undefined,
  geography: undefined,
  userId: undefined,
  redirectUris: [],
  keys: [],
  certificate: undefined,
  dpopRequired: false,
  introspectAny: false,
  sites: [],
  locked: false,
  firstParty: false,
} as const;

export function newRuntimeClient(input: {
  clientId: string;
  appId: string;
  geography: string;
  name: string;
  scopes: readonly string[];
  keys?: readonly PublicJwk[];
  nowMs: number;
}): Client {
  const { clientId, appId, geography, name, scopes, keys = [], nowMs } = input;
  return {
    ...base,
    clientId,
    kind: 'runtime',
    name,
    appId,
    geography,
    scopes: [...scopes],
    grantTypes: ['client_credentials'],
    authMethod: keys.length > 0 ? 'private_key_jwt' : 'secret',
    keys: [...keys],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

export function newToolingClient(
  input: Pick<
    Client,
    'clientId' | 'name' | 'userId' | 'scopes' | 'grantTypes' | 'redirectUris' | 'authMethod' | 'keys'
  > & {
    nowMs: number;
  },
): Client {
  const { nowMs, ...rest } = input;
  return { ...base, ...rest, kind: 'tooling', createdAtMs: nowMs, updatedAtMs: nowMs };
}

export function newEngagementClient(
  input: Pick<Client, 'clientId' | 'name' | 'scopes' | 'sites'> & { nowMs: number },
): Client {
  const { nowMs, ...rest } = input;
  return {
    ...base,
    ...rest,
    kind: 'engagement',
    grantTypes: ['client_credentials'],
    authMethod: 'secret',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}
