// A browser in which somebody has signed in before carries a cookie that proves it. While wrong passwords rain down on an
// account, its owner is let through from there. The cookie opens nothing by itself, and a new password ends it.
import { timingSafeEqual } from 'node:crypto';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { hashHandle } from '../secrets.js';

const DEVICE_BYTES = 16;

export function knownDeviceCookie(deps: AuthDeps, user: User): string {
  const device = deps.ids.token(DEVICE_BYTES);
  return `${device}.${proof(deps, user, device)}`;
}

export function isKnownDevice(deps: AuthDeps, user: User, cookie: string | undefined): boolean {
  const [device = '', given = ''] = cookie?.split('.') ?? [];
  const expected = Buffer.from(proof(deps, user, device));
  const presented = Buffer.from(given);
  return expected.byteLength === presented.byteLength && timingSafeEqual(expected, presented);
}

function proof(deps: AuthDeps, { userId, passwordHash }: User, device: string): string {
  return hashHandle(deps.secrets, 'device', `${userId}:${passwordHash ?? ''}:${device}`);
}
