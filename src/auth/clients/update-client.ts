// Changes what a client may do: scopes, keys, DPoP, introspection of foreign tokens, sites.
import { refuseStale } from '../../audit/merge-change.js';
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { requireGrantable } from '../grantable-scopes.js';
import { changesOf } from '../changes.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { identifierFault, listFaults } from '../fields.js';
import type { Client, PublicJwk } from '../model.js';
import { requireAdministrator, requireClientRight } from '../permissions.js';
import { runtimeScopeFaults } from './create-client.js';
import { publicKeyFaults } from './public-keys.js';
import { engagementScopeFaults } from './register-engagement-client.js';
import { say } from '../../words/server/say.js';

interface UpdateClientInput {
  clientId: string;
  /** Runtime clients: the scopes it may ask for. */
  scopes?: readonly string[];
  /** Replaces the keys; a client that had a secret loses it and signs from now on. */
  keys?: readonly PublicJwk[];
  dpopRequired?: boolean;
  /** Administrators only. */
  introspectAny?: boolean;
  /** Engagement clients. */
  sites?: readonly string[];
  /** Whether there is such a site. */
  siteExists?(siteId: string): Promise<boolean>;
  /** As the caller had read it: somebody else's change since then is not overwritten. */
  expected?: Partial<Pick<Client, 'scopes' | 'dpopRequired' | 'sites'>>;
}

const SITES_MAX = 256;

export async function updateClient(deps: AuthDeps, call: Call, input: UpdateClientInput): Promise<Client> {
  const { clientId, scopes, keys, dpopRequired, introspectAny, sites } = input;
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  // New keys are new credentials, so the rule for secrets applies.
  await requireClientRight(deps, call, found, keys ? 'hold-secret' : 'manage');
  if (introspectAny !== undefined) requireAdministrator(call);
  if (scopes && found.kind === 'tooling') throw new AppError('PERMISSION_DENIED', say('SCOPE_FIXED'));
  refuseFaults([
    ...(scopes && found.kind === 'runtime' ? runtimeScopeFaults('scopes', scopes) : []),
    ...(scopes && found.kind === 'engagement' ? engagementScopeFaults('scopes', scopes) : []),
    ...(keys ? publicKeyFaults('keys', keys) : []),
    ...(sites ? listFaults('sites', sites, SITES_MAX, identifierFault) : []),
    sites?.length === 0
      ? { field: 'sites', violation: 'MANDATORY_FIELD_MISSING', ...say('EMPTY_LIST') }
      : undefined,
    keys?.length === 0
      ? { field: 'keys', violation: 'MANDATORY_FIELD_MISSING', ...say('EMPTY_LIST') }
      : undefined,
  ]);
  for (const [index, siteId] of (sites ?? []).entries())
    if ((await input.siteExists?.(siteId)) === false) throw notFound('site', `sites[${index}]`);
  if (scopes && found.kind === 'runtime') await requireGrantable(deps, call, scopes, found.scopes);
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.clients.lock(clientId);
    if (!before) throw notFound('client', 'client_id');
    refuseStale<Pick<UpdateClientInput, 'scopes' | 'dpopRequired' | 'sites'>>(
      { scopes, dpopRequired, sites },
      input.expected,
      before,
    );
    const client: Client = {
      ...before,
      scopes: scopes ? [...new Set(scopes)] : before.scopes,
      keys: keys ? [...keys] : before.keys,
      authMethod: keys ? 'private_key_jwt' : before.authMethod,
      certificate: keys ? undefined : before.certificate,
      dpopRequired: dpopRequired ?? before.dpopRequired,
      introspectAny: introspectAny ?? before.introspectAny,
      sites: sites ? [...new Set(sites)] : before.sites,
      updatedAtMs: nowMs,
    };
    await tx.clients.update(client);
    if (keys)
      for (const { secretId } of await tx.clients.secrets(clientId)) await tx.clients.deleteSecret(secretId);
    // What was taken away must not live on in tokens that have already been issued.
    const narrowed =
      before.scopes.some((scope) => !client.scopes.includes(scope)) ||
      before.sites.some((site) => !client.sites.includes(site));
    await announce('client', clientId, narrowed && !client.locked ? 'void-earlier' : 'refresh');
    await audit(
      'client.update',
      { type: 'client', id: clientId },
      changesOf(factsOf(before), factsOf(client)),
    );
    return client;
  });
}

const factsOf = ({ scopes, authMethod, keys, dpopRequired, introspectAny, sites }: Client) => ({
  scopes,
  authMethod,
  keys: keys.map(({ kid }) => kid ?? ''),
  dpopRequired,
  introspectAny,
  sites,
});
