// The HTTP/2 side of the gRPC listener: connections with their limits, their silence and their end. Calls are handed on
// as they come; nothing of their bodies is read here.
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TlsFiles } from '../http-server.js';
import type { ConnectionUse } from '../limits/byte-budget.js';

interface ConnectionOptions {
  tls?: TlsFiles | undefined;
  headerBytesMax: number;
  callsPerConnectionMax: number;
}

/** A call's headers: by name, and all of them as they came. */
interface CallHeaders {
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
}

type OnCall = (stream: ServerHttp2Stream, came: CallHeaders, use: ConnectionUse) => void;

interface Connection extends ConnectionUse {
  openedAtMs: number;
  /** The client has sent its part of the opening. */
  greeted: boolean;
  openCalls: number;
  activeAtMs: number;
  pingSentAtMs: number | undefined;
  /** Control frames that nobody needs so many of, since the last look. */
  pings: number;
}

const SWEEP_EVERY_MS = 5000;
/** A connection that has not said what it wants by then is cut. */
const GREETING_MS = 15_000;
/** A connection without any call is asked to leave; clients come back by themselves when they need to. */
const IDLE_MS = 600_000;
const PING_AFTER_MS = 60_000;
const PING_ANSWER_MS = 20_000;
/** No client needs more of them in the time between two sweeps. */
const PINGS_PER_SWEEP_MAX = 100;
const SESSION_MEMORY_MIB = 32;

export class GrpcConnections {
  readonly #server: Http2Server;
  readonly #sessions = new Map<Http2Session, Connection>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions, onCall: OnCall) {
    this.#server = openServer(options);
    this.#server.on('session', (session: ServerHttp2Session) => this.#welcome(session));
    const onStream = (
      stream: ServerHttp2Stream,
      headers: IncomingHttpHeaders,
      _flags: number,
      rawHeaders: readonly string[],
    ): void => {
      const connection = stream.session && this.#sessions.get(stream.session);
      if (!connection) {
        stream.destroy();
        return;
      }
      connection.openCalls += 1;
      stream.on('close', () => {
        connection.openCalls -= 1;
        connection.activeAtMs = Date.now();
      });
      onCall(stream, { headers, rawHeaders }, connection);
    };
    this.#server.on('stream', onStream);
    // Connections that break or speak something else end by themselves; nobody needs to hear of it.
    this.#server.on('sessionError', () => {});
    this.#server.on('tlsClientError', () => {});
  }

  get server(): Http2Server {
    return this.#server;
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no more connections and lets calls in flight finish; cuts them after the limit. */
  stop(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cut = setTimeout(() => {
        for (const session of this.#sessions.keys()) session.destroy();
      }, limitMs);
      // A server that never listened says so here, which is as good as closed.
      this.#server.close(() => {
        clearTimeout(cut);
        clearInterval(this.#sweeper);
        resolve();
      });
      for (const session of this.#sessions.keys()) session.close();
    });
  }

  #welcome(session: ServerHttp2Session): void {
    const now = Date.now();
    const connection: Connection = {
      bytes: 0,
      openedAtMs: now,
      greeted: false,
      openCalls: 0,
      activeAtMs: now,
      pingSentAtMs: undefined,
      pings: 0,
    };
    this.#sessions.set(session, connection);
    const countControl = (): void => {
      connection.greeted = true;
      connection.pings += 1;
      if (connection.pings > PINGS_PER_SWEEP_MAX) session.destroy();
    };
    session.on('remoteSettings', countControl);
    session.on('ping', countControl);
    session.on('error', () => session.destroy());
    session.on('close', () => this.#sessions.delete(session));
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();
  }

  #sweep(): void {
    if (this.#sessions.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
      return;
    }
    const now = Date.now();
    for (const [session, connection] of this.#sessions) {
      connection.pings = 0;
      if (session.destroyed) this.#sessions.delete(session);
      else if (!connection.greeted && now - connection.openedAtMs > GREETING_MS) session.destroy();
      else if (connection.openCalls === 0 && now - connection.activeAtMs > IDLE_MS) leaveIdle(session);
      else lookAfter(session, connection, now);
    }
  }
}

/** A peer that has vanished with calls open would be kept for ever. */
function lookAfter(session: Http2Session, connection: Connection, nowMs: number): void {
  if (connection.pingSentAtMs !== undefined) {
    if (nowMs - connection.pingSentAtMs > PING_ANSWER_MS) session.destroy();
    return;
  }
  if (connection.openCalls === 0 || nowMs - connection.activeAtMs < PING_AFTER_MS) return;
  connection.pingSentAtMs = nowMs;
  session.ping((error) => {
    if (error) return;
    connection.pingSentAtMs = undefined;
    connection.activeAtMs = Date.now();
  });
}

function leaveIdle(session: Http2Session): void {
  if (session.closed) session.destroy();
  else session.close();
}

function openServer({ tls, headerBytesMax, callsPerConnectionMax }: ConnectionOptions): Http2Server {
  const options = {
    maxSessionMemory: SESSION_MEMORY_MIB,
    // Twice what is allowed, so that most of those who send too much can be told so instead of being cut off.
    settings: {
      maxHeaderListSize: 2 * headerBytesMax,
      maxConcurrentStreams: callsPerConnectionMax,
      enablePush: false,
    },
  };
  return tls
    ? (createSecureServer({ ...options, ...tls, handshakeTimeout: GREETING_MS }) as unknown as Http2Server)
    : createServer(options);
}
