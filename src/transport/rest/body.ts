// Bytes of a request body -> JSON value, with the faults that can be told before any field is looked at.
import { isUtf8 } from 'node:buffer';
import { unreadable } from '../refusal.js';

/** An empty body stands for an empty message: several operations carry everything in the path. */
export function parseBody(bytes: Buffer | undefined, depthMax: number): unknown {
  if (bytes === undefined || bytes.byteLength === 0) return {};
  if (!isUtf8(bytes)) throw unreadable('the body is not valid UTF-8');
  // Anything shorter cannot nest too deep: each level takes an opening and a closing byte.
  if (bytes.byteLength > 2 * depthMax && nestsDeeperThan(bytes, depthMax)) {
    throw unreadable(`the body is nested more than ${depthMax} levels deep`);
  }
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (thrown) {
    throw unreadable(
      `the body is not valid JSON: ${thrown instanceof Error ? thrown.message : 'unreadable'}`,
    );
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** A bracket of an array and a brace of an object are the same but for this bit; no other byte of JSON is. */
const CASE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

function nestsDeeperThan(bytes: Uint8Array, depthMax: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
    } else if ((byte | CASE_BIT) === OPENING) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if ((byte | CASE_BIT) === CLOSING) {
      depth -= 1;
    }
  }
  return false;
}
