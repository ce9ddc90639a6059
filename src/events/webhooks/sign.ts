// Signatures as Standard Webhooks asks for: HMAC-SHA256 over ID, time and body, one for each secret in force.
import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSecret } from './model.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

interface Message {
  id: string;
  /** Of the attempt, not of the event: receivers refuse what is old. */
  atMs: number;
  body: string;
}

export function signedHeaders(
  { id, atMs, body }: Message,
  secrets: readonly WebhookSecret[],
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': inForce(secrets, atMs)
      .map(({ value }) => `v1,${sign(value)}`)
      .join(' '),
  };
}

function inForce(secrets: readonly WebhookSecret[], nowMs: number): WebhookSecret[] {
  return secrets.filter(({ endsAtMs }) => endsAtMs === undefined || endsAtMs > nowMs);
}
