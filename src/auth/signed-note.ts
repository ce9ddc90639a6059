// What has to be remembered between two requests and is no secret from the one who carries it: signed, with an end, so that
// any node can read it and those who never come back leave nothing behind.
import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform.js';
import { hashHandle, type SecretHasher } from './secrets.js';

export interface Note {
  endsAtMs: number;
}

/** `purpose` keeps a note of one kind from passing for another. */
export function signNote<N extends Note>(deps: { secrets: SecretHasher }, purpose: string, note: N): string {
  const text = Buffer.from(JSON.stringify(note)).toString('base64url');
  return `${text}.${hashHandle(deps.secrets, purpose, text)}`;
}

/** Undefined for what is not ours, was changed, or has come to its end. */
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
