// A port of the system's choice that is taken before anything is made that has to name it: tokens and metadata name the
// address of the server, and they are made before it listens.
import { createServer, Server, type AddressInfo } from 'node:net';
import type { Server as HttpServer } from 'node:http';

export interface ReservedPort {
  readonly port: number;
  /** The server that listens next does so on this port, which is never free in between. */
  handTo(server: HttpServer): void;
  /** Frees it; after the server that took it over has closed, this does nothing. */
  release(): void;
}

export async function reservePort(host: string): Promise<ReservedPort> {
  // Nobody knows the port yet; whoever connects anyway is disconnected.
  const holder = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    holder.once('error', reject);
    holder.listen({ host, port: 0 }, resolve);
  });
  return {
    port: (holder.address() as AddressInfo).port,
    handTo(server) {
      server.listen = () => {
        Server.prototype.listen.call(server, holder);
        return server;
      };
    },
    release() {
      holder.close();
    },
  };
}
