// A client that goes on whatever happens to the server: new tokens, new sessions, and for every call a clear outcome.
import { decodeJwt } from 'jose';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.js';
import type { Target } from './server.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */

const CALL_MS_MAX = 30_000;
/** A token that says of itself to be so much older or younger was made under a wrong clock. */
const WRONG_CLOCK_MS = 2 * CALL_MS_MAX;
/** Refusals that are right in times of trouble. */
const excused = new Set(['BUSY', 'RATE_EXCEEDED', 'QUOTA_EXCEEDED', 'CANCELLED_SERVER', 'DEADLINE_EXCEEDED']);

export interface Answer {
  requestId: string;
  body: any;
  isGone?: boolean;
}

/** Whoever says where calls go now: one server, or several of which each call takes the next. */
export interface Targets {
  readonly target: Target | undefined;
  /**
   * Where a call is tried once more that got no answer, or that a server could not serve, as good clients and load balancers do:
   * not where it just failed, if there is anybody else. Without it a call is tried once.
   */
  readonly otherThan?: (failed: Target | undefined) => Target | undefined;
}

/** Another server is asked at once; one that was busy gets a moment. */
const RETRY_PAUSE_MS = 200;
const cannotServe = new Set([500, 502, 503, 504]);

/** Without what is different each time. */
const namedPath = (path: string): string => path.replace(/\?.*/, '').replace(/[0-9a-f-]{36}/g, ':id');

/** On a machine that has far too much to do, that is what the time limit is for. */
const isLate = (sinceMs: number): boolean => performance.now() - sinceMs >= CALL_MS_MAX;
const withoutAnswer = (wasLate: boolean): string =>
  wasLate ? `no answer within ${CALL_MS_MAX / 1000} s` : 'no answer';

/** The answer never came, or was a refusal: whether the change happened is not known. */
export class NoAnswer extends Error {}

export class ChaosClient {
  readonly #server: Targets;
  readonly #ledger: Ledger;
  readonly #name: string;
  #token = '';
  #context: object | undefined;
  #calls = 0;

  constructor(server: Targets, ledger: Ledger, name: string) {
    this.#server = server;
    this.#ledger = ledger;
    this.#name = name;
  }

  async #target(): Promise<Target> {
    const { target } = this.#server;
    if (target) return target;
    await sleep(100);
    throw new NoAnswer('the server is not there');
  }

  #requestId(): string {
    this.#calls += 1;
    return `chaos-${this.#name}-${this.#calls}`;
  }

  async post(path: string, body: object): Promise<Answer> {
    return this.#call('POST', path, { context: await this.#session(), ...body });
  }

  /** For something that may be gone; answers whether it was. */
  async postForGone(path: string, body: object): Promise<boolean> {
    const { isGone } = await this.#call('POST', path, { context: await this.#session(), ...body }, true);
    return isGone === true;
  }

  async delete(path: string): Promise<Answer> {
    const context = (await this.#session()) as Record<string, { value: string } | string>;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(context))
      query.set(
        typeof value === 'string' ? `context.${name}` : `context.${name}.value`,
        typeof value === 'string' ? value : value.value,
      );
    return this.#call('DELETE', `${path}?${query}`);
  }

  /** The address is the server's own, whatever port it had when it was made. */
  async put(address: string, bytes: Uint8Array): Promise<void> {
    const url = new URL(address);
    const { answer } = await this.#send(`${url.pathname}${url.search}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
    });
    if (answer.status === 201) return;
    this.#refused(answer.status, await answer.text().catch(() => ''), 'upload');
  }

  async newToken(): Promise<string> {
    const { clientId, clientSecret } = await this.#target();
    const { answer } = await this.#send('/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
    });
    const text = await this.#read(answer);
    if (answer.status !== 200) this.#refused(answer.status, text, 'token');
    this.#token = (JSON.parse(text) as { access_token: string }).access_token;
    this.#ledger.acknowledge('token');
    // By the token itself: the server notices later than we that its clock was moved, and an answer may be older than that.
    const atMs = (decodeJwt(this.#token).iat ?? 0) * 1000;
    if (Math.abs(Date.now() - atMs) < WRONG_CLOCK_MS) this.#ledger.tokens.push({ token: this.#token, atMs });
    return this.#token;
  }

  /** In a session in which nothing else is said: what is left in that of a person who was recognized is erased with them. */
  async inOwnSession<T>(work: () => Promise<T>): Promise<T> {
    this.#context = undefined;
    try {
      return await work();
    } finally {
      this.#context = undefined;
    }
  }

  async #session(): Promise<object> {
    if (this.#context) return this.#context;
    const { tenantId, configsetId } = await this.#target();
    const scope = { gkScopeId: { value: tenantId }, configsetId };
    const { body, requestId } = await this.#call('POST', '/v1/sessions/start', {
      context: scope,
      sessionType: 2,
    });
    this.#ledger.acknowledge('session', requestId);
    this.#context = { ...scope, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
    return this.#context;
  }

  async #call(method: string, path: string, body?: object, mayBeGone = false): Promise<Answer> {
    if (this.#token === '') await this.newToken();
    const requestId = this.#requestId();
    const { answer, again } = await this.#send(path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        'x-request-id': requestId,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await this.#read(answer);
    if (answer.status === 401) {
      // The clock moved, or the token is old.
      this.#token = '';
      throw new NoAnswer('the token was refused');
    }
    if (answer.status === 404 && mayBeGone && !/session|engagement/i.test(text))
      return { requestId, body: {}, isGone: true };
    if (answer.status !== 200 && again && !cannotServe.has(answer.status)) {
      // The first try may have been done and only its answer lost: then the second finds that it is.
      this.#ledger.count(this.#ledger.refused, 'done before, or not possible twice');
      throw new NoAnswer(String(answer.status));
    }
    if (answer.status !== 200) this.#refused(answer.status, text, `${method} ${path.split('?')[0]}`);
    return { requestId, body: JSON.parse(text) };
  }

  async #send(path: string, options: RequestInit): Promise<{ answer: Response; again: boolean }> {
    this.#ledger.calls += 1;
    const asked = await this.#target();
    const begunAtMs = performance.now();
    const first = await this.#try(asked, path, options);
    const isServed = first !== undefined && !cannotServe.has(first.status);
    if (isServed || !this.#server.otherThan) {
      if (!first) throw this.#noAnswer(isLate(begunAtMs));
      return { answer: first, again: false };
    }
    await sleep(first ? RETRY_PAUSE_MS : 0);
    const other = this.#server.otherThan(asked) ?? (await this.#target());
    const startedAtMs = performance.now();
    const second = await this.#try(other, path, options);
    if (!second || cannotServe.has(second.status))
      this.#ledger.count(
        this.#ledger.failedTwice,
        `${options.method} ${namedPath(path)}: ${second?.status ?? withoutAnswer(isLate(startedAtMs))}`,
      );
    if (!second) throw this.#noAnswer();
    return { answer: second, again: true };
  }

  async #try({ http }: Target, path: string, options: RequestInit): Promise<Response | undefined> {
    return fetch(`${http}${path}`, { ...options, signal: AbortSignal.timeout(CALL_MS_MAX) }).catch(
      () => undefined,
    );
  }

  /** A server that is killed may have sent the beginning of an answer: that is none. */
  async #read(answer: Response): Promise<string> {
    return answer.text().catch(() => {
      throw this.#noAnswer();
    });
  }

  #noAnswer(wasLate = false): NoAnswer {
    this.#ledger.count(this.#ledger.refused, withoutAnswer(wasLate));
    return new NoAnswer('no answer');
  }

  #refused(status: number, text: string, what: string): never {
    const code = /"statusCode":\s*"(\w+)"/.exec(text)?.[1] ?? '';
    const isSession = /session|engagement/i.test(text) && status < 500;
    if (isSession) this.#context = undefined;
    // The clock moved between the address and its use.
    const isExpired = status === 403 && text.includes('has expired');
    if (status === 503 || status === 429 || status === 504 || excused.has(code) || isSession || isExpired)
      this.#ledger.count(this.#ledger.refused, isSession ? 'session over' : code || String(status));
    else {
      this.#ledger.count(
        this.#ledger.unexpected,
        `${namedPath(what)}: ${status} ${code} ${text.slice(0, 200)}`,
      );
    }
    throw new NoAnswer(`${status}`);
  }
}
