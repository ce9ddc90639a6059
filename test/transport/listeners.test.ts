// What the listeners do before any route is found: requests that the parser refuses, and who may read the metrics.
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hostPortOf } from '../../src/config/read-text.js';
import { echoScopes } from '../support/echo-service.js';
import { freePort } from '../support/free-port.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** Sends bytes as they are; answers everything that comes back until the server closes. */
function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (part) => (text += part.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

describe('a request that the parser refuses', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      bare: true,
      bindings: [echoScopes().binding],
      config: { 'limits.headerBytes': 4096 },
    });
  });
  afterAll(() => server.stop());

  it.each([
    ['is not HTTP at all', 'hello there\r\n\r\n', 400],
    ['has a method that HTTP does not know', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['has a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: x\r\n\r\n', 400],
    [
      'has two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      400,
    ],
    [
      'has a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['has a large header', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(5000)}\r\n\r\n`, 431],
    ['has no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['expects what nobody can do', 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: magic\r\n\r\n', 417],
    [
      'has a chunk that is none',
      'POST /v1/scopes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer test-token\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
  ])('because it %s gets the shape of other errors', async (_name, bytes, status) => {
    const answer = await sendRaw(server.httpUrl, bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(body)).toMatchObject({ status_code: status, error_message: expect.any(String) });
  });
});

describe('the metrics', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.stop());

  it('ask for their token', async () => {
    const started = await startTestServer({ bare: true, config: { 'metrics.token': 'let me see' } });
    server = started;
    const ask = (token: string | null): ReturnType<TestServer['rest']> =>
      started.rest('GET', '/metrics', { token });
    expect(await ask(null)).toMatchObject({ status: 401, body: { status_code: 401 } });
    expect((await ask(null)).headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect((await ask('let me se')).status).toBe(401);
    const seen = await ask('let me see');
    expect(seen.status).toBe(200);
    expect(seen.body).toContain('voxgate_calls_total');
  });

  it('have an address of their own, and then no other', async () => {
    const port = await freePort();
    server = await startTestServer({
      bare: true,
      config: { 'metrics.listen': `127.0.0.1:${port}`, 'metrics.token': 'sesame' },
    });
    expect((await server.rest('GET', '/metrics')).status).toBe(404);
    const at = (path: string, token = 'sesame'): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await at('/metrics')).text()).toContain('voxgate_calls_total');
    expect((await at('/metrics', 'open')).status).toBe(401);
    expect((await at('/healthz')).status).toBe(404);
    const twice = 'authorization: Bearer sesame\r\nauthorization: Bearer open\r\nconnection: close\r\n';
    const refused = await sendRaw(
      `http://127.0.0.1:${port}`,
      `GET /metrics HTTP/1.1\r\nhost: x\r\n${twice}\r\n`,
    );
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    await server.stop();
    server = undefined;
    await expect(at('/metrics')).rejects.toThrow();
  });

  it.each([
    ['127.0.0.1:9100', { host: '127.0.0.1', port: 9100 }],
    ['[::1]:9100', { host: '::1', port: 9100 }],
    ['9100', undefined],
    ['', undefined],
  ])('are told at %s, or it is no address', (text, expected) => {
    expect(hostPortOf(text)).toEqual(expected);
  });
});
