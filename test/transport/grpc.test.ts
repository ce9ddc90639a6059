import { create, createFileRegistry, fromBinary, toBinary, type FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Client, Metadata, credentials, status } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { service as healthService } from 'grpc-health-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.js';
import {
  AuditDataExporter,
  ExportRecordsRequestSchema,
  ExportRecordsResponseSchema,
  type ExportRecordsResponse,
} from '../../src/gen/vendor/biosec/v1/history/history_pb.js';
import { CreateScopeResponseSchema, ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { reflectionProtocol } from '../../src/transport/grpc/descriptors.js';
import { bindService } from '../../src/transport/service.js';
import { call as sendRawGrpc, dial, framed } from '../attacks/raw-grpc.js';
import { echoScopes, type Seen } from '../support/echo-service.js';
import {
  callMetadata,
  deserializerFor,
  serializerFor,
  startTestServer,
  type GrpcClient,
  type TestServer,
} from '../support/server.js';
import { inEnglish } from '../../src/words/server/say.js';

let server: TestServer;
let seen: Seen;
let client: GrpcClient<typeof ScopesManager>;
let raw: Client;

const exporter = bindService(
  AuditDataExporter,
  { anyOf: ['platform-api'] },
  {
    async *exportRecords(_call, requests) {
      for await (const request of requests) {
        if (request.request.case === undefined)
          throw new AppError('INVALID_REQUEST', inEnglish('nothing asked'));
        yield { exportResponse: { iterator: `after ${request.request.case}` } };
      }
    },
    // Endless on purpose: the caller ends it.
    async *exportRecordsWithPersonalData(call) {
      yield { exportResponse: { iterator: 'first' } };
      await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      seen.calls.push(call);
    },
  },
);

beforeAll(async () => {
  const echo = echoScopes();
  seen = echo.seen;
  server = await startTestServer({
    bare: true,
    bindings: [echo.binding, exporter],
    config: { 'limits.messageBytes': 100_000 },
    callers: { 'other-token': { subject: 's', issuer: 'i', clientId: 'c', scopes: ['tts'], tenants: [] } },
  });
  client = server.grpc(ScopesManager);
  raw = new Client(server.grpcAddress, credentials.createInsecure());
});
afterAll(async () => {
  raw.close();
  await server.stop();
});

describe('unary calls', () => {
  it('answers with status OK and the request id in body and metadata', async () => {
    let metadata: Metadata | undefined;
    const answer = await client.createScope(
      { scopeId: 'a' },
      { metadata: { 'x-request-id': 'rid-1' }, onMetadata: (got) => (metadata = got) },
    );
    expect(answer.gkScopeId?.value).toBe('gk-a');
    expect(answer.status).toMatchObject({ statusCode: StatusCode.OK, requestInfo: { requestId: 'rid-1' } });
    expect(metadata?.get('x-request-id')).toEqual(['rid-1']);
  });

  it('keeps gRPC OK for failures of the operation', async () => {
    const answer = await client.createScope({ scopeId: 'missing' });
    expect(answer.status).toMatchObject({ statusCode: StatusCode.INVALID_REQUEST, httpTransCode: 400 });
    expect(answer.status?.fieldViolations.map((violation) => violation.field)).toEqual([
      'vendor.biosec.v1.scopes.CreateScopeRequest.scope_id',
      'vendor.biosec.v1.scopes.CreateScopeRequest.details.description',
    ]);
    expect((await client.createScope({ scopeId: 'bug' })).status?.statusCode).toBe(StatusCode.INTERNAL_ERROR);
  });

  it('uses gRPC codes for the token', async () => {
    await expect(client.createScope({}, { token: null })).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
    await expect(client.createScope({}, { token: 'other-token' })).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
    });
  });

  it('brings field masks and enums into the same form as REST', async () => {
    await client.updateScopeDetails({
      fieldMask: { paths: ['details.customer_name', 'customerName', 'details'] },
    });
    expect(seen.requests.at(-1)?.['fieldMask']).toMatchObject({ paths: ['customer_name', '*'] });
    const answer = await client.createScope({ scopeProfile: 999 as never });
    expect(answer.status?.fieldViolations[0]?.field).toBe(
      'vendor.biosec.v1.scopes.CreateScopeRequest.scope_profile',
    );
  });

  it('answers bytes that are no message in the body', async () => {
    const answer = await callRaw('CreateScope', Buffer.from([0x0a, 0x05, 0x01]));
    expect(answer.status?.statusCode).toBe(StatusCode.BAD_REQUEST);
    const invalidUtf8 = await callRaw('CreateScope', Buffer.from([0x0a, 0x01, 0xff]));
    expect(invalidUtf8.status?.statusCode).toBe(StatusCode.BAD_REQUEST);
  });

  const message = framed(Buffer.from([0x0a, 1, 0x61]));
  const zipped = framed(gzipSync(Buffer.from([0x0a, 1, 0x61])), { compressed: true });
  it.each<[string, readonly Buffer[], Record<string, string>?]>([
    ['in one piece', [message]],
    ['in two', [message.subarray(0, 3), message.subarray(3)]],
    ['byte by byte', [...message].map((byte) => Buffer.from([byte]))],
    ['with another behind it, which nobody wants', [Buffer.concat([message, message])]],
    ['compressed', [zipped], { 'grpc-encoding': 'gzip' }],
  ])('takes a message that comes %s', async (_how, frames, headers = {}) => {
    const session = dial(server.grpcAddress);
    const path = `/${ScopesManager.typeName}/CreateScope`;
    const answer = await sendRawGrpc(session, path, { frames, headers, end: true });
    session.destroy();
    expect([answer.status, answer.message]).toEqual([0, '']);
    expect(fromBinary(CreateScopeResponseSchema, answer.bytes.subarray(5)).gkScopeId?.value).toBe('gk-a');
  });

  it.each([
    ['nothing', [], status.UNIMPLEMENTED],
    ['half a prefix', [message.subarray(0, 3)], status.INVALID_ARGUMENT],
    ['half a message', [message.subarray(0, 6)], status.INVALID_ARGUMENT],
    ['no frame', [Buffer.from('no frame of gRPC')], status.INVALID_ARGUMENT],
  ])('refuses a call that brings %s', async (_what, frames, code) => {
    const session = dial(server.grpcAddress);
    const path = `/${ScopesManager.typeName}/CreateScope`;
    expect((await sendRawGrpc(session, path, { frames, end: true })).status).toBe(code);
    session.destroy();
  });

  it('refuses a message beyond the limit', async () => {
    await expect(client.createScope({ scopeId: 'x'.repeat(200_000) })).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
    });
  });

  it('aborts the signal when the deadline of the caller passes', async () => {
    await expect(client.createScope({ scopeId: 'endless' }, { deadlineMs: 1000 })).rejects.toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    });
    const call = seen.calls.at(-1);
    expect(call?.deadlineAtMs).toBeTypeOf('number');
    await expect.poll(() => call?.signal.aborted).toBe(true);
  });

  it('knows no other method', async () => {
    await expect(callRaw('Nothing', Buffer.alloc(0))).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });
});

describe('bidirectional streams', () => {
  it('answers while requests arrive, and ends with an in-body failure', async () => {
    const stream = raw.makeBidiStreamRequest(
      `/${AuditDataExporter.typeName}/ExportRecords`,
      serializerFor(ExportRecordsRequestSchema),
      deserializerFor(ExportRecordsResponseSchema),
      callMetadata(),
    );
    const answers: ExportRecordsResponse[] = [];
    const ended = new Promise((resolve) => stream.on('status', resolve));
    stream.on('data', (answer: ExportRecordsResponse) => {
      answers.push(answer);
      if (answers.length === 1) stream.write({ request: { case: 'exportIteratorRequest', value: {} } });
      if (answers.length === 2) stream.write({});
    });
    stream.write({ request: { case: 'startExport', value: {} } });
    expect(await ended).toMatchObject({ code: status.OK });
    expect(answers.map((answer) => answer.exportResponse?.iterator)).toEqual([
      'after startExport',
      'after exportIteratorRequest',
      '',
    ]);
    expect(answers.map((answer) => answer.exportResponse?.status?.statusCode)).toEqual([
      StatusCode.OK,
      StatusCode.OK,
      StatusCode.INVALID_REQUEST,
    ]);
  });

  it('tells the handler when the caller goes away', async () => {
    const before = seen.calls.length;
    const stream = raw.makeBidiStreamRequest(
      `/${AuditDataExporter.typeName}/ExportRecordsWithPersonalData`,
      (bytes: Buffer) => bytes,
      deserializerFor(ExportRecordsResponseSchema),
      callMetadata(),
    );
    stream.on('error', () => {});
    await new Promise((resolve) => stream.once('data', resolve));
    stream.cancel();
    await expect.poll(() => seen.calls.length).toBe(before + 1);
  });

  it('refuses a stream without a token', async () => {
    const stream = raw.makeBidiStreamRequest(
      `/${AuditDataExporter.typeName}/ExportRecords`,
      serializerFor(ExportRecordsRequestSchema),
      deserializerFor(ExportRecordsResponseSchema),
      new Metadata(),
    );
    stream.on('data', () => {});
    const error = await new Promise((resolve) => stream.on('error', resolve));
    expect(error).toMatchObject({ code: status.UNAUTHENTICATED });
  });
});

describe('what a generic client needs', () => {
  it.each(['v1', 'v1alpha'] as const)(
    'lists services and gives their descriptors over reflection %s',
    async (version) => {
      const services = await reflect(version, { case: 'listServices', value: '' });
      const names = (services['service'] as { name: string }[]).map((service) => service.name);
      expect(names.sort()).toEqual([AuditDataExporter.typeName, ScopesManager.typeName].sort());

      // From here on only what reflection said is used, as grpcurl would.
      const registry = await registryFromReflection(version, ScopesManager.typeName);
      const method = registry.getService(ScopesManager.typeName)?.method['createScope'];
      if (!method) throw new Error('the method is not in the descriptors');
      const bytes = await new Promise<Buffer>((resolve, reject) => {
        const request = Buffer.from(
          toBinary(method.input, create(method.input, { scopeId: 'generic' } as never)),
        );
        const same = (value: Buffer): Buffer => value;
        raw.makeUnaryRequest(
          `/${ScopesManager.typeName}/CreateScope`,
          same,
          same,
          request,
          callMetadata(),
          (error, answer) => (error ? reject(error) : resolve(answer as Buffer)),
        );
      });
      expect(fromBinary(method.output, bytes)).toMatchObject({ gkScopeId: { value: 'gk-generic' } });
    },
  );

  it('says so when a symbol is unknown', async () => {
    expect(await reflect('v1', { case: 'fileContainingSymbol', value: 'no.such.Thing' })).toMatchObject({
      errorCode: status.NOT_FOUND,
    });
  });

  it('finds the HTTP annotation by its extension number', async () => {
    const answer = await reflect('v1', {
      case: 'fileContainingExtension',
      value: { containingType: 'google.protobuf.MethodOptions', extensionNumber: 72295728 },
    });
    expect(answer['fileDescriptorProto']).not.toHaveLength(0);
  });

  it('answers the standard health check', async () => {
    const check = healthService['Check'] as unknown as {
      path: string;
      requestSerialize(value: object): Buffer;
      responseDeserialize(bytes: Buffer): { status: string };
    };
    const ask = (name: string): Promise<{ status: string }> =>
      new Promise((resolve, reject) =>
        raw.makeUnaryRequest(
          check.path,
          check.requestSerialize,
          check.responseDeserialize,
          { service: name },
          (error, answer) => (error ? reject(error) : resolve(answer as { status: string })),
        ),
      );
    expect((await ask('')).status).toBe('SERVING');
    expect((await ask(ScopesManager.typeName)).status).toBe('SERVING');
    await expect(ask('no.such.Service')).rejects.toMatchObject({ code: status.NOT_FOUND });
  });
});

describe('TLS', () => {
  const file = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

  it('serves both listeners with the same certificate', async () => {
    const secure = await startTestServer({
      bare: true,
      bindings: [echoScopes().binding],
      config: { 'tls.key': file('key.pem'), 'tls.cert': file('cert.pem') },
      ca: readFileSync(file('cert.pem'), 'utf8'),
    });
    try {
      expect((await secure.grpc(ScopesManager).createScope({ scopeId: 'tls' })).gkScopeId?.value).toBe(
        'gk-tls',
      );
      expect(secure.httpUrl).toMatch(/^https:/);
      const { request } = await import('node:https');
      const code = await new Promise((resolve, reject) => {
        request(`${secure.httpUrl}/healthz`, { ca: readFileSync(file('cert.pem')) }, (answer) =>
          resolve(answer.resume().statusCode),
        )
          .on('error', reject)
          .end();
      });
      expect(code).toBe(200);
    } finally {
      await secure.stop();
    }
  });
});

async function callRaw(method: string, bytes: Buffer) {
  const output = ScopesManager.method.createScope.output;
  return new Promise<ReturnType<ReturnType<typeof deserializerFor<typeof output>>>>((resolve, reject) => {
    raw.makeUnaryRequest(
      `/${ScopesManager.typeName}/${method}`,
      (value: Buffer) => value,
      deserializerFor(output),
      bytes,
      callMetadata(),
      (error, answer) => (error ? reject(error) : resolve(answer as never)),
    );
  });
}

async function reflect(
  version: 'v1' | 'v1alpha',
  messageRequest: { case: string; value: unknown },
): Promise<Record<string, unknown>> {
  const protocol = reflectionProtocol(version);
  const stream = raw.makeBidiStreamRequest(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    serializerFor(protocol.request) as (value: object) => Buffer,
    deserializerFor(protocol.response),
    new Metadata(),
  );
  stream.write({ messageRequest });
  const answer = await new Promise<{ messageResponse: { value: Record<string, unknown> } }>(
    (resolve, reject) => {
      stream.once('data', resolve);
      stream.once('error', reject);
    },
  );
  stream.end();
  return answer.messageResponse.value;
}

async function registryFromReflection(version: 'v1' | 'v1alpha', symbol: string): Promise<FileRegistry> {
  const answer = await reflect(version, { case: 'fileContainingSymbol', value: symbol });
  const file = (answer['fileDescriptorProto'] as Uint8Array[]).map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, bytes),
  );
  return createFileRegistry(create(FileDescriptorSetSchema, { file: file.reverse() }));
}
