// Redirect URIs: what may be registered, and when a request matches (exact string, RFC 9700 section 2.1; the port of
// a loopback address is free, RFC 8252 section 7.3).
import type { FieldFault } from '../../errors.js';
import type { Client } from '../model.js';
import { say, type Said } from '../../words/server/say.js';

const LENGTH_MAX = 512;
const ambiguousPattern = /[\s\\\p{Cc}\p{Cf}]/u;
/**
 * Browsers also accept `https:host` and `https:///host` as an address, and programs differ in the host that
 * they read from it.
 */
const webAddressPattern = /^https?:\/\/[^/?#]/i;

const answered = ['code', 'state', 'iss', 'error', 'error_description'];

export function redirectUriFault(field: string, value: string): FieldFault | undefined {
  const fault = (said: Said): FieldFault => ({ field, violation: 'INVALID_FORMAT', ...said });
  if (value.length > LENGTH_MAX)
    return { field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: LENGTH_MAX }) };
  // Browsers and servers read these differently, which is how a code can end up at another address.
  if (ambiguousPattern.test(value)) return fault(say('HAS_SPACES'));
  if (!URL.canParse(value)) return fault(say('NOT_ABSOLUTE'));
  const url = new URL(value);
  if (value.includes('#')) return fault(say('HAS_FRAGMENT'));
  if (value.includes('*')) return fault(say('HAS_WILDCARD'));
  if (url.username || url.password) return fault(say('HAS_CREDENTIALS'));
  // A parameter that the answer adds would be there twice, and programs differ in which of the two they read.
  const taken = answered.find((name) => url.searchParams.has(name));
  if (taken !== undefined) return fault(say('QUERY_TAKEN', { name: taken }));
  if (/^https?:$/.test(url.protocol) && !webAddressPattern.test(value)) return fault(say('NO_HOST'));
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') return isLoopback(url) ? undefined : fault(say('HTTP_NOT_LOOPBACK'));
  // Apps on a device: a private-use scheme, which must contain a dot (RFC 8252 section 7.1).
  return /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(url.protocol)
    ? undefined
    : fault(say('SCHEME_NOT_ACCEPTED'));
}

/**
 * Whether a request of this client may name this address. The port is free only for native programs, which
 * cannot know theirs.
 */
export function redirectUriMatches(
  { redirectUris: registered, authMethod, firstParty }: Client,
  presented: string,
): boolean {
  if (registered.includes(presented)) return true;
  if (firstParty || authMethod !== 'none' || !URL.canParse(presented)) return false;
  const url = new URL(presented);
  if (url.protocol !== 'http:' || !isLoopbackLiteral(url)) return false;
  return registered.some((each) => {
    const candidate = new URL(each);
    return (
      isLoopbackLiteral(candidate) &&
      withoutPort(candidate) === withoutPort(url) &&
      withoutPort(url) === dropPort(presented)
    );
  });
}

/** An address on the user's own device, which any program there could claim: the user is asked each time. */
export function isOnDevice(uri: string): boolean {
  const url = new URL(uri);
  return url.protocol !== 'https:';
}

function isLoopbackLiteral(url: URL): boolean {
  return url.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === '[::1]');
}

function isLoopback(url: URL): boolean {
  return isLoopbackLiteral(url) || url.hostname === 'localhost';
}

function withoutPort(url: URL): string {
  return `${url.protocol}//${url.hostname}${url.pathname}${url.search}`;
}

/** Textual, so that a form that only normalizes to the registered one does not match. */
function dropPort(text: string): string {
  return text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1');
}
