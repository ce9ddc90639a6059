// Asks another node: one request over a connection that stays open, sealed, with a time limit.
import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { AppError } from '../errors.js';
import type { Envelopes } from './envelope.js';
import { ASK_PATH, bodyOf, ID_HEADER } from './listener.js';

/** Far longer than an answer takes: nodes that have to read first say so. */
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const SOCKETS_PER_NODE = 32;
const RETRY_MS = 1000;
/** Shorter than the other side keeps connections, so that it does not close one that is just used again. */
const IDLE_MS = 30_000;

/** A connection that was kept open was closed by the other side. */
class StaleConnection extends Error {}

export class NodeAsker {
  readonly #envelopes: Envelopes;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_PER_NODE, timeout: IDLE_MS });

  constructor(envelopes: Envelopes) {
    this.#envelopes = envelopes;
  }

  /** Throws where the node is away or does not answer as one of this installation. BUSY where it has too much to do. */
  async ask(
    node: { nodeId: string; address: string },
    question: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return await this.#askOnce(node, question, signal);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.#askOnce(node, question, signal);
    }
  }

  async #askOnce(
    { nodeId, address }: { nodeId: string; address: string },
    question: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const about = { nodeId, questionId: randomBytes(16).toString('hex') };
    const response = await this.#post(address, about.questionId, {
      sealed: this.#envelopes.seal('question', about, question),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    const sealed = await bodyOf(response, ANSWER_BYTES_MAX);
    if (response.statusCode === 503)
      throw new AppError('BUSY', 'a node that holds part of this list is overloaded', {
        retryAfterMs: RETRY_MS,
      });
    if (response.statusCode !== 200 || !sealed) throw new Error(`answered ${response.statusCode}`);
    return this.#envelopes.open('answer', about, sealed);
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(
    address: string,
    questionId: string,
    { sealed, signal }: { sealed: Uint8Array; signal: AbortSignal },
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { [ID_HEADER]: questionId, 'content-length': sealed.byteLength };
      const options = { method: 'POST', agent: this.#agent, headers, signal };
      const request = httpRequest(`http://${address}${ASK_PATH}`, options, resolve);
      request.once('error', (cause) =>
        reject(request.reusedSocket ? new StaleConnection('it was closed', { cause }) : cause),
      );
      request.end(sealed);
    });
  }
}
