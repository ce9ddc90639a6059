// Connections to both listeners, counted together: those beyond the limits are closed before anything of them is read.
import type { Server, Socket } from 'node:net';
import type { OwnMetric } from '../metrics.js';
import { addressKey } from './address-key.js';
import { Slots } from './slots.js';

export class ConnectionGuard {
  readonly #slots: Slots;
  readonly #counted = new WeakSet<Socket>();
  #refused = 0;

  constructor(limits: { connections: number; connectionsPerAddress: number }) {
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
    });
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
