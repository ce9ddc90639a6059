// Connections to both listeners, counted together: those beyond the limits are closed before anything of them is read.
import type { Server, Socket } from 'node:net';
import type { Log } from '../../platform.js';
import type { OwnMetric } from '../metrics.js';
import { addressKey } from './address-key.js';
import { Slots } from './slots.js';

/** So often the log says that connections are refused. */
const REPORT_EVERY_MS = 60_000;

export class ConnectionGuard {
  readonly #slots: Slots;
  readonly #counted = new WeakSet<Socket>();
  readonly #log: Log;
  #refused = 0;
  #reportedAtMs = -Infinity;
  #reportedCount = 0;

  constructor(limits: { connections: number; connectionsPerAddress: number }, log: Log) {
    this.#log = log;
    this.#slots = new Slots(limits.connectionsPerAddress, limits.connections);
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      // One that comes back from an offer of another protocol is counted already.
      if (this.#counted.has(socket)) return;
      const address = addressKey(socket.remoteAddress ?? '');
      if (this.#slots.enter(address)) {
        this.#counted.add(socket);
        socket.once('close', () => this.#slots.leave(address));
        return;
      }
      this.#refused += 1;
      socket.destroy();
      this.#tell(address);
    });
  }

  #tell(address: string): void {
    const now = performance.now();
    if (now - this.#reportedAtMs < REPORT_EVERY_MS) return;
    const refused = this.#refused - this.#reportedCount;
    this.#reportedAtMs = now;
    this.#reportedCount = this.#refused;
    this.#log.warn(
      { address, refused },
      'connections are refused: as many are open as limits.connectionsPerAddress or limits.connections allow',
    );
  }

  metrics(): OwnMetric[] {
    return [
      {
        name: 'voxgate_connections_open',
        type: 'gauge',
        help: 'Connections that are open now',
        value: () => this.#slots.total,
      },
      {
        name: 'voxgate_connections_refused_total',
        type: 'counter',
        help: 'Connections that were closed because there were too many',
        value: () => this.#refused,
      },
    ];
  }
}
