// Adds an environment to an application: a new application ID, and one client named `default` per geography.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { buildRuntimeClientId, geographyFault } from '../clients/client-id.js';
import { runtimeScopeFaults } from '../clients/create-client.js';
import { newRuntimeClient } from '../clients/new-client.js';
import { commit } from '../commit.js';
import type { UnitOfWork } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { identifierFault, listFaults } from '../fields.js';
import type { Client, Environment } from '../model.js';
import { isAdministrator, requireManager } from '../permissions.js';
import { generateSecret } from '../secrets.js';
import { requireGrantable, scopesOfNewClient } from '../grantable-scopes.js';
import { say } from '../../words/server/say.js';

export interface EnvironmentInput {
  /** For example `development`. */
  name: string;
  geographies: readonly string[];
  /** Tenant scopes to grant at once; administrators only. */
  tenants?: readonly string[];
  /** Tag of the deployed models; made from the application ID when left out. */
  contextTag?: string;
  /** What its first clients may request; the usual ones that the caller may give if left out. */
  scopes?: readonly string[];
}

/** A client together with its secret, which is shown this once. */
export interface IssuedClient {
  client: Client;
  secret: string;
}

export const ENVIRONMENTS_MAX = 16;
const GEOGRAPHIES_MAX = 16;
const TENANTS_MAX = 256;
const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const contextTagPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export async function createEnvironment(
  deps: AuthDeps,
  call: Call,
  input: EnvironmentInput & { applicationId: string },
): Promise<{ environment: Environment; clients: IssuedClient[] }> {
  await requireManager(deps, call, input.applicationId);
  refuseFaults(environmentFaults(call, '', input));
  const scopes = await scopesOfFirstClients(deps, call, input);
  return commit(deps, call, async (unit) => {
    const { tx } = unit;
    if (!(await tx.applications.lock(input.applicationId))) throw notFound('application', 'application_id');
    const present = await tx.environments.list({ applicationId: input.applicationId });
    if (present.some((each) => each.name === input.name)) {
      throw new AppError('ALREADY_EXISTS', say('ENVIRONMENT_EXISTS'));
    }
    if (present.length >= ENVIRONMENTS_MAX)
      throw new AppError('QUOTA_EXCEEDED', say('TOO_MANY_ENVIRONMENTS', { max: ENVIRONMENTS_MAX }));
    return addEnvironment(deps, unit, input.applicationId, input, scopes);
  });
}

export async function scopesOfFirstClients(
  deps: AuthDeps,
  call: Call,
  { scopes }: Pick<EnvironmentInput, 'scopes'>,
): Promise<readonly string[]> {
  if (!scopes) return scopesOfNewClient(deps, call);
  await requireGrantable(deps, call, scopes);
  return scopes;
}

export function environmentFaults(
  call: Call,
  prefix: string,
  input: EnvironmentInput,
): Array<FieldFault | undefined> {
  const at = (name: string): string => (prefix === '' ? name : `${prefix}.${name}`);
  const { name, geographies, tenants = [], contextTag } = input;
  if (tenants.length > 0 && !isAdministrator(call)) {
    throw new AppError('PERMISSION_DENIED', say('GRANTS_BY_ADMINISTRATOR'));
  }
  return [
    namePattern.test(name)
      ? undefined
      : {
          field: at('name'),
          violation: 'INVALID_FORMAT',
          ...say('NOT_AN_ENVIRONMENT', { max: 64 }),
        },
    geographies.length > 0
      ? undefined
      : {
          field: at('geographies'),
          violation: 'MANDATORY_FIELD_MISSING',
          ...say('EMPTY_LIST'),
        },
    new Set(geographies).size === geographies.length
      ? undefined
      : { field: at('geographies'), violation: 'FIELD_CONFLICT', ...say('GEOGRAPHY_TWICE') },
    ...listFaults(at('geographies'), geographies, GEOGRAPHIES_MAX, geographyFault),
    ...listFaults(at('tenants'), tenants, TENANTS_MAX, identifierFault),
    ...(input.scopes === undefined ? [] : runtimeScopeFaults(at('scopes'), input.scopes)),
    contextTag === undefined || contextTagPattern.test(contextTag)
      ? undefined
      : {
          field: at('context_tag'),
          violation: 'INVALID_FORMAT',
          ...say('NOT_AN_OWNER', { max: 128 }),
        },
  ];
}

/** The part shared with creating an application; runs inside its transaction. */
export async function addEnvironment(
  deps: AuthDeps,
  { tx, nowMs, audit }: UnitOfWork,
  applicationId: string,
  input: EnvironmentInput,
  scopes: readonly string[],
): Promise<{ environment: Environment; clients: IssuedClient[] }> {
  const appId = deps.ids.uuid();
  const environment: Environment = {
    appId,
    applicationId,
    name: input.name,
    geographies: [...input.geographies],
    tenants: [...new Set(input.tenants ?? [])],
    contextTag: input.contextTag ?? `app-${appId}`,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  await tx.environments.insert(environment);
  const { name, geographies, tenants } = environment;
  await audit(
    'environment.create',
    { type: 'environment', id: appId },
    { applicationId, name, geographies, tenants },
    tenants,
  );
  const clients: IssuedClient[] = [];
  for (const geography of geographies) {
    const clientId = buildRuntimeClientId({ appId, geography, clientName: 'default' });
    const client = newRuntimeClient({ clientId, appId, geography, name: 'default', scopes, nowMs });
    const secret = generateSecret(deps.ids);
    await tx.clients.insert(client);
    const hash = deps.secrets.hash(clientId, secret);
    await tx.clients.insertSecret({
      secretId: deps.ids.uuid(),
      clientId,
      hash,
      createdAtMs: nowMs,
      expiresAtMs: undefined,
    });
    await audit('client.create', { type: 'client', id: clientId }, { appId, scopes: client.scopes });
    clients.push({ client, secret });
  }
  return { environment, clients };
}
