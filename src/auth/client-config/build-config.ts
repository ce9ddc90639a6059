// The credential blocks that a developer downloads for one environment geography
// (docs/reference/token-contract.md#client-configuration): config.json and the URN blocks asr_params, nlu_params
// and dlg_params. Secrets are never in them: they exist only as hashes.
import { refuseFaults } from '../../errors.js';
import type { Client, Environment } from '../model.js';
import type { AuthSettings } from '../settings.js';
import { buildUrn, urnFaults } from './urn.js';

/** Member names are those of the file. */
export interface ClientConfigEntry {
  client_id: string;
  client_secret: string;
  oauth_server_url: string;
  oauth_scopes: string;
  asr_endpoint: string;
  nlu_endpoint: string;
  tts_endpoint: string;
  dlg_endpoint: string;
}

export interface CredentialBlocks {
  config: ClientConfigEntry[];
  asr_params: { urn: string; language: string };
  nlu_params: { urn: string; language: string };
  dlg_params: { urn: string };
}

/** Left for the user to fill in. */
const SECRET_PLACEHOLDER = '';

function buildClientConfig(settings: AuthSettings, clients: readonly Client[]): ClientConfigEntry[] {
  // "Scopes available to the client IDs in this environment geography": one value, the same in every entry.
  const scopes = [...new Set(clients.flatMap((client) => client.scopes))].join(' ');
  return clients.map((client) => ({
    client_id: client.clientId,
    client_secret: SECRET_PLACEHOLDER,
    oauth_server_url: `${settings.issuer}/oauth2/token`,
    oauth_scopes: scopes,
    asr_endpoint: settings.endpoints.asr,
    nlu_endpoint: settings.endpoints.nlu,
    tts_endpoint: settings.endpoints.tts,
    dlg_endpoint: settings.endpoints.dlg,
  }));
}

export function buildCredentialBlocks(
  settings: AuthSettings,
  environment: Environment,
  clients: readonly Client[],
  language: string,
): CredentialBlocks {
  const { contextTag } = environment;
  const asr = { type: 'asr', contextTag, language } as const;
  refuseFaults(urnFaults('language', asr));
  return {
    config: buildClientConfig(settings, clients),
    asr_params: { urn: buildUrn(asr), language },
    nlu_params: { urn: buildUrn({ type: 'nlu', contextTag, language }), language },
    dlg_params: { urn: buildUrn({ type: 'dialog', contextTag }) },
  };
}
