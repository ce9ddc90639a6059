// Brings audio to a server and hears what it says: one implementation for each way in.
import { json } from 'node:stream/consumers';
import type { JsonValue } from '@bufbuild/protobuf';
import type { WebSocket } from 'ws';

export interface LiveTarget {
  /** http:// or https:// address for WebSockets, HOST:PORT for gRPC. */
  server: string;
  /** Bearer token. */
  token: string | undefined;
  /** What `start` holds beside the format: a stream token or a question. */
  call: Record<string, JsonValue>;
}

export interface Sender {
  /** Resolves when the audio is on its way. */
  audio(frame: Uint8Array): Promise<void>;
  stop(): Promise<void>;
  /** Resolves after the last event; rejects when the connection was refused or broke. */
  ended: Promise<void>;
  /** Whether it makes no sense to send more. */
  isOver(): boolean;
}

/** All recordings are sent as a telephone would. */
export const RATE_HZ = 8000;
export const format = { encoding: 'MULAW', sampleRateHz: RATE_HZ } as const;

const NORMAL = 1000;

export function socketUrl(server: string, path: string): URL {
  const url = new URL(path, server);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** Resolves when the server closes in good order. */
export function socketEnd(socket: WebSocket): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('close', (code, reason) =>
      code === NORMAL ? resolve() : reject(new Error(`the server closed with ${code}: ${reason.toString()}`)),
    );
    socket.on('unexpected-response', (_request, answer) => {
      const refusal = `the server refused the connection: HTTP ${answer.statusCode ?? 0}`;
      const body = json(answer) as Promise<{ error_message?: string }>;
      const why = body.then(({ error_message: words }) => words);
      // Whatever stands between may answer in words of its own.
      void why
        .catch(() => undefined)
        .then((words) => reject(new Error(words ? `${refusal}, ${words}` : refusal)));
    });
    socket.on('error', reject);
  });
  // Whoever waits for the end hears of a failure; nobody has to.
  ended.catch(() => undefined);
  return ended;
}
