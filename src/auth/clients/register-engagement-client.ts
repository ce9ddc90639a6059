// Registers an application for the engagement API: out of band, by an administrator
// (docs/reference/token-contract.md#who-gets-tokens). A compromised client is locked and registered again, so
// that the ID is never reused.
import { notFound, refuseFaults, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault, identifierFault, listFaults } from '../fields.js';
import type { Client } from '../model.js';
import { requireAdministrator } from '../permissions.js';
import { engagementScopes } from '../scopes.js';
import { generateSecret } from '../secrets.js';
import { newEngagementClient } from './new-client.js';
import { say } from '../../words/server/say.js';

interface RegisterEngagementClientInput {
  name: string;
  /** Site IDs that its tokens are valid for. */
  sites: readonly string[];
  scopes?: readonly string[];
  /** Whether there is such a site. */
  siteExists(siteId: string): Promise<boolean>;
}

const SITES_MAX = 256;

export async function registerEngagementClient(
  deps: AuthDeps,
  call: Call,
  input: RegisterEngagementClientInput,
): Promise<{ client: Client; secret: string }> {
  requireAdministrator(call);
  const { name, sites, scopes = engagementScopes } = input;
  refuseFaults([
    displayNameFault('name', name),
    ...listFaults('sites', sites, SITES_MAX, identifierFault),
    ...engagementScopeFaults('scopes', scopes),
    sites.length === 0
      ? { field: 'sites', violation: 'MANDATORY_FIELD_MISSING', ...say('EMPTY_LIST') }
      : undefined,
  ]);
  for (const [index, siteId] of sites.entries())
    if (!(await input.siteExists(siteId))) throw notFound('site', `sites[${index}]`);
  const secret = generateSecret(deps.ids);
  return commit(deps, call, async ({ tx, nowMs, audit }) => {
    const clientId = `engagement-${deps.ids.uuid()}`;
    const client = newEngagementClient({
      clientId,
      name,
      scopes: [...new Set(scopes)],
      sites: [...new Set(sites)],
      nowMs,
    });
    await tx.clients.insert(client);
    const hash = deps.secrets.hash(clientId, secret);
    await tx.clients.insertSecret({
      secretId: deps.ids.uuid(),
      clientId,
      hash,
      createdAtMs: nowMs,
      expiresAtMs: undefined,
    });
    await audit(
      'client.create',
      { type: 'client', id: clientId },
      { kind: 'engagement', name, sites: client.sites },
    );
    return { client, secret };
  });
}

/** Only the scopes of the engagement API: its tokens must not give access to anything else. */
export function engagementScopeFaults(
  field: string,
  scopes: readonly string[],
): Array<FieldFault | undefined> {
  if (scopes.length === 0) return [{ field, violation: 'MANDATORY_FIELD_MISSING', ...say('EMPTY_LIST') }];
  return listFaults(field, scopes, engagementScopes.length, (at, scope) =>
    (engagementScopes as readonly string[]).includes(scope)
      ? undefined
      : {
          field: at,
          violation: 'INVALID_FORMAT',
          ...say('NOT_ONE_OF', { known: engagementScopes.join(', ') }),
        },
  );
}
