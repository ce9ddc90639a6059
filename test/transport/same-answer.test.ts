// The same request by gRPC, by REST and by the older REST paths gives the same answer, on a real operation
// with real storage behind it.
import { toJson, type DescMessage, type JsonObject, type Message } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScopeProfile, ScopeState, ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { startTestServer, type GrpcClient, type TestServer } from '../support/server.js';

let server: TestServer;
let client: GrpcClient<typeof ScopesManager>;

beforeAll(async () => {
  server = await startTestServer();
  client = server.grpc(ScopesManager);
});
afterAll(() => server.stop());

/** Three ways to say the same; each gets its own scope where the operation changes something. */
const ways = ['grpc', 'rest', 'legacy'] as const;
type Way = (typeof ways)[number];
const prefix = { rest: '/v1', legacy: '/vendor/biosec/v1' };
const ids = {} as Record<Way, string>;

async function ask<M extends keyof (typeof ScopesManager)['method']>(
  way: Way,
  method: M,
  request: Parameters<GrpcClient<typeof ScopesManager>[M]>[0],
  rest: { verb: string; path: string; legacyPath?: string; body?: unknown },
): Promise<{ answer: JsonObject; http: number | undefined }> {
  if (way === 'grpc') {
    const answer = (await (client[method] as (init: unknown) => Promise<Message>)(request)) as Message;
    return {
      answer: withoutNoise(toJson(ScopesManager.method[method].output as DescMessage, answer) as JsonObject),
      http: undefined,
    };
  }
  const path = `${prefix[way]}${way === 'legacy' ? (rest.legacyPath ?? rest.path) : rest.path}`;
  const answer = await server.rest(rest.verb, path, rest.body === undefined ? {} : { body: rest.body });
  return { answer: withoutNoise(answer.body), http: answer.status };
}

/** Request ids and times differ by nature. */
function withoutNoise(answer: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) =>
      name === 'requestInfo' || name.endsWith('Timestamp') ? undefined : value,
    ),
  ) as JsonObject;
}

describe('scopes, three ways', () => {
  it('create', async () => {
    for (const way of ways) {
      const { answer } = await ask(
        way,
        'createScope',
        {
          scopeId: `tenant-${way}`,
          scopeProfile: ScopeProfile.SCOPE_PROFILE_100K,
          expectedPersonsNumber: 10,
          details: { description: 'three ways' },
        },
        {
          verb: 'POST',
          path: '/scopes',
          body: {
            scope_id: `tenant-${way}`,
            scope_profile: 'SCOPE_PROFILE_100K',
            expected_persons_number: 10,
            details: { description: 'three ways' },
          },
        },
      );
      expect(answer['status']).toEqual({ statusCode: 'OK' });
      ids[way] = (answer['gkScopeId'] as { value: string }).value;
      expect(ids[way]).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('create again is ALREADY_EXISTS everywhere', async () => {
    const answers = await Promise.all(
      ways.map((way) =>
        ask(
          way,
          'createScope',
          {
            scopeId: 'tenant-rest',
            scopeProfile: ScopeProfile.SCOPE_PROFILE_100K,
            expectedPersonsNumber: 10,
          },
          {
            verb: 'POST',
            path: '/scopes',
            body: { scopeId: 'tenant-rest', scopeProfile: 20, expectedPersonsNumber: 10 },
          },
        ),
      ),
    );
    expect(answers[0]?.answer['status']).toMatchObject({ statusCode: 'ALREADY_EXISTS', httpTransCode: 409 });
    expect(answers.map(({ answer }) => answer)).toEqual([
      answers[0]?.answer,
      answers[0]?.answer,
      answers[0]?.answer,
    ]);
    expect(answers.map(({ http }) => http)).toEqual([undefined, 409, 409]);
  });

  it('a faulty request names the same fields', async () => {
    const answers = await Promise.all(
      ways.map((way) =>
        ask(way, 'createScope', { scopeId: '' }, { verb: 'POST', path: '/scopes', body: {} }),
      ),
    );
    // The generic encoder leaves the zero violation out; ours prints it.
    const fieldsOf = (answer: JsonObject): unknown =>
      ((answer['status'] as JsonObject)['fieldViolations'] as JsonObject[]).map((one) => one['field']);
    expect(fieldsOf(answers[0]?.answer as JsonObject)).toContain(
      'vendor.biosec.v1.scopes.CreateScopeRequest.scope_id',
    );
    for (const { answer } of answers)
      expect(fieldsOf(answer)).toEqual(fieldsOf(answers[0]?.answer as JsonObject));
  });

  it('get id, read, list', async () => {
    for (const [method, request, rest] of [
      ['getGkScopeId', { scopeId: 'tenant-rest' }, { verb: 'GET', path: '/scopes/tenant-rest/gkid' }],
      ['getScopeDetails', { gkScopeId: { value: ids.rest } }, { verb: 'GET', path: `/scopes/${ids.rest}` }],
      ['getScopeDetails', { gkScopeId: { value: 'nobody' } }, { verb: 'GET', path: '/scopes/nobody' }],
      [
        'listScopes',
        { fieldMask: { paths: ['scope_id', 'gk_scope_id'] } },
        { verb: 'GET', path: '/scopes?field_mask=scopeId,gkScopeId' },
      ],
    ] as const) {
      const answers = await Promise.all(ways.map((way) => ask(way, method, request as never, rest)));
      expect(answers[1]?.answer, method).toEqual(answers[0]?.answer);
      expect(answers[2]?.answer, method).toEqual(answers[0]?.answer);
    }
  });

  it('rename, set state, update, delete', async () => {
    for (const way of ways) {
      const gkScopeId = { value: ids[way] };
      const scope = `/scopes/${ids[way]}`;
      const steps = [
        await ask(
          way,
          'renameScope',
          { gkScopeId, newScopeId: `renamed-${way}` },
          {
            verb: 'PATCH',
            path: `${scope}/scope_id`,
            legacyPath: `${scope}/rename`,
            body: { new_scope_id: `renamed-${way}` },
          },
        ),
        await ask(
          way,
          'updateScopeDetails',
          { gkScopeId, details: { customerName: 'c' }, fieldMask: { paths: ['customer_name'] } },
          {
            verb: 'PATCH',
            path: scope,
            body: { details: { customer_name: 'c' }, field_mask: 'details.customerName' },
          },
        ),
        await ask(
          way,
          'markScopeForDeletion',
          { gkScopeId },
          { verb: 'PUT', path: `${scope}/attributes/deleted` },
        ),
        await ask(
          way,
          'setScopeState',
          { gkScopeId, scopeState: ScopeState.ACTIVE },
          {
            verb: 'PUT',
            path: `${scope}/state`,
            legacyPath: `${scope}/set-state`,
            body: { scope_state: 5 },
          },
        ),
      ];
      // A scope that was never active is deleted at once, so the last step finds nothing.
      expect(steps.map(({ answer }) => (answer['status'] as JsonObject)['statusCode'])).toEqual([
        'OK',
        'OK',
        'OK',
        'NOT_FOUND',
      ]);
    }
    const { answer } = await ask('rest', 'listScopes', {}, { verb: 'GET', path: '/scopes' });
    expect(answer['details']).toBeUndefined();
  });
});
