// The only way to the server: the operations of the contract by name, with the bearer token of the session.
// An expired token is renewed and the call sent again; if only the user can help, the call waits for the
// sign-in dialog, so that nothing typed into a page is lost.
import { bind } from '../../client/bind.js';
import type { AnswerOf, Method, RequestOf } from '../../client/contract.js';
import { paths } from '../../gen/calls.js';
import type { StatusJson } from '../../gen/vendor/rpc/status_pb.js';
import { accessToken, reauthenticate } from './session.js';
import { t } from '../text/shell.js';
import { ApiError, isAbort, offline } from './errors.js';

/** `call('ListPersons', { query: 'anna' })`; rejects with ApiError, or with AbortError when the signal fires. */
export function call<M extends Method>(
  method: M,
  request: RequestOf<M>,
  signal?: AbortSignal,
): Promise<AnswerOf<M>> {
  return callWith(method, request, signal ? { signal } : {});
}

/** The same, but completes even if the page is closed before the answer comes. */
export function callToTheEnd<M extends Method>(method: M, request: RequestOf<M>): Promise<AnswerOf<M>> {
  return callWith(method, request, { keepalive: true });
}

async function callWith<M extends Method>(
  method: M,
  request: RequestOf<M>,
  init: RequestInit,
): Promise<AnswerOf<M>> {
  const { verb, path, body } = bind(paths[method], request);
  const response = await send(path, {
    method: verb,
    ...init,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });
  return readAnswer<AnswerOf<M>>(response);
}

/** For requests that are not operations of the contract: the same token handling, the raw answer. */
async function send(path: string, init: RequestInit): Promise<Response> {
  let response = await sendOnce(path, init, await accessToken());
  if (response.status === 401) response = await sendOnce(path, init, await reauthenticate());
  if (response.status === 401) {
    throw new ApiError(t.errors.signedOut, {
      code: 'UNAUTHENTICATED',
      httpStatus: 401,
    });
  }
  return response;
}

/** Parses an answer and throws if it is a refusal, by its body or its HTTP status. */
export async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text();
  let body: unknown;
  let isReadable = true;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    isReadable = false;
  }
  const { status } = (body ?? {}) as { status?: StatusJson };
  const isRefused = status?.statusCode !== undefined && status.statusCode !== 'OK';
  if (response.ok && isReadable && !isRefused) return body as T;
  const { errorFromAnswer, errorFromStatus } = await import('./refused.js').catch(() => plainly);
  if (isRefused) throw errorFromStatus(status, response.status);
  throw errorFromAnswer(
    response.ok ? 502 : response.status,
    body,
    response.headers.get('x-request-id') ?? undefined,
  );
}

/** Used if the texts cannot be fetched. */
const plainly = {
  errorFromStatus: ({ statusCode = 'UNKNOWN', statusMessage }: StatusJson, httpStatus: number): ApiError =>
    new ApiError(statusMessage?.message ?? t.errors.refused, { code: statusCode, httpStatus }),
  errorFromAnswer: (httpStatus: number): ApiError =>
    new ApiError(t.errors.refused, { code: `HTTP_${String(httpStatus)}`, httpStatus }),
};

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
