// This server's identity for passkeys: host and origin of the public URL, whatever headers say. Browsers
// support passkeys only for names, and only over TLS or on the machine itself.
import { isIP } from 'node:net';

export interface RelyingParty {
  id: string;
  origin: string;
}

/** Undefined if browsers do not support passkeys there. */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName && (protocol === 'https:' || hostname === 'localhost') ? { id: hostname, origin } : undefined;
}
