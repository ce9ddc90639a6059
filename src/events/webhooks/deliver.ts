// One delivery: an HTTP POST that follows no redirects, reads nothing of the answer but its head, and ends in time.
import { request as plainRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, PRIVATE_ADDRESS_FAULT, type Addresses } from './addresses.js';

const TIMEOUT_MS = 15_000;
const ANSWER_HEAD_BYTES_MAX = 16 * 1024;
const RETRY_AFTER_SECONDS_MAX = 3600;

export interface DeliveryAnswer {
  status: number;
  /** How long the receiver asks us to stay away. */
  retryAfterMs?: number;
}

/** Resolves with any answer; rejects where none came. */
export type Deliver = (
  url: string,
  message: { headers: Readonly<Record<string, string>>; body: string },
  signal: AbortSignal,
) => Promise<DeliveryAnswer>;

export function httpDeliver(addresses: Addresses, timeoutMs = TIMEOUT_MS): Deliver {
  return async (address, { headers, body }, stopping) => {
    const url = new URL(address);
    const host = hostOf(url);
    // Addresses are not looked up, so they are looked at here.
    if (isIP(host) && !addresses.mayReach(host)) throw new Error(PRIVATE_ADDRESS_FAULT);
    return new Promise<DeliveryAnswer>((answered, failed) => {
      const send = url.protocol === 'http:' ? plainRequest : tlsRequest;
      const request = send(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Voxgate' },
        // A connection of its own: one that is kept could outlive the name that it was made for.
        agent: false,
        maxHeaderSize: ANSWER_HEAD_BYTES_MAX,
        lookup: addresses.lookup,
      });
      const end = (reason: string) => (): void => {
        failed(new Error(reason));
        request.destroy();
      };
      const stop = end('the server is stopping');
      const timer = setTimeout(end(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
      stopping.addEventListener('abort', stop, { once: true });
      request.on('response', (response) => {
        answered(answerOf(response));
        response.destroy();
      });
      request.on('error', (cause) => failed(new Error(reasonOf(cause), { cause })));
      request.on('close', () => {
        clearTimeout(timer);
        stopping.removeEventListener('abort', stop);
      });
      request.end(body);
    });
  };
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): DeliveryAnswer {
  const waitMs = waitOf(headers);
  return {
    status: statusCode,
    ...(waitMs > 0 && { retryAfterMs: Math.min(waitMs, RETRY_AFTER_SECONDS_MAX * 1000) }),
  };
}

/** Retry-After in seconds, or as a time by the receiver's own clock. */
function waitOf({ 'retry-after': said = '', date = '' }: IncomingHttpHeaders): number {
  const waitMs = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.parse(date);
  return Number.isNaN(waitMs) ? 0 : waitMs;
}

/** For the tenant: the kind of fault, without the addresses that Node writes into its messages. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the connection failed';
  if (cause.message === PRIVATE_ADDRESS_FAULT) return cause.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}
