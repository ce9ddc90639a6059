// The AudioHook protocol: its signature with the public golden vector, the messages of a call, probes and refusals.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { audiohookProtocol } from '../../src/live/protocols/audiohook.js';
import type { AskToReconnect, OnDisplaced } from '../../src/live/call-parts.js';
import type { LiveCalls } from '../../src/live/live-calls.js';
import type { LiveEvent } from '../../src/live/model.js';
import { systemClock, systemIds } from '../../src/platform.js';
import { runTools } from '../tools/run-tools.js';
import { checkSignature } from '../../src/live/protocols/audiohook-signature.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { Platform } from '../biometrics/support.js';
import { startTestServer, TEST_TOKEN, type TestServer } from '../support/server.js';
import { describedMessages } from './asyncapi.js';
import { audiohookHeaders, eventsIn, interleaved, muLaw, pieces, twoCallers } from './support.js';

const golden = {
  key: { apiKey: 'SGVsbG8sIEkgYW0gdGhlIEFQSSBrZXkh', secret: 'TXlTdXBlclNlY3JldEtleVRlbGxOby0xITJAMyM0JDU=' },
  request: {
    target: '/api/v1/voicebiometrics/ws',
    authority: 'audiohook.example.com',
    headers: {
      'audiohook-organization-id': 'd7934305-0972-4844-938e-9060eef73d05',
      'audiohook-session-id': '30b0e395-84d3-4570-ac13-9a62d8f514c0',
      'audiohook-correlation-id': 'e160e428-53e2-487c-977d-96989bf5c99d',
      'x-api-key': 'SGVsbG8sIEkgYW0gdGhlIEFQSSBrZXkh',
      signature: 'sig1=:NZBwyBHRRyRoeLqy1IzOa9VYBuI8TgMFt2GRDkDuJh4=:',
      'signature-input':
        'sig1=("@request-target" "@authority" "audiohook-organization-id" "audiohook-session-id" ' +
        '"audiohook-correlation-id" "x-api-key");keyid="SGVsbG8sIEkgYW0gdGhlIEFQSSBrZXkh";' +
        'nonce="VGhpc0lzQVVuaXF1ZU5vbmNl";alg="hmac-sha256";created=1641013200;expires=3282026430',
    } as Record<string, string>,
  },
  atMs: 1_641_013_200_000,
};

describe('the signature', () => {
  const { key, request, atMs } = golden;
  const withHeader = (name: string, change: (value: string) => string) => ({
    ...request,
    headers: { ...request.headers, [name]: change(request.headers[name] ?? '') },
  });

  it('of the public vector is good, at its time', () => {
    const good = { mark: 'NZBwyBHRRyRoeLqy1IzOa9VYBuI8TgMFt2GRDkDuJh4=' };
    expect(checkSignature(request, key, atMs)).toMatchObject(good);
    expect(checkSignature(request, key, atMs + 9000)).toMatchObject(good);
  });

  it('is known again however it is written, and for longer than it is good', () => {
    const renamed = ['signature', 'signature-input'].reduce(
      (asked, name) => ({
        ...asked,
        headers: { ...asked.headers, [name]: ` ${request.headers[name]?.replace('sig1', 'other')}` },
      }),
      request,
    );
    const first = checkSignature(request, key, atMs);
    expect(checkSignature(renamed, key, atMs + 5000)).toEqual(first);
    expect(first).toHaveProperty('rememberedUntilMs', atMs + 70_000);
  });

  it.each([
    ['too late', request, key, atMs + 11_000, 'too old'],
    ['too early', request, key, atMs - 60_000, 'too old'],
    ['at another address', { ...request, authority: 'evil.example.com' }, key, atMs, 'is wrong'],
    ['at another path', { ...request, target: '/other' }, key, atMs, 'is wrong'],
    ['for another session', withHeader('audiohook-session-id', () => 'x'), key, atMs, 'is wrong'],
    ['with another secret', request, { ...key, secret: 'AAAA' }, atMs, 'is wrong'],
    ['of another key', request, { ...key, apiKey: 'other' }, atMs, 'another key'],
    ['that is missing', withHeader('signature', () => ''), key, atMs, 'is wrong'],
    ['without its input', withHeader('signature-input', () => ''), key, atMs, 'no Signature-Input'],
    [
      'that leaves out the session',
      withHeader('signature-input', (text) => text.replace('"audiohook-session-id" ', '')),
      key,
      atMs,
      'not signed',
    ],
    [
      'with a short nonce',
      withHeader('signature-input', (text) => text.replace(/nonce="[^"]*"/, 'nonce="x"')),
      key,
      atMs,
      'nonce',
    ],
    [
      'by another algorithm',
      withHeader('signature-input', (text) => text.replace('hmac-sha256', 'none')),
      key,
      atMs,
      'algorithm',
    ],
  ] as const)('is refused %s', (...[, asked, by, now, words]) => {
    expect(checkSignature(asked, by, now)).toContain(words);
  });
});

const API_KEY = 'integration-key';
const SECRET = Buffer.from('a secret of the integration').toString('base64');
const NO_ONE = '00000000-0000-0000-0000-000000000000';
const HOME = mkdtempSync(join(tmpdir(), 'voxgate-audiohook-'));
let start: () => Promise<TestServer>;
let server: TestServer;
let gkScopeId: string;
let profile: string;
let own: Int16Array;
let stranger: Int16Array;
/** Digits that are drawn next. */
let next: string | undefined;

beforeAll(async () => {
  // The protocol belongs to a tenant, which has to be there first.
  const before = await Platform.start({ config: { home: HOME } });
  ({ gkScopeId } = before);
  ({ profile } = await before.printOf('anna'));
  await before.configure('pausing', { authentication: { pauseLiveAudioWhenDecided: true } });
  await before.stop();
  const audiohook = { apiKey: API_KEY, secret: SECRET, tenant: gkScopeId };
  const settings = Object.entries(audiohook).map(([name, value]) => [`live.audiohook.${name}`, value]);
  const token = (bytes: number): string => {
    const drawn = bytes === next?.length ? Buffer.from([...next].map(Number)).toString('base64url') : '';
    if (drawn !== '') next = undefined;
    return drawn || systemIds.token(bytes);
  };
  const config = { home: HOME, ...Object.fromEntries(settings) };
  start = () => startTestServer({ config, overrides: { ids: { ...systemIds, token } } });
  server = await start();
  ({ own, stranger } = await twoCallers());
});
afterAll(async () => {
  await server.stop();
  rmSync(HOME, { recursive: true });
});

async function question(configsetId = 'calls') {
  const scope = { gkScopeId: { value: gkScopeId }, configsetId };
  const session = await server.rest('POST', '/v1/sessions/start', {
    body: { context: scope, sessionType: 2 },
  });
  const { gkSessionId, gkEngagementId } = session.body;
  const target = { gkVoiceprintProfileIds: { uniqueIds: [{ value: profile }] } };
  const context = { ...scope, gkSessionId, gkEngagementId };
  return { context, target };
}

async function prepare(externalCallId: string, configsetId = 'calls') {
  const body = { ...(await question(configsetId)), externalCallId };
  return server.rest('POST', '/v1/live/calls', { body });
}

const signedHeaders = (id: string): Record<string, string> =>
  audiohookHeaders(new URL(server.httpUrl).host, id, { apiKey: API_KEY, secret: SECRET });

interface Said {
  type: string;
  seq: number;
  clientseq: number;
  parameters: Record<string, never>;
}

type Script = (say: (type: string, parameters?: object, more?: object) => string) => (string | Buffer)[];

/** A strict client: sends what it is told to, and gathers what it hears until the connection is closed. `leave`: what it does when it is asked
 * to connect anew. */
function talk(
  script: Script,
  headers?: Record<string, string>,
  leave: Script = (say) => [say('close', { reason: 'reconnect' })],
): Promise<{ heard: Said[]; closed: string }> {
  const id = randomUUID();
  let seq = 0;
  const say = (type: string, parameters: object = {}, more: object = {}): string =>
    JSON.stringify({
      version: '2',
      id,
      type,
      seq: ++seq,
      serverseq: 0,
      position: 'PT0S',
      parameters,
      ...more,
    });
  return new Promise((resolve, reject) => {
    const url = `${server.httpUrl.replace('http', 'ws')}/v1/live/audiohook`;
    const socket = new WebSocket(url, { headers: headers ?? signedHeaders(id) });
    const heard: Said[] = [];
    socket.on('open', () => script(say).forEach((message) => socket.send(message)));
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Said;
      heard.push(message);
      if (message.type === 'disconnect') socket.send(say('close', { reason: 'disconnect' }));
      if (message.type === 'reconnect') leave(say).forEach((answer) => socket.send(answer));
    });
    socket.on('close', (code, reason) => resolve({ heard, closed: `${code} ${reason.toString()}` }));
    socket.on('unexpected-response', (_, answer) => reject(new Error(`HTTP ${answer.statusCode}`)));
    socket.on('error', reject);
  });
}

const media = (...channels: string[]) => ({ type: 'audio', format: 'PCMU', channels, rate: 8000 });
const openWith = (conversationId: string, offered: object[]) => ({
  organizationId: randomUUID(),
  conversationId,
  participant: { id: randomUUID() },
  media: offered,
});
const typesOf = (heard: readonly Said[]): string[] => heard.map(({ type }) => type);

describe('an AudioHook call', () => {
  it('is judged by the customer of two channels, and ends with closed', async () => {
    const conversation = randomUUID();
    const prepared = await prepare(conversation);
    const both = muLaw(interleaved(stranger, own));
    const { heard, closed } = await talk((say) => [
      say('open', openWith(conversation, [media('internal', 'external')])),
      say('ping'),
      ...pieces(both, 3200),
      say('discarded', { start: 'PT1S', discarded: 'PT0.1S' }),
      say('update', { language: 'en-US' }),
      say('close', { reason: 'end' }),
    ]);
    expect(closed).toBe('1000 closed');
    expect(heard[0]).toMatchObject({ type: 'opened', seq: 1, clientseq: 1 });
    expect(heard[0]?.parameters).toEqual({ startPaused: false, media: [media('internal', 'external')] });
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, index) => index + 1));
    const described = await describedMessages(server.httpUrl);
    for (const message of heard) expect(described('audiohookAnswer', message)).toEqual([]);
    expect(typesOf(heard)).toEqual(expect.arrayContaining(['pong', 'updated', 'event']));
    const { data } = (heard.findLast(({ type }) => type === 'event')?.parameters['entities'] as never)[0];
    for (const member of [
      'at',
      'score',
      'reliability',
      'risk',
      'netSpeechMs',
      'positionMs',
      'gkVoiceprintProfileId',
    ])
      expect(data).toHaveProperty(member);
    expect(heard.at(-1)?.type).toBe('closed');
    const { body } = await server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
    expect(body.call).toMatchObject({ protocol: 'audiohook', ended: true });
    expect(body.call.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', endReason: 'stopped' });
  });

  it('takes the customer alone where that is offered, and hears nothing while it is paused', async () => {
    const conversation = randomUUID();
    const prepared = await prepare(conversation);
    const { heard } = await talk((say) => [
      say('open', openWith(conversation, [media('external', 'internal'), media('external')])),
      say('paused'),
      ...pieces(muLaw(stranger), 3200),
      say('resumed', { start: 'PT0S', discarded: 'PT5S' }),
      ...pieces(muLaw(own), 3200),
      say('close', { reason: 'end' }),
    ]);
    expect(heard[0]?.parameters).toEqual({ startPaused: false, media: [media('external')] });
    const { body } = await server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
    expect(body.call.events.at(-1)).toMatchObject({ state: 'AUTHENTIC' });
  });

  it('counts what was paused or discarded in its positions, as the client does', async () => {
    const audio = [...pieces(muLaw(own), 3200)];
    const half = Math.floor(audio.length / 2);
    const positions = async (...skipped: [string, object][]): Promise<number[]> => {
      const conversation = randomUUID();
      const prepared = await prepare(conversation);
      await talk((say) => [
        say('open', openWith(conversation, [media('external')])),
        ...audio.slice(0, half),
        ...skipped.map(([type, parameters]) => say(type, parameters)),
        ...audio.slice(half),
        say('discarded', { start: 'PT1S', discarded: 'PT2.25S' }),
        say('close', { reason: 'end' }),
      ]);
      const { body } = await server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
      return body.call.events.map(({ position }: { position: string }) => parseFloat(position));
    };
    const whole = await positions();
    const length = own.length / 8000;
    expect(whole.at(-1)).toBeCloseTo(length + 2.25, 1);
    const [start, decided, end] = await positions(
      ['discarded', { start: 'PT3S', discarded: 'PT.5S' }],
      ['paused', {}],
      ['resumed', { start: 'PT3.5S', discarded: 'PT60S' }],
    );
    expect([start, decided]).toEqual([0, whole[1]]);
    expect(end).toBeCloseTo(length + 62.75, 1);
  });

  it('takes no notice of a resumption without a pause: nothing was left out', async () => {
    const conversation = randomUUID();
    const prepared = await prepare(conversation);
    await talk((say) => [
      say('open', openWith(conversation, [media('external')])),
      say('resumed', { start: 'PT0S', discarded: 'PT60S' }),
      ...pieces(muLaw(own), 3200),
      say('close', { reason: 'end' }),
    ]);
    const { body } = await server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
    expect(parseFloat(body.call.position)).toBeCloseTo(own.length / 8000, 1);
  });

  it('goes on when the client says that something went wrong there, until it closes the session', async () => {
    const conversation = randomUUID();
    const prepared = await prepare(conversation);
    const { heard, closed } = await talk((say) => [
      say('open', openWith(conversation, [media('external')])),
      say('error', { code: 400, message: 'the clientseq of the pong must match' }),
      ...pieces(muLaw(own), 3200),
      say('error', { code: 408, message: 'no pong came' }),
      say('close', { reason: 'error' }),
    ]);
    expect(heard.at(-1)?.type).toBe('closed');
    expect(closed).toBe('1000 closed');
    const { body } = await server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
    expect(body.call.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', endReason: 'stopped' });
  });

  it('goes on where it was when the client connects anew', async () => {
    const conversation = randomUUID();
    const prepared = await prepare(conversation);
    const opened = openWith(conversation, [media('external')]);
    const audio = [...pieces(muLaw(own), 3200)];
    const half = Math.floor(audio.length / 2);
    const first = await talk((say) => [
      say('open', opened),
      ...audio.slice(0, half),
      say('close', { reason: 'reconnect' }),
    ]);
    expect(first.closed).toBe('1000 closed');
    const second = await talk((say) => [
      say('open', opened),
      ...audio.slice(half),
      say('close', { reason: 'end' }),
    ]);
    expect(second.heard.map(({ seq }) => seq)).toEqual(second.heard.map((_, index) => index + 1));
    const { body } = await server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
    expect(body.call.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', endReason: 'stopped' });
    expect(parseFloat(body.call.position)).toBeCloseTo(own.length / 8000, 1);
  });

  it.each<[string, () => Promise<string[]>]>([
    [
      'a call that was prepared',
      async () => {
        const conversation = randomUUID();
        await prepare(conversation);
        return ['--conversation', conversation];
      },
    ],
    ['a question', async () => ['--token', TEST_TOKEN, '--question', JSON.stringify(await question())]],
  ])('is brought in by `npm run tools -- send` too, with %s', async (_name, asked) => {
    const recording = join(HOME, 'call.wav');
    writeFileSync(
      recording,
      encodeWav(
        Float32Array.from(own, (value) => value / 32_768),
        8000,
      ),
    );
    const keys = ['--api-key', API_KEY, '--secret', SECRET, ...(await asked())];
    const protocol = ['--protocol', 'audiohook', '--server', server.httpUrl, '--speed', '0', '--json'];
    const { out } = await runTools(['send', recording, ...protocol, ...keys], HOME);
    const events = eventsIn(out.trimEnd().split('\n'));
    expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
    expect(events.at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true, endReason: 'stopped' });
  });

  it('is asked to pause once it is decided, where the config set says so', async () => {
    for (const [configsetId, pauses] of [
      ['pausing', 1],
      ['calls', 0],
    ] as const) {
      const conversation = randomUUID();
      await prepare(conversation, configsetId);
      const { heard } = await talk((say) => [
        say('open', openWith(conversation, [media('external')])),
        ...pieces(muLaw(own), 3200),
        say('paused'),
        say('ping'),
        say('close', { reason: 'end' }),
      ]);
      expect(typesOf(heard).filter((type) => type === 'pause')).toHaveLength(pauses);
      expect(typesOf(heard)).toContain('pong');
      expect(typesOf(heard).slice(-2)).toEqual(['event', 'closed']);
    }
  });

  it('that is paused is resumed for a prompt, and paused again when that is answered', async () => {
    const conversation = randomUUID();
    const { body } = await prepare(conversation, 'pausing');
    const id = randomUUID();
    const url = `${server.httpUrl.replace('http', 'ws')}/v1/live/audiohook`;
    const socket = new WebSocket(url, { headers: signedHeaders(id) });
    const heard: Said[] = [];
    let seq = 0;
    const say = (type: string, parameters: object = {}): void =>
      socket.send(
        JSON.stringify({ version: '2', id, type, seq: ++seq, serverseq: 0, position: 'PT0S', parameters }),
      );
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let isPaused = false;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Said;
      heard.push(message);
      if (message.type === 'pause') isPaused = true;
      if (message.type === 'pause') say('paused');
      if (message.type !== 'resume') return;
      say('resumed', { start: 'PT10S', discarded: 'PT1S' });
      isPaused = false;
    });
    /** As a telephone system: nothing while it is paused. */
    const send = (sound: Buffer): void => {
      if (!isPaused) for (const piece of pieces(sound, 3200)) socket.send(piece);
    };
    const told = (): string[] =>
      typesOf(heard).flatMap((type, at) => {
        const [entity] = (heard[at]?.parameters['entities'] ?? []) as { data: LiveEvent }[];
        const { prompt } = entity?.data ?? {};
        return prompt ? prompt.state : type === 'pause' || type === 'resume' ? type : [];
      });
    await new Promise((resolve) => socket.once('open', resolve));
    say('open', openWith(conversation, [media('external')]));
    send(muLaw(own));
    await expect.poll(told).toEqual(['pause']);
    next = '7391';
    await server.rest('POST', `/v1/live/${body.liveCallId}/prompt`, { body: {} });
    await expect.poll(told).toEqual(['pause', 'ASKED', 'resume']);
    await server.rest('POST', `/v1/live/${body.liveCallId}/prompt/end`, { body: {} });
    const digits = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'words', 'slt-7391.wav'));
    const silence = Buffer.alloc(8000, 0xff);
    send(Buffer.concat([silence, digits.subarray(digits.indexOf('data') + 8), silence]));
    await expect
      .poll(told, { timeout: 10_000 })
      .toEqual(['pause', 'ASKED', 'resume', 'ENDED', 'PASSED', 'pause']);
    const described = await describedMessages(server.httpUrl);
    for (const message of heard) expect(described('audiohookAnswer', message)).toEqual([]);
    say('close', { reason: 'end' });
    await closed;
  });

  it.each([[[media('external')]], [[]]])(
    'is answered as a probe where nobody takes part: %j',
    async (offered) => {
      const { heard, closed } = await talk((say) => [
        say('open', openWith(NO_ONE, offered)),
        say('close', { reason: 'end' }),
      ]);
      expect(typesOf(heard)).toEqual(['opened', 'closed']);
      expect(heard[0]?.parameters).toMatchObject({ media: offered });
      expect(closed).toBe('1000 closed');
    },
  );

  it('is disconnected where it was not prepared, or offers nothing of use', async () => {
    const conversation = randomUUID();
    const unknown = await talk((say) => [say('open', openWith(conversation, [media('external')]))]);
    expect(unknown.heard[0]).toMatchObject({ type: 'disconnect', parameters: { reason: 'error' } });
    expect(typesOf(unknown.heard)).toEqual(['disconnect', 'closed']);
    await prepare(conversation);
    const useless = await talk((say) => [say('open', openWith(conversation, [media('internal')]))]);
    expect(useless.heard[0]).toMatchObject({ type: 'disconnect' });
    expect((await prepare(conversation)).body.status.statusCode).toBe('ALREADY_EXISTS');
  });

  it.each<[string, Parameters<typeof talk>[0], string]>([
    ['no JSON', () => ['{'], '1002 not a JSON message'],
    ['null', () => ['null'], '1002 not an AudioHook'],
    ['another version', (say) => [say('open', {}, { version: '1' })], '1002 not an AudioHook'],
    [
      'another session',
      (say) => [say('open', {}, { id: 'x' })],
      '1002 the message belongs to another session',
    ],
    ['a gap in the numbers', (say) => [say('open', {}, { seq: 5 })], '1002 seq must be 1'],
    ['a ping first', (say) => [say('ping')], '1002 the first message must be open'],
    ['audio first', () => [Buffer.alloc(160)], '1002 audio before open'],
    [
      'an answer to what was not said',
      (say) => [say('open', {}, { serverseq: 7 })],
      '1002 serverseq must be at most 0',
    ],
  ])('ends at %s, in the words of the protocol', async (_name, script, words) => {
    const { heard, closed } = await talk(script);
    expect(closed).toContain(words);
    expect(heard).toMatchObject([
      {
        type: 'disconnect',
        seq: 1,
        parameters: { reason: 'error', info: expect.stringContaining(words.slice(5)) },
      },
    ]);
  });

  it('ends at a second open, in the words of the protocol', async () => {
    const { heard, closed } = await talk((say) => [
      say('open', openWith(NO_ONE, [media('external')])),
      say('open', openWith(NO_ONE, [media('external')])),
    ]);
    expect(closed).toBe('1002 the session is already open');
    expect(typesOf(heard)).toEqual(['opened', 'disconnect']);
  });

  it.each<[string, string, object, string]>([
    ['a message that nobody knows', 'sing', {}, 'sing is not a client message'],
    ['a message of a server', 'closed', {}, 'closed is not a client message'],
    ['an end for no reason', 'close', {}, 'reason of close must be one of end, error'],
    ['an end for another reason', 'close', { reason: 'x' }, 'reason of close must be one of end, error'],
    ['a pause without its length', 'resumed', {}, 'discarded of resumed must be a duration such as PT1.5S'],
    [
      'a gap of ten days',
      'discarded',
      { discarded: 'PT864000S' },
      'discarded of discarded must be a duration',
    ],
    ['a gap in other words', 'discarded', { discarded: '1 s' }, 'discarded of discarded must be a duration'],
  ])('ends at %s, in the words of the protocol', async (_name, type, parameters, words) => {
    const conversation = randomUUID();
    const prepared = await prepare(conversation);
    const { heard, closed } = await talk((say) => [
      say('open', openWith(conversation, [media('external')])),
      ...pieces(muLaw(own.subarray(0, 8000)), 3200),
      say(type, parameters),
    ]);
    expect(closed).toContain(`1002 ${words}`);
    expect(heard.at(-1)).toMatchObject({
      type: 'disconnect',
      parameters: { reason: 'error', info: expect.stringContaining(words) },
    });
    const look = () => server.rest('GET', `/v1/live/calls/${prepared.body.liveCallId}`);
    await expect.poll(async () => (await look()).body.call.ended).toBe(true);
  });

  it.each(['apiKey', 'secret', 'tenant'])('finds no protocol where %s is not set', async (missing) => {
    const audiohook = { apiKey: API_KEY, secret: SECRET, tenant: gkScopeId, [missing]: '' };
    const settings = { ...audiohook, gkScopeId: audiohook.tenant, publicUrl: '' };
    const protocol = audiohookProtocol({} as LiveCalls, settings, {
      clock: systemClock,
      once: async () => true,
    });
    const visitor = { headers: signedHeaders('a'), url: protocol.path, caller: undefined };
    const connection = { sendText: () => {}, close: () => {}, read: async () => {} };
    await expect(protocol.enter(visitor, connection)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  // What the client has left to send when it is asked to connect anew goes to the old connection, or to the new one.
  it.each<[string, (rest: Buffer[]) => { leave: Script; later: Buffer[] }, string[], string]>([
    [
      'lets go at once',
      (rest) => ({ leave: (say) => [say('close', { reason: 'reconnect' })], later: rest }),
      ['reconnect', 'closed'],
      '1000 closed',
    ],
    [
      'goes on for a while',
      (rest) => ({ leave: (say) => [...rest, say('close', { reason: 'reconnect' })], later: [] }),
      ['reconnect', 'closed'],
      '1000 closed',
    ],
    [
      'never lets go',
      (rest) => ({ leave: () => [], later: rest }),
      ['event', 'reconnect'],
      '1012 the server is shutting down: connect again',
    ],
  ])(
    'whose client %s goes on at the next server when this one goes down',
    async (_how, plan, last, closed) => {
      const conversation = randomUUID();
      const { liveCallId } = (await prepare(conversation)).body;
      const opened = openWith(conversation, [media('external')]);
      const audio = [...pieces(muLaw(own), 3200)];
      const most = Math.floor(0.75 * audio.length);
      const { leave, later } = plan(audio.slice(most));
      const first = talk((say) => [say('open', opened), ...audio.slice(0, most)], undefined, leave);
      const look = async () => (await server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call;
      await expect.poll(async () => (await look()).events?.length).toBe(2);
      await server.stop();
      const before = await first;
      expect(typesOf(before.heard).slice(0, 4)).toEqual(['opened', 'event', 'event', 'reconnect']);
      expect(typesOf(before.heard).slice(-2)).toEqual(last);
      expect(before.closed).toBe(closed);
      server = await start();
      const second = await talk((say) => [say('open', opened), ...later, say('close', { reason: 'end' })]);
      expect(second.closed).toBe('1000 closed');
      const call = await look();
      expect(call.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', sequence: '3', endReason: 'stopped' });
      expect(parseFloat(call.position)).toBeCloseTo(own.length / 8000, 1);
    },
  );

  it('that another node went on with before the old connection was let go of is closed by its client', async () => {
    const said: string[] = [];
    let held: { displaced: OnDisplaced; ask: AskToReconnect } | undefined;
    const live = {
      isOver: false,
      attach: (displaced: OnDisplaced, ask: AskToReconnect) => void (held = { displaced, ask }),
      subscribe: () => () => undefined,
      lose: () => undefined,
    };
    const calls = { prepared: { redeemExternal: async () => ({}) }, begin: async () => live };
    const settings = { apiKey: API_KEY, secret: SECRET, gkScopeId, publicUrl: '' };
    const protocol = audiohookProtocol(calls as unknown as LiveCalls, settings, {
      clock: systemClock,
      once: async () => true,
    });
    const id = randomUUID();
    const headers = { ...signedHeaders(id), host: new URL(server.httpUrl).host };
    const session = await protocol.enter(
      { headers, url: protocol.path, caller: undefined },
      {
        sendText: (text) => void said.push((JSON.parse(text) as Said).type),
        close: (code, reason) => void said.push(`${code} ${reason}`),
        read: async () => {},
      },
    );
    const say = (seq: number, type: string, parameters: object) =>
      session.text(JSON.stringify({ version: '2', id, type, seq, serverseq: 0, parameters }));
    await say(1, 'open', openWith(randomUUID(), [media('external')]));
    const released = held?.ask();
    held?.displaced('resumed');
    expect(said).toEqual(['opened', 'reconnect']);
    await say(2, 'close', { reason: 'reconnect' });
    expect(said.slice(2)).toEqual(['closed', '1000 closed']);
    session.gone(false);
    await released;
  });

  it('needs the key and its signature', async () => {
    const signed = signedHeaders('a');
    await expect(talk(() => [], {})).rejects.toThrow('HTTP 401');
    await expect(talk(() => [], { ...signed, 'audiohook-session-id': 'b' })).rejects.toThrow('HTTP 401');
  });

  it('takes a signed request once, however it is written', async () => {
    const signed = signedHeaders('a');
    const first = await talk(() => ['{'], signed);
    expect(first.closed).toBe('1002 not a JSON message');
    await expect(talk(() => [], signed)).rejects.toThrow('HTTP 401');
    const renamed = { ...signed, signature: signed['signature']?.replace('sig1', 'sig2') ?? '' };
    const input = signed['signature-input']?.replace('sig1', 'sig2') ?? '';
    await expect(talk(() => [], { ...renamed, 'signature-input': input })).rejects.toThrow('HTTP 401');
  });
});
