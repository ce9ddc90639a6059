// The only way to the server: REST calls with the bearer token of the session. A token that has ended is
// renewed and the call sent again; where only the user can help, the call waits for the sign-in dialog, so
// that nothing typed into a page is lost.
import { accessToken, reauthenticate } from '../auth/session.js';
import { ApiError, errorFromAnswer, errorFromStatus, isAbort, offline } from './errors.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Nested objects become dotted query parameters: `{ context: { gkScopeId: { value } } }`. */
export type QueryValue =
  | string
  | number
  | boolean
  | undefined
  | null
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue };

export interface CallOptions {
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
  signal?: AbortSignal;
}

export function get<T>(path: string, query?: CallOptions['query'], signal?: AbortSignal): Promise<T> {
  return call<T>('GET', path, { ...(query && { query }), ...(signal && { signal }) });
}
export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return call<T>('POST', path, { body, ...(signal && { signal }) });
}
export function put<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return call<T>('PUT', path, { body, ...(signal && { signal }) });
}
export function patch<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return call<T>('PATCH', path, { body, ...(signal && { signal }) });
}
/** DELETE carries its context in the query: the contract gives it no body. */
export function del<T>(path: string, query?: CallOptions['query']): Promise<T> {
  return call<T>('DELETE', path, query ? { query } : {});
}

/** A JSON call; rejects with ApiError, or with AbortError when the signal fires. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(path + queryText(options.query), {
    method,
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.body === undefined
      ? {}
      : { body: JSON.stringify(options.body), headers: { 'content-type': 'application/json' } }),
  });
  return readAnswer<T>(response);
}

/** For bodies that are not JSON (audio up and down): the same token handling, the raw answer; throws when refused. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response = await sendOnce(path, init, await accessToken());
  if (response.status === 401) response = await sendOnce(path, init, await reauthenticate());
  if (response.status === 401) {
    throw new ApiError('You are signed out. What you typed is still here.', {
      code: 'UNAUTHENTICATED',
      httpStatus: 401,
    });
  }
  return response;
}

/** Parses an answer and throws what it refuses, in the body or by HTTP status. */
export async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw errorFromAnswer(
      response.ok ? 502 : response.status,
      {},
      response.headers.get('x-request-id') ?? undefined,
    );
  }
  const status = (body as { status?: { statusCode?: string } }).status;
  if (status?.statusCode !== undefined && status.statusCode !== 'OK')
    throw errorFromStatus(status, response.status);
  if (!response.ok)
    throw errorFromAnswer(response.status, body, response.headers.get('x-request-id') ?? undefined);
  return body as T;
}

async function sendOnce(path: string, init: RequestInit, token: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  headers.set('accept', 'application/json');
  try {
    return await fetch(path, { ...init, headers, credentials: 'omit', cache: 'no-store' });
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    throw offline();
  }
}

export function queryText(query: CallOptions['query']): string {
  if (!query) return '';
  const params = new URLSearchParams();
  const add = (name: string, value: QueryValue): void => {
    if (value === undefined || value === null || value === '') return;
    if (Array.isArray(value)) for (const item of value as readonly QueryValue[]) add(name, item);
    else if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, inner);
    } else params.append(name, String(value));
  };
  add('', query as QueryValue);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
