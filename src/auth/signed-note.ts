// State that must be remembered between two requests: carried by the browser, with an expiry, so that any
// node can read it and visitors who never come back leave nothing behind. Signed if the browser may read it,
// sealed if not.
import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform.js';
import { hashHandle, type SecretHasher } from './secrets.js';

export interface Note {
  endsAtMs: number;
}

/** `purpose` keeps a note of one kind from being used as another. */
export function signNote<N extends Note>(deps: { secrets: SecretHasher }, purpose: string, note: N): string {
  const text = Buffer.from(JSON.stringify(note)).toString('base64url');
  return `${text}.${hashHandle(deps.secrets, purpose, text)}`;
}

/** Undefined if it is not ours, was changed, or has expired. */
export function readNote<N extends Note>(
  deps: { secrets: SecretHasher; clock: Clock },
  purpose: string,
  given: string | undefined,
): N | undefined {
  const [text = '', signature = ''] = given?.split('.') ?? [];
  const expected = Buffer.from(hashHandle(deps.secrets, purpose, text));
  const presented = Buffer.from(signature);
  if (expected.byteLength !== presented.byteLength || !timingSafeEqual(expected, presented)) return undefined;
  const note = JSON.parse(Buffer.from(text, 'base64url').toString()) as N;
  return note.endsAtMs > deps.clock.now() ? note : undefined;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Like a signed note, but only this server can read it. */
export function sealNote<N extends Note>(deps: { secrets: SecretHasher }, purpose: string, note: N): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFor(deps, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(note)), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined if it is not ours, was changed, or has expired. */
export function openNote<N extends Note>(
  deps: { secrets: SecretHasher; clock: Clock },
  purpose: string,
  given: string,
): N | undefined {
  const bytes = Buffer.from(given, 'base64url');
  if (bytes.byteLength <= NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, keyFor(deps, purpose), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    const note = JSON.parse(text.toString()) as N;
    return note.endsAtMs > deps.clock.now() ? note : undefined;
  } catch {
    return undefined;
  }
}

/** `purpose` keeps a note of one kind from being used as another. */
function keyFor({ secrets }: { secrets: SecretHasher }, purpose: string): Uint8Array {
  return secrets.hash('note-key', purpose);
}
