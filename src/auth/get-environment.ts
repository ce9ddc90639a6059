// An environment of an application, for people who belong to it. Shared by applications and clients.
import { notFound } from '../errors.js';
import type { Call } from '../platform.js';
import type { AuthDeps } from './deps.js';
import type { Environment } from './model.js';
import { requireMember } from './permissions.js';

export async function getEnvironment(
  deps: AuthDeps,
  call: Call,
  input: { appId: string },
): Promise<Environment> {
  const environment = await deps.store.direct.environments.get(input.appId);
  if (!environment) throw notFound('environment', 'app_id');
  await requireMember(deps, call, environment.applicationId, notFound('environment', 'app_id'));
  return environment;
}
