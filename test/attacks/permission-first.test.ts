// Whoever may not do something learns nothing of what would be wrong with their request: permission is decided before fields are
// looked at, in operations on the installation, on applications and in tenants, on both transports.
import type { DescService } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationsManager, ApplicationRole } from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { StatusCode, type Status } from '../../src/gen/vendor/rpc/status_pb.js';
import { tenantRights } from '../../src/auth/roles.js';
import type { Caller } from '../../src/platform.js';
import { installationAccess } from '../../src/transport/installation-access.js';
import { contractFiles } from '../gen/contract-files.js';
import { faultyFields, startManagementServer, type ManagementServer } from '../management/support.js';
import { startTestServer, type GrpcClient, type TestServer } from '../support/server.js';

type Answer = { status?: Status };
type AnyClient = Record<string, (request: object, options: object) => Promise<Answer>> & { close(): void };

const services = contractFiles.flatMap((file) => file.services);
const isManagement = ({ typeName }: DescService): boolean => typeName.startsWith('voxgate.management.');

/** For everybody, each for what is theirs; or decided by what the request names. */
const forEverybody = [
  'ApplicationsManager/CreateApplication',
  'ApplicationsManager/ListApplications',
  'ApplicationsManager/GetApplication',
  'ApplicationsManager/UpdateApplication',
  'ApplicationsManager/DeleteApplication',
  'ApplicationsManager/SetApplicationMember',
  'ApplicationsManager/RemoveApplicationMember',
  'ApplicationsManager/CreateEnvironment',
  'ApplicationsManager/ListEnvironments',
  'ApplicationsManager/GetEnvironment',
  'ApplicationsManager/UpdateEnvironment',
  'ApplicationsManager/DeleteEnvironment',
  'ApplicationsManager/CreateClient',
  'ApplicationsManager/ListClients',
  'ApplicationsManager/GetClient',
  'ApplicationsManager/UpdateClient',
  'ApplicationsManager/DeleteClient',
  'ApplicationsManager/RegenerateClientSecret',
  'ApplicationsManager/LockClient',
  'ApplicationsManager/UnlockClient',
  'ApplicationsManager/SetClientKeys',
  'ApplicationsManager/SetClientCertificate',
  'ApplicationsManager/DeleteClientKeys',
  'ApplicationsManager/GetClientConfig',
  'ApplicationsManager/BuildUrn',
  'ApplicationsManager/ParseUrn',
  'EventLog/ListEvents',
  'EventLog/ListRequests',
  'SystemManager/GetSystemInfo',
  'UsersManager/GetUser',
  'UsersManager/GetMe',
  'UsersManager/SignOutEverywhere',
  'UsersManager/ListToolingCredentials',
  'UsersManager/DeleteToolingCredential',
];
const forThemselves = Object.entries(installationAccess).flatMap(([service, methods]) =>
  Object.entries(methods)
    .filter(
      ([, installationRule]) =>
        installationRule === installationAccess['voxgate.management.v1.UsersManager']!['UpdateMe'],
    )
    .map(([method]) => `${service}/${method}`),
);

const shortName = (service: DescService, method: string): string =>
  `${service.typeName.split('.').at(-1)}/${method}`;

it('every management operation says for whom it is', () => {
  const listed = Object.entries(installationAccess).flatMap(([service, methods]) =>
    Object.keys(methods).map((method) => `${service.split('.').at(-1)}/${method}`),
  );
  const existing = services
    .filter(isManagement)
    .flatMap((service) => service.methods.map(({ name }) => shortName(service, name)));
  expect([...listed.filter((name) => !name.startsWith('ScopesManager/')), ...forEverybody].sort()).toEqual(
    existing.sort(),
  );
});

/** They have a store of their own, and servers of the management tests are without it. */
const ofTenants = ({ typeName }: DescService): boolean => /\.(Scopes|Tenants)Manager$/.test(typeName);

/** Whoever holds the token is refused everything in this service that is not for everybody. */
async function expectRefused(server: TestServer, service: DescService, token: string): Promise<void> {
  const client = server.grpc(service) as unknown as AnyClient;
  for (const { name, localName } of service.methods) {
    const path = `${service.typeName}/${name}`;
    if (!installationAccess[service.typeName]?.[name] || forThemselves.includes(path)) continue;
    const { status } = await client[localName]!({}, { token });
    expect([path, StatusCode[status!.statusCode], faultyFields(status)]).toEqual([
      path,
      'PERMISSION_DENIED',
      [],
    ]);
  }
  client.close();
}

describe('in the installation', () => {
  let server: ManagementServer;
  let grpc: GrpcClient<typeof ApplicationsManager>;
  let admin: string;
  let member: string;
  let auditor: string;
  let named: { application_id: string; app_id: string; client_id: string };
  beforeAll(async () => {
    server = await startManagementServer();
    grpc = server.grpc(ApplicationsManager);
    admin = (await server.person('admin', 'administrator')).token;
    const { user, token } = await server.person('member', 'member');
    member = token;
    auditor = (await server.person('auditor', 'auditor')).token;
    const made = await grpc.createApplication(
      { name: 'Bank', environments: [{ name: 'development', geographies: ['us'] }] },
      { token: admin },
    );
    const { applicationId } = made.application!;
    const { appId, clientId } = made.clients[0]!.client!;
    named = { application_id: applicationId, app_id: appId, client_id: clientId };
    const role = ApplicationRole.AUDITOR;
    await grpc.setApplicationMember({ applicationId, userId: user.userId, role }, { token: admin });
  });
  afterAll(() => server.stop());

  it('members learn nothing of the fields of what is for administrators', async () => {
    for (const service of services.filter((each) => isManagement(each) && !ofTenants(each)))
      await expectRefused(server, service, member);
    const rest = await server.rest('POST', '/v1/management/users', { token: member, rawBody: '{"rol' });
    expect(rest.status).toBe(403);
  });

  it('an auditor of an application learns nothing of the fields of what is for its owners', async () => {
    const ownersOnly = forEverybody.filter((name) =>
      /\/(Update|Delete|Set|Remove|Create|Regenerate|Lock|Unlock)\w*(Application|Member|Environment|Client\w*)$/.test(
        name,
      ),
    );
    expect(ownersOnly).toHaveLength(17);
    const request = {
      applicationId: named.application_id,
      appId: named.app_id,
      clientId: named.client_id,
      overlapSeconds: -1,
    };
    for (const name of ownersOnly) {
      const method = ApplicationsManager.methods.find((each) => name.endsWith(`/${each.name}`))!;
      const known = Object.fromEntries(
        Object.entries(request).filter(([field]) => field in method.input.field),
      );
      const call = (grpc as unknown as AnyClient)[method.localName]!;
      for (const token of [member, auditor]) {
        const { status } = await call.call(grpc, known, { token });
        expect([name, StatusCode[status!.statusCode]]).toEqual([name, 'PERMISSION_DENIED']);
      }
    }
  });
});

describe('in a tenant', () => {
  const client: Caller = {
    subject: 'c',
    issuer: 'i',
    clientId: 'c',
    appId: 'a',
    scopes: ['biosec'],
    tenants: ['ours'],
  };
  let server: TestServer;
  beforeAll(async () => {
    const rights = tenantRights([{ tenantId: 'ours', role: 'developer' }]);
    const developer = { ...client, userId: 'u', scopes: ['platform-api'], rights };
    server = await startTestServer({ callers: { client, developer }, config: { 'engine.workers': 1 } });
  });
  afterAll(() => server.stop());

  const inTenants = services.flatMap((service) =>
    service.methods
      .filter(
        ({ methodKind, name, input }) =>
          methodKind === 'unary' && 'context' in input.field && !installationAccess[service.typeName]?.[name],
      )
      .map((method) => ({ service, method })),
  );

  it('a client learns nothing of the fields of requests for another tenant', async () => {
    expect(inTenants.length).toBeGreaterThan(100);
    const context = { gkScopeId: { value: 'elsewhere' }, gkSessionId: { value: 'nul \0' } };
    for (const { service, method } of inTenants) {
      const grpc = server.grpc(service) as unknown as AnyClient;
      const { status } = await grpc[method.localName]!({ context }, { token: 'client' });
      const path = `${service.typeName}/${method.name}`;
      expect([path, StatusCode[status!.statusCode], faultyFields(status)]).toEqual([
        path,
        'PERMISSION_DENIED',
        ['context.gk_scope_id'],
      ]);
      grpc.close();
    }
  });

  it('and nobody but administrators of what changes tenants', async () => {
    for (const service of services.filter(ofTenants)) await expectRefused(server, service, 'developer');
  });

  it('nor over REST, with a name that is misspelt', async () => {
    const body = { context: { gk_scope_id: { value: 'elsewhere' } }, gk_media_segmentid: 'x' };
    const { status, body: answer } = await server.rest('POST', '/v1/audios/process', {
      token: 'client',
      body,
    });
    expect(status).toBe(403);
    expect(answer.status.fieldViolations).toHaveLength(1);
    expect(JSON.stringify(answer)).not.toContain('segment');
  });
});
