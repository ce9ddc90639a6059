// The TCP listener of AudioSocket. One piece after another: a connection that sends faster than it is dealt with is not read from
// meanwhile.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { AppError } from '../../errors.js';
import { AudioSocketSession } from '../../live/protocols/audiosocket.js';
import type { LiveCalls } from '../../live/live-calls.js';
import type { Log } from '../../platform.js';
import { RestingReader } from './resting-reader.js';

const CONNECTIONS_MAX = 2000;
/** How long the other side has to close the connection after we hung up. */
const CLOSE_MS_MAX = 2000;

interface AudioSocketListener {
  /** The address with the port that was really bound. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

export function createAudioSocketListener(
  { host, port }: { host: string; port: number },
  calls: LiveCalls,
  log: Log,
): AudioSocketListener {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serve(socket, calls, log);
  });
  server.maxConnections = CONNECTIONS_MAX;
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          const bound = server.address() as AddressInfo;
          resolve(`${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function serve(socket: Socket, calls: LiveCalls, log: Log): void {
  const reader = new RestingReader(socket);
  const session = new AudioSocketSession(calls, {
    send: (bytes) => void (socket.writable && socket.write(bytes)),
    close: () => {
      reader.stayAwake();
      socket.end();
      setTimeout(() => socket.destroy(), CLOSE_MS_MAX).unref();
    },
  });
  let last: Promise<void> = Promise.resolve();
  let failed = false;
  socket.on('data', (bytes: Buffer) => {
    socket.pause();
    last = last
      .then(() => (failed ? undefined : session.data(bytes)))
      .catch((thrown: unknown) => {
        failed = true;
        const known = thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR';
        // The protocol has no room for words: whoever runs the server finds them here.
        log[known ? 'warn' : 'error']({ cause: String(thrown) }, 'an AudioSocket connection was refused');
        session.fail();
      })
      .finally(() => {
        socket.resume();
        if (!failed) reader.rest(session.idleMs);
      });
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => void last.then(() => session.gone()));
}
