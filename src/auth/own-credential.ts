// A credential that people make on their profile: it outlives the session, so a session alone, which somebody may have stolen,
// makes none.
import { refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import type { AuthDeps } from './deps.js';
import { freshlyProvenUser, type Proof } from './factors/current-user.js';
import type { Client } from './model.js';
import { requireSelf } from './permissions.js';
import {
  createToolingClient,
  toolingFaults,
  type CreateToolingClientInput,
} from './tooling/create-tooling-client.js';

export async function createOwnToolingClient(
  deps: AuthDeps,
  call: Call,
  input: CreateToolingClientInput,
  proof: Partial<Proof>,
): Promise<{ client: Client; secret: string | undefined }> {
  requireSelf(call);
  // First, so that a mistake does not use up a code.
  refuseFaults(toolingFaults(input));
  await freshlyProvenUser(deps, call, proof);
  return createToolingClient(deps, call, input);
}
