// Sets the certificate with which a client authenticates (mutual TLS, RFC 8705); its secret or keys stop working. Its tokens
// are bound to the certificate they were requested with.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { CertificateRule, Client } from '../model.js';
import { requireClientRight } from '../permissions.js';
import { certificateRuleFault } from './certificates.js';
import { say } from '../../words/server/say.js';

export async function setClientCertificate(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string; rule: CertificateRule },
): Promise<Client> {
  const { clientId, rule } = input;
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, found, 'hold-secret');
  // Tokens of the other kinds would not be bound: their grants know no certificate.
  if (found.kind !== 'runtime') throw new AppError('PERMISSION_DENIED', say('CERTIFICATE_OF_APPLICATIONS'));
  refuseFaults([certificateRuleFault(rule)]);
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.clients.lock(clientId);
    if (!before) throw notFound('client', 'client_id');
    const authMethod = rule.thumbprints ? 'self_signed_tls_client_auth' : 'tls_client_auth';
    const client: Client = { ...before, authMethod, certificate: rule, keys: [], updatedAtMs: nowMs };
    await tx.clients.update(client);
    for (const { secretId } of await tx.clients.secrets(clientId)) await tx.clients.deleteSecret(secretId);
    await announce('client', clientId, before.locked ? 'refresh' : 'void-earlier');
    const { thumbprints = [], ...names } = rule;
    await audit(
      'client.set-certificate',
      { type: 'client', id: clientId },
      { authMethod, thumbprints, ...names },
    );
    return client;
  });
}
