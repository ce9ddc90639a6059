// What the pages of the authorization code flow share: the cookies, the request that a form carries with it, and the
// way back to the application.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { returnsErrors } from '../../../auth/authorization/authorize.js';
import { findLoginSession, formToken, type SignedIn } from '../../../auth/authorization/login-sessions.js';
import { openPushedRequest } from '../../../auth/authorization/pushed-request.js';
import {
  readAuthorizationRequest,
  redirectBack,
  type AuthorizationRequest,
  type RefusedRequest,
} from '../../../auth/authorization/read-authorization-request.js';
import type { AuthDeps } from '../../../auth/deps.js';
import { askForPasskey } from '../../../auth/factors/check-passkey.js';
import { hashHandle } from '../../../auth/secrets.js';
import { readNote, signNote, type Note } from '../../../auth/signed-note.js';
import { cookieJar, readCookie, readParameters } from './http.js';
import { sendLoginPage, sendMessagePage } from './pages.js';
import type { PageSentence } from './page-words.js';
import { inEnglish } from '../../../words/server/say.js';

export const SESSION_COOKIE = 'voxgate_session';
export const FORM_COOKIE = 'voxgate_form';
const DEVICE_COOKIE = 'voxgate_device';
const DEVICE_COOKIE_SECONDS = 365 * 24 * 3600;
/** What people are told who are too fast. */
export const TOO_MANY = 'Too many attempts. Please wait a moment and try again.';
export const REQUEST_LENGTH_MAX = 8 * 1024;
const FORM_COOKIE_BYTES = 24;
/** Says which pushed request this browser has opened, so that a reload of the sign-in page opens it again. */
const PUSHED_COOKIE = 'voxgate_pushed';
const FRESH_COOKIE = 'voxgate_fresh';
/** How long it holds that a sign-in was made for a request: on the way back to the authorization endpoint, and on the page there. */
const freshSeconds = { 'fresh-sign-in': 60, 'fresh-consent': 600 } as const;
type FreshPurpose = keyof typeof freshSeconds;

/** Says that a session was opened for one authorization request. */
interface FreshSignIn extends Note {
  /** What the note is about, hashed: the session's cookie is nothing to be written down. */
  about: string;
}

/** One request of a browser with the reply that belongs to it. */
export interface Visit {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The authorization request that a visit is about, and its text as it travels in forms. */
export interface Asked {
  authorization: AuthorizationRequest;
  text: string;
}

/** Why the sign-in page comes up again. */
export interface SignInProblem {
  userName?: string;
  problem?: PageSentence;
  status?: number;
  retryAfterMs?: number;
}

const CANNOT_SERVE = 'This request cannot be served';
const PUSHED_GONE =
  'This request to sign in has expired or was opened before. Please go back to the application and start again.';

export class SignInFlow {
  readonly deps: AuthDeps;
  readonly cookies: ReturnType<typeof cookieJar>;

  constructor(deps: AuthDeps) {
    this.deps = deps;
    this.cookies = cookieJar(deps.settings.issuer);
  }

  sessionCookie(request: FastifyRequest): string | undefined {
    return readCookie(request, this.cookies.name(SESSION_COOKIE));
  }

  /** Says who has signed in with this browser before. */
  deviceCookie(request: FastifyRequest): string | undefined {
    return readCookie(request, this.cookies.name(DEVICE_COOKIE));
  }

  keepDevice(reply: FastifyReply, cookie: string): void {
    this.cookies.set(reply, DEVICE_COOKIE, cookie, DEVICE_COOKIE_SECONDS);
  }

  signedIn(request: FastifyRequest): Promise<SignedIn | undefined> {
    return findLoginSession(this.deps, this.sessionCookie(request));
  }

  /** The request in the text; undefined when the reply already tells what is wrong with it. */
  async readAsked(visit: Visit, given: string): Promise<Asked | undefined> {
    const { reply } = visit;
    const text = await this.#withPushed(visit, given);
    if (text === undefined) {
      sendMessagePage(reply, { title: CANNOT_SERVE, message: PUSHED_GONE }, { status: 400 });
      return undefined;
    }
    const reading = await readAuthorizationRequest(
      this.deps,
      readParameters(text.slice(0, REQUEST_LENGTH_MAX)),
    );
    if (reading.ok) return { authorization: reading.request, text };
    if (reading.where === 'page') {
      const { message, home } = reading;
      const link =
        home === undefined ? {} : { link: { href: home, text: 'Open the console there' as const } };
      sendMessagePage(reply, { title: CANNOT_SERVE, message: inEnglish(message), ...link }, { status: 400 });
    } else await this.refuse(visit, reading.refused);
    return undefined;
  }

  /** Tells the client what is wrong, or the person, where the client's address is not one that they have allowed. */
  async refuse({ request, reply }: Visit, refused: RefusedRequest): Promise<FastifyReply> {
    const { client, redirectUri, state, error, description } = refused;
    const location = redirectBack(this.deps, redirectUri, { error, error_description: description, state });
    if (await returnsErrors(this.deps, client, await this.signedIn(request)))
      return redirect(reply, location);
    return sendMessagePage(
      reply,
      {
        title: CANNOT_SERVE,
        message: 'The application that sent you here cannot go on: {error}.',
        link: { href: location, text: 'Go back to {host}' },
        parts: {
          error: description === undefined ? error : `${error} (${description})`,
          host: new URL(redirectUri).host || redirectUri,
        },
      },
      { status: 400 },
    );
  }

  /** The request itself where the browser carries a reference to it; undefined when the reference is no good. */
  async #withPushed({ request, reply }: Visit, text: string): Promise<string | undefined> {
    const params = readParameters(text.slice(0, REQUEST_LENGTH_MAX));
    const requestUri = params.get('request_uri');
    if (requestUri === undefined) return text;
    const before = readCookie(request, this.cookies.name(PUSHED_COOKIE));
    const found = await openPushedRequest(this.deps, params.get('client_id') ?? '', requestUri, before);
    if (found) this.cookies.set(reply, PUSHED_COOKIE, found.opened);
    return found?.request;
  }

  /** The request has been answered: its reference is worth nothing from now on. */
  forgetPushed({ request, reply }: Visit): void {
    if (readCookie(request, this.cookies.name(PUSHED_COOKIE)) !== undefined)
      this.cookies.clear(reply, PUSHED_COOKIE);
  }

  /** Hands the browser its new session, and the proof that it was opened for this request where the request asks for that. */
  keepSession(reply: FastifyReply, asked: Asked, session: { cookie: string; maxAgeSeconds: number }): void {
    this.cookies.set(reply, SESSION_COOKIE, session.cookie, session.maxAgeSeconds);
    const { prompt, maxAgeSeconds } = asked.authorization;
    if (prompt !== 'login' && maxAgeSeconds === undefined) return;
    const proof = this.freshProof('fresh-sign-in', asked, session.cookie);
    this.cookies.set(reply, FRESH_COOKIE, proof, freshSeconds['fresh-sign-in']);
  }

  /** Says that this session was opened for this request. */
  freshProof(purpose: FreshPurpose, asked: Asked, session: string): string {
    const endsAtMs = this.deps.clock.now() + freshSeconds[purpose] * 1000;
    const note: FreshSignIn = { about: this.#freshFor(purpose, asked, session), endsAtMs };
    return signNote(this.deps, purpose, note);
  }

  isFreshProof(given: string | undefined, purpose: FreshPurpose, asked: Asked, session: string): boolean {
    const note = readNote<FreshSignIn>(this.deps, purpose, given);
    return note?.about === this.#freshFor(purpose, asked, session);
  }

  /** Whether the browser's session was opened for this very request. Good for one visit. */
  takeFreshProof({ request, reply }: Visit, asked: Asked): boolean {
    const given = readCookie(request, this.cookies.name(FRESH_COOKIE));
    const session = this.sessionCookie(request);
    if (given === undefined || session === undefined) return false;
    this.cookies.clear(reply, FRESH_COOKIE);
    return this.isFreshProof(given, 'fresh-sign-in', asked, session);
  }

  #freshFor(purpose: FreshPurpose, { text }: Asked, session: string): string {
    const request = new URLSearchParams(text).toString();
    return hashHandle(this.deps.secrets, purpose, `${session} ${request}`);
  }

  async showSignIn(
    { request, reply }: Visit,
    asked: Asked,
    again: SignInProblem = {},
  ): Promise<FastifyReply> {
    const { status = 200, retryAfterMs, ...rest } = again;
    if (retryAfterMs !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
    const view = {
      applicationName: asked.authorization.client.name,
      request: asked.text,
      formToken: formToken(this.formCookie(request, reply)),
      localAccounts: this.deps.settings.localAccounts,
      providerName: this.deps.settings.provider?.name,
      passkey: await askForPasskey(this.deps),
      ...rest,
    };
    return sendLoginPage(reply, view, { status, formTargets: [asked.authorization.redirectUri] });
  }

  /** The cookie that ties a form to this browser before anybody has signed in; made when there is none. */
  formCookie(request: FastifyRequest, reply: FastifyReply): string {
    const known = readCookie(request, this.cookies.name(FORM_COOKIE));
    if (known !== undefined) return known;
    const made = this.deps.ids.token(FORM_COOKIE_BYTES);
    this.cookies.set(reply, FORM_COOKIE, made);
    return made;
  }
}

/** Written anew: what came in a form may hold characters that a header must not. */
export function addressWith(path: string, { text }: Asked): string {
  return `${path}?${new URLSearchParams(text).toString()}`;
}

/** 303: whatever the method was, the browser goes on with GET. */
export function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(location, 303);
}
