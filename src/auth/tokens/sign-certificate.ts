// Certificates of erasure are signed with the published keys, under a type of their own: none is a token.
import type { AuthDeps } from '../deps.js';

export function certificateSigner({
  keys,
  clock,
  settings,
}: Pick<AuthDeps, 'keys' | 'clock' | 'settings'>): (claims: object) => string {
  return (claims) => {
    const iat = Math.floor(clock.now() / 1000);
    const payload = JSON.stringify({ iss: settings.issuer, iat, ...claims });
    return keys.current().sign(payload, 'erasure-certificate+jwt');
  };
}
