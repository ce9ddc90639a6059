// WebSockets beside the HTTP routes: looks up the door of a path, checks the token, and hands messages over one at a time.
// A connection that sends faster than it is dealt with is not read from meanwhile.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { AppError } from '../../errors.js';
import { GOING_AWAY, PROTOCOL_ERROR, TRY_LATER, type Door, type DoorSession } from '../../live/doors/door.js';
import type { Log } from '../../platform.js';
import { LiveAudio } from '../../gen/voxgate/live/v1/live_pb.js';
import { accessOf } from '../access.js';
import { authorized } from '../dispatch/phases.js';
import { errorMap } from '../error-map.js';
import { flatError } from '../refusal.js';
import type { Peers } from '../peer.js';
import type { Authenticate } from '../service.js';
import { biosecAccess } from '../services/biosec/shared.js';

/** More than any telephone system sends in one message. */
const MESSAGE_BYTES_MAX = 256 * 1024;
const MESSAGES_WAITING_MAX = 32;
const SOCKETS_MAX = 2000;

export interface SocketDeps {
  authenticate: Authenticate;
  peers: Peers;
  isDraining: () => boolean;
  log: Log;
}

export interface SocketListener {
  /** Tells everybody that the server goes; who has not gone after the limit is cut off. */
  close(limitMs: number): void;
}

export function listenForSockets(server: Server, doors: readonly Door[], deps: SocketDeps): SocketListener {
  const byPath = new Map(doors.map((door) => [door.path, door]));
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered, request) => {
      const known = byPath.get(pathOf(request))?.subprotocols ?? [];
      return known.find((name) => offered.has(name)) ?? false;
    },
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    // A call may be silent for longer than an HTTP request may.
    (socket as Socket).setTimeout(0);
    void receive({ byPath, sockets, deps }, request, socket, head).catch((thrown: unknown) =>
      refuse(socket, thrown, deps.log),
    );
  });
  return {
    close: (limitMs) => {
      for (const client of sockets.clients) client.close(GOING_AWAY, 'the server is shutting down');
      setTimeout(() => sockets.clients.forEach((client) => client.terminate()), limitMs).unref();
    },
  };
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? '';

interface Listening {
  byPath: ReadonlyMap<string, Door>;
  sockets: WebSocketServer;
  deps: SocketDeps;
}

async function receive(
  { byPath, sockets, deps }: Listening,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const door = byPath.get(pathOf(request));
  if (!door) throw new AppError('NOT_FOUND', `no such path: ${pathOf(request).slice(0, 200)}`);
  if (deps.isDraining()) throw new AppError('CANCELLED_SERVER', 'the server is shutting down');
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
  // What the door has to say waits until there is somebody to say it to.
  const connection = new Connection();
  const visitor = { headers: request.headers, url: request.url ?? '', caller };
  const session = await door.enter(visitor, connection);
  sockets.handleUpgrade(request, socket, head, (client) => {
    connection.attach(client);
    serve(client, session, deps.log);
  });
}

class Connection {
  #client: WebSocket | undefined;
  readonly #waiting: string[] = [];
  #closing: { code: number; reason: string } | undefined;

  attach(client: WebSocket): void {
    this.#client = client;
    for (const text of this.#waiting.splice(0)) client.send(text);
    if (this.#closing) client.close(this.#closing.code, this.#closing.reason);
  }

  sendText(text: string): void {
    if (!this.#client) this.#waiting.push(text);
    else if (this.#client.readyState === this.#client.OPEN) this.#client.send(text);
  }

  close(code: number, reason: string): void {
    if (this.#client) this.#client.close(code, reason.slice(0, 120));
    else this.#closing = { code, reason };
  }
}

/** One message after another; while too many wait, the connection is not read from. */
function serve(client: WebSocket, session: DoorSession, log: Log): void {
  let waiting = 0;
  let failed = false;
  let last: Promise<void> = Promise.resolve();
  const take = async (data: RawData, isBinary: boolean): Promise<void> => {
    try {
      // What came before somebody hung up still counts; what came behind a mistake does not.
      if (failed) return;
      await (isBinary ? session.binary(bytesOf(data)) : session.text(bytesOf(data).toString('utf8')));
    } catch (thrown) {
      failed = true;
      const known = thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR';
      if (!known) log.error({ cause: String(thrown) }, 'a live connection failed');
      const code = known && thrown.code === 'BUSY' ? TRY_LATER : PROTOCOL_ERROR;
      client.close(code, known ? thrown.message.slice(0, 120) : 'internal error');
    } finally {
      if (--waiting < MESSAGES_WAITING_MAX && client.isPaused) client.resume();
    }
  };
  client.on('message', (data, isBinary) => {
    if (++waiting >= MESSAGES_WAITING_MAX) client.pause();
    last = last.then(() => take(data, isBinary));
  });
  client.on('error', () => client.terminate());
  client.on('close', () => void last.then(() => session.gone(failed)));
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

/** Before the connection is made, a refusal is an HTTP answer. */
function refuse(socket: Duplex, thrown: unknown, log: Log): void {
  const known = thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR';
  if (!known) log.error({ cause: String(thrown) }, 'a connection could not be made');
  const status = known ? errorMap[thrown.code].http : 500;
  const body = JSON.stringify(flatError(status, known ? thrown.message : 'internal error'));
  socket.end(
    `HTTP/1.1 ${status} \r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${status === 401 ? 'www-authenticate: Bearer\r\n' : ''}connection: close\r\n\r\n${body}`,
  );
}
