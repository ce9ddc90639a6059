// Who may read the metrics, and where: on the HTTP listener or on an address of their own, with a token or without.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';
import { flatError } from './refusal.js';
import { REPEATED_CREDENTIALS, hasRepeatedCredentials } from './repeated-credentials.js';
import { JSON_TYPE } from './rest/exchange.js';

interface MetricsAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export type AnswerMetrics = (authorization: string | undefined) => Promise<MetricsAnswer>;

/** With an empty token everybody may read them. */
export function metricsAnswers({ registry }: Metrics, token: string): AnswerMetrics {
  return async (authorization) => {
    if (token !== '' && !isBearer(authorization, token)) {
      return {
        status: 401,
        headers: { 'content-type': JSON_TYPE, 'www-authenticate': 'Bearer realm="metrics"' },
        text: JSON.stringify(flatError(401, 'the metrics of this server require a token')),
      };
    }
    return { status: 200, headers: { 'content-type': registry.contentType }, text: await registry.metrics() };
  };
}

/** Compared as hashes: the time it takes says nothing about the token, not even its length. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(hashOf(given), hashOf(token));
}

interface MetricsListener {
  /** The address with the port that was really bound. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

const CONNECTIONS_MAX = 16;
const REQUEST_TIMEOUT_MS = 10_000;

export function createMetricsListener(
  { host, port }: { host: string; port: number },
  answer: AnswerMetrics,
): MetricsListener {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const known = request.url?.split('?')[0] === '/metrics' && request.method === 'GET';
    const refused = (status: number, message: string): Promise<MetricsAnswer> => {
      const text = JSON.stringify(flatError(status, message));
      return Promise.resolve({ status, headers: { 'content-type': JSON_TYPE }, text });
    };
    const answered = !known
      ? refused(404, 'there is only GET /metrics here')
      : hasRepeatedCredentials(request.rawHeaders)
        ? refused(400, REPEATED_CREDENTIALS)
        : answer(request.headers.authorization);
    void answered.then(
      ({ status, headers, text }) => response.writeHead(status, headers).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.setTimeout(REQUEST_TIMEOUT_MS);
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const shown = host.includes(':') ? `[${host}]` : host;
          resolve(`http://${shown}:${(server.address() as AddressInfo).port}/metrics`);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
