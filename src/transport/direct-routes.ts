// Routes outside the contract that are called as often as operations: served on Node's own request and response, before the
// framework looks for a route. For a token, the framework's overhead would cost as much as everything else except the
// signature.
import type { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Ids } from '../platform.js';
import type { ReceivingPace } from './receiving-pace.js';
import type { Metrics } from './metrics.js';
import type { Peers } from './peer.js';
import { shuttingDown } from './refusal.js';
import { REQUEST_ID_HEADER, chooseRequestId } from './request-id.js';
import { readBody, writeText } from './rest/exchange.js';

/** Of a target in absolute form, which every server has to take (RFC 9112 section 3.2.2). */
const originPattern = /^https?:\/\/[^/]*/i;

export interface DirectRequest {
  id: string;
  /** Without the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The whole of it; absent where there is none. */
  body: string | undefined;
  /** Forwarded headers count only from trusted proxies. */
  address: string;
  certificate: X509Certificate | undefined;
}

export interface DirectAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A text is JSON already. */
  body: object | string;
}

/** Neither may fail: whatever goes wrong is told in the route's own dialect. */
interface DirectRoute {
  bodyBytesMax: number;
  answer(request: DirectRequest): Promise<DirectAnswer>;
  /** For requests that were not read. */
  refuse(thrown: unknown, request: Pick<DirectRequest, 'id' | 'path'>): DirectAnswer;
}

interface DirectDeps {
  ids: Ids;
  metrics: Metrics;
  pace: ReceivingPace;
  peers: Peers;
  isDraining: () => boolean;
}

export class DirectRoutes {
  readonly #deps: DirectDeps;
  readonly #byPath = new Map<string, DirectRoute>();

  constructor(deps: DirectDeps) {
    this.#deps = deps;
  }

  /** For POST; every other method of the path is left to the framework. */
  post(path: string, route: DirectRoute): void {
    this.#byPath.set(path, route);
  }

  /** Serves the exchange when a route has this path; otherwise leaves it untouched. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'POST') return false;
    const url = request.url ?? '';
    const mark = url.indexOf('?');
    const target = mark < 0 ? url : url.slice(0, mark);
    const path = target.startsWith('/') ? target : target.replace(originPattern, '');
    const route = this.#byPath.get(path);
    if (!route) return false;
    void this.#exchange(route, path, request, response);
    return true;
  }

  async #exchange(
    route: DirectRoute,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { ids, pace, peers, metrics, isDraining } = this.#deps;
    const { headers, socket } = request;
    const offered = headers[REQUEST_ID_HEADER];
    const id = chooseRequestId(typeof offered === 'string' ? offered : undefined, ids);
    let answer: DirectAnswer;
    try {
      if (isDraining()) throw shuttingDown();
      // A short body comes with its headers and is there after this turn: then nobody has to listen for it.
      await Promise.resolve();
      const bytes = readBody(request, route.bodyBytesMax, pace);
      const body = (bytes instanceof Promise ? await bytes : bytes)?.toString('utf8');
      const address = peers.addressOf(socket, headers);
      const certificate = peers.certificateOf(socket, headers);
      answer = await route.answer({ id, path, headers, body, address, certificate });
    } catch (thrown) {
      // Nobody is there any more to be told.
      if (response.destroyed) return;
      // A body that nobody wants is thrown away as it comes, so that the caller gets to read the answer.
      request.resume();
      answer = route.refuse(thrown, { id, path });
    }
    if (response.destroyed) return;
    // The connection must not be reused, or the stop would wait for it.
    if (isDraining()) response.setHeader('connection', 'close');
    const { status, body, headers: more } = answer;
    writeText(response, status, id, typeof body === 'string' ? body : JSON.stringify(body), more);
    metrics.httpResponse(answer.status);
  }
}
