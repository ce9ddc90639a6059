// Writes an access token: a JWT as in RFC 9068. The grant has already decided what it may contain.
import type { AuthDeps } from '../deps.js';
import type { AccessTokenClaims, Actor, Client, UserRole } from '../model.js';
import type { Person } from './delegation.js';

interface AccessTokenInput {
  client: Client;
  scopes: readonly string[];
  /** The person the token acts for. */
  user?: Person;
  tenants?: readonly string[];
  grantId?: string;
  dpopJkt?: string | undefined;
  /** Thumbprint of the holder's certificate. */
  thumbprint?: string | undefined;
  /**
   * If the token comes from another one: for whom, by whom (newest first), its end, and the tokens it came
   * from.
   */
  exchanged?: {
    subject: string;
    actors: readonly string[];
    endsAtSeconds: number;
    origins: readonly string[];
  };
}

export interface IssuedAccessToken {
  token: string;
  expiresInSeconds: number;
  claims: AccessTokenClaims;
}

export function issueAccessToken(deps: AuthDeps, input: AccessTokenInput): IssuedAccessToken {
  const { client, scopes, user, tenants, grantId, exchanged } = input;
  const { settings } = deps;
  const engagement = client.kind === 'engagement';
  const lifeSeconds = engagement ? settings.engagementTokenSeconds : settings.accessTokenSeconds;
  const nowMs = deps.clock.now();
  const iat = Math.floor(nowMs / 1000);
  const expiresInSeconds = exchanged ? Math.min(lifeSeconds, exchanged.endsAtSeconds - iat) : lifeSeconds;
  const reach = user ? (user.tenants === 'all' ? '*' : user.tenants) : tenants;
  // Member by member: a token is written with every request, and spreading took a fortieth of its time.
  const claims: AccessTokenClaims = {
    iss: settings.issuer,
    sub: user ? user.userId : (exchanged?.subject ?? client.clientId),
    aud: engagement ? settings.engagementAudience : settings.audience,
    client_id: client.clientId,
    scope: scopes.join(' '),
    jti: deps.ids.uuid(),
    iat,
    iat_ms: nowMs % 1000,
    exp: iat + expiresInSeconds,
  };
  if (client.appId !== undefined) claims.app_id = client.appId;
  if (reach !== undefined) claims.tenants = reach;
  if (user) {
    claims.user_id = user.userId;
    claims.role = roleOf(user);
  }
  if (grantId !== undefined) claims.grant_id = grantId;
  if (engagement) claims.sites = client.sites;
  const confirmation = confirmationOf(input);
  if (confirmation) claims.cnf = confirmation;
  if (exchanged) {
    claims.act = actorChain(exchanged.actors);
    claims.origins = exchanged.origins;
  }
  return { token: deps.keys.current().sign(payloadOf(input, claims)), expiresInSeconds, claims };
}

/**
 * The common part of the tokens that a client gets in its own name, as text, with the values that can change.
 */
interface Common {
  iss: string;
  scope: string;
  tenants: AccessTokenClaims['tenants'];
  text: string;
}

/**
 * For the newest token: most clients request the same again and again. Discarded with the client when that is
 * reloaded.
 */
const commonOf = new WeakMap<Client, Common>();

function payloadOf(
  { client, user, grantId, exchanged }: AccessTokenInput,
  claims: AccessTokenClaims,
): string {
  if (user || grantId !== undefined || exchanged || claims.cnf) return JSON.stringify(claims);
  const { iss, scope, tenants, jti, iat, iat_ms: iatMs, exp } = claims;
  let common = commonOf.get(client);
  if (common?.iss !== iss || common.scope !== scope || common.tenants !== tenants) {
    const { jti: _jti, iat: _iat, iat_ms: _iatMs, exp: _exp, ...lasting } = claims;
    common = { iss, scope, tenants, text: JSON.stringify(lasting).slice(0, -1) };
    commonOf.set(client, common);
  }
  return `${common.text},"jti":"${jti}","iat":${iat},"iat_ms":${iatMs},"exp":${exp}}`;
}

/** A proof per request is stronger than one per connection, so it comes first. */
function confirmationOf({ dpopJkt, thumbprint }: AccessTokenInput): AccessTokenClaims['cnf'] | undefined {
  if (dpopJkt !== undefined) return { jkt: dpopJkt };
  return thumbprint === undefined ? undefined : { 'x5t#S256': thumbprint };
}

function actorChain([first = '', ...rest]: readonly string[]): Actor {
  return rest.length === 0 ? { sub: first } : { sub: first, act: actorChain(rest) };
}

/** The role of the token's holder, which may be less than that of the person behind it. */
function roleOf({ tenants, readOnly }: Person): UserRole {
  if (readOnly === true) return 'auditor';
  return tenants === 'all' ? 'administrator' : 'member';
}
