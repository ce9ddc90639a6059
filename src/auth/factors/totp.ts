// Codes of authenticator apps (RFC 6238: SHA-1, 6 digits, 30 seconds, which every app supports). Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/**
 * The steps before and after the current one are accepted too: for clocks that differ, and for slow typing.
 */
const DRIFT_STEPS = 1;

/** The time step that this code belongs to, if it is one that counts now. */
export function matchingStep(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / STEP_MS);
  const given = Buffer.from(code);
  let found: number | undefined;
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step++) {
    const expected = Buffer.from(codeAt(secret, step));
    if (expected.byteLength === given.byteLength && timingSafeEqual(expected, given)) found = step;
  }
  return found;
}

function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The content of the QR code for the app; name and host say what the code is for. */
export function otpauthUri(secretText: string, account: string, host: string): string {
  const issuer = `Voxgate ${host}`;
  const query = new URLSearchParams({ secret: secretText, issuer });
  // Apps show a plus sign literally.
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`;
}
