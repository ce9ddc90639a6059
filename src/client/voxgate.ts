// The client: one object for a server and a tenant. It knows who calls, sends every operation of the contract by name, and
// has short words for what most programs do.
import { paths } from '../gen/calls.js';
import type { LiveEventJson, LiveFormatJson, LiveTargetJson } from '../gen/voxgate/live/v1/live_pb.js';
import type { SessionTypeJson } from '../gen/vendor/biosec/v1/common_pb.js';
import { bind } from './bind.js';
import type { AnswerOf, WithoutPrefix, Method, RequestOf } from './contract.js';
import { VoxgateError } from './errors.js';
import { EventFeed, type EventOptions } from './event-feed.js';
import { Http, type CallOptions, type Fetch } from './http.js';
import { lineAddress, LiveLine, type AudioPieces, type SocketConstructor } from './live.js';
import { eachPage, itemsOf, type ItemOf, type PagedMethod } from './pages.js';
import { putBytes, type Recording } from './recording.js';
import { Names, needed, type PrintOwner, type Send, type TenantContext } from './names.js';
import {
  Session,
  type CheckOptions,
  type CheckResult,
  type EnrollmentResult,
  type EnrollOptions,
} from './session.js';
import { ClientTokens, givenTokens, type GivenToken, type TokenSource } from './tokens.js';

/** Where the server is, who calls, and on whose behalf. */
export interface VoxgateOptions {
  /** Address of the server, such as `https://voxgate.example.com`. In a page of the same server: `location.origin`. */
  server: string;
  /** ID of the tenant (`gk_scope_id`). */
  tenant: string;
  /** Config set that controls decisions; the server's defaults if absent. */
  configset?: string | undefined;
  /** Client credentials, for programs that can keep a secret. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Scope of the token; `biosec` if absent. */
  scope?: string | undefined;
  /** Instead of credentials: a token, or a function that returns one. */
  token?: GivenToken | undefined;
  /** Address of the token service, if it is not that of the server. */
  tokenUrl?: string | undefined;
  /** How long a call may take including all retries; 60 seconds if absent. */
  timeoutMs?: number | undefined;
  /** Used instead of the platform's own `fetch`. */
  fetch?: Fetch | undefined;
  /** For live calls on Node 20, which has no WebSocket: the one of the package `ws`. */
  webSocket?: SocketConstructor | undefined;
}

/** How one call is sent. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * The server does a call once per key, however often it is sent, for 24 hours. Each call gets its own key unless you
   * set one: do so if your program may repeat the call after a crash.
   */
  idempotencyKey?: string | undefined;
}

export interface SessionOptions extends CallOptions {
  /** `DIGITAL` if absent. */
  type?: WithoutPrefix<SessionTypeJson, 'SESSION_TYPE_'> | undefined;
  /** Continues this engagement instead of opening a new one. */
  gkEngagementId?: string | undefined;
  /** For trying something out: the session is listed as a trial and not counted in any rate. */
  isTest?: boolean | undefined;
}

/** What to listen for in a call; at least one member is mandatory. */
export interface LiveOptions extends SessionOptions {
  /** Encoding of the audio, such as `{ encoding: 'MULAW', sampleRateHz: 8000 }`. */
  format: LiveFormatJson;
  /** The person the caller claims to be: verification. */
  person?: PrintOwner | undefined;
  /** Group whose prints are searched (by your own ID): identification. */
  groupId?: string | undefined;
  /** Watchlist that is searched as well (by your own ID). */
  watchlistId?: string | undefined;
  syntheticSpeech?: boolean | undefined;
  playback?: boolean | undefined;
}

const KEY_BYTES = 16;
const SYSTEM = 'SYSTEM';

export class Voxgate {
  readonly #options: VoxgateOptions;
  readonly #server: string;
  readonly #http: Http;
  readonly #tokens: TokenSource;
  /** Looks up IDs by your own names: `await voxgate.names.watchlist('ring')`. */
  readonly names: Names;

  constructor(options: VoxgateOptions) {
    this.#options = options;
    this.#server = addressOf(options.server);
    const fetchNow: Fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#http = new Http({ fetch: fetchNow, pause });
    this.#tokens = this.#tokenSource();
    this.names = new Names(this.#send, this.context);
  }

  /** The tenant in the form that requests use. */
  get context(): TenantContext {
    return { gkScopeId: { value: this.#options.tenant } };
  }

  /** For operations that need a config set and no session. */
  get configContext(): TenantContext & { configsetId: string } {
    return { ...this.context, configsetId: this.#options.configset ?? SYSTEM };
  }

  /** Any operation of the contract: `call('GetPersonDetails', { context, gkPersonId })`. Rejects with VoxgateError. */
  async call<M extends Method>(
    method: M,
    request: RequestOf<M>,
    { idempotencyKey, ...options }: KeyedCallOptions = {},
  ): Promise<AnswerOf<M>> {
    const { verb, path, body } = boundTo(method, request);
    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['idempotency-key'] = idempotencyKey ?? newKey();
    }
    const outgoing = { method: verb, headers, ...(body !== undefined && { body }) };
    return this.#http.json(this.#server + path, outgoing, this.#tokens, this.#timed(options));
  }

  /** The pages of a list, one after another. */
  pages<M extends PagedMethod>(
    method: M,
    request: RequestOf<M>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<M>> {
    return eachPage((asked) => this.call(method, asked, options), request);
  }

  /** Everything in a list: `for await (const { details } of voxgate.each('ListPersons', { context }))`. */
  async *each<M extends PagedMethod>(
    method: M,
    request: RequestOf<M>,
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<M>> {
    for await (const page of this.pages(method, request, options)) yield* itemsOf<M>(page);
  }

  /** The events of the tenant, oldest first. */
  events(options: EventOptions = {}): EventFeed {
    const ask = (request: Omit<RequestOf<'ListTenantEvents'>, 'context'>) =>
      this.call('ListTenantEvents', { context: this.context, ...request }, { signal: options.signal });
    return new EventFeed(ask, pause, options);
  }

  /** Opens a session; `stop` ends it. */
  async session({
    type = 'DIGITAL',
    gkEngagementId,
    isTest = false,
    ...options
  }: SessionOptions = {}): Promise<Session> {
    const { tenant, configset = SYSTEM } = this.#options;
    const context = {
      ...this.context,
      configsetId: configset,
      ...(gkEngagementId !== undefined && { gkEngagementId: { value: gkEngagementId } }),
    };
    const sessionType = `SESSION_TYPE_${type}` as SessionTypeJson;
    const started = await this.call(
      'StartSession',
      { context, sessionType, ...(isTest && { isTest }) },
      options,
    );
    const deps = {
      call: this.#send,
      names: this.names,
      put: (url: string, bytes: Uint8Array<ArrayBuffer>, each: CallOptions) =>
        putBytes(this.#http, url, bytes, this.#timed(callOptions(each))),
    };
    return new Session(deps, {
      gkScopeId: tenant,
      gkEngagementId: needed(started.gkEngagementId?.value, 'an engagement'),
      gkSessionId: needed(started.gkSessionId?.value, 'a session'),
      configsetId: configset,
    });
  }

  /** Runs `work` in a new session, and ends the session whatever happens. */
  async inSession<T>(work: (session: Session) => Promise<T>, options: SessionOptions = {}): Promise<T> {
    const session = await this.session(options);
    try {
      return await work(session);
    } finally {
      // The session ends by itself, too; what went wrong in it is more important. A signal that ended the work does not keep
      // the session open.
      await session.stop({ timeoutMs: options.timeoutMs }).catch(() => undefined);
    }
  }

  /** Creates a voiceprint of a person from recordings: `enroll('anna', [first, second, third])`. */
  enroll(
    owner: string | PrintOwner,
    recordings: readonly Recording[],
    options: EnrollOptions & SessionOptions = {},
  ): Promise<EnrollmentResult> {
    return this.inSession((session) => session.enroll(asOwner(owner), recordings, options), options);
  }

  /** Whether a recording is the voice of a person: `verify('anna', recording)`. */
  verify(
    owner: string | PrintOwner,
    recording: Recording,
    options: CheckOptions & SessionOptions = {},
  ): Promise<CheckResult> {
    return this.inSession((session) => session.verify(asOwner(owner), recording, options), options);
  }

  /** Whose voice it is, among the persons of a group (by your own ID). */
  identify(
    groupId: string,
    recording: Recording,
    options: CheckOptions & SessionOptions = {},
  ): Promise<CheckResult> {
    return this.inSession((session) => session.identify(groupId, recording, options), options);
  }

  /** Whether it is the voice of somebody on a watchlist (by your own ID). */
  checkWatchlist(
    watchlistId: string,
    recording: Recording,
    options: CheckOptions & SessionOptions = {},
  ): Promise<CheckResult> {
    return this.inSession((session) => session.checkWatchlist(watchlistId, recording, options), options);
  }

  /**
   * Follows a live call: sends the audio as it arrives, and yields an event whenever something new is known about the
   * caller. The last event is `final`. Leaving the loop ends the call.
   */
  async *live(audio: AudioPieces, options: LiveOptions): AsyncGenerator<LiveEventJson> {
    const { signal } = options;
    const session = await this.session(options);
    try {
      const target = await this.#liveTarget(options);
      const { context } = session;
      const { streamToken } = await this.call('PrepareCall', { context, target }, callOptions(options));
      const start = { streamToken: needed(streamToken, 'a token'), format: options.format };
      const socketType = this.#socketConstructor();
      const url = lineAddress(this.#server);
      const line = new LiveLine({ connect: () => new socketType(url), pause }, start);
      const stop = (): void => line.stop();
      signal?.addEventListener('abort', stop);
      try {
        yield* line.run(audio);
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    } finally {
      await session.stop({ timeoutMs: options.timeoutMs }).catch(() => undefined);
    }
  }

  async #liveTarget(options: LiveOptions): Promise<LiveTargetJson> {
    const { person, groupId, watchlistId, syntheticSpeech = false, playback = false } = options;
    const target: LiveTargetJson = { syntheticSpeech, playback };
    if (person) {
      target.gkVoiceprintProfileIds = { uniqueIds: [await this.names.print(person, options)] };
    }
    if (groupId !== undefined) {
      target.group = { uniqueId: await this.names.group(groupId, options) };
    }
    if (watchlistId !== undefined) {
      target.watchlist = { uniqueId: await this.names.watchlist(watchlistId, options) };
    }
    return target;
  }

  /** The short methods pass on only these options. */
  readonly #send: Send = (method, request, options = {}) => this.call(method, request, callOptions(options));

  #socketConstructor(): SocketConstructor {
    const known =
      this.#options.webSocket ?? (globalThis as { WebSocket?: SocketConstructor | undefined }).WebSocket;
    if (known) return known;
    throw new VoxgateError('this platform has no WebSocket: pass one as the option webSocket', {
      code: 'NOT_IMPLEMENTED',
    });
  }

  #tokenSource(): TokenSource {
    const { token, clientId, clientSecret, scope, tokenUrl } = this.#options;
    if (token !== undefined) return givenTokens(token);
    if (clientId === undefined || clientSecret === undefined)
      throw new VoxgateError('pass clientId and clientSecret, or token', { code: 'UNAUTHENTICATED' });
    const url = tokenUrl ?? `${this.#server}/oauth2/token`;
    return new ClientTokens({ clientId, clientSecret, scope }, (form, authorization) =>
      this.#http.send(url, { method: 'POST', headers: { authorization }, body: form }, this.#timed({})),
    );
  }

  #timed(options: CallOptions): CallOptions {
    return { ...options, timeoutMs: options.timeoutMs ?? this.#options.timeoutMs };
  }
}

const asOwner = (owner: string | PrintOwner): PrintOwner =>
  typeof owner === 'string' ? { personId: owner } : owner;

const callOptions = ({ signal, timeoutMs }: CallOptions): CallOptions => ({ signal, timeoutMs });

/** 128 random bits; `randomUUID` is missing in pages that were not loaded over TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', give);
      resolve();
    }, ms);
    if (signal?.aborted) give();
    else signal?.addEventListener('abort', give, { once: true });
  });
}

function addressOf(server: string): string {
  const isAddress = URL.canParse(server) && /^https?:\/\//i.test(server);
  if (isAddress) return server.replace(/\/+$/, '');
  throw new VoxgateError(`the server must be a URL such as https://voxgate.example.com, not ${server}`, {
    code: 'INVALID_REQUEST',
  });
}

/** Programs without types may name an operation that does not exist. */
function boundTo(method: Method, request: object): ReturnType<typeof bind> {
  if (!Object.hasOwn(paths, method))
    throw new VoxgateError(`there is no operation ${String(method)}`, { code: 'INVALID_REQUEST' });
  try {
    return bind(paths[method], request);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'the request cannot be sent';
    throw new VoxgateError(message, { code: 'INVALID_REQUEST', cause });
  }
}
