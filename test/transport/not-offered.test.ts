// Operations that others have and this server does not are refused in words, over both transports and under every root, and
// are listed in the reference.
import { Client, Metadata, credentials, type ServiceError } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notOffered } from '../../src/transport/not-offered.js';
import { startTestServer, type TestServer } from '../support/server.js';

const UNIMPLEMENTED = 12;
const PAGE = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'reference', 'not-offered.md'),
  'utf8',
);

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ config: { 'engine.workers': 1, 'compat.packageRoots': 'acme' } });
  client = new Client(server.grpcAddress, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.stop();
});

const call = (path: string) =>
  new Promise<ServiceError | null>((resolve) => {
    const same = (bytes: Buffer) => bytes;
    client.makeUnaryRequest(path, same, same, Buffer.alloc(0), new Metadata(), {}, (error) => resolve(error));
  });

describe.each(notOffered.map((entry) => [entry.methods.join(', '), entry] as const))('%s', (_name, entry) => {
  it('over gRPC', async () => {
    for (const method of entry.methods)
      for (const service of [entry.service, entry.service.replace('vendor.', 'acme.')])
        expect(await call(`/${service}/${method}`), `${service}/${method}`).toMatchObject({
          code: UNIMPLEMENTED,
          details: `${method} is not offered: ${entry.why}`,
        });
  });

  it('over REST', async () => {
    const paths = entry.paths.flatMap((path) => [path, path.replace('/vendor/', '/acme/'), `${path}/x`]);
    for (const path of paths)
      for (const verb of ['GET', 'POST']) {
        const answer = await server.rest(verb, path, verb === 'POST' ? { body: {} } : {});
        expect(answer.status, `${verb} ${path}`).toBe(501);
        expect(answer.body.status, `${verb} ${path}`).toMatchObject({
          statusCode: 'NOT_IMPLEMENTED',
          statusMessage: { message: expect.stringContaining(entry.why) },
        });
      }
  });

  it('in the reference', () => {
    for (const method of entry.methods) expect(PAGE).toContain(`\`${method}\``);
  });
});

it('names that nobody knows are refused as ever', async () => {
  expect(await call('/vendor.biosec.v1.azman.AuthorizationManager/Nothing')).toMatchObject({
    code: UNIMPLEMENTED,
    details: expect.stringContaining('no such method'),
  });
  expect((await server.rest('GET', '/v1/prompts/other')).status).toBe(404);
  expect((await server.rest('GET', '/other/biosec/v1/azman/roles')).status).toBe(404);
});
