// What is compressed and for whom: the contract and answers to reading operations, for callers who name an encoding; nothing that
// may hold a secret beside what a caller has written.
import { request } from 'node:http';
import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodingFor } from '../../src/transport/encodings.js';
import { startTestServer, TEST_TOKEN, type TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

interface Raw {
  encoding: string | undefined;
  bytes: Buffer;
}

/** As it comes: `fetch` would decompress it. */
function raw(path: string, accepted: string, method = 'GET', body = ''): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const headers = {
      'accept-encoding': accepted,
      authorization: `Bearer ${TEST_TOKEN}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const sent = request(`${server.httpUrl}${path}`, { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () =>
        resolve({ encoding: answer.headers['content-encoding'], bytes: Buffer.concat(pieces) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('compression', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ])('%s takes %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });

  it('is for the contract and for long answers to reading operations', async () => {
    const page = await raw('/docs', 'br, gzip');
    expect([page.encoding, page.bytes.length < 200_000]).toEqual(['br', true]);
    expect(brotliDecompressSync(page.bytes).toString()).toContain('<!doctype html>');
    const document = await raw('/openapi.json', 'gzip');
    expect(document.encoding).toBe('gzip');
    expect(JSON.parse(gunzipSync(document.bytes).toString())).toHaveProperty('openapi');
    for (const scopeId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o'])
      await server.rest('POST', '/v1/scopes', {
        body: {
          scopeId: `tenant-${scopeId}`,
          scopeProfile: 'SCOPE_PROFILE_DEFAULT',
          expectedPersonsNumber: 1,
        },
      });
    const scopes = await raw('/v1/scopes', 'gzip');
    expect(scopes.encoding).toBe('gzip');
    expect(JSON.parse(gunzipSync(scopes.bytes).toString())).toMatchObject({ status: { statusCode: 'OK' } });
    expect((await raw('/v1/scopes', 'identity')).encoding).toBeUndefined();
  });

  it('is not for what changes something, for tokens, or for refusals', async () => {
    const filler = 'x'.repeat(2000);
    for (const [method, path] of [
      ['POST', '/v1/scopes'],
      ['POST', '/oauth2/token'],
      ['GET', `/v1/scopes?field_mask=${filler}`],
    ] as const) {
      const body = method === 'POST' ? JSON.stringify({ scopeId: filler }) : '';
      expect((await raw(path, 'br, gzip', method, body)).encoding).toBeUndefined();
    }
  });
});
