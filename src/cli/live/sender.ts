// The other side of a door: brings audio to a server and hears what it says. One implementation per door.
import type { JsonValue } from '@bufbuild/protobuf';

/** As the messages of LiveAudio have it, in JSON. */
export interface SentEvent {
  state?: string;
  reason?: string;
  netSpeech?: string;
  risk?: number;
  final?: boolean;
  endReason?: string;
}

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

export type OnEvent = (event: SentEvent) => void;

/** All recordings are sent as a telephone would. */
export const RATE_HZ = 8000;
export const format = { encoding: 'MULAW', sampleRateHz: RATE_HZ } as const;
