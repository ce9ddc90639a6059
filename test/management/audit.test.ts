// The audit trail of the installation, read over gRPC, over REST and at the command line, with filters.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { SystemManager } from '../../src/gen/voxgate/management/v1/system_pb.js';
import { voxgate } from '../cli/run-voxgate.js';
import type { GrpcClient } from '../support/server.js';
import { startManagementServer, type ManagementServer } from './support.js';

const PATH = '/v1/management/audit/records';
let home: string;
let server: ManagementServer;
let grpc: GrpcClient<typeof SystemManager>;
let admin: Awaited<ReturnType<ManagementServer['person']>>;
let member: Awaited<ReturnType<ManagementServer['person']>>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'voxgate-audit-'));
  server = await startManagementServer({ home });
  grpc = server.grpc(SystemManager);
  admin = await server.person('anna', 'administrator');
  member = await server.person('mia', 'member');
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

it('is listed newest first, in pages, and filtered by operation, actor, target, time and text', async () => {
  const token = admin.token;
  const all = await grpc.listSystemAuditRecords({}, { token });
  const sequences = all.records.map(({ sequence }) => Number(sequence));
  expect(sequences).toEqual([...sequences].sort((a, b) => b - a));
  const first = await grpc.listSystemAuditRecords({ pageSize: 2 }, { token });
  const second = await grpc.listSystemAuditRecords(
    { pageSize: 2, pageToken: first.nextPageToken },
    { token },
  );
  expect([...first.records, ...second.records].map(({ sequence }) => Number(sequence))).toEqual(
    sequences.slice(0, 4),
  );
  const made = await grpc.listSystemAuditRecords({ operation: ['user.create'] }, { token });
  expect(made.records.map(({ targetId, targetType }) => [targetType, targetId])).toEqual([
    ['user', member.user.userId],
    ['user', admin.user.userId],
  ]);
  const byMia = await server.rest('GET', `${PATH}?actor=mia`, { token });
  expect(byMia.body.records).toMatchObject([
    { operation: 'client.create', actor: member.user.userId, actorUsername: 'mia', clientId: 'console' },
  ]);
  const aboutMia = await server.rest('GET', `${PATH}?targetId=${member.user.userId}`, { token });
  expect(aboutMia.body.records).toHaveLength(1);
  const later = new Date(server.clock.now() + 60_000).toISOString();
  expect((await server.rest('GET', `${PATH}?startTime=${later}`, { token })).body.records).toBeUndefined();
  // What she did is found by her name, too, and what was done to her says it.
  const searched = await grpc.listSystemAuditRecords({ query: 'MIA' }, { token });
  expect(searched.records.map((found) => [found.operation, found.actorUsername, found.targetName])).toEqual([
    ['client.create', 'mia', expect.any(String)],
    ['user.create', '', member.user.displayName || 'mia'],
  ]);
  // By the name that lists show, too.
  const path = `/v1/management/users/${member.user.userId}`;
  const named = { displayName: 'Mia Privacy', fieldMask: 'displayName' };
  expect((await server.rest('PATCH', path, { token, body: named })).status).toBe(200);
  const byName = await server.rest('GET', `${PATH}?actor=mia%20privacy`, { token });
  expect(byName.body.records).toEqual(byMia.body.records);
});

it('is for administrators and auditors only, and names what is wrong with a request', async () => {
  const refused = await grpc.listSystemAuditRecords({}, { token: member.token });
  expect(refused.status?.statusCode).toBe(StatusCode.PERMISSION_DENIED);
  expect(
    (await server.rest('POST', '/v1/management/audit/verification', { token: member.token })).status,
  ).toBe(403);
  for (const wrong of ['pageSize=-1', 'pageToken=x', `query=${'x'.repeat(300)}`])
    expect((await server.rest('GET', `${PATH}?${wrong}`, { token: admin.token })).status, wrong).toBe(400);
});

it('proves that it is whole', async () => {
  const { intact, recordsChecked, headHash } = await grpc.verifySystemAudit({}, { token: admin.token });
  expect(intact).toBe(true);
  expect(Number(recordsChecked)).toBeGreaterThan(3);
  expect(headHash).toMatch(/^[0-9a-f]{64}$/);
});

it('is listed at the command line', async () => {
  const { out } = await voxgate(home, 'audit', 'list', '--operation', 'user.create', '--json');
  expect(JSON.parse(out).records).toHaveLength(2);
  const lines = (await voxgate(home, 'audit', 'list', '--limit', '1', '--actor', member.user.userId)).out;
  expect(lines).toMatch(/client\.create/);
  const wrong = await voxgate(home, 'audit', 'list', '--since', 'yesterday');
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('--since') });
  const many = await voxgate(home, 'audit', 'list', '--limit', '1001');
  expect(many).toMatchObject({ code: 1, err: expect.stringContaining('from 1 to 1000') });
});
