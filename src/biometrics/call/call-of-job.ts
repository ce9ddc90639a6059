// A job acts on behalf of whoever requested it, with lower priority than everybody who waits for an answer.
import type { Call, Log } from '../../platform.js';
import type { Job } from '../model/jobs.js';

export function callOfJob(
  { gkJobId, gkScopeId, requestedBy }: Job,
  { issuer, clientId }: { issuer: string; clientId: string },
  signal: AbortSignal,
  log: Log,
): Call {
  const caller = { subject: requestedBy, issuer, clientId, scopes: [], tenants: [gkScopeId] };
  return { requestId: gkJobId, caller, signal, log, isBackground: true };
}
