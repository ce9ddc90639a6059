// The events of a call as server-sent events: those so far, then each as it comes, until the call is over. Whoever lost the
// connection goes on behind the last one by `Last-Event-ID`.
import { toJsonString, create } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LiveAudio, LiveEventSchema } from '../../gen/voxgate/live/v1/live_pb.js';
import type { LiveCalls } from '../../live/live-calls.js';
import type { LiveEvent } from '../../live/model.js';
import type { Call, Log } from '../../platform.js';
import { AppError, invalidFields } from '../../errors.js';
import { accessOf } from '../access.js';
import { authorized } from '../dispatch/phases.js';
import type { Authenticate } from '../service.js';
import { biosecAccess } from '../services/biosec/shared.js';
import { eventOf } from '../services/live/translate.js';

/** Proxies and browsers give up on a connection that says nothing. */
const STILL_HERE_MS = 15_000;
/** A reader that takes nothing is not written to for ever. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** Readers of all calls together. */
const READERS_MAX = 1000;
const NOTHING_MORE = 204;

interface ById {
  Params: { id: string };
}

interface EventsDeps {
  authenticate: Authenticate;
  log: Log;
}

export function registerLiveEvents(http: FastifyInstance, calls: LiveCalls, deps: EventsDeps): void {
  let readers = 0;
  http.get<ById>('/v1/live/:id/events', async (request, reply) => {
    const call = await callOf(request, deps);
    const after = lastSeen(request);
    const info = calls.find(call, request.params.id);
    const last = info.events.at(-1)?.sequence ?? 0;
    // To a browser this says not to come back.
    if (info.ended && after >= last) return reply.code(NOTHING_MORE).send();
    if (readers >= READERS_MAX)
      throw new AppError('BUSY', 'too many readers of events', { retryAfterMs: 5000 });
    readers++;
    reply.raw.once('close', () => void readers--);
    stream(reply, (watcher) => calls.watch(info.liveCallId, watcher), after);
    return reply;
  });
}

async function callOf(request: FastifyRequest, { authenticate, log }: EventsDeps): Promise<Call> {
  const { authorization, dpop } = request.headers;
  const url = `${request.protocol}://${request.host}${request.url}`;
  const caller = await authenticate({
    authorization,
    dpop: typeof dpop === 'string' ? dpop : undefined,
    method: 'GET',
    url,
  });
  return {
    requestId: request.id,
    caller: authorized(caller, accessOf(biosecAccess, LiveAudio.method.getCall)),
    signal: new AbortController().signal,
    log,
  };
}

function lastSeen(request: FastifyRequest): number {
  const text = request.headers['last-event-id'];
  if (text === undefined || text === '') return 0;
  const after = Number(text);
  if (Number.isSafeInteger(after) && after >= 0) return after;
  throw invalidFields([
    { field: 'Last-Event-ID', violation: 'OUT_OF_RANGE', message: 'must be the id of an event' },
  ]);
}

type Watch = (watcher: { told(event: LiveEvent): void; over(): void }) => () => void;

function stream(reply: FastifyReply, watch: Watch, after: number): void {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  const write = (text: string): void => {
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  const timer = setInterval(() => write(':\n\n'), STILL_HERE_MS).unref();
  const leave = watch({
    told: (event) => {
      if (event.sequence <= after) return;
      const data = toJsonString(LiveEventSchema, create(LiveEventSchema, eventOf(event)));
      write(`id: ${event.sequence}\ndata: ${data}\n\n`);
    },
    over: () => raw.end(),
  });
  raw.once('close', () => {
    clearInterval(timer);
    leave();
  });
}
