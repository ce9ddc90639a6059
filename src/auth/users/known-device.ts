// A browser in which somebody has signed in before carries a cookie that proves it. While an account is under
// attack with wrong passwords, its owner can still sign in from there. The cookie alone gives access to
// nothing. A new password, signing out everywhere and a lock invalidate it. Several people may share a
// browser: each has their own mark in the cookie.
import { timingSafeEqual } from 'node:crypto';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { hashHandle } from '../secrets.js';

const DEVICE_LENGTH = 22;
const BETWEEN = '~';
const PEOPLE_MAX = 8;
const markPattern = /^[\w-]{22}\.[\w-]{43}$/;

/**
 * For the browser in which `user` has signed in; keeps the marks of other people. One session makes one mark,
 * however often it asks: a thief of the session must not collect browsers with attempts of their own.
 */
export function knownDeviceCookie(
  deps: AuthDeps,
  user: User,
  sessionHash: string,
  before: string | undefined,
): string {
  const device = hashHandle(deps.secrets, 'device-of-session', sessionHash).slice(0, DEVICE_LENGTH);
  const others = marksIn(before).filter((mark) => !isMarkOf(deps, user, mark));
  return [`${device}.${proof(deps, user, device)}`, ...others.slice(0, PEOPLE_MAX - 1)].join(BETWEEN);
}

/**
 * For a signed-in browser that is not known (any more): a complete sign-in has proven it. Undefined if the
 * cookie need not change.
 */
export async function renewedDeviceCookie(
  deps: AuthDeps,
  { userId, sessionHash }: { userId: string; sessionHash: string },
  before: string | undefined,
): Promise<string | undefined> {
  const user = await deps.store.direct.users.get(userId);
  if (user?.passwordHash === undefined || knownDevice(deps, user, before) !== undefined) return undefined;
  return knownDeviceCookie(deps, user, sessionHash, before);
}

/** The name of this browser, if the user has signed in with it; otherwise undefined. */
export function knownDevice(deps: AuthDeps, user: User, cookie: string | undefined): string | undefined {
  return marksIn(cookie)
    .find((mark) => isMarkOf(deps, user, mark))
    ?.split('.')[0];
}

function marksIn(cookie: string | undefined): string[] {
  const marks = cookie?.split(BETWEEN, PEOPLE_MAX) ?? [];
  return marks.filter((mark) => markPattern.test(mark));
}

function isMarkOf(deps: AuthDeps, user: User, mark: string): boolean {
  const [device = '', given = ''] = mark.split('.');
  const expected = Buffer.from(proof(deps, user, device));
  const presented = Buffer.from(given);
  return expected.byteLength === presented.byteLength && timingSafeEqual(expected, presented);
}

function proof(deps: AuthDeps, user: User, device: string): string {
  const { userId, passwordHash = '', deviceEpoch } = user;
  const epoch = deviceEpoch === undefined ? '' : `:${deviceEpoch}`;
  return hashHandle(deps.secrets, 'device', `${userId}:${passwordHash}:${device}${epoch}`);
}
