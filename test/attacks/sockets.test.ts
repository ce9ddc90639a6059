// Strangers at the WebSockets: those who stay after a refusal, talk without a call, or ping without end. And clients
// that offer another protocol and mean nothing by it.
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { frameOf, frameTypes } from '../../src/live/protocols/audiosocket.js';
import type { LiveProtocol } from '../../src/live/protocols/live-protocol.js';
import type { LiveCalls } from '../../src/live/live-calls.js';
import { silentLog } from '../../src/platform.js';
import { createAudioSocketListener } from '../../src/transport/sockets/audiosocket-listener.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, TEST_TOKEN, type TestServer } from '../support/server.js';

let server: TestServer;
let heard: string[] = [];
const protocolAt = (path: string, isKnown: boolean): LiveProtocol => ({
  path,
  enter: async () => ({
    isKnown,
    text: async (text) => void heard.push(text),
    binary: async () => {},
    gone: () => {},
  }),
});

beforeAll(async () => {
  server = await startTestServer({
    bare: true,
    bindings: [echoScopes().binding],
    parts: [{ protocols: [protocolAt('/strangers', false), protocolAt('/known', true)] }],
  });
});
afterAll(() => server.stop());
afterEach(() => void (heard = []));

const open = async (path: string): Promise<{ client: WebSocket; closed: Promise<string> }> => {
  const client = new WebSocket(`${server.httpUrl.replace('http', 'ws')}${path}`);
  const closed = new Promise<string>((resolve) =>
    client.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
  );
  client.on('error', () => {});
  await new Promise((resolve) => client.once('open', resolve));
  return { client, closed };
};

describe('a stranger', () => {
  it('who was refused is let go of, also when they keep their side open', async () => {
    const audioSocket = createAudioSocketListener({ host: '127.0.0.1', port: 0 }, {} as LiveCalls, silentLog);
    const upgrade = headOf('GET /no/such HTTP/1.1', ['connection: Upgrade', 'upgrade: websocket']);
    const hangUp = frameOf(frameTypes.hangup);
    try {
      const [http, audio] = await Promise.all([
        answerUntilClosed(server.httpUrl, Buffer.from(upgrade)),
        answerUntilClosed(`tcp://${await audioSocket.start()}`, hangUp),
      ]);
      expect(http.toString()).toContain('HTTP/1.1 404');
      expect(audio[0]).toBe(frameTypes.error);
    } finally {
      await audioSocket.stop();
    }
  });

  it('may say only little before there is a call; somebody known may say more', async () => {
    const stranger = await open('/strangers');
    for (let count = 0; count < 100; count++) stranger.client.send(String(count));
    expect(await stranger.closed).toContain('1002 too much was sent');
    expect(heard).toHaveLength(32);
    const loud = await open('/strangers');
    loud.client.send('x'.repeat(65 * 1024));
    expect(await loud.closed).toContain('1002 too much was sent');
    heard = [];
    const known = await open('/known');
    for (let count = 0; count < 100; count++) known.client.send(String(count));
    known.client.close(1000);
    await known.closed;
    await expect.poll(() => heard).toHaveLength(100);
  });

  it('who pings without end is cut off, and others get their answers', async () => {
    const some = await open('/strangers');
    let pongs = 0;
    const answered = new Promise<void>((resolve) =>
      some.client.on('pong', () => ++pongs === 50 && resolve()),
    );
    for (let count = 0; count < 50; count++) some.client.ping('x');
    await answered;
    some.client.terminate();
    const many = await open('/strangers');
    for (let count = 0; count < 500; count++) many.client.ping('x');
    expect(await many.closed).toContain('1006');
  });
});

describe('a client that offers another protocol with its request', () => {
  const offer = ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAAP__'];

  it('is answered as if it had not, again and again, and holds one place', async () => {
    const { port } = new URL(server.httpUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const places: number[] = [];
    for (const scopeId of ['first', 'second']) {
      const sent = JSON.stringify({ scopeId });
      const headers = [
        ...offer,
        `authorization: Bearer ${TEST_TOKEN}`,
        'content-type: application/json',
        `content-length: ${sent.length}`,
      ];
      const answer = answerOf(socket, scopeId);
      socket.write(headOf('POST /v1/scopes HTTP/1.1', headers) + sent.slice(0, 5));
      socket.write(sent.slice(5));
      expect(await answer).toContain('HTTP/1.1 200');
      const { body } = await server.rest('GET', '/metrics');
      places.push(Number(/^voxgate_connections_open (\d+)$/m.exec(String(body))?.[1]));
    }
    expect(places[1]).toBe(places[0]);
    socket.destroy();
  });
});

/** Says this, keeps the own side open, and answers what was heard once the connection is gone for good. */
async function answerUntilClosed(address: string, said: Uint8Array): Promise<Buffer> {
  const { port } = new URL(address);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const gone = new Promise((resolve) => socket.on('error', resolve));
  const heard = new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.write(said);
  const answer = await heard;
  // Without a byte on the way nobody would notice that the other side is gone.
  const probe = setInterval(() => socket.write('x'), 100);
  await gone;
  clearInterval(probe);
  socket.destroy();
  return answer;
}

const headOf = (line: string, headers: string[]): string =>
  [
    line,
    'host: x',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '',
    '',
  ].join('\r\n');

/** What comes until these words are in it, or the connection ends. */
function answerOf(socket: Socket, words: string): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    const hear = (data: Buffer): void => {
      text += data.toString();
      if (!text.includes(words)) return;
      socket.off('data', hear);
      resolve(text);
    };
    socket.on('data', hear);
    socket.on('end', () => resolve(text));
  });
}
