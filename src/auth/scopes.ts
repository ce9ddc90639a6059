// The closed list of OAuth scopes (docs/reference/token-contract.md#scopes) and the reading
// of a `scope` parameter (RFC 6749 section 3.3).

/** What a new client may ask for unless its owner says otherwise. */
export const defaultRuntimeScopes = [
  'asr',
  'asr.wordset',
  'nlu',
  'nlu.wordset',
  'dlg',
  'tts',
  'log',
  'biosec',
] as const;

/** The whole of the voiceprint service, and its parts for programs that need only one. */
const WHOLE_BIOSEC = 'biosec';
const biosecParts = ['biosec.enroll', 'biosec.verify', 'biosec.manage', 'biosec.audit'] as const;

export const runtimeScopes: readonly string[] = [...defaultRuntimeScopes, ...biosecParts];

/**
 * Who somebody is (OpenID Connect). They give access to nothing, so every client that people sign in to may
 * request them.
 */
export const identityScopes: readonly string[] = ['openid', 'profile'];

/** Only for credentials made on a user's profile. */
export const TOOLING_SCOPE = 'platform-api';

/** Only for clients registered for the engagement API. */
export const engagementScopes = ['agentAvailability', 'engagement'] as const;

const SCOPE_VALUE_LENGTH_MAX = 512;
const SCOPE_TOKENS_MAX = 32;
/** scope-token of RFC 6749: printable ASCII without space, quote and backslash. */
const scopeTokenPattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The distinct scopes in the requested order; undefined if the value is not a scope list at all. */
export function parseScope(value: string): string[] | undefined {
  if (value.length > SCOPE_VALUE_LENGTH_MAX) return undefined;
  const scopes: string[] = [];
  let count = 0;
  for (const token of value.split(' ')) {
    if (token === '') continue;
    count += 1;
    if (count > SCOPE_TOKENS_MAX || !scopeTokenPattern.test(token)) return undefined;
    if (!scopes.includes(token)) scopes.push(token);
  }
  return count === 0 ? undefined : scopes;
}

export function isRuntimeScope(scope: string): boolean {
  return runtimeScopes.includes(scope);
}

/**
 * Whether a client with these scopes may request this one: a client that has the whole may request a part.
 */
export function isGranted(granted: readonly string[], scope: string): boolean {
  if (granted.includes(scope)) return true;
  return granted.includes(WHOLE_BIOSEC) && (biosecParts as readonly string[]).includes(scope);
}
