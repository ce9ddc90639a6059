// The server side of bench/rpc.ts, in its own process: our server, a bare grpc-js server and a bare fastify
// server. All answer the same operation; the bare ones do nothing else.
import { toBinary, create } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { fastify } from 'fastify';
import { openSync } from 'node:fs';
import { configWith } from '../src/config.js';
import { AppError } from '../src/errors.js';
import { CreateScopeResponseSchema, ScopesManager } from '../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { createLog } from '../src/compose/log.js';
import { systemClock, systemIds, type Caller } from '../src/platform.js';
import { createTransportServer } from '../src/transport/server.js';
import { bindService, type Handlers } from '../src/transport/service.js';

export interface BenchAddresses {
  ourGrpc: string;
  ourRest: string;
  bareGrpc: string;
  bareRest: string;
}

const caller: Caller = {
  subject: 'bench',
  issuer: 'bench',
  clientId: 'bench',
  scopes: ['biosec'],
  tenants: 'all',
};
const answer = { gkScopeId: { value: '7a0e0c9e-4c83-4f0c-a0a0-1f6a3d2b9c55' } };

function ourServer() {
  const handlers = Object.fromEntries(
    ScopesManager.methods.map((method) => [method.localName, async () => answer]),
  );
  const config = configWith({ 'http.address': '127.0.0.1:0', 'grpc.address': '127.0.0.1:0' });
  // The log is written as in production, only to nowhere.
  const { log, logCall } = createLog({ level: 'info', pretty: false }, openSync('/dev/null', 'w'));
  return createTransportServer(
    {
      http: config.http.address,
      grpc: config.grpc.address,
      trustedProxies: false,
      limits: config.limits,
      version: 'bench',
    },
    {
      bindings: [
        bindService(
          ScopesManager,
          { anyOf: ['biosec'] },
          handlers as unknown as Handlers<typeof ScopesManager>,
        ),
      ],
      routes: [],
      readiness: [],
      authenticate: async ({ authorization }) => {
        if (authorization !== 'Bearer bench') throw new AppError('UNAUTHENTICATED', 'the token is not valid');
        return caller;
      },
      log,
      logCall,
      clock: systemClock,
      ids: systemIds,
    },
  );
}

async function bareGrpc(): Promise<string> {
  const bytes = Buffer.from(toBinary(CreateScopeResponseSchema, create(CreateScopeResponseSchema, answer)));
  const same = (value: Buffer): Buffer => value;
  const server = new Server();
  server.addService(
    {
      CreateScope: {
        path: `/${ScopesManager.typeName}/CreateScope`,
        requestStream: false,
        responseStream: false,
        requestDeserialize: same,
        requestSerialize: same,
        responseDeserialize: same,
        responseSerialize: same,
      },
    },
    {
      CreateScope: (_call: ServerUnaryCall<Buffer, Buffer>, respond: sendUnaryData<Buffer>) =>
        respond(null, bytes),
    },
  );
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
}

async function bareRest(): Promise<string> {
  const http = fastify();
  http.post('/v1/scopes', async () => answer);
  return http.listen({ host: '127.0.0.1', port: 0 });
}

const ours = await ourServer().start();
const addresses: BenchAddresses = {
  ourGrpc: ours.grpcAddress,
  ourRest: new URL(ours.httpUrl).host,
  bareGrpc: await bareGrpc(),
  bareRest: new URL(await bareRest()).host,
};
process.send?.({ addresses });
process.on('message', (message) => {
  if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit(0));
