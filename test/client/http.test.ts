// How the client library sends: what is repeated and after how long, what a token is used for, and what a refusal becomes.
import { describe, expect, it } from 'vitest';
import { VoxgateError } from '../../src/client/errors.js';
import { Http } from '../../src/client/http.js';
import { bytesOf } from '../../src/client/recording.js';
import { ClientTokens, type TokenSource } from '../../src/client/tokens.js';
import { Voxgate } from '../../src/client/voxgate.js';

interface Seen {
  url: string;
  headers: Headers;
  body: string;
}

type Answer = [status: number, body: unknown, headers?: Record<string, string>] | Error;

/** A server that gives these answers, one after another, and remembers what it was asked. */
function server(...answers: Answer[]) {
  const seen: Seen[] = [];
  const send: typeof fetch = async (input, init) => {
    seen.push({ url: String(input), headers: new Headers(init?.headers), body: String(init?.body ?? '') });
    init?.signal?.throwIfAborted();
    const answer = answers.shift() ?? new Error('asked once too often');
    if (answer instanceof Error) throw answer;
    const [status, body, headers = {}] = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const pauses: number[] = [];
  const http = new Http({ fetch: send, pause: async (ms) => void pauses.push(ms) });
  return { send, seen, pauses, http };
}

const ok = { status: { statusCode: 'OK' } };
const refused = (statusCode: string, more: object = {}) => ({ status: { statusCode, ...more } });
const get = { method: 'GET' };

const failure = async (work: Promise<unknown>): Promise<VoxgateError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof VoxgateError)) throw new Error(`not a VoxgateError: ${String(thrown)}`);
  return thrown;
};

describe('a call', () => {
  it.each<[string, Answer]>([
    ['a busy server', [503, refused('BUSY'), { 'retry-after': '2' }]],
    ['too many calls', [429, { status_code: 429, error_message: 'slow down' }, { 'retry-after': '2' }]],
    [
      'a busy server that says so in the body only',
      [503, refused('BUSY', { retryInfo: { retryDelayMs: 2000 } })],
    ],
    [
      'the same call that still runs',
      [
        409,
        refused('BUSY', { diagnosticDetails: [{ code: 'IDEMPOTENCY_KEY_IN_USE' }] }),
        { 'retry-after': '2' },
      ],
    ],
  ])('waits as long as it is told, then comes again: %s', async (_name, answer) => {
    const { http, pauses } = server(answer, [200, ok]);
    await expect(http.json('http://v/x', get, undefined)).resolves.toEqual(ok);
    expect(pauses).toEqual([2000]);
  });

  it('comes again when there was no answer, each time somewhat later, and gives up', async () => {
    const lost = () => new TypeError('fetch failed');
    const { http, pauses, seen } = server(lost(), lost(), lost(), lost(), lost());
    expect(await failure(http.json('http://v/x', get, undefined))).toMatchObject({
      code: 'OFFLINE',
      message: 'http://v cannot be reached',
    });
    expect(seen).toHaveLength(5);
    expect(pauses).toHaveLength(4);
    pauses.forEach((ms, index) => expect(ms).toBeLessThanOrEqual(250 * 2 ** index));
  });

  it('does not wait longer than its time allows', async () => {
    const { http, pauses } = server([503, refused('BUSY'), { 'retry-after': '3600' }]);
    const error = await failure(http.json('http://v/x', get, undefined));
    expect(error).toMatchObject({ code: 'BUSY', retryAfterMs: 3_600_000 });
    expect(pauses).toEqual([]);
  });

  it.each([400, 403, 404, 409, 413, 500])('is not repeated after HTTP %i', async (status) => {
    const { http, seen } = server([status, refused('INVALID_REQUEST')]);
    await failure(http.json('http://v/x', get, undefined));
    expect(seen).toHaveLength(1);
  });

  it('ends with the reason of its signal', async () => {
    const { http } = server([200, ok]);
    const why = new Error('not wanted any more');
    await expect(http.json('http://v/x', get, undefined, { signal: AbortSignal.abort(why) })).rejects.toBe(
      why,
    );
  });

  it('has the same key each time it is sent, and another call another', async () => {
    const { send, seen } = server(
      [503, refused('BUSY'), { 'retry-after': '0' }],
      [200, ok],
      [200, ok],
      [200, ok],
    );
    const voxgate = new Voxgate({ server: 'http://v/', tenant: 't', token: 'a', fetch: send });
    const { context } = voxgate;
    await voxgate.call('CreatePerson', { context, personId: 'anna' });
    await voxgate.call('CreatePerson', { context, personId: 'bruno' });
    await voxgate.call('CreatePerson', { context, personId: 'carl' }, { idempotencyKey: 'mine' });
    const keys = seen.map(({ headers }) => headers.get('idempotency-key') ?? '');
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBe('mine');
  });
});

describe('what cannot be sent', () => {
  const options = { tenant: 't', token: 'x', fetch: server().send };
  const voxgate = new Voxgate({ ...options, server: 'http://v' });
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'an operation that there is not',
      () => voxgate.call('Nope' as 'ListPersons', {}),
      'there is no operation Nope',
    ],
    [
      'an identifier that no address can hold',
      () => voxgate.call('GetPersonDetails', { gkPersonId: { value: '..' } }),
      'gkPersonId.value must not be ..',
    ],
    [
      'a name instead of bytes',
      async () => bytesOf('call.wav' as unknown as Uint8Array),
      'a recording is the bytes of a file, not its name',
    ],
    [
      'to an address that is none',
      async () => new Voxgate({ ...options, server: 'localhost:8080' }),
      'the server must be a URL such as https://voxgate.example.com, not localhost:8080',
    ],
  ])('is refused with a VoxgateError: %s', async (_name, work, message) => {
    expect(await failure(work())).toMatchObject({ code: 'INVALID_REQUEST', message });
  });
});

describe('a refusal', () => {
  it('names code, reason, every field and the request', async () => {
    const { http } = server([
      400,
      refused('INVALID_REQUEST', {
        statusMessage: { message: 'context.gk_scope_id is mandatory' },
        requestInfo: { requestId: 'r-1' },
        fieldViolations: [
          { field: 'vendor.biosec.v1.voiceprint.VerifyRequest.context.gk_scope_id', message: 'is mandatory' },
          { field: 'vendor.x.VerifyRequest.audio', message: 'is too long', violation: 'TOO_LONG' },
        ],
        diagnosticDetails: [{ code: 'SESSION_OVER' }],
      }),
    ]);
    const error = await failure(http.json('http://v/x', get, undefined));
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      reason: 'SESSION_OVER',
      requestId: 'r-1',
      httpStatus: 400,
      message: 'context.gkScopeId is mandatory; audio is too long',
      fields: [
        { field: 'context.gkScopeId', violation: 'MANDATORY_FIELD_MISSING' },
        { field: 'audio', violation: 'TOO_LONG' },
      ],
    });
  });

  it.each<[string, Answer, object]>([
    [
      'a flat body',
      [403, { status_code: 403, error_message: 'not yours', field: 'a.BRequest.c_d' }],
      { code: 'NOT_AUTHORIZED', message: 'not yours', fields: [{ field: 'cD' }] },
    ],
    ['a page of a proxy', [500, '<html>'], { code: 'INTERNAL_ERROR', message: 'HTTP 500' }],
    ['an answer that is not JSON', [200, '<html>'], { code: 'BAD_ANSWER' }],
  ])('is understood as %s', async (_name, answer, expected) => {
    const { http } = server(answer);
    expect(await failure(http.json('http://v/x', get, undefined))).toMatchObject(expected);
  });
});

describe('a token', () => {
  const grant = (token: string, lasts = 300): Answer => [200, { access_token: token, expires_in: lasts }];
  const tokensOf = (...answers: Answer[]) => {
    const asked = server(...answers);
    const credentials = { clientId: 'appID:7', clientSecret: 's/1' };
    const tokens = new ClientTokens(credentials, (body, authorization) =>
      asked.http.send('http://v/oauth2/token', { method: 'POST', headers: { authorization }, body }),
    );
    return { tokens, seen: asked.seen };
  };

  it('is fetched once, however many calls wait for it, and kept', async () => {
    const { tokens, seen } = tokensOf(grant('one'));
    expect(await Promise.all([tokens.get(), tokens.get(), tokens.get()])).toEqual(['one', 'one', 'one']);
    expect(await tokens.get()).toBe('one');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body).toBe('grant_type=client_credentials&scope=biosec');
    expect(seen[0]?.headers.get('authorization')).toBe(`Basic ${btoa('appID%3A7:s%2F1')}`);
  });

  it('that is over is fetched anew', async () => {
    const { tokens } = tokensOf(grant('one', 0), grant('two'));
    expect([await tokens.get(), await tokens.get()]).toEqual(['one', 'two']);
  });

  it('that was refused is renewed, once for all calls that had it', async () => {
    const { tokens, seen } = tokensOf(grant('one'), grant('two'));
    await tokens.get();
    expect(await Promise.all([tokens.renew('one'), tokens.renew('one')])).toEqual(['two', 'two']);
    expect(await tokens.renew('one')).toBe('two');
    expect(seen).toHaveLength(2);
  });

  it('is not given to whoever is unknown', async () => {
    const { tokens } = tokensOf([401, { error: 'invalid_client', error_description: 'unknown client' }]);
    expect(await failure(tokens.get())).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'invalid_client',
      message: 'unknown client',
    });
  });

  it('is renewed once in a call, and only where there is another', async () => {
    const told: (string | undefined)[] = [];
    const source = (...given: string[]): TokenSource => ({
      get: async () => given.shift() ?? '',
      renew: async (stale) => {
        told.push(stale);
        return given.shift() ?? stale;
      },
    });
    const unknown: Answer = [401, { status_code: 401, error_message: 'the token is not valid' }];
    const { http, seen } = server(unknown, [200, ok], unknown, unknown, unknown);
    await http.json('http://v/x', get, source('one', 'two'));
    expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer one', 'Bearer two']);
    expect((await failure(http.json('http://v/x', get, source('one', 'two')))).code).toBe('UNAUTHENTICATED');
    expect((await failure(http.json('http://v/x', get, source('one')))).code).toBe('UNAUTHENTICATED');
    expect(told).toEqual(['one', 'one', 'one']);
    expect(seen).toHaveLength(5);
  });
});
