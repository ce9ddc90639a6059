// The requests log: the calls of an application's clients and their requests for tokens, granted or refused, newest first,
// without anything of their content. It reads the runtime events, so what it costs a call, how long it is kept and what a killed process loses is decided there.
import { refuseFaults, type FieldFault } from '../errors.js';
import { DAY_MS, type Call, type Clock } from '../platform.js';
import type { EventType, StoredEvent } from './model.js';
import type { CallQuery } from './ports.js';
import { listFaults, pageLimit, visibleAppId, type EventsDeps } from './reading.js';
import { say } from '../words/server/say.js';

interface ListRequestsInput {
  /** For tooling users; a runtime token sees its own application only. */
  appId: string;
  /** Empty texts narrow nothing. */
  clientId: string;
  method: string;
  requestId: string;
  isOk?: boolean;
  /** One day ago if absent. */
  fromMs?: number;
  toMs?: number;
  /** 0 takes the default. */
  pageSize: number;
  pageToken: string;
}

export interface LoggedRequest {
  atMs: number;
  appId: string;
  clientId: string;
  requestId: string;
  service: string;
  method: string;
  transport: string;
  outcome: string;
  durationMs: number;
  gkScopeId: string;
  traceId: string;
  /** Why a token was refused, which callers are not told, or a call not permitted. */
  reason: string;
  /** Of requests for tokens: where they came from. */
  address: string;
  eventId: string;
}

const TEXT_LENGTH_MAX = 256;

const tokenTypes: readonly EventType[] = ['token.issued', 'token.refused'];
const OAUTH = 'oauth2';
/** Requests of OAuth by the name they have in the log; of all but those for tokens only the refused ones are there. */
const oauthMethods: ReadonlyMap<string, string | undefined> = new Map([
  ['RequestToken', undefined],
  ['IntrospectToken', '/oauth2/introspect'],
  ['RevokeToken', '/oauth2/revoke'],
  ['PushAuthorizationRequest', '/oauth2/par'],
]);

export async function listRequests(
  deps: EventsDeps & { clock: Clock },
  call: Call,
  input: ListRequestsInput,
): Promise<{ requests: LoggedRequest[]; nextPageToken: string }> {
  const { clientId, method, requestId, isOk, toMs, pageSize } = input;
  const fromMs = input.fromMs ?? deps.clock.now() - DAY_MS;
  const after = parseToken(input.pageToken);
  refuseFaults([
    ...listFaults({ pageSize, fromMs, toMs }),
    tooLong('client_id', clientId),
    tooLong('request_id', requestId),
    /^[A-Za-z0-9]{0,64}$/.test(method)
      ? undefined
      : { field: 'method', violation: 'INVALID_FORMAT', ...say('NOT_AN_OPERATION') },
    after === 'damaged'
      ? { field: 'page_token', violation: 'INVALID_FORMAT', ...say('NOT_OF_THIS_LIST') }
      : undefined,
  ]);
  const appId = await visibleAppId(deps, call, input.appId);
  const limit = pageLimit(pageSize);
  const found = await deps.store.readCalls({
    ...(appId === undefined ? {} : { appId }),
    ...(clientId === '' ? {} : { clientId }),
    ...narrowedTo(method),
    ...(requestId === '' ? {} : { requestId }),
    ...(isOk === undefined ? {} : { isOk }),
    fromMs,
    ...(toMs === undefined ? {} : { toMs }),
    ...(typeof after === 'object' ? { after } : {}),
    limit: limit + 1,
  });
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    requests: found.slice(0, limit).map(toRequest),
    nextPageToken: last ? `r${last.atMs.toString(36)}-${last.seq.toString(36)}` : '',
  };
}

function narrowedTo(method: string): Pick<CallQuery, 'types' | 'attribute'> {
  if (method === '') return { types: ['call', ...tokenTypes] };
  if (oauthMethods.has(method))
    return { types: tokenTypes, attribute: { name: 'endpoint', value: oauthMethods.get(method) } };
  return { types: ['call'], attribute: { name: 'method', value: method } };
}

/** The attributes of a token's event have a method, too: how the client proved itself. */
function calledIn({
  type,
  attributes,
}: StoredEvent): Pick<LoggedRequest, 'service' | 'method' | 'transport'> {
  const { service = '', method = '', transport = '', endpoint } = attributes;
  if (type === 'call') return { service, method, transport };
  const [asked = ''] = [...oauthMethods].find(([, path]) => path === endpoint) ?? [];
  return { service: OAUTH, method: asked, transport: 'rest' };
}

function toRequest(event: StoredEvent): LoggedRequest {
  const { seq, atMs, appId, clientId, requestId, gkScopeId, outcome, attributes } = event;
  return {
    eventId: String(seq),
    atMs,
    appId: appId ?? '',
    clientId: clientId ?? '',
    requestId: requestId ?? '',
    ...calledIn(event),
    outcome,
    durationMs: Number(attributes['latency_ms'] ?? 0),
    gkScopeId: gkScopeId ?? '',
    traceId: attributes['trace_id'] ?? '',
    reason: attributes['reason'] ?? '',
    address: attributes['address'] ?? '',
  };
}

function parseToken(text: string): { atMs: number; seq: number } | 'damaged' | undefined {
  if (text === '') return undefined;
  const [, at = '', seq = ''] = /^r([0-9a-z]{1,10})-([0-9a-z]{1,10})$/.exec(text) ?? [];
  const place = { atMs: parseInt(at, 36), seq: parseInt(seq, 36) };
  return Number.isSafeInteger(place.atMs) && Number.isSafeInteger(place.seq) ? place : 'damaged';
}

function tooLong(field: string, text: string): FieldFault | undefined {
  if (text.length <= TEXT_LENGTH_MAX) return undefined;
  return { field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: TEXT_LENGTH_MAX }) };
}
