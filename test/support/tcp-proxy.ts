// A way to a server that a test can break: cut, closed, or silent as behind a firewall that forgot its connections.
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

interface Pair {
  client: Socket;
  server: Socket;
  frozen: boolean;
}

export interface TcpProxy {
  port: number;
  /** Resets every connection; new ones are let through. */
  cut(): void;
  /** Connections are refused, and those that are there are reset, until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Nothing passes any more on the connections that are there, and nobody is told. */
  freezeExisting(): void;
  /** The same for new ones: they are accepted and never answered. */
  freezeAll(): void;
  thaw(): void;
  /** Sees what clients send; true lets it reach the server, but cuts the connection before the answer. */
  onClientData: ((data: Buffer) => boolean) | undefined;
  connections(): number;
  /** As it was made. */
  mend(): Promise<void>;
  end(): Promise<void>;
}

export async function tcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let freezeNew = false;
  const listener = createServer((client) => {
    const pair: Pair = { client, server: connect(targetPort, '127.0.0.1'), frozen: freezeNew };
    const { server } = pair;
    pairs.add(pair);
    client.on('data', (data) => {
      if (pair.frozen) return;
      server.write(data);
      if (proxy.onClientData?.(data)) {
        pair.frozen = true;
        setTimeout(() => reset(pair), 200);
      }
    });
    server.on('data', (data) => {
      if (!pair.frozen) client.write(data);
    });
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!pair.frozen) reset(pair);
      });
    }
  });
  const reset = (pair: Pair): void => {
    pairs.delete(pair);
    for (const socket of [pair.client, pair.server]) if (!socket.destroyed) socket.resetAndDestroy();
  };
  const listen = async (port: number): Promise<void> => {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  await listen(0);
  const { port } = listener.address() as { port: number };
  const proxy: TcpProxy = {
    port,
    onClientData: undefined,
    cut: () => [...pairs].forEach(reset),
    async close() {
      listener.close();
      proxy.cut();
      await once(listener, 'close');
    },
    open: () => listen(port),
    freezeExisting() {
      for (const pair of pairs) pair.frozen = true;
    },
    freezeAll() {
      freezeNew = true;
      proxy.freezeExisting();
    },
    thaw() {
      freezeNew = false;
      // What was lost meanwhile does not come back: as after a reboot of what lay between.
      for (const pair of [...pairs]) if (pair.frozen) reset(pair);
    },
    connections: () => pairs.size,
    async mend() {
      proxy.onClientData = undefined;
      proxy.thaw();
      if (!listener.listening) await proxy.open();
    },
    async end() {
      if (listener.listening) await proxy.close();
    },
  };
  return proxy;
}
