// Brings audio in over LiveAudio.Listen.
import { create, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import type { ServiceError } from '@grpc/grpc-js';
import {
  ListenRequestSchema,
  ListenResponseSchema,
  LiveAudio,
  type ListenRequest,
  type ListenResponse,
} from '../../gen/voxgate/live/v1/live_pb.js';
import { connectGrpc, failureIn, refusalIn, type AnswerStatus } from './grpc-client.js';
import type { OnEvent, SentEvent } from './follow-events.js';
import { format, type LiveTarget, type Sender } from './sender.js';

export async function sendByGrpc({ server, token, call }: LiveTarget, onEvent: OnEvent): Promise<Sender> {
  const { client, metadata } = connectGrpc(server, token);
  const stream = client.makeBidiStreamRequest(
    `/${LiveAudio.typeName}/${LiveAudio.method.listen.name}`,
    (message: ListenRequest) => Buffer.from(toBinary(ListenRequestSchema, message)),
    (bytes: Buffer) => fromBinary(ListenResponseSchema, bytes),
    metadata,
  );
  let over = false;
  const ended = new Promise<void>((resolve, reject) => {
    stream.on('data', (answer: ListenResponse) => {
      const { event, status } = toJson(ListenResponseSchema, answer) as {
        event?: SentEvent;
        status?: AnswerStatus;
      };
      if (event) onEvent(event);
      else reject(refusalIn(status));
    });
    stream.on('error', (failure: ServiceError) => reject(failureIn(failure)));
    stream.on('end', () => resolve());
    stream.on('status', () => {
      over = true;
      client.close();
    });
  });
  ended.catch(() => undefined);
  const send = (message: ListenRequest): Promise<void> =>
    new Promise((resolve) => {
      if (over) resolve();
      else if (stream.write(message)) resolve();
      else stream.once('drain', () => resolve());
    });
  await send(fromJson(ListenRequestSchema, { start: { ...call, format } }));
  return {
    audio: (value) => send(create(ListenRequestSchema, { message: { case: 'audio', value } })),
    stop: async () => {
      await send(create(ListenRequestSchema, { message: { case: 'stop', value: {} } }));
      stream.end();
    },
    ended,
    isOver: () => over,
  };
}
