// Recovery codes, in case the phone is lost: 80 random bits each, shown once, stored as keyed hashes, valid once.
import type { AuthDeps } from '../deps.js';
import { hashHandle } from '../secrets.js';
import { grouped, toBase32 } from './base32.js';

const CODES = 10;
const CODE_BYTES = 10;

export function makeRecoveryCodes(deps: AuthDeps, userId: string): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () =>
    grouped(toBase32(Buffer.from(deps.ids.token(CODE_BYTES), 'base64url')), '-'),
  );
  return { codes, hashes: codes.map((code) => recoveryCodeHash(deps, userId, code)) };
}

/**
 * Accepts any way of typing: case, spaces and hyphens do not count, nor do letters that look alike on paper.
 */
export function recoveryCodeHash(deps: AuthDeps, userId: string, typed: string): string {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I')
    .replaceAll('8', 'B');
  return hashHandle(deps.secrets, `recovery-code ${userId}`, code);
}
