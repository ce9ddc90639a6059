// Access tokens: fetched when one is needed, kept until shortly before they end, and fetched once however many calls wait.
import { refusalIn, VoxgateError } from './errors.js';

/** Gives the token of a call. */
export interface TokenSource {
  get(): Promise<string>;
  /** After the server has refused `stale`: a new one. */
  renew(stale: string): Promise<string>;
}

/** A token, or a function that fetches one; it is told which token the server refused, if that is why it is asked. */
export type GivenToken = string | ((refused?: string) => string | Promise<string>);

export function givenTokens(token: GivenToken): TokenSource {
  if (typeof token === 'string') return { get: async () => token, renew: async () => token };
  return { get: async () => token(), renew: async (stale) => token(stale) };
}

/** What a client has to show to the token service. */
interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** Scope to ask for; `biosec` if absent. */
  scope?: string | undefined;
}

/** A token that is nearly over is not used: the call may take longer than it lasts. */
const SPARE_SHARE = 0.1;
const SPARE_MS_MAX = 60_000;

/** Sends a form to the token endpoint, again where that makes sense. */
type PostForm = (form: URLSearchParams, authorization: string) => Promise<Response>;

export class ClientTokens implements TokenSource {
  readonly #credentials: ClientCredentials;
  readonly #post: PostForm;
  #kept: { token: string; renewAtMs: number } | undefined;
  #fetching: Promise<string> | undefined;

  constructor(credentials: ClientCredentials, post: PostForm) {
    this.#credentials = credentials;
    this.#post = post;
  }

  async get(): Promise<string> {
    if (this.#kept && Date.now() < this.#kept.renewAtMs) return this.#kept.token;
    return this.#fetchOnce();
  }

  async renew(stale: string): Promise<string> {
    if (this.#kept?.token === stale) this.#kept = undefined;
    return this.get();
  }

  #fetchOnce(): Promise<string> {
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetch(): Promise<string> {
    const { clientId, clientSecret, scope = 'biosec' } = this.#credentials;
    const askedAtMs = Date.now();
    const answer = await this.#post(
      new URLSearchParams({ grant_type: 'client_credentials', scope }),
      // RFC 6749 has both parts encoded like a form before they are joined.
      `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
    );
    const body = (await answer.json().catch(() => undefined)) as
      | { access_token?: string; expires_in?: number }
      // No JSON at all.
      | undefined;
    const refusal = refusalIn(answer, body);
    if (refusal) throw refusal;
    if (body?.access_token === undefined)
      throw new VoxgateError('the token service returned no token', { code: 'BAD_ANSWER' });
    const lastsMs = (body.expires_in ?? 0) * 1000;
    const renewAtMs = askedAtMs + lastsMs - Math.min(SPARE_MS_MAX, lastsMs * SPARE_SHARE);
    this.#kept = { token: body.access_token, renewAtMs };
    return body.access_token;
  }
}
