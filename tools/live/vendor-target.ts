// What the protocols of vendors ask for.
import { AppError } from '../../src/errors.js';
import { inEnglish } from '../../src/words/server/say.js';

export interface ProtocolKeys {
  streamToken?: string | undefined;
  /** Of AudioHook. */
  apiKey?: string | undefined;
  conversation?: string | undefined;
  /** Of AudioHook in base64, or the auth token of Twilio. */
  secret?: string | undefined;
  /** Of AudioSocket. */
  uuid?: string | undefined;
}

export interface VendorTarget {
  keys: ProtocolKeys;
  /** http:// or https:// address for WebSockets, HOST:PORT for AudioSocket. */
  server: string;
}

export function needed(value: string | undefined, flag: string): string {
  if (value === undefined) throw new AppError('INVALID_REQUEST', inEnglish(`this protocol needs ${flag}`));
  return value;
}
