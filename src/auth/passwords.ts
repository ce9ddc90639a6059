// Passwords of people: scrypt with a per-user salt. The cost is part of the stored string, so it can be
// raised later without a migration. Hashing is queued, because each run takes 32 MiB.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { FieldFault } from '../errors.js';
import { isCommonPassword } from './common-passwords.js';
import { say } from '../words/server/say.js';

interface ScryptCost {
  /** CPU and memory cost, a power of two. */
  n: number;
  r: number;
  p: number;
}

/** OWASP's 32 MiB variant (2^15, 8, 3). */
const defaultScryptCost: ScryptCost = { n: 2 ** 15, r: 8, p: 3 };

const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** NIST SP 800-63B-4 for a password that is the only factor. */
export const PASSWORD_LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 256;
const RUNNING_MAX = 2;
const WAITING_MAX = 64;

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Without a stored hash it still does the work, and returns false. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

export function createPasswordHasher(cost: ScryptCost = defaultScryptCost): PasswordHasher {
  const queue = createQueue();
  const derive = (password: string, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> =>
    queue(
      () =>
        new Promise((resolve, reject) => {
          const options = { N: n, r, p, maxmem: 256 * n * r };
          scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
            error ? reject(error) : resolve(key),
          );
        }),
    );
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, salt, cost);
      return ['scrypt', cost.n, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(
        '$',
      );
    },
    async verify(password, stored) {
      const parsed = stored === undefined ? undefined : parseStored(stored);
      const { salt, key, used } = parsed ?? {
        salt: Buffer.alloc(SALT_BYTES),
        key: Buffer.alloc(KEY_BYTES),
        used: cost,
      };
      const derived = await derive(password, salt, used);
      return timingSafeEqual(derived, key) && parsed !== undefined;
    },
  };
}

function parseStored(stored: string): { salt: Buffer; key: Buffer; used: ScryptCost } | undefined {
  const [scheme, n, r, p, salt, key] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !key) return undefined;
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.byteLength !== KEY_BYTES) return undefined;
  return {
    salt: Buffer.from(salt, 'base64url'),
    key: bytes,
    used: { n: Number(n), r: Number(r), p: Number(p) },
  };
}

/** At most RUNNING_MAX at once; beyond WAITING_MAX the caller is refused at once rather than kept waiting. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: Array<() => void> = [];
  return async (work) => {
    if (running >= RUNNING_MAX) {
      if (waiting.length >= WAITING_MAX) throw new PasswordQueueFull();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot passes straight to the next in line.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export class PasswordQueueFull extends Error {
  override readonly name = 'PasswordQueueFull';
}

/** The problem with a new password, or undefined. Length is what counts; composition rules are not used. */
export function passwordFault(field: string, password: string, userName: string): FieldFault | undefined {
  if (password.length < PASSWORD_LENGTH_MIN) {
    return { field, violation: 'TOO_SHORT', ...say('TOO_FEW_CHARACTERS', { min: PASSWORD_LENGTH_MIN }) };
  }
  if (password.length > PASSWORD_LENGTH_MAX) {
    return { field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: PASSWORD_LENGTH_MAX }) };
  }
  if (password.toLowerCase().includes(userName.toLowerCase()) && userName.length >= 4) {
    return { field, violation: 'INVALID_FORMAT', ...say('CONTAINS_USER_NAME') };
  }
  if (isCommonPassword(password)) {
    return { field, violation: 'INVALID_FORMAT', ...say('EASY_TO_GUESS') };
  }
  return undefined;
}
