// Resource indicators (RFC 8707): a client may say for which service it wants a token. Here there is one
// service per kind of client; asking for another is refused instead of ignored, so that nobody mistakes a
// token for something it is not.
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';

export function isResourceOf({ settings }: AuthDeps, client: Client, resource: string | undefined): boolean {
  if (resource === undefined) return true;
  const { audience, engagementAudience, publicUrl } = settings;
  const own = client.kind === 'engagement' ? [engagementAudience] : [audience, publicUrl];
  return own.includes(resource.replace(/\/$/, ''));
}
