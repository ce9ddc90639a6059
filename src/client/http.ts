// HTTP with patience: a request that may be repeated is sent again when the server is busy, away or asks to wait, for as
// long as its time allows.
import { refusalIn, VoxgateError } from './errors.js';
import type { TokenSource } from './tokens.js';

export type Fetch = typeof fetch;

/** How long one call may take, and who may end it. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** For the call with all its repetitions; 60 seconds if absent. */
  timeoutMs?: number | undefined;
}

interface Outgoing {
  method: string;
  headers?: Record<string, string>;
  body?: NonNullable<RequestInit['body']>;
}

const TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 8000;
/** A server that is away for longer than a restart takes is not waited for. */
const LOST_MAX = 4;

/** Answers after which the same request may succeed: too many calls, a server or proxy without capacity, or one that is going. */
const passing = new Set([429, 502, 503, 504]);

interface HttpDeps {
  fetch: Fetch;
  /** Waits; rejects when the signal fires. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Sends until there is an answer that will not get better, and parses it. Throws what it refuses. */
export class Http {
  readonly #deps: HttpDeps;

  constructor(deps: HttpDeps) {
    this.#deps = deps;
  }

  /** With a token; one that the server refuses is renewed once. */
  async json<T>(
    url: string,
    request: Outgoing,
    tokens: TokenSource | undefined,
    options: CallOptions = {},
  ): Promise<T> {
    const token = await tokens?.get();
    try {
      return await this.#json<T>(url, withToken(request, token), options);
    } catch (thrown) {
      if (!tokens || token === undefined || !isUnauthenticated(thrown)) throw thrown;
      const renewed = await tokens.renew(token);
      if (renewed === token) throw thrown;
      return this.#json<T>(url, withToken(request, renewed), options);
    }
  }

  async #json<T>(url: string, request: Outgoing, options: CallOptions): Promise<T> {
    const answer = await this.send(url, request, options);
    const body = await bodyOf(answer);
    const refusal = refusalIn(answer, body);
    if (refusal) throw refusal;
    if (body === undefined)
      throw new VoxgateError('the response is not JSON', { code: 'BAD_ANSWER', httpStatus: answer.status });
    return body as T;
  }

  /** The last answer, refused or not. */
  async send(url: string, request: Outgoing, options: CallOptions = {}): Promise<Response> {
    const { signal, timeoutMs = TIMEOUT_MS } = options;
    const endAtMs = Date.now() + timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
    let lostCount = 0;
    for (let attempt = 0; ; attempt += 1) {
      let answer: Response | undefined;
      let lost: unknown;
      try {
        answer = await this.#deps.fetch(url, { ...request, signal: ended, redirect: 'error' });
      } catch (thrown) {
        lost = thrown;
        lostCount += 1;
      }
      if (signal?.aborted) throw signal.reason;
      const waitMs = answer ? await askedToWait(answer) : undefined;
      if (answer && waitMs === undefined) return answer;
      const pauseMs = Math.max(waitMs ?? 0, backoffMs(attempt));
      if (timeout.aborted || lostCount > LOST_MAX || Date.now() + pauseMs >= endAtMs) {
        if (answer) return answer;
        throw noAnswer(url, lost, timeout.aborted);
      }
      await this.#deps.pause(pauseMs, ended).catch(() => undefined);
      if (signal?.aborted) throw signal.reason;
    }
  }
}

/** How long to wait until the same request may succeed; undefined where it will not. */
async function askedToWait(answer: Response): Promise<number | undefined> {
  if (answer.status === 409) {
    const refusal = refusalIn(answer, await bodyOf(answer.clone()));
    return refusal?.reason === 'IDEMPOTENCY_KEY_IN_USE' ? (refusal.retryAfterMs ?? 0) : undefined;
  }
  if (!passing.has(answer.status)) return undefined;
  return refusalIn(answer, await bodyOf(answer.clone()))?.retryAfterMs ?? 0;
}

/** Twice as long each time, and somewhat at random, so that many callers do not come back together. */
function backoffMs(attempt: number): number {
  return Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

async function bodyOf(answer: Response): Promise<unknown> {
  try {
    const text = await answer.text();
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withToken(request: Outgoing, token: string | undefined): Outgoing {
  if (token === undefined) return request;
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

function isUnauthenticated(thrown: unknown): boolean {
  return thrown instanceof VoxgateError && thrown.httpStatus === 401;
}

function noAnswer(url: string, cause: unknown, timedOut: boolean): VoxgateError {
  const { origin } = new URL(url);
  return timedOut
    ? new VoxgateError(`${origin} did not answer in time`, { code: 'DEADLINE_EXCEEDED', cause })
    : new VoxgateError(`${origin} cannot be reached`, { code: 'OFFLINE', cause });
}
