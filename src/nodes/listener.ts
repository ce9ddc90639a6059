// Where a node answers the questions of other nodes: a separate address, which nobody else needs to reach.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../platform.js';
import type { Envelopes } from './envelope.js';

export const ASK_PATH = '/v1/nodes/ask';
export const ID_HEADER = 'x-voxgate-question';
const QUESTION_BYTES_MAX = 8 * 1024 * 1024;

const CONNECTIONS_MAX = 512;
export const QUESTIONS_AT_ONCE_MAX = 64;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;
/** Numbers of questions that are remembered, so that one that was overheard cannot be asked again. */
const REMEMBERED_MAX = 10_000;

interface NodeListenerDeps {
  nodeId: string;
  envelopes: Envelopes;
  answer(question: unknown): Promise<unknown>;
  /** Questions that are answered at the same time; more are told to come again. */
  atOnceMax: number;
  log: Log;
}

export class NodeListener {
  readonly #deps: NodeListenerDeps;
  readonly #server: Server;
  readonly #remembered = new Set<string>();
  #answering = 0;
  /** Questions that were not from a node of this installation, or too many. */
  refused = 0;

  constructor(deps: NodeListenerDeps) {
    this.#deps = deps;
    this.#server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      this.#serve(request, response).catch((cause: unknown) => {
        deps.log.warn({ err: cause }, 'a question of another node could not be answered');
        refuse(response, 500);
      });
    });
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** The port that was really bound. */
  start({ host, port }: { host: string; port: number }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { envelopes, nodeId, answer } = this.#deps;
    if (request.method !== 'POST' || request.url !== ASK_PATH) return this.#refuse(response, 404);
    const questionId = String(request.headers[ID_HEADER] ?? '');
    if (!/^[0-9a-f]{32}$/.test(questionId)) return this.#refuse(response, 401);
    if (this.#answering >= this.#deps.atOnceMax) return this.#refuse(response, 503);
    this.#answering += 1;
    try {
      const sealed = await bodyOf(request, QUESTION_BYTES_MAX);
      if (!sealed) return this.#refuse(response, 413);
      let question: unknown;
      try {
        question = envelopes.open('question', { nodeId, questionId }, sealed);
      } catch {
        return this.#refuse(response, 401);
      }
      if (this.#remembered.has(questionId)) return this.#refuse(response, 401);
      this.#remember(questionId);
      const sealedAnswer = envelopes.seal('answer', { nodeId, questionId }, await answer(question));
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(sealedAnswer);
    } finally {
      this.#answering -= 1;
    }
  }

  #remember(questionId: string): void {
    this.#remembered.add(questionId);
    if (this.#remembered.size <= REMEMBERED_MAX) return;
    const [oldest] = this.#remembered;
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }

  #refuse(response: ServerResponse, status: number): void {
    this.refused += 1;
    refuse(response, status);
  }
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { connection: 'close' }).end();
}

/** Nothing where there is more of it than allowed. */
export async function bodyOf(message: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
