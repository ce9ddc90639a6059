// Secrets in the clear: browsers are told to stay with https, whoever opens a plain listener to a network is warned, and a
// public URL that would send people elsewhere does not start.
import { get } from 'node:https';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import { silentLog, type Log } from '../../src/platform.js';
import { startTestServer } from '../support/server.js';

const file = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const tls = { 'tls.key': file('key.pem'), 'tls.cert': file('cert.pem') };

/** Starts a server, asks it for its health, and answers the header and what it warned of. */
async function serve(
  config: Record<string, unknown>,
): Promise<{ hsts: string | undefined; warned: string[] }> {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, message) => warned.push(message) };
  const server = await startTestServer({ bare: true, config, overrides: { log } });
  try {
    return { hsts: await hstsOf(server.httpUrl), warned };
  } finally {
    await server.stop();
  }
}

async function hstsOf(url: string): Promise<string | undefined> {
  if (url.startsWith('http:'))
    return (await fetch(`${url}/healthz`)).headers.get('strict-transport-security') ?? undefined;
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/healthz', rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.headers['strict-transport-security']);
    }).on('error', reject);
  });
}

describe('strict transport security', () => {
  it.each([
    ['with TLS of our own', tls, true],
    ['with TLS of a proxy', { publicUrl: 'https://voice.example' }, true],
    ['without TLS', {}, false],
  ])('%s', async (_name, config, expected) => {
    const { hsts } = await serve(config);
    if (expected) expect(hsts).toMatch(/^max-age=\d{7,}/);
    else expect(hsts).toBeUndefined();
  });
});

describe('a listener that a network can reach', () => {
  it.each([
    ['plain HTTP', { 'http.address': '0.0.0.0:0' }, 1],
    ['plain gRPC', { 'grpc.address': '0.0.0.0:0' }, 1],
    ['TLS of our own', { 'http.address': '0.0.0.0:0', ...tls }, 0],
    ['TLS of a proxy', { 'http.address': '0.0.0.0:0', publicUrl: 'https://voice.example' }, 0],
    ['this machine only', {}, 0],
  ])('%s', async (_name, config, warnings) => {
    const { warned } = await serve(config);
    expect(warned.filter((each) => each.startsWith('NOT ENCRYPTED'))).toHaveLength(warnings);
  });
});

it('a public URL with a path, a query or credentials is refused at start, by name', () => {
  const load = (publicUrl: string) => () => loadConfig({ env: {}, flags: { publicUrl, home: '/nowhere' } });
  for (const wrong of [
    'https://a.example/voice',
    'https://u:p@a.example',
    'https://a.example/?x',
    'ftp://a',
  ]) {
    expect(load(wrong), wrong).toThrow(ConfigError);
    expect(load(wrong), wrong).toThrow(/publicUrl: must/);
  }
  expect(load('https://a.example:8443/')).not.toThrow();
});
