// LiveAudio over gRPC: a stream of audio in, events out; and the calls that are prepared or run.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Duration } from '@bufbuild/protobuf/wkt';
import { AppError, invalidFields, missingChoice, missingField } from '../../../errors.js';
import {
  LiveAudio,
  type ListenRequest,
  type ListenResponseSchema,
  type ListenStart,
} from '../../../gen/voxgate/live/v1/live_pb.js';
import { EventQueue } from '../../../live/event-queue.js';
import type { OnDisplaced } from '../../../live/call-parts.js';
import type { LiveCall } from '../../../live/live-call.js';
import type { LiveCalls } from '../../../live/live-calls.js';
import type { Call } from '../../../platform.js';
import { shuttingDown } from '../../refusal.js';
import { bindService, type Handlers, type ServiceBinding } from '../../service.js';
import { biosecAccess, present, timestampOf, valueOf } from '../biosec/shared.js';
import { eventOf, formatOf, infoOf, questionOf } from './translate.js';
import { watchCall } from './watch-call.js';
import { inEnglish } from '../../../words/server/say.js';

/** For those who are told that there is no room, and for others who look on. */
const STREAMS_SPARE = 16;

/** Some clients, Node's among them, end their side of a stream in the moment before they cancel it. */
const CANCEL_MS = 250;

/** `callsMax`: of this node. Each of them may be sent, and followed, over a stream. */
export function liveAudioService(calls: LiveCalls, callsMax: number): ServiceBinding {
  const handlers: Handlers<typeof LiveAudio> = {
    listen: (call, requests) => listen(calls, call, requests),
    watchCall: (call, request) => watchCall(calls, call, request),
    prepareCall: async (call, request) => {
      const { validFor, externalCallId } = request;
      const validForMs = millisecondsOf(validFor);
      const prepared = await calls.prepare(call, questionOf(request), { validForMs, externalCallId });
      return {
        liveCallId: prepared.liveCallId,
        streamToken: prepared.streamToken,
        ...present('expiresAt', prepared.expiresAtMs, timestampOf),
      };
    },
    getCall: async (call, request) => ({ call: infoOf(await calls.find(call, request.liveCallId)) }),
    listCalls: async (call, request) => {
      const gkScopeId = valueOf(request.gkScopeId);
      if (!gkScopeId) throw invalidFields([missingField('gk_scope_id')]);
      const listed = await calls.list(call, gkScopeId);
      return {
        calls: listed.map(infoOf),
      };
    },
    enrollFromCall: async (call, { liveCallId, consent }) => {
      const { status, trainReason = '', ...outcome } = await calls.enroll(call, liveCallId, consent);
      return { ...outcome, enrollStatus: status, trainReason };
    },
    promptCaller: async (call, { liveCallId }) => {
      const { words, figures } = await calls.promptCaller(call, liveCallId);
      return { expectedText: words, ivrInfo: figures };
    },
    endPrompt: async (call, { liveCallId }) => {
      await calls.endPrompt(call, liveCallId);
      return {};
    },
    forgetSpeech: async (call, { liveCallId }) => {
      await calls.forget(call, liveCallId);
      return {};
    },
    createAgentToken: async (call, { liveCallId, validFor }) => {
      const info = await calls.find(call, liveCallId);
      const { agentToken, expiresAtMs } = await calls.agentTokens.give(
        info,
        call.caller,
        millisecondsOf(validFor),
      );
      return { agentToken, ...present('expiresAt', expiresAtMs, timestampOf) };
    },
    endCall: async (call, request) => ({ call: infoOf(await calls.end(call, request.liveCallId)) }),
  };
  const perClient = 2 * callsMax + STREAMS_SPARE;
  return bindService(LiveAudio, biosecAccess, handlers, { perClient, inAll: 2 * perClient });
}

const millisecondsOf = (duration: Duration | undefined): number | undefined =>
  duration && Number(duration.seconds) * 1000 + duration.nanos / 1e6;

/** Begins to listen as the first message says; also for the WebSocket, which sends the same messages. */
export async function startListening(
  calls: LiveCalls,
  call: Call | undefined,
  protocol: string,
  start: ListenStart,
): Promise<LiveCall> {
  if (start.call.case === 'resumeToken') return calls.resume(start.call.value);
  const audio = formatOf(start.format);
  if (start.call.case === 'streamToken')
    return calls.begin(await calls.prepared.redeem(start.call.value), protocol, audio);
  if (start.call.case !== 'question')
    throw invalidFields(missingChoice(['start.stream_token', 'start.question', 'start.resume_token']));
  if (!call) throw new AppError('UNAUTHENTICATED', 'a bearer token or a stream token is required');
  return calls.open(call, questionOf(start.call.value), protocol, audio);
}

type Answer = MessageInitShape<typeof ListenResponseSchema> & {
  event?: ReturnType<typeof eventOf>;
};

/** Everything that a connection is told: how to go on should it break, the events that it does not know, and those to come. */
export function listenAnswers(
  live: LiveCall,
  { call, afterSequence }: ListenStart,
  tell: (answer: Answer) => void,
): () => void {
  const resume = { resumeToken: live.resumeToken, receivedBytes: BigInt(live.receivedBytes) };
  // Nobody knows an event that has not been: whoever has lost count is told all that comes.
  const known = call.case === 'resumeToken' ? Math.min(Number(afterSequence), live.info.events.length) : 0;
  let first = true;
  if (call.case === 'resumeToken') {
    first = false;
    tell({ resume });
  }
  return live.subscribe((event) => {
    if (event.sequence <= known) return;
    tell({ event: eventOf(event), ...(first && { resume }) });
    first = false;
  });
}

async function* listen(
  calls: LiveCalls,
  call: Call,
  requests: AsyncIterable<ListenRequest>,
): AsyncGenerator<Answer> {
  const messages = requests[Symbol.asyncIterator]();
  const first = await messages.next();
  if (first.done || first.value.message.case !== 'start')
    throw invalidFields([{ ...missingField('start'), ...inEnglish('must be the first message') }]);
  const start = first.value.message.value;
  const live = await startListening(calls, call, 'grpc', start);
  const answers = new EventQueue<Answer>();
  let isDisplaced = false;
  const displaced: OnDisplaced = (why) => {
    isDisplaced = true;
    if (why === 'draining') answers.fail(shuttingDown());
    else answers.close();
  };
  live.attach(displaced);
  const leave = listenAnswers(live, start, (answer) => {
    answers.push(answer);
    if (answer.event?.final) answers.close();
  });
  call.signal.addEventListener('abort', () => live.lose(displaced), { once: true });
  const isLeft = (): Promise<boolean> => isAborted(call.signal, CANCEL_MS);
  hear(live, messages, () => isDisplaced, isLeft).catch((cause: unknown) => {
    const mistaken = cause instanceof AppError && cause.code === 'INVALID_REQUEST';
    if (mistaken) void live.finish('lost');
    else live.lose(displaced);
    answers.fail(cause);
  });
  try {
    yield* answers;
  } finally {
    leave();
  }
}

async function hear(
  live: LiveCall,
  messages: AsyncIterator<ListenRequest>,
  isDisplaced: () => boolean,
  isLeft: () => Promise<boolean>,
): Promise<void> {
  for (let next = await messages.next(); !next.done; next = await messages.next()) {
    const { message } = next.value;
    if (live.isOver || isDisplaced()) return;
    if (message.case === 'audio') await live.audio(message.value);
    else if (message.case === 'stop') return void (await live.finish('stopped'));
    else throw new AppError('INVALID_REQUEST', inEnglish('after `start`, send only `audio` and `stop`'));
  }
  // A client that has said all there is to say still listens; one that has gone may come back.
  if (!(await isLeft()) && !isDisplaced()) await live.finish('stopped');
}

/** Whether it is, or will be before that time is over. */
function isAborted(signal: AbortSignal, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(true);
    const timer = setTimeout(() => resolve(false), withinMs);
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
