// A protocol by which a telephone system sends the audio of a call. It reads what arrives over a connection, and
// replies in that protocol. Protocols know nothing of sockets.
import type { Caller } from '../../platform.js';
import type { LiveEvent } from '../model.js';

/** What is known when a connection comes in. */
export interface ConnectionRequest {
  /** Of the upgrade request; lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** With the query. */
  url: string;
  /** The bearer token's caller, if there was a token. */
  caller: Caller | undefined;
}

/** The connection back to the sender. */
export interface ProtocolConnection {
  sendText(text: string): void;
  /** A WebSocket close code, and a short reason. */
  close(code: number, reason: string): void;
  /** Reads what has come in, so that it is known whether the other side is still there. */
  read(): Promise<void>;
}

/** One connection. Messages come one after another, each after the previous one has been handled. */
export interface ProtocolSession {
  /**
   * Whether the other side is known by now: a call has begun, or the request was authenticated. Others may
   * send only a little.
   */
  readonly isKnown: boolean;
  text(data: string): Promise<void>;
  binary(data: Uint8Array): Promise<void>;
  /**
   * Takes audio at once, if there is nothing to wait for: fifty times a second for each call, a promise costs
   * more than the work. False: it was not taken, and has to go through `binary`.
   */
  hear?(data: Uint8Array): boolean;
  /** For this many milliseconds nothing that is sent can be useful, so it need not be read. */
  readonly idleMs?: number;
  /** Says why the connection is about to be closed, if the protocol has words for it. */
  refuse?(why: string): void;
  /** Nothing more arrives; what has arrived is being handled, and `gone` follows. */
  ended?(): void;
  /** The connection is gone; nothing more can be sent. `mistaken`: because of what the other side sent. */
  gone(mistaken: boolean): void;
}

export interface LiveProtocol {
  readonly path: string;
  /** Subprotocols that it speaks; a client that asks for others is served without one. */
  readonly subprotocols?: readonly string[];
  /** May throw an AppError: then the connection is never made. */
  enter(visitor: ConnectionRequest, connection: ProtocolConnection): Promise<ProtocolSession>;
}

/** Why a call is over, in one word; for a failed call, the reason of the failure. */
export const endReasonText = ({ endReason, reason }: Pick<LiveEvent, 'endReason' | 'reason'>): string =>
  endReason === 'failed' ? reason : (endReason ?? '');

/** Close codes of RFC 6455 that the protocols use. */
export const NORMAL = 1000;
export const PROTOCOL_ERROR = 1002;
export const POLICY = 1008;
export const SERVICE_RESTART = 1012;
export const TRY_LATER = 1013;
