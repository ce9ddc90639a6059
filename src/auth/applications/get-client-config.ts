// The download for one environment geography: config.json and the URN blocks
// (docs/reference/token-contract.md#client-configuration).
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { buildCredentialBlocks } from '../client-config/build-config.js';
import type { CredentialBlocks } from '../client-config/build-config.js';
import type { AuthDeps } from '../deps.js';
import { requireReader } from '../permissions.js';
import { getEnvironment } from '../get-environment.js';

const DEFAULT_LANGUAGE = 'eng-USA';

interface ClientConfigInput {
  appId: string;
  geography: string;
  /** Language of the models in the URN blocks. */
  language?: string;
}

export async function getClientConfig(
  deps: AuthDeps,
  call: Call,
  input: ClientConfigInput,
): Promise<CredentialBlocks> {
  const environment = await getEnvironment(deps, call, { appId: input.appId });
  await requireReader(deps, call, environment.applicationId);
  if (!environment.geographies.includes(input.geography)) throw notFound('geography', 'geography');
  const clients = await deps.store.direct.clients.list({ appId: input.appId });
  const here = clients.filter((client) => client.geography === input.geography);
  const { geography, language = DEFAULT_LANGUAGE } = input;
  return buildCredentialBlocks(deps.settings, environment, here, { geography, language });
}
