// Builds and reads runtime client IDs: appID:<unique_id>:geo:<geography>:clientName:<client_name>
// (docs/reference/token-contract.md#client-credentials).
import type { FieldFault } from '../../errors.js';

export interface RuntimeClientId {
  appId: string;
  geography: string;
  clientName: string;
}

const appIdPattern = /^[A-Za-z0-9_-]{1,64}$/;
const geographyPattern = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** No colon and no percent sign: the ID must survive both the raw and the escaped form of HTTP Basic. */
const clientNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const clientIdPattern = /^appID:([^:]+):geo:([^:]+):clientName:([^:]+)$/;

export function buildRuntimeClientId({ appId, geography, clientName }: RuntimeClientId): string {
  return `appID:${appId}:geo:${geography}:clientName:${clientName}`;
}

export function parseRuntimeClientId(clientId: string): RuntimeClientId | undefined {
  const match = clientIdPattern.exec(clientId);
  if (!match) return undefined;
  const [, appId = '', geography = '', clientName = ''] = match;
  const valid =
    appIdPattern.test(appId) && geographyPattern.test(geography) && clientNamePattern.test(clientName);
  return valid ? { appId, geography, clientName } : undefined;
}

export function geographyFault(field: string, geography: string): FieldFault | undefined {
  if (geographyPattern.test(geography)) return undefined;
  return {
    field,
    violation: 'INVALID_FORMAT',
    message: 'must be 1 to 32 lower-case letters, digits and hyphens',
  };
}

export function clientNameFault(field: string, name: string): FieldFault | undefined {
  if (clientNamePattern.test(name)) return undefined;
  return {
    field,
    violation: 'INVALID_FORMAT',
    message: 'must be 1 to 64 letters, digits, dots, underscores and hyphens',
  };
}
