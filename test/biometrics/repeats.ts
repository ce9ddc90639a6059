// Every operation that takes an idempotency key, sent again under its key, over the other transport: the first answer, and
// nothing is done. And where the answer cannot be kept, nothing is done at all. For suites that have a server and a tenant.
import {
  fromBinary,
  fromJson,
  toBinary,
  type DescMethod,
  type DescService,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.js';
import { takesKey } from '../../src/transport/dispatch/keyed-calls.js';
import type { GrpcClient, TestServer } from '../support/server.js';
import { send } from './calls.js';
import { cases, services, type Json, type TenantFixture } from './requests.js';
import { stateOf } from './state.js';
import { utterance } from './support.js';

export interface Given {
  server: TestServer;
  fixture: TenantFixture;
  database: Database;
}

type Entry = readonly [name: string, service: DescService, method: DescMethod];

const keyed: Entry[] = services.flatMap((service) =>
  service.methods.filter(takesKey).map((method): Entry => [method.name, service, method]),
);

/** Of the other services, those that make something without a person or a live call behind them. */
const others: readonly (readonly [name: string, path: string, body: (fixture: TenantFixture) => Json])[] = [
  [
    'CreateScope',
    '/v1/scopes',
    (fixture) => ({
      scope_id: fixture.fresh('tenant'),
      scope_profile: 'SCOPE_PROFILE_DEFAULT',
      expected_persons_number: 1,
    }),
  ],
  [
    'UploadAudio',
    '/v1/x/audios',
    ({ context }) => ({ context, audio: Buffer.from(utterance('anna', 1)).toString('base64') }),
  ],
];

export function describeRepeats(given: () => Given): void {
  describe('sent again under its key', () => {
    it.each(keyed)('%s gets the first answer', async (name, service, method) => {
      const { server, fixture, database } = given();
      const request = await requestOf(name, fixture);
      const under = underKey(server, randomUUID());
      const first = await send(under, 'REST', service, method, request);
      expect(first.code, JSON.stringify(first.body)).toBe('OK');
      await cases[name]?.settled?.(fixture, request, first.body);
      const before = await stateOf(database, fixture.platform.gkScopeId);
      const again = await send(under, 'gRPC', service, method, request);
      expect(messageOf(method, again.body)).toEqual(messageOf(method, first.body));
      expect(await stateOf(database, fixture.platform.gkScopeId)).toEqual(before);
    });
  });

  describe('sent again under its key', () => {
    it.each(others)('%s gets the first answer, too', async (_name, path, bodyOf) => {
      const { server, fixture, database } = given();
      const body = bodyOf(fixture);
      const key = randomUUID();
      const post = () => underKey(server, key).rest('POST', path, { body });
      const state = async () => [
        await stateOf(database, fixture.platform.gkScopeId),
        await stateOf(database, 'system'),
      ];
      const refused = await server.rest('POST', path, { body, headers: { 'idempotency-key': 'no key' } });
      expect(refused.status).toBe(400);
      const first = await post();
      expect(first.body.status.statusCode, JSON.stringify(first.body)).toBe('OK');
      const before = await state();
      const again = await post();
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await state()).toEqual(before);
    });
  });

  describe('whose answer cannot be kept', () => {
    beforeAll(() => refuseAnswers(given().database));
    afterAll(() => keepAnswers(given().database));

    it.each(keyed)('%s leaves nothing behind', async (name, service, method) => {
      const { server, fixture, database } = given();
      const request = await requestOf(name, fixture);
      const before = await stateOf(database, fixture.platform.gkScopeId);
      const answer = await send(underKey(server, randomUUID()), 'gRPC', service, method, request);
      expect(answer.code, JSON.stringify(answer.body)).toBe('INTERNAL_ERROR');
      expect(await stateOf(database, fixture.platform.gkScopeId)).toEqual(before);
    });
  });
}

/** What an answer says, however many digits its text has. */
function messageOf({ output }: DescMethod, body: Json): Message {
  return fromBinary(output, toBinary(output, fromJson(output, body as JsonValue)));
}

async function requestOf(name: string, fixture: TenantFixture): Promise<Json> {
  const entry = cases[name];
  if (!entry) throw new Error(`${name} has no valid request`);
  return { context: fixture.context, ...(await entry.request(fixture)) };
}

const keyOf = new WeakMap<TestServer, { now: string; server: TestServer }>();

/** The same server, whose calls carry a key; one connection per service, whatever the key. */
export function underKey(server: TestServer, key: string): TestServer {
  const known = keyOf.get(server) ?? {
    now: key,
    server: withKey(server, () => keyOf.get(server)?.now ?? key),
  };
  known.now = key;
  keyOf.set(server, known);
  return known.server;
}

function withKey(server: TestServer, key: () => string): TestServer {
  return {
    ...server,
    rest: (method, path, options = {}) =>
      server.rest(method, path, {
        ...options,
        headers: { ...options.headers, 'idempotency-key': key() },
      }),
    grpc: <S extends DescService>(service: S): GrpcClient<S> => {
      const client = server.grpc(service) as unknown as Record<string, AnyCall>;
      const call = (name: string) => (request: object) =>
        client[name]?.(request, { metadata: { 'idempotency-key': key() } });
      return Object.fromEntries(
        service.methods.map(({ localName }) => [localName, call(localName)]),
      ) as unknown as GrpcClient<S>;
    },
  };
}

type AnyCall = (request: object, options: object) => Promise<unknown>;

async function refuseAnswers({ db, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`create trigger no_answers before insert on kept_answers begin select raise(abort, 'no room'); end`.execute(
      db,
    );
    return;
  }
  await sql`create function no_answers() returns trigger as $$ begin raise 'no room'; end $$ language plpgsql`.execute(
    db,
  );
  await sql`create trigger no_answers before insert on kept_answers for each row execute function no_answers()`.execute(
    db,
  );
}

async function keepAnswers({ db, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') await sql`drop trigger no_answers`.execute(db);
  else await sql`drop function no_answers() cascade`.execute(db);
}
