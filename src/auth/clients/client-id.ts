// Builds runtime client IDs: appID:<unique_id>:geo:<geography>:clientName:<client_name>
// (docs/reference/token-contract.md#client-credentials).
import type { FieldFault } from '../../errors.js';
import { say } from '../../words/server/say.js';

interface RuntimeClientId {
  appId: string;
  geography: string;
  clientName: string;
}

const geographyPattern = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** No colon and no percent sign: the ID must survive both the raw and the escaped form of HTTP Basic. */
const clientNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function buildRuntimeClientId({ appId, geography, clientName }: RuntimeClientId): string {
  return `appID:${appId}:geo:${geography}:clientName:${clientName}`;
}

export function geographyFault(field: string, geography: string): FieldFault | undefined {
  if (geographyPattern.test(geography)) return undefined;
  return {
    field,
    violation: 'INVALID_FORMAT',
    ...say('NOT_A_GEOGRAPHY', { max: 32 }),
  };
}

export function clientNameFault(field: string, name: string): FieldFault | undefined {
  if (clientNamePattern.test(name)) return undefined;
  return {
    field,
    violation: 'INVALID_FORMAT',
    ...say('NOT_A_CLIENT_NAME', { max: 64 }),
  };
}
