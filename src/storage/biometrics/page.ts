// Keyset paging over (created_at, id): stable while rows come and go, unlike an offset.
import { AppError } from '../../errors.js';

export interface Position {
  createdAt: number;
  id: string;
}

export function encodePosition({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt}:${id}`).toString('base64url');
}

export function decodePosition(token: string): Position {
  const [createdAt, id] = Buffer.from(token, 'base64url').toString('utf8').split(/:(.*)/s);
  if (!id || !Number.isSafeInteger(Number(createdAt))) {
    throw new AppError('INVALID_REQUEST', 'page_token: not a token of this list', {
      fields: [{ field: 'page_token', violation: 'INVALID_FORMAT', message: 'is not a token of this list' }],
    });
  }
  return { createdAt: Number(createdAt), id };
}
