// The events of a call as server-sent events: those so far, then each as it comes, until the call is over. Whoever lost the
// connection goes on behind the last one by `Last-Event-ID`. The widget of an agent's desktop follows with a token for this call,
// from whatever page it is on, says here whether it is the customer, and asks for digits that the caller is to repeat.
import { toJsonString, create, type DescMethod } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LiveAudio, LiveCallInfoSchema, LiveEventSchema } from '../../gen/voxgate/live/v1/live_pb.js';
import type { LiveCalls } from '../../live/live-calls.js';
import type { Watcher } from '../../live/followers.js';
import type { Call, Log } from '../../platform.js';
import { AppError, invalidFields } from '../../errors.js';
import { accessOf } from '../access.js';
import { authorized } from '../dispatch/phases.js';
import type { Authenticate } from '../service.js';
import { biosecAccess } from '../services/biosec/shared.js';
import { tellProgress, type Progress } from '../services/live/progress.js';
import { eventOf } from '../services/live/translate.js';
import { inEnglish, say } from '../../words/server/say.js';

/** Proxies and browsers give up on a connection that says nothing. */
const STILL_HERE_MS = 15_000;
/** A reader that takes nothing is not written to for ever. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** Readers of all calls together. */
const READERS_MAX = 1000;
/** A server that goes down sends its readers to another one. */
const COME_BACK_MS = 1000;
const NOTHING_MORE = 204;
const PREFLIGHT_SECONDS = 600;

interface ById {
  Params: { id: string };
  Querystring: { progress?: string };
}

interface EventsDeps {
  authenticate: Authenticate;
  log: Log;
}

export function registerLiveEvents(http: FastifyInstance, calls: LiveCalls, deps: EventsDeps): void {
  let readers = 0;
  http.get<ById>('/v1/live/:id/events', async (request, reply) => {
    allowAnyPage(reply);
    const call = await callOf(request, calls, deps, LiveAudio.method.getCall);
    const after = lastSeen(request);
    const info = await calls.find(call, request.params.id);
    const last = info.events.at(-1)?.sequence ?? 0;
    // To a browser this says not to come back.
    if (info.ended && after >= last) return reply.code(NOTHING_MORE).send();
    if (readers >= READERS_MAX)
      throw new AppError('BUSY', 'too many readers of events', { retryAfterMs: 5000 });
    readers++;
    reply.raw.once('close', () => void readers--);
    const { write } = stream(reply, (watcher) => calls.watch(info, watcher), Math.min(after, last));
    if (request.query.progress) {
      const tell = (progress: Progress): void =>
        write(
          `event: progress\ndata: ${toJsonString(LiveCallInfoSchema, create(LiveCallInfoSchema, progress))}\n\n`,
        );
      const stop = tellProgress(() => calls.lookAt(call, info.liveCallId), tell);
      reply.raw.once('close', stop);
    }
    return reply;
  });
  for (const [path, word] of Object.entries(agentWords)) {
    http.post<ById>(`/v1/live/:id/${path}`, async (request, reply) => {
      allowAnyPage(reply);
      const enrolls = word === 'CONFIRMED' && (await calls.isCollecting(request.params.id));
      const method = enrolls ? LiveAudio.method.enrollFromCall : LiveAudio.method.forgetSpeech;
      const call = await callOf(request, calls, deps, method);
      const enrolled = await calls.confirmOrDeny(call, request.params.id, word, consentIn(request.body));
      return reply.send({ agentWord: word, ...enrolled });
    });
  }
  http.post<ById>('/v1/live/:id/ask', async (request, reply) => {
    allowAnyPage(reply);
    const call = await callOf(request, calls, deps, LiveAudio.method.promptCaller);
    const { words, figures } = await calls.promptCaller(call, request.params.id);
    return reply.send({ expectedText: words, ivrInfo: figures });
  });
  http.post<ById>('/v1/live/:id/asked', async (request, reply) => {
    allowAnyPage(reply);
    const call = await callOf(request, calls, deps, LiveAudio.method.endPrompt);
    await calls.endPrompt(call, request.params.id);
    return reply.send({});
  });
  for (const path of ['events', 'ask', 'asked', ...Object.keys(agentWords)])
    http.options(`/v1/live/:id/${path}`, (_request, reply) =>
      allowAnyPage(reply)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'authorization, content-type, last-event-id')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS))
        .code(204)
        .send(),
    );
}

const agentWords = { confirm: 'CONFIRMED', deny: 'DENIED' } as const;

/** Nothing here is given without a token in a header, which no page has by itself. */
const allowAnyPage = (reply: FastifyReply): FastifyReply => reply.header('access-control-allow-origin', '*');

async function callOf(
  request: FastifyRequest<ById>,
  { agentTokens }: LiveCalls,
  { authenticate, log }: EventsDeps,
  method: DescMethod,
): Promise<Call> {
  const { authorization, dpop } = request.headers;
  const url = `${request.protocol}://${request.host}${request.url}`;
  const caller =
    (await agentTokens.callerOf(authorization, request.params.id)) ??
    (await authenticate({
      authorization,
      dpop: typeof dpop === 'string' ? dpop : undefined,
      method: request.method,
      url,
    }));
  return {
    requestId: request.id,
    caller: authorized(caller, accessOf(biosecAccess, method)),
    signal: new AbortController().signal,
    log,
  };
}

/** Consent is not guessed from what looks like it. */
function consentIn(body: unknown): boolean {
  const { consent = false } = (body ?? {}) as { consent?: unknown };
  if (typeof consent === 'boolean') return consent;
  throw invalidFields([{ field: 'consent', violation: 'INVALID_FORMAT', ...say('NOT_TRUE_OR_FALSE') }]);
}

function lastSeen(request: FastifyRequest): number {
  const text = request.headers['last-event-id'];
  if (text === undefined || text === '') return 0;
  const after = Number(text);
  if (Number.isSafeInteger(after) && after >= 0) return after;
  throw invalidFields([
    { field: 'Last-Event-ID', violation: 'OUT_OF_RANGE', ...inEnglish('must be the id of an event') },
  ]);
}

type Watch = (watcher: Watcher) => () => void;

function stream(reply: FastifyReply, watch: Watch, after: number): { write(text: string): void } {
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
    if (raw.writableEnded) return;
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  const timer = setInterval(() => write(':\n\n'), STILL_HERE_MS).unref();
  const leave = watch({
    onEvent: (event) => {
      if (event.sequence <= after) return;
      const data = toJsonString(LiveEventSchema, create(LiveEventSchema, eventOf(event)));
      write(`id: ${event.sequence}\ndata: ${data}\n\n`);
    },
    over: (why) => {
      // A browser comes back by itself, to whichever server is there by then.
      if (why === 'draining') write(`event: draining\nretry: ${COME_BACK_MS}\ndata: {}\n\n`);
      raw.end();
    },
  });
  raw.once('close', () => {
    clearInterval(timer);
    leave();
  });
  return { write };
}
