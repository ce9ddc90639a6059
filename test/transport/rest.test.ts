import { once } from 'node:events';
import { connect } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echoScopes, type Seen } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let seen: Seen;

beforeAll(async () => {
  const echo = echoScopes();
  seen = echo.seen;
  server = await startTestServer({
    bare: true,
    bindings: [echo.binding],
    config: { 'limits.bodyBytes': 1_000_000, 'limits.listLength': 50, 'limits.headerBytes': 8192 },
    callers: { 'other-token': { subject: 's', issuer: 'i', clientId: 'c', scopes: ['tts'], tenants: [] } },
  });
});
afterAll(() => server.stop());

const lastRequest = (): Record<string, unknown> => seen.requests.at(-1) as Record<string, unknown>;

describe('names and values', () => {
  it('accepts snake_case and lowerCamel names, enums by name and by number', async () => {
    const snake = await server.rest('POST', '/v1/scopes', {
      body: {
        scope_id: 'a',
        scope_profile: 4,
        expected_persons_number: '12',
        details: { customer_name: 'c', scope_type: 'SCOPE_TYPE_DEMO' },
      },
    });
    expect(snake.status).toBe(200);
    const first = lastRequest();
    const camel = await server.rest('POST', '/v1/scopes', {
      body: {
        scopeId: 'a',
        scopeProfile: 'SCOPE_PROFILE_DEFAULT',
        expectedPersonsNumber: 12,
        details: { customerName: 'c', scopeType: 3 },
      },
    });
    expect(camel.status).toBe(200);
    expect(lastRequest()).toEqual(first);
    expect(first).toMatchObject({
      scopeId: 'a',
      scopeProfile: 4,
      expectedPersonsNumber: 12,
      details: { customerName: 'c', scopeType: 3 },
    });
  });

  it('answers lowerCamel names and enum names with the request id in body and header', async () => {
    const answer = await server.rest('POST', '/v1/scopes', {
      body: { scope_id: 'b' },
      headers: { 'x-request-id': 'my-id.1' },
    });
    expect(answer.headers.get('x-request-id')).toBe('my-id.1');
    expect(answer.body).toEqual({
      status: { statusCode: 'OK', requestInfo: { requestId: 'my-id.1' } },
      gkScopeId: { value: 'gk-b' },
    });
  });

  it('replaces a request id that could break a log line', async () => {
    const answer = await server.rest('POST', '/v1/scopes', {
      body: {},
      headers: { 'x-request-id': 'a b"c' },
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('ignores unknown members and says which', async () => {
    const answer = await server.rest('POST', '/v1/scopes', {
      body: { scopeId: 'a', nope: 1, details: { alsoNope: {} } },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.status.diagnosticDetails).toEqual([
      { code: 'UNKNOWN_FIELDS_IGNORED', extras: { fields: 'nope,details.alsoNope' } },
    ]);
  });

  it.each([
    ['text', 'details.customerName,description'],
    ['an object', { paths: ['details.customer_name', 'description'] }],
    ['paths without the leading part', { paths: ['customer_name', 'description', 'customer_name'] }],
  ])('accepts a field mask as %s', async (_form, mask) => {
    const answer = await server.rest('PATCH', '/v1/scopes/x', {
      body: { details: { customerName: 'n' }, field_mask: mask },
    });
    expect(answer.status).toBe(200);
    expect((lastRequest()['fieldMask'] as { paths: string[] }).paths).toEqual([
      'customer_name',
      'description',
    ]);
  });

  it.each(['text/plain', 'application/json; charset=utf-8', 'application/vnd.api+json'])(
    'reads JSON under %s',
    async (type) => {
      const answer = await server.rest('POST', '/v1/scopes', {
        rawBody: '{"scopeId":"t"}',
        headers: { 'content-type': type },
      });
      expect(answer.body.gkScopeId).toEqual({ value: 'gk-t' });
    },
  );

  it.each([
    'application/x-www-form-urlencoded',
    'application/xml',
    'text/html; charset=utf-8',
    'x'.repeat(500),
  ])('refuses a body under %s', async (type) => {
    const answer = await server.rest('POST', '/v1/scopes', {
      rawBody: '{"scopeId":"t"}',
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(415);
    const { statusCode, statusMessage } = answer.body.status;
    expect(statusCode).toBe('BAD_REQUEST');
    expect(statusMessage.message).toBe(`the body must be application/json, not ${type.slice(0, 60)}`);
  });

  it('reads JSON without any content type', async () => {
    const answer = await server.rest('POST', '/v1/scopes', {
      rawBody: new TextEncoder().encode('{"scopeId":"none"}'),
    });
    expect(answer.body.gkScopeId).toEqual({ value: 'gk-none' });
  });
});

describe('paths and parameters', () => {
  it('lets the path win over the body', async () => {
    await server.rest('PATCH', '/v1/scopes/from-path/scope_id', {
      body: { gk_scope_id: { value: 'from-body' }, new_scope_id: 'n' },
    });
    expect(lastRequest()).toMatchObject({ gkScopeId: { value: 'from-path' }, newScopeId: 'n' });
  });

  it('takes an empty body for an operation that needs none', async () => {
    const answer = await server.rest('PUT', '/v1/scopes/abc/reset', {});
    expect(answer.status).toBe(200);
    expect(lastRequest()).toMatchObject({ gkScopeId: { value: 'abc' } });
  });

  it('accepts colons and slashes in an id, encoded or, for colons, not', async () => {
    await server.rest('GET', '/v1/scopes/urn%3Ax%2Fy:1%20z/gkid');
    expect(lastRequest()['scopeId']).toBe('urn:x/y:1 z');
  });

  it('binds dotted query parameters into nested messages on GET and DELETE', async () => {
    const query =
      'context.gk_scope_id.value=s%2B1&context.configsetId=set&context.gkSessionId.value=7&unknown=1';
    const get = await server.rest('GET', `/v1/scopes?${query}`);
    expect(get.status).toBe(200);
    const expected = {
      context: { gkScopeId: { value: 's+1' }, configsetId: 'set', gkSessionId: { value: '7' } },
    };
    expect(lastRequest()).toMatchObject(expected);
    await server.rest('DELETE', `/v1/scopes/x/attributes/deleted?${query}`);
    expect(lastRequest()).toMatchObject({ ...expected, gkScopeId: { value: 'x' } });
  });

  it('reads a field mask from the query in both forms', async () => {
    await server.rest('GET', '/v1/scopes?field_mask=details.customerName,description');
    expect(lastRequest()).toMatchObject({ fieldMask: { paths: ['customer_name', 'description'] } });
    await server.rest('GET', '/v1/scopes?fieldMask.paths=customer_name&fieldMask.paths=description');
    expect(lastRequest()).toMatchObject({ fieldMask: { paths: ['customer_name', 'description'] } });
  });

  it('names a parameter that is given twice or is a message', async () => {
    const twice = await server.rest('GET', '/v1/scopes?context.configset_id=a&context.configset_id=b');
    expect(twice.status).toBe(400);
    expect(twice.body.status).toMatchObject({
      statusCode: 'BAD_REQUEST',
      statusMessage: { message: 'context.configset_id: is given more than once' },
      fieldViolations: [
        {
          field: 'vendor.biosec.v1.scopes.ListScopesRequest.context.configset_id',
          violation: 'FIELD_CONFLICT',
        },
      ],
    });
    const spellings = await server.rest('GET', '/v1/scopes?context.configset_id=a&context.configsetId=b');
    expect(spellings.body.status.fieldViolations).toEqual(twice.body.status.fieldViolations);
    const message = await server.rest('GET', '/v1/scopes?context.gk_scope_id=a');
    expect(message.body.status.statusMessage.message).toContain('context.gk_scope_id.value');
  });
});

describe('bad input', () => {
  it('in the path is told in the body, as every other', async () => {
    const { status, body } = await server.rest('GET', '/v1/scopes/%ff/gkid');
    expect([status, body.status]).toMatchObject([
      400,
      { statusCode: 'BAD_REQUEST', statusMessage: { message: expect.stringContaining('percent-encoded') } },
    ]);
  });

  const tooDeep = `{"details":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`;
  const cases: [string, Parameters<TestServer['rest']>[2], number, RegExp][] = [
    ['invalid JSON', { rawBody: '{"scopeId":' }, 400, /not valid JSON/],
    ['an array as the body', { rawBody: '[]' }, 400, /expected an object, got an array/],
    ['a number for a string', { body: { scopeId: 5 } }, 400, /^scope_id: expected a string, got 5/],
    ['an object for a string', { body: { scopeId: {} } }, 400, /^scope_id: /],
    ['a string for a message', { body: { details: 'x' } }, 400, /^details: expected an object/],
    [
      'a string for a number',
      { body: { expectedPersonsNumber: 'many' } },
      400,
      /^expected_persons_number: expected an integer/,
    ],
    ['a number beyond int32', { body: { expectedPersonsNumber: 3e9 } }, 400, /^expected_persons_number: /],
    [
      'a fraction for an integer',
      { body: { expectedPersonsNumber: 1.5 } },
      400,
      /^expected_persons_number: /,
    ],
    ['text for a boolean', { body: { details: { isBillable: 'yes' } } }, 400, /^details\.is_billable: /],
    [
      'a bad timestamp',
      { body: { details: { goLiveTimestamp: 'tomorrow' } } },
      400,
      /^details\.go_live_timestamp: .*RFC 3339/,
    ],
    [
      'an unknown enum name',
      { body: { scopeProfile: 'HUGE' } },
      400,
      /^scope_profile: "HUGE" is not a value of .*ScopeProfile/,
    ],
    ['half a surrogate pair', { rawBody: '{"scopeId":"\\ud800"}' }, 400, /^scope_id: not valid Unicode/],
    [
      'invalid UTF-8',
      { rawBody: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
      400,
      /not valid UTF-8/,
    ],
    ['deep nesting', { rawBody: tooDeep }, 400, /nested more than 64 levels deep/],
    ['very deep nesting', { rawBody: '['.repeat(500_000) }, 400, /nested more than 64 levels deep/],
    ['a bad mask', { body: { fieldMask: 7 } }, 400, /^field_mask: /],
  ];
  it.each(cases)('%s is refused in the body status', async (_name, options, status, message) => {
    const answer = await server.rest('POST', '/v1/scopes', options);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['status']);
    expect(answer.body.status).toMatchObject({
      statusCode: 'BAD_REQUEST',
      httpTransCode: status,
      statusMessage: { message: expect.stringMatching(message) },
      requestInfo: { requestId: answer.headers.get('x-request-id') },
    });
    const [, field] = /^([a-z_.]+): /.exec(answer.body.status.statusMessage.message) ?? [];
    const named = (answer.body.status.fieldViolations ?? []).map((fault: { field: string }) => fault.field);
    expect(named).toEqual(field ? [`vendor.biosec.v1.scopes.CreateScopeRequest.${field}`] : []);
    expect(answer.headers.get('x-request-id')).toMatch(/.+/);
  });

  it('refuses a body of 10 MB', async () => {
    const answer = await server.rest('POST', '/v1/scopes', {
      rawBody: `{"scopeId":"${'x'.repeat(10_000_000)}"}`,
    });
    expect(answer).toMatchObject({ status: 413, body: { status: { statusCode: 'TOO_LARGE' } } });
  });

  it('reads a body whose length nobody announced, up to the limit', async () => {
    const pieces = async function* (size: number) {
      yield Buffer.from('{"scopeId":"');
      for (let sent = 0; sent < size; sent += 1000) yield Buffer.alloc(Math.min(1000, size - sent), 'x');
      yield Buffer.from('"}');
    };
    const send = (size: number) =>
      fetch(`${server.httpUrl}/v1/scopes`, {
        method: 'POST',
        headers: { authorization: 'Bearer test-token' },
        body: ReadableStream.from(pieces(size)),
        duplex: 'half',
      } as RequestInit);
    expect((await (await send(5)).json()) as object).toMatchObject({ gkScopeId: { value: 'gk-xxxxx' } });
    // The server may hang up on a sender that goes on and on; the answer, where it arrives, says why.
    const status = await send(3_000_000).then(
      (answer) => answer.status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(status);
  });

  it('outlives callers that hang up in the middle of a body', async () => {
    const { hostname, port } = new URL(server.httpUrl);
    for (let round = 0; round < 5; round++) {
      const socket = connect(Number(port), hostname);
      socket.write('POST /v1/scopes HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{"scopeId":');
      await once(socket, 'connect');
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
    }
    expect((await server.rest('POST', '/v1/scopes', { body: { scopeId: 'b' } })).status).toBe(200);
  });

  it('names an unknown enum number and a list that is too long in the body status', async () => {
    const number = await server.rest('POST', '/v1/scopes', { body: { scopeProfile: 999 } });
    expect(number.status).toBe(400);
    expect(number.body.status).toMatchObject({
      statusCode: 'INVALID_REQUEST',
      fieldViolations: [
        {
          field: 'vendor.biosec.v1.scopes.CreateScopeRequest.scope_profile',
          violation: 'OUT_OF_RANGE',
          invalidValue: '999',
        },
      ],
    });
    const paths = Array.from({ length: 51 }, (_, index) => `p${index}`);
    const mask = await server.rest(
      'GET',
      `/v1/scopes?${paths.map((path) => `field_mask.paths=${path}`).join('&')}`,
    );
    expect(mask.body.status.fieldViolations[0]).toMatchObject({
      field: 'vendor.biosec.v1.scopes.ListScopesRequest.field_mask.paths',
      violation: 'TOO_LONG',
    });
  });

  it.each([
    ['GET', '/v1/nothing/here', 404, /no such path: \/v1\/nothing\/here/],
    ['GET', '/elsewhere', 404, /no such path: \/elsewhere/],
  ])('%s %s gives %i', async (method, path, status, message) => {
    const answer = await server.rest(method, path);
    expect(answer.body.status_code).toBe(status);
    expect(answer.body.error_message).toMatch(message);
    expect(answer.status).toBe(status);
  });

  it('a query that is no text is refused in the body status', async () => {
    const answer = await server.rest('GET', '/v1/scopes?context.configset_id=%ff');
    expect(answer).toMatchObject({ status: 400, body: { status: { statusCode: 'BAD_REQUEST' } } });
  });

  it('tells which methods a path has', async () => {
    const answer = await server.rest('DELETE', '/v1/scopes');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
  });

  it('refuses oversized headers without dropping the connection silently', async () => {
    const answer = await server.rest('GET', '/v1/scopes', { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect(answer).toMatchObject({ status: 431, body: { status_code: 431 } });
  });

  it('is still alive after all of this', async () => {
    expect((await server.rest('POST', '/v1/scopes', { body: { scopeId: 'alive' } })).body.gkScopeId).toEqual({
      value: 'gk-alive',
    });
  });
});

describe('failures of a handler', () => {
  it('reports violations with the full field name, the zero violation included', async () => {
    const answer = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'missing' } });
    expect(answer.status).toBe(400);
    expect(answer.body.status).toMatchObject({
      statusCode: 'INVALID_REQUEST',
      httpTransCode: 400,
      statusMessage: { locale: 'en-US', message: 'scope_id: is mandatory (and 1 more)' },
      fieldViolations: [
        {
          field: 'vendor.biosec.v1.scopes.CreateScopeRequest.scope_id',
          violation: 'MANDATORY_FIELD_MISSING',
          message: 'is mandatory',
        },
        {
          field: 'vendor.biosec.v1.scopes.CreateScopeRequest.details.description',
          violation: 'TOO_LONG',
          invalidValue: 'x',
        },
      ],
    });
  });

  it('names misspelt fields beside what is missing, with what was probably meant', async () => {
    const body = { scopeId: 'missing', scope_profil: 1, details: { custmerName: 'x' }, zzzzzz: 1 };
    const { status } = (await server.rest('POST', '/v1/scopes', { body })).body;
    const said = [
      'unknown field scope_profil, did you mean scope_profile?',
      'unknown field details.custmerName, did you mean details.customer_name?',
      'unknown field zzzzzz',
    ];
    expect(status.fieldViolations.slice(2).map(({ message }: { message: string }) => message)).toEqual(said);
    expect(status.statusMessage.message).toBe(`scope_id: is mandatory (and 1 more); ${said.join('; ')}`);
  });

  it('repeats no more than 200 characters of a value', async () => {
    const { status } = (await server.rest('POST', '/v1/scopes', { body: { scopeId: 'long' } })).body;
    expect(status.fieldViolations[0].invalidValue).toBe('x'.repeat(199));
  });

  it('tells when to retry', async () => {
    const answer = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'busy' } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.body.status).toMatchObject({ statusCode: 'BUSY', retryInfo: { retryDelayMs: 1500 } });
  });

  it('carries diagnostics', async () => {
    const answer = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'locked' } });
    expect(answer.status).toBe(403);
    expect(answer.body.status.diagnosticDetails).toEqual([{ code: 'PROFILE_LOCKED', extras: { by: 'x' } }]);
  });

  it('hides what went wrong inside', async () => {
    const answer = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'bug' } });
    expect(answer.status).toBe(500);
    expect(answer.body.status.statusCode).toBe('INTERNAL_ERROR');
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('stops at the time limit of the caller', async () => {
    const answer = await server.rest('POST', '/v1/scopes', {
      body: { scopeId: 'endless' },
      headers: { 'x-request-timeout-ms': '50' },
    });
    expect(answer.status).toBe(504);
    expect(answer.body.status).toMatchObject({
      statusCode: 'DEADLINE_EXCEEDED',
      statusMessage: { message: 'the call ran out of the time that its caller allowed' },
    });
    expect(seen.calls.at(-1)?.signal.aborted).toBe(true);
  });
});

describe('who may call', () => {
  it.each([
    ['no token', null],
    ['a wrong token', 'nope'],
  ])('refuses %s with a challenge', async (_name, token) => {
    const answer = await server.rest('POST', '/v1/scopes', { body: {}, token });
    expect(answer.status).toBe(401);
    expect(answer.body.status_code).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer realm="voxgate", error="invalid_token"');
  });

  it('refuses a token without the scope and names it', async () => {
    const answer = await server.rest('POST', '/v1/scopes', { body: {}, token: 'other-token' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", scope="biosec\.[a-z]+"$/,
    );
    expect(answer.body.status).toMatchObject({
      statusCode: 'NOT_AUTHORIZED',
      httpTransCode: 403,
      statusMessage: { message: expect.stringContaining('one of these scopes: biosec') },
      diagnosticDetails: [{ code: 'INSUFFICIENT_SCOPE' }],
    });
  });
});
