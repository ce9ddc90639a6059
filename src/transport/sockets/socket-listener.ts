// WebSockets beside the HTTP routes: looks up the protocol of a path, checks the token, and lets the connection in or refuses it.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { AppError, goingDown } from '../../errors.js';
import { SERVICE_RESTART, type LiveProtocol } from '../../live/protocols/live-protocol.js';
import type { Log } from '../../platform.js';
import { LiveAudio } from '../../gen/voxgate/live/v1/live_pb.js';
import { accessOf } from '../access.js';
import { authorized } from '../dispatch/phases.js';
import { errorMap } from '../error-map.js';
import { flatError } from '../refusal.js';
import type { Peers } from '../peer.js';
import { REPEATED_CREDENTIALS, hasRepeatedCredentials } from '../repeated-credentials.js';
import type { Authenticate } from '../service.js';
import { biosecAccess } from '../services/biosec/shared.js';
import { STRANGER_BYTES_MAX } from './message-limit.js';
import { serveAsHttp, wantsWebSocket } from './other-protocols.js';
import { RestingReader } from './resting-reader.js';
import { Connection, serveSocket } from './serve-socket.js';

const SOCKETS_MAX = 2000;
/** How long the other side has to close the connection after it was told that it ends. */
const CLOSE_MS_MAX = 2000;
/** Not in the declarations yet. */
const newerOptions = { closeTimeout: CLOSE_MS_MAX };

interface SocketDeps {
  authenticate: Authenticate;
  peers: Peers;
  isDraining: () => boolean;
  log: Log;
}

export interface SocketListener {
  /** Tells everybody that the server goes; who has not gone after the limit is cut off. */
  close(limitMs: number): void;
}

export function listenForSockets(
  server: Server,
  protocols: readonly LiveProtocol[],
  deps: SocketDeps,
): SocketListener {
  const byPath = new Map(protocols.map((protocol) => [protocol.path, protocol]));
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: STRANGER_BYTES_MAX,
    perMessageDeflate: false,
    // One message per connection and turn: a thousand small ones in a packet do not keep everybody else waiting.
    allowSynchronousEvents: false,
    autoPong: false,
    ...newerOptions,
    handleProtocols: (offered, request) => {
      const known = byPath.get(pathOf(request))?.subprotocols ?? [];
      return known.find((name) => offered.has(name)) ?? false;
    },
  });
  server.on('upgrade', (request, socket, head) => {
    if (!wantsWebSocket(request)) {
      serveAsHttp(server, request, socket as Socket, head);
      return;
    }
    socket.on('error', () => socket.destroy());
    // A call may be silent for longer than an HTTP request may.
    (socket as Socket).setTimeout(0);
    void receive({ byPath, sockets, deps }, request, socket, head).catch((thrown: unknown) =>
      refuse(socket, thrown, deps.log),
    );
  });
  return {
    close: (limitMs) => {
      for (const client of sockets.clients) client.close(SERVICE_RESTART, goingDown().message);
      setTimeout(() => sockets.clients.forEach((client) => client.terminate()), limitMs).unref();
    },
  };
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? '';

interface Listening {
  byPath: ReadonlyMap<string, LiveProtocol>;
  sockets: WebSocketServer;
  deps: SocketDeps;
}

async function receive(
  { byPath, sockets, deps }: Listening,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const protocol = byPath.get(pathOf(request));
  if (!protocol) throw new AppError('NOT_FOUND', `no such path: ${pathOf(request).slice(0, 200)}`);
  if (hasRepeatedCredentials(request.rawHeaders)) throw new AppError('BAD_REQUEST', REPEATED_CREDENTIALS);
  if (deps.isDraining()) throw goingDown();
  if (sockets.clients.size >= SOCKETS_MAX)
    throw new AppError('BUSY', 'too many connections are open', { retryAfterMs: 5000 });
  const { authorization, dpop } = request.headers;
  const url = `https://${request.headers.host ?? ''}${request.url ?? ''}`;
  const caller =
    authorization === undefined
      ? undefined
      : authorized(
          await deps.authenticate({
            authorization,
            dpop: typeof dpop === 'string' ? dpop : undefined,
            method: 'GET',
            url,
            address: deps.peers.addressOf(request.socket, request.headers),
            certificate: deps.peers.certificateOf(request.socket, request.headers),
          }),
          accessOf(biosecAccess, LiveAudio.method.listen),
        );
  // What the protocol has to say waits until there is somebody to say it to.
  const connection = new Connection();
  const visitor = { headers: request.headers, url: request.url ?? '', caller };
  const session = await protocol.enter(visitor, connection);
  sockets.handleUpgrade(request, socket, head, (client) => {
    const reader = new RestingReader(socket);
    connection.attach(client, reader, () => session.ended?.());
    serveSocket(client, reader, session, deps.log);
  });
}

/** Before the connection is made, a refusal is an HTTP answer. */
function refuse(socket: Duplex, thrown: unknown, log: Log): void {
  const known = thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR';
  if (!known) log.error({ cause: String(thrown) }, 'a connection could not be made');
  const status = known ? errorMap[thrown.code].http : 500;
  const body = JSON.stringify(flatError(status, known ? thrown.message : 'internal error'));
  socket.end(
    `HTTP/1.1 ${status} \r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-content-type-options: nosniff\r\n${status === 401 ? 'www-authenticate: Bearer\r\n' : ''}connection: close\r\n\r\n${body}`,
  );
  // Nobody else ends it: the listener has handed the socket over, and its timeouts with it.
  socket.resume();
  setTimeout(() => socket.destroy(), CLOSE_MS_MAX).unref();
}
