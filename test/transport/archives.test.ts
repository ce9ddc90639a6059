// Archives about persons over real sockets: how many a tenant reads at once, and readers that have stopped reading.
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { signedPath } from '../../src/biometrics/media/signed-urls.js';
import { registerArchives } from '../../src/transport/routes/archives.js';

const PER_TENANT = 2;

async function* without(end: AbortSignal): AsyncGenerator<Uint8Array> {
  while (!end.aborted) yield new Uint8Array(64 * 1024);
}

async function serving(stuckMs: number) {
  const http = fastify();
  const end = new AbortController();
  registerArchives(http, ({ params: { id } }) => ({ gkScopeId: id, bytes: () => without(end.signal) }), {
    perTenant: PER_TENANT,
    stuckMs,
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    end.abort();
    for (const socket of sockets) socket.destroy();
    await http.close();
  });
  /** Reads no further than the head of the answer. */
  const open = (tenant: string): Promise<{ status: number; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${signedPath('personal-data')}/${tenant} HTTP/1.1\r\nhost: x\r\n\r\n`),
      );
      sockets.push(socket);
      socket.on('error', reject);
      socket.once('data', (head: Buffer) => {
        socket.pause();
        resolve({ status: Number(head.toString('latin1').split(' ')[1]), socket });
      });
    });
  return { open };
}

it('are limited for each tenant alone, until one is closed', async () => {
  const { open } = await serving(60_000);
  const first = await open('a');
  expect([first.status, (await open('a')).status]).toEqual([200, 200]);
  expect((await open('a')).status).not.toBe(200);
  expect((await open('b')).status).toBe(200);
  first.socket.destroy();
  await expect.poll(async () => (await open('a')).status).toBe(200);
});

it('give their place back when nothing has been read for long', async () => {
  const { open } = await serving(200);
  for (let n = 0; n < PER_TENANT; n++) expect((await open('a')).status).toBe(200);
  await expect.poll(async () => (await open('a')).status, { timeout: 20_000 }).toBe(200);
});
