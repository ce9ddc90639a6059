// A sender over gRPC, for tests: one that the test itself breaks off.
import { create, fromJson, toJson } from '@bufbuild/protobuf';
import { Client, credentials } from '@grpc/grpc-js';
import { expect } from 'vitest';
import {
  LiveAudio,
  ListenRequestSchema,
  ListenResponseSchema,
  type ListenResponse,
} from '../../src/gen/voxgate/live/v1/live_pb.js';
import { callMetadata, deserializerFor, serializerFor } from '../support/server.js';
import type { LineAnswer, ToldEvent } from './line.js';
import { pieces } from './support.js';

export class GrpcLine {
  readonly answers: LineAnswer[] = [];
  readonly over: Promise<void>;
  readonly #client: Client;
  readonly stream: ReturnType<typeof bidi>;

  constructor(address: string, start: object) {
    this.#client = new Client(address, credentials.createInsecure());
    this.stream = bidi(this.#client);
    this.stream.on('data', (answer: ListenResponse) =>
      this.answers.push(toJson(ListenResponseSchema, answer) as LineAnswer),
    );
    this.stream.on('error', () => undefined);
    this.over = new Promise((resolve) =>
      this.stream.on('status', () => {
        this.#client.close();
        resolve();
      }),
    );
    this.stream.write(fromJson(ListenRequestSchema, { start } as never));
  }

  async begun(): Promise<LineAnswer> {
    await expect.poll(() => this.answers.length).toBeGreaterThan(0);
    return this.answers[0] as LineAnswer;
  }

  send(bytes: Buffer): void {
    for (const value of pieces(bytes, 1600))
      this.stream.write(create(ListenRequestSchema, { message: { case: 'audio', value } }));
  }

  stop(): void {
    this.stream.write(create(ListenRequestSchema, { message: { case: 'stop', value: {} } }));
  }

  get events(): ToldEvent[] {
    return this.answers.flatMap((answer) => answer.event ?? []);
  }
}

const bidi = (client: Client) =>
  client.makeBidiStreamRequest(
    `/${LiveAudio.typeName}/Listen`,
    serializerFor(ListenRequestSchema),
    deserializerFor(ListenResponseSchema),
    callMetadata({}),
  );
