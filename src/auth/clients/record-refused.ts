// What a refused request of a client leaves behind, at any OAuth endpoint: an event and, if the client could not authenticate,
// a count for the audit trail.
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import type { OAuthError } from '../oauth-error.js';
import { recordEvent } from '../record-event.js';
import { claimedIdOf, type ClientCredentials } from './presented-credentials.js';

interface RefusedRequest {
  error: OAuthError;
  /** Absent if it was not proven. */
  client: Client | undefined;
  /** Absent if they could not be read. */
  credentials: ClientCredentials | undefined;
  scope?: string | undefined;
  address: string;
  requestId: string | undefined;
  traceId: string | undefined;
  /** Set if it was not the token endpoint. */
  endpoint?: string;
}

const CLAIMED_LENGTH_MAX = 256;

export async function recordRefused(deps: AuthDeps, refused: RefusedRequest): Promise<void> {
  const { error, client, credentials, scope, address, requestId, traceId, endpoint } = refused;
  const claimedId = credentials && claimedIdOf(credentials);
  const isUnproven = !client && credentials !== undefined && error.reason !== undefined;
  const claimed =
    isUnproven && claimedId !== undefined ? (await deps.directory.client(claimedId))?.client : undefined;
  recordEvent(deps, {
    type: 'token.refused',
    // The owners of the client learn that somebody tried; the rest of an unproven claim is a stranger's text,
    // for the operator only.
    appId: client?.appId ?? claimed?.appId,
    clientId: client?.clientId ?? claimedId?.slice(0, CLAIMED_LENGTH_MAX),
    scope: claimed ? undefined : scope?.slice(0, CLAIMED_LENGTH_MAX),
    method: client?.authMethod,
    error: error.code,
    reason: error.reason,
    address,
    requestId,
    traceId,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(client ? {} : { isClaimed: true }),
  });
  if (!isUnproven) return;
  const { method } = credentials;
  deps.clientFailures.note({ clientId: claimed?.clientId, reason: error.reason ?? '', method, address });
}
