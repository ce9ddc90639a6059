// Pushed authorization requests (RFC 9126): a client first sends its request here, authenticated, and the browser carries only
// a reference. The reference contains the request itself, sealed, so that any node can read it, nobody else can, and nothing
// has to be stored for requests that are never used.
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { OAuthError } from '../oauth-error.js';
import { openNote, readNote, sealNote, signNote, type Note } from '../signed-note.js';
import { readAuthorizationRequest } from './read-authorization-request.js';

const PREFIX = 'urn:ietf:params:oauth:request_uri:';
const PURPOSE = 'pushed-request';
const OPENED = 'opened-request';
const LIFETIME_SECONDS = 90;
/** How long the browser that has opened a request may open it again: for a reload of the sign-in page. */
const RELOAD_SECONDS = 600;
const LENGTH_MAX = 4096;
/** How the client authenticates; not part of the request. */
const credentials = new Set(['client_secret', 'client_assertion', 'client_assertion_type']);

interface Pushed extends Note {
  id: string;
  clientId: string;
  request: string;
  openBeforeMs: number;
}

/** What the browser keeps that has opened a request. */
interface Opened extends Note {
  id: string;
}

export async function pushRequest(
  deps: AuthDeps,
  client: Client,
  form: ReadonlyMap<string, string>,
): Promise<{ requestUri: string; expiresInSeconds: number }> {
  if (form.has('request_uri')) throw new OAuthError('invalid_request', 'request_uri is not allowed here');
  const { clientId } = client;
  const params = new Map([...form].filter(([name]) => !credentials.has(name)));
  params.set('client_id', clientId);
  const reading = await readAuthorizationRequest(deps, params);
  if (!reading.ok)
    throw reading.where === 'page'
      ? new OAuthError('invalid_request', 'the client or its redirect_uri is not valid')
      : new OAuthError(reading.refused.error, reading.refused.description ?? '', { status: 400 });
  const request = new URLSearchParams([...params]).toString();
  const openBeforeMs = deps.clock.now() + LIFETIME_SECONDS * 1000;
  const endsAtMs = openBeforeMs + RELOAD_SECONDS * 1000;
  const pushed: Pushed = { id: deps.ids.uuid(), clientId, request, openBeforeMs, endsAtMs };
  const note = sealNote(deps, PURPOSE, pushed);
  if (note.length > LENGTH_MAX)
    throw new OAuthError('invalid_request', 'the request is too long', { status: 413 });
  return { requestUri: PREFIX + note, expiresInSeconds: LIFETIME_SECONDS };
}

/**
 * The request behind a reference, and the note by which the same browser may open it again; undefined if it is not ours, belongs to
 * another client, is too old, or was opened by another browser.
 */
export async function openPushedRequest(
  deps: AuthDeps,
  clientId: string,
  requestUri: string,
  opened: string | undefined,
): Promise<{ request: string; opened: string } | undefined> {
  if (!requestUri.startsWith(PREFIX)) return undefined;
  const pushed = openNote<Pushed>(deps, PURPOSE, requestUri.slice(PREFIX.length));
  if (pushed?.clientId !== clientId) return undefined;
  const { id, request, openBeforeMs, endsAtMs } = pushed;
  const mayOpen =
    readNote<Opened>(deps, OPENED, opened)?.id === id ||
    (openBeforeMs > deps.clock.now() &&
      (await deps.store.direct.oneTime.remember(`${PURPOSE} ${id}`, endsAtMs)));
  return mayOpen ? { request, opened: signNote(deps, OPENED, { id, endsAtMs } satisfies Opened) } : undefined;
}
