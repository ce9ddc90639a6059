// Roles from outside: every operation on voice data, asked for with every role and every scope, allows exactly what the
// table in docs/guides/running-it-for-a-company.md promises.
import type { DescService } from '@bufbuild/protobuf';
import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditorRights, scopePermissions, tenantRights, tenantRoles } from '../../src/auth/roles.js';
import type { Caller } from '../../src/platform.js';
import { operationPermissions } from '../../src/transport/access.js';
import { startTestServer, type TestServer } from '../support/server.js';

const generated = new URL('../../src/gen/', import.meta.url);
const files = readdirSync(generated, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^(vendor|voxgate)\/(batch|biosec|live|events)\/.*_pb\.ts$/.test(name),
);
const modules = await Promise.all(files.map((name) => import(new URL(name, generated).pathname)));
const services = modules
  .flatMap((module) => Object.values(module as Record<string, unknown>))
  .filter((each): each is DescService => (each as { kind?: string } | null)?.kind === 'service');

const TENANT = 'tenant-of-ours';
const GUIDE = readFileSync(new URL('../../docs/guides/running-it-for-a-company.md', import.meta.url), 'utf8');

/** Role -> permissions, as the guide has them. */
const promised = ((): Map<string, Set<string>> => {
  const rows = GUIDE.split('\n').filter((line) => /^\| `(voice|tenants|agents)\./.test(line));
  return new Map(
    tenantRoles.map((role, column) => [
      role,
      new Set(
        rows
          .map((line) => line.split('|').map((cell) => cell.trim()))
          .filter((cells) => cells[column + 2] === 'yes')
          .map((cells) => /`([^`]+)`/.exec(cells[1] ?? '')?.[1] ?? ''),
      ),
    ]),
  );
})();

const base: Caller = { subject: 's', issuer: 'i', clientId: 'c', scopes: [], tenants: [] };
const person = (rights: Caller['rights'], more: Partial<Caller> = {}): Caller => ({
  ...base,
  userId: 'u',
  scopes: ['platform-api'],
  tenants: [TENANT],
  ...(rights ? { rights } : {}),
  ...more,
});
const callers: Record<string, Caller> = {
  ...Object.fromEntries(
    tenantRoles.map((role) => [role, person(tenantRights([{ tenantId: TENANT, role }]))]),
  ),
  'installation-auditor': person(auditorRights, { tenants: 'all', readOnly: true }),
  ...Object.fromEntries(
    [...Object.keys(scopePermissions), 'asr'].map((scope) => [
      scope,
      { ...base, appId: 'a', scopes: [scope], tenants: [TENANT] },
    ]),
  ),
};

const held = (who: string): ReadonlySet<string> =>
  promised.get(who === 'installation-auditor' ? 'auditor' : who) ?? scopePermissions[who] ?? new Set();

const textOf = (message: object): string =>
  JSON.stringify(message, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ callers, config: { 'engine.workers': 1 } });
});
afterAll(() => server.stop());

it('every operation on voice data has a line in the table, and no line is left over', () => {
  const existing = services.flatMap((service) =>
    service.methods.map((method) => `${service.typeName}/${method.name}`),
  );
  const listed = Object.entries(operationPermissions).flatMap(([service, methods]) =>
    Object.keys(methods).map((method) => `${service}/${method}`),
  );
  expect(listed.sort()).toEqual(existing.sort());
});

it('the sum of the parts is the whole of biosec, and what only people do is in none', () => {
  const parts = Object.keys(scopePermissions).filter((scope) => scope !== 'biosec');
  const sum = new Set(parts.flatMap((scope) => [...(scopePermissions[scope] ?? [])]));
  expect([...(scopePermissions['biosec'] ?? [])].sort()).toEqual([...sum].sort());
  expect(sum).not.toContain('agents.state');
});

describe.each(Object.keys(callers))('%s', (who) => {
  it('may do exactly what is promised', async () => {
    const allowed: string[] = [];
    for (const service of services) {
      const client = server.grpc(service) as unknown as Record<
        string,
        (request: object, options: object) => Promise<object>
      > & { close(): void };
      for (const method of service.methods) {
        // Streams are opened as unary calls here: a refusal comes before anything is read.
        const answer = await client[method.localName]!({}, { token: who }).then(
          (message) => textOf(message).includes('ROLE_NOT_SUFFICIENT'),
          (error: { code: number; details: string }) => error.code === 7,
        );
        if (!answer) allowed.push(`${service.typeName}/${method.name}`);
      }
      client.close();
    }
    const expected = Object.entries(operationPermissions).flatMap(([service, methods]) =>
      Object.entries(methods)
        .filter(([, asked]) => asked.some((permission) => held(who).has(permission)))
        .map(([method]) => `${service}/${method}`),
    );
    expect(allowed.sort()).toEqual(expected.sort());
  });
});

it('a role in one tenant says nothing about another', async () => {
  const answer = await server.rest('GET', '/v1/scopes/elsewhere', { token: 'owner' });
  expect(answer.status).toBe(403);
});
