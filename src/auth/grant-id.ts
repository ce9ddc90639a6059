// The identifier of an authorization says in which sign-in it was granted, by a digest that reveals nothing
// else. So people who change their credentials stay signed in there and are signed out everywhere else; and
// attempts are counted by sign-in.
import { createHash } from 'node:crypto';
import type { Ids } from '../platform.js';

const TAG_LENGTH = 22;

export function newGrantId(ids: Ids, sessionHash: string): string {
  return `${ids.uuid()}.${signInOfSession(sessionHash)}`;
}

/** The same for a session and for every authorization given in it. */
export function signInOfSession(sessionHash: string): string {
  return createHash('sha256').update(sessionHash).digest('base64url').slice(0, TAG_LENGTH);
}

/** Undefined if the authorization is older than these identifiers. */
export function signInOfGrant(grantId: string | undefined): string | undefined {
  return grantId?.split('.')[1];
}
