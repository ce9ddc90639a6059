// The credential blocks that a developer downloads for one environment geography
// (docs/reference/token-contract.md#client-configuration): config.json and the URN blocks asr_params, nlu_params
// and dlg_params. Secrets are never in them: they exist only as hashes.
import { refuseFaults } from '../../errors.js';
import type { Client, ClientAuthMethod, Environment } from '../model.js';
import type { AuthSettings, Endpoint } from '../settings.js';
import { buildUrn, urnFaults } from './urn.js';

/** Member names are those of the file. The endpoint of a service that the operator has not set is empty. */
interface ClientConfigEntry {
  client_id: string;
  /** Empty: the server does not know it, or the client has none. */
  client_secret: string;
  /** How the client authenticates, if not by a secret (RFC 7591 section 2). */
  token_endpoint_auth_method?: ClientAuthMethod;
  oauth_server_url: string;
  oauth_scopes: string;
  asr_endpoint: string;
  nlu_endpoint: string;
  tts_endpoint: string;
  dlg_endpoint: string;
  /** The voiceprint service, which speaks gRPC there; over REST it is below `voiceprint_url`. */
  voiceprint_endpoint: string;
  voiceprint_url: string;
  /** Runtime events, over gRPC. */
  log_endpoint: string;
}

export interface CredentialBlocks {
  config: ClientConfigEntry[];
  asr_params: { urn: string; language: string };
  nlu_params: { urn: string; language: string };
  dlg_params: { urn: string };
}

function endpointIn(endpoint: Endpoint, geography: string): string | undefined {
  return Object.hasOwn(endpoint, geography) ? endpoint[geography] : endpoint['*'];
}

function buildClientConfig(
  settings: AuthSettings,
  clients: readonly Client[],
  geography: string,
): ClientConfigEntry[] {
  const { endpoints } = settings;
  const own = settings.grpcAddress();
  return clients.map((client) => ({
    client_id: client.clientId,
    client_secret: '',
    ...(client.authMethod === 'secret' ? {} : { token_endpoint_auth_method: client.authMethod }),
    oauth_server_url: `${settings.issuer}/oauth2/token`,
    oauth_scopes: client.scopes.join(' '),
    asr_endpoint: endpointIn(endpoints.asr, geography) ?? '',
    nlu_endpoint: endpointIn(endpoints.nlu, geography) ?? '',
    tts_endpoint: endpointIn(endpoints.tts, geography) ?? '',
    dlg_endpoint: endpointIn(endpoints.dlg, geography) ?? '',
    voiceprint_endpoint: endpointIn(endpoints.voiceprint, geography) ?? own,
    voiceprint_url: settings.publicUrl,
    log_endpoint: own,
  }));
}

export function buildCredentialBlocks(
  settings: AuthSettings,
  environment: Environment,
  clients: readonly Client[],
  place: { geography: string; language: string },
): CredentialBlocks {
  const { geography, language } = place;
  const { contextTag } = environment;
  const asr = { type: 'asr', contextTag, language } as const;
  refuseFaults(urnFaults('language', asr));
  return {
    config: buildClientConfig(settings, clients, geography),
    asr_params: { urn: buildUrn(asr), language },
    nlu_params: { urn: buildUrn({ type: 'nlu', contextTag, language }), language },
    dlg_params: { urn: buildUrn({ type: 'dialog', contextTag }) },
  };
}
