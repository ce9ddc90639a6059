// The other side of a door: brings audio to a server and hears what it says. One implementation per door.
import { json } from 'node:stream/consumers';
import type { JsonValue } from '@bufbuild/protobuf';
import type { WebSocket } from 'ws';
import { AppError } from '../../errors.js';

/** As the messages of LiveAudio have it, in JSON. */
export interface SentEvent {
  state?: string;
  reason?: string;
  netSpeech?: string;
  risk?: number;
  final?: boolean;
  endReason?: string;
}

/** What the protocols of others ask for. */
export interface DoorKeys {
  streamToken?: string | undefined;
  /** Of AudioHook. */
  apiKey?: string | undefined;
  conversation?: string | undefined;
  /** Of AudioHook in base64, or the auth token of Twilio. */
  secret?: string | undefined;
  /** Of AudioSocket. */
  uuid?: string | undefined;
}

export interface LiveTarget {
  keys: DoorKeys;
  /** http:// or https:// address for WebSockets, HOST:PORT for gRPC and AudioSocket. */
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

export type OnEvent = (event: SentEvent) => void;

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

export function needed(value: string | undefined, flag: string): string {
  if (value === undefined) throw new AppError('INVALID_REQUEST', `this door needs ${flag}`);
  return value;
}
