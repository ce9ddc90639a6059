// A follower over gRPC, for tests: what LiveAudio.WatchCall tells, as the JSON that others are told.
import { create, toJson, type MessageInitShape } from '@bufbuild/protobuf';
import { Client, credentials } from '@grpc/grpc-js';
import {
  LiveAudio,
  LiveEventSchema,
  WatchCallRequestSchema,
  WatchCallResponseSchema,
  type WatchCallResponse,
} from '../../src/gen/voxgate/live/v1/live_pb.js';
import type { Platform } from '../biometrics/support.js';
import { callMetadata, deserializerFor, serializerFor } from '../support/server.js';

export interface Watching {
  answers: WatchCallResponse[];
  /** The events so far, as server-sent events and the WebSocket have them. */
  events(): unknown[];
  /** Resolves when the server has taken it. */
  begun: Promise<unknown>;
  /** Resolves when the stream has ended in good order, and rejects where it was refused. */
  ended: Promise<void>;
  cancel(): void;
}

export function watchCall(
  on: Platform,
  request: MessageInitShape<typeof WatchCallRequestSchema>,
  token?: string,
): Watching {
  const client = new Client(on.server.grpcAddress, credentials.createInsecure());
  const stream = client.makeServerStreamRequest(
    `/${LiveAudio.typeName}/WatchCall`,
    serializerFor(WatchCallRequestSchema),
    deserializerFor(WatchCallResponseSchema),
    create(WatchCallRequestSchema, request),
    callMetadata(token === undefined ? {} : { token }),
  );
  const answers: WatchCallResponse[] = [];
  const begun = new Promise((resolve) => stream.once('metadata', resolve));
  const ended = new Promise<void>((resolve, reject) => {
    stream.on('data', (answer: WatchCallResponse) => answers.push(answer));
    stream.on('error', reject);
    stream.on('end', resolve);
  }).finally(() => client.close());
  ended.catch(() => undefined);
  const events = (): unknown[] =>
    answers.flatMap(({ event }) => (event ? [toJson(LiveEventSchema, event)] : []));
  return { answers, events, begun, ended, cancel: () => stream.cancel() };
}
