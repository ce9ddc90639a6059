// The values that may be bound to a statement, the same on every database. A value that one driver would
// accept and the other refuse is refused here, so that an adapter that works on one works on both.
import { AppError } from '../errors.js';
import { StorageError } from './storage-error.js';
import { say } from '../words/server/say.js';

export function checkParameter(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      // PostgreSQL refuses NUL in text and SQLite cuts the text there.
      if (value.includes('\u0000')) {
        throw new AppError('INVALID_REQUEST', say('NUL_IN_TEXT'));
      }
      return value;
    case 'number':
    case 'bigint':
      return value;
    case 'object':
      if (value === null) return value;
      if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      break;
    case 'boolean':
    case 'undefined':
    case 'symbol':
    case 'function':
      break;
  }
  throw new StorageError(
    'MISUSE',
    `a ${typeof value} cannot be bound: use the helpers of src/storage/columns.ts`,
  );
}
