// Follows a call over LiveAudio.WatchCall, and goes on behind the last event when the server goes down.
import { setTimeout as pause } from 'node:timers/promises';
import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { status, type ServiceError } from '@grpc/grpc-js';
import {
  LiveAudio,
  WatchCallRequestSchema,
  WatchCallResponseSchema,
  type WatchCallRequest,
  type WatchCallResponse,
} from '../../gen/voxgate/live/v1/live_pb.js';
import type { CallProgress, Following, OnEvent, SentEvent } from './follow-events.js';
import { connectGrpc, failureIn, refusalIn, type AnswerStatus } from './grpc-client.js';

const TRIES_MAX = 10;
const PAUSE_MS = 1000;

interface Told {
  status?: AnswerStatus;
  event?: SentEvent & { sequence?: string };
  progress?: CallProgress;
}

/** Until the last event. */
export async function watchByGrpc(
  server: string,
  liveCallId: string,
  { token, after = '0', onProgress }: Following,
  onEvent: OnEvent,
): Promise<void> {
  let last = BigInt(after);
  let tries = 0;
  for (;;) {
    const request = { liveCallId, afterSequence: last, progress: onProgress !== undefined };
    const failure = await watchOnce(server, token, create(WatchCallRequestSchema, request), (told) => {
      const { event, progress } = told;
      if (progress) onProgress?.(progress);
      if (!event) return;
      [last, tries] = [BigInt(event.sequence ?? '0'), 0];
      onEvent(event);
    });
    if (!failure) return;
    // A server that goes down, or a connection that broke: another one may know how it goes on.
    if (last === 0n || failure.code !== status.UNAVAILABLE || ++tries > TRIES_MAX) throw failureIn(failure);
    await pause(PAUSE_MS);
  }
}

/** Gives the failure that the stream ended with; rejects where the server has refused in the body. */
function watchOnce(
  server: string,
  token: string | undefined,
  request: WatchCallRequest,
  tell: (told: Told) => void,
): Promise<ServiceError | undefined> {
  const { client, metadata } = connectGrpc(server, token);
  const stream = client.makeServerStreamRequest(
    `/${LiveAudio.typeName}/${LiveAudio.method.watchCall.name}`,
    (message: WatchCallRequest) => Buffer.from(toBinary(WatchCallRequestSchema, message)),
    (bytes: Buffer) => fromBinary(WatchCallResponseSchema, bytes),
    request,
    metadata,
  );
  return new Promise<ServiceError | undefined>((resolve, reject) => {
    stream.on('data', (answer: WatchCallResponse) => {
      const told = toJson(WatchCallResponseSchema, answer) as Told;
      if (told.event || told.progress) tell(told);
      else reject(refusalIn(told.status));
    });
    stream.on('error', (failure: ServiceError) => resolve(failure));
    stream.on('end', () => resolve(undefined));
  }).finally(() => client.close());
}
