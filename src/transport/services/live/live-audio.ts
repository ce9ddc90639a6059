// LiveAudio over gRPC: a stream of audio in, events out; and the calls that are prepared or run.
import { AppError, invalidFields, missingField } from '../../../errors.js';
import { LiveAudio, type ListenRequest, type ListenStart } from '../../../gen/voxgate/live/v1/live_pb.js';
import { EventQueue } from '../../../live/event-queue.js';
import type { LiveCall } from '../../../live/live-call.js';
import type { LiveCalls } from '../../../live/live-calls.js';
import type { LiveEvent } from '../../../live/model.js';
import type { Call } from '../../../platform.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { biosecAccess, present, timestampOf, valueOf } from '../biosec/shared.js';
import { eventOf, formatOf, infoOf, questionOf } from './translate.js';

export function liveAudioService(calls: LiveCalls): ServiceBinding {
  return bindService(LiveAudio, biosecAccess, {
    listen: (call, requests) => listen(calls, call, requests),
    prepareCall: async (call, request) => {
      const { validFor, externalCallId } = request;
      const validForMs = validFor && Number(validFor.seconds) * 1000 + validFor.nanos / 1e6;
      const prepared = await calls.prepare(call, questionOf(request), { validForMs, externalCallId });
      return {
        liveCallId: prepared.liveCallId,
        streamToken: prepared.streamToken,
        ...present('expiresAt', prepared.expiresAtMs, timestampOf),
      };
    },
    getCall: async (call, request) => ({ call: infoOf(calls.find(call, request.liveCallId)) }),
    listCalls: async (call, request) => {
      const gkScopeId = valueOf(request.gkScopeId);
      if (!gkScopeId) throw invalidFields([missingField('gk_scope_id')]);
      return { calls: calls.list(call, gkScopeId).map(infoOf) };
    },
    endCall: async (call, request) => ({ call: infoOf(await calls.end(call, request.liveCallId)) }),
  });
}

/** Begins to listen as the first message says; also for the WebSocket, which sends the same messages. */
export async function startListening(
  calls: LiveCalls,
  call: Call | undefined,
  door: string,
  start: ListenStart,
): Promise<LiveCall> {
  const audio = formatOf(start.format);
  if (start.call.case === 'streamToken') return calls.begin(calls.redeem(start.call.value), door, audio);
  if (start.call.case !== 'question')
    throw invalidFields([missingField('start.stream_token'), missingField('start.question')]);
  if (!call) throw new AppError('UNAUTHENTICATED', 'a bearer token or a stream token is needed');
  return calls.open(call, questionOf(start.call.value), door, audio);
}

async function* listen(
  calls: LiveCalls,
  call: Call,
  requests: AsyncIterable<ListenRequest>,
): AsyncGenerator<{ event: ReturnType<typeof eventOf> }> {
  const messages = requests[Symbol.asyncIterator]();
  const first = await messages.next();
  if (first.done || first.value.message.case !== 'start')
    throw invalidFields([{ ...missingField('start'), message: 'must be the first message' }]);
  const live = await startListening(calls, call, 'grpc', first.value.message.value);
  const events = new EventQueue<LiveEvent>();
  live.subscribe((event) => {
    events.push(event);
    if (event.endReason) events.close();
  });
  call.signal.addEventListener('abort', () => void live.finish('lost'), { once: true });
  hear(live, messages).catch((cause: unknown) => {
    void live.finish('lost');
    events.fail(cause);
  });
  for await (const event of events) yield { event: eventOf(event) };
}

async function hear(live: LiveCall, messages: AsyncIterator<ListenRequest>): Promise<void> {
  for (let next = await messages.next(); !next.done; next = await messages.next()) {
    const { message } = next.value;
    if (live.isOver) return;
    if (message.case === 'audio') await live.audio(message.value);
    else if (message.case === 'stop') return void (await live.finish('stopped'));
    else throw new AppError('INVALID_REQUEST', 'after `start` only `audio` and `stop` may come');
  }
  await live.finish('ended');
}
