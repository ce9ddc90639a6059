// LiveAudio from outside: audio by gRPC and by WebSocket, decisions while it runs, tokens, refusals.
import asyncApi from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' };
import { create, fromJson, toJson } from '@bufbuild/protobuf';
import { Client, credentials } from '@grpc/grpc-js';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  LiveAudio,
  LiveState,
  ListenRequestSchema,
  ListenResponseSchema,
  WatchCallResponseSchema,
  type ListenRequest,
  type ListenResponse,
} from '../../src/gen/voxgate/live/v1/live_pb.js';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker } from '../biometrics/asking.js';
import { Platform } from '../biometrics/support.js';
import { callMetadata, deserializerFor, serializerFor } from '../support/server.js';
import { describedMessages } from './asyncapi.js';
import { liveChanges } from './changes.js';
import { bearer, format, Line, startWith, STOP, targetOf, visit as visitOn } from './line.js';
import { interleaved, linear16, muLaw, pieces, prepareCall, twoCallers } from './support.js';
import { watchCall } from './watch.js';

let platform: Platform;
let anna: { profile: string; owner: string };
let own: Int16Array;
let stranger: Int16Array;

beforeAll(async () => {
  platform = await Platform.start();
  anna = await platform.printOf('anna');
  ({ own, stranger } = await twoCallers());
});
afterAll(() => platform.stop());

const visit = (messages: (string | Buffer)[], headers: Record<string, string> = {}) =>
  visitOn(platform, messages, headers);

describe('a call over the WebSocket', () => {
  it('is accepted while the owner speaks, and the session says so', async () => {
    const context = await platform.open();
    const { events, closed } = await visit(
      [startWith(context, anna.profile), ...pieces(muLaw(own), 160), STOP],
      bearer,
    );
    expect(closed).toEqual({ code: 1000, reason: 'stopped' });
    expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
    expect(events.map(({ sequence }) => sequence)).toEqual(['1', '2', '3']);
    expect(events.at(-1)).toMatchObject({ final: true, endReason: 'stopped', reason: 'VOICEPRINT_MATCH' });
    expect(events[1]).toMatchObject({ netSpeech: '3s', gkVoiceprintProfileId: { value: anna.profile } });
    expect(closed).toEqual({ code: 1000, reason: 'stopped' });
    expect(await platform.decision(context)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
    const { body } = await asker(Activity)(platform, 'gRPC', 'ListSessions', {}, { ...context });
    const [listed] = body['sessions'] as { assessment: Record<string, unknown> }[];
    const { whoCalled: _who, ...assessment } = listed?.assessment ?? {};
    expect(assessment).toMatchObject({
      headline: 'SESSION_HEADLINE_AUTHENTIC',
      caveats: ['SESSION_CAVEAT_ATTACK_CHECK_MISSING'],
    });
    expect(events.at(-1)).toMatchObject({ assessment });
  });

  it('says nothing that the AsyncAPI document does not describe, and the document is one', async () => {
    const document = await (await fetch(`${platform.server.httpUrl}/asyncapi.json`)).json();
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(asyncApi);
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    const described = await describedMessages(platform.server.httpUrl);
    const line = new Line(platform);
    const start = JSON.parse(startWith(await platform.open(), anna.profile)) as { start: object };
    const { event } = await line.begin(start.start);
    const { liveCallId } = event as unknown as { liveCallId: string };
    const followed = await fetch(`${platform.server.httpUrl}/v1/live/${liveCallId}/events?progress=1`, {
      headers: bearer,
    });
    line.send(muLaw(own));
    let told = '';
    const decoder = new TextDecoder();
    for await (const piece of followed.body!) {
      told += decoder.decode(piece, { stream: true });
      // The call goes on until its progress was told.
      if (/^event: progress\ndata: .*\n\n/m.test(told) && line.socket.readyState === WebSocket.OPEN)
        line.send(STOP);
    }
    await line.closed;
    const progress = [...told.matchAll(/^event: progress\ndata: (.*)\n\n/gm)].map(([, data]) =>
      JSON.parse(data!),
    );
    for (const one of progress) expect(described('liveProgress', one)).toEqual([]);
    expect(progress.length).toBeGreaterThan(0);
    expect(line.answers.length).toBe(3);
    for (const answer of line.answers) expect(described('listenResponse', answer)).toEqual([]);
    for (const { event } of line.answers) expect(described('liveEvent', event)).toEqual([]);
    for (const request of [start, { stop: {} }]) expect(described('listenRequest', request)).toEqual([]);
    expect(described('listenResponse', { event: { mood: 'good' } })).not.toEqual([]);
  });

  it('is refused for a stranger, on the customer channel of two', async () => {
    const both = linear16(interleaved(own, stranger));
    const audio = { encoding: 'LINEAR16', sampleRateHz: 8000, channels: 2, customerChannel: 2 };
    const { events } = await visit(
      [startWith(await platform.open(), anna.profile, audio), ...pieces(both, 1000), STOP],
      bearer,
    );
    expect(events.at(-1)).toMatchObject({ state: 'NO_MATCH', final: true });
  });

  it('hears nobody in silence, and says so at the end', async () => {
    const { events } = await visit(
      [startWith(await platform.open(), anna.profile), Buffer.alloc(80_000, 0xff), STOP],
      bearer,
    );
    expect(events.at(-1)).toMatchObject({ state: 'LISTENING', final: true, endReason: 'stopped' });
  });

  it.each([
    ['audio before the start', [Buffer.alloc(160)], 'the first message must be start'],
    ['what is no message', ['{"start":'], 'not a ListenRequest: not JSON'],
    ['an unknown member', ['{"stat":{}}'], 'not a ListenRequest: stat: no such field'],
    [
      'an unknown member of the format',
      ['{"start":{"streamToken":"x","format":{"sampleRate":8000}}}'],
      'not a ListenRequest: start.format.sampleRate: no such field',
    ],
    [
      'a member of the wrong kind',
      ['{"start":{"streamToken":"x","format":{"encoding":"MP3"}}}'],
      expect.stringContaining('not a ListenRequest: start.format.encoding: '),
    ],
    [
      'an impossible value',
      ['{"start":{"streamToken":"x","format":{"encoding":"ALAW","sampleRateHz":96000}}}'],
      'start.format.sample_rate_hz: must be 8000 to 48000',
    ],
  ])('ends at %s', async (_, messages, reason) => {
    expect((await visit(messages as Buffer[], bearer)).closed).toEqual({ code: 1002, reason });
  });

  it('ends at a start that cannot be, with the field', async () => {
    const context = await platform.open();
    const refused = async (start: string) => (await visit([start], bearer)).closed.reason;
    expect(
      await refused(startWith(context, anna.profile, { encoding: 'MULAW', sampleRateHz: 4000 })),
    ).toContain('start.format.sample_rate_hz');
    expect(
      await refused(startWith(context, anna.profile, { encoding: 'OPUS', sampleRateHz: 11_025 })),
    ).toContain('start.format.sample_rate_hz');
    const named = (more: object) =>
      refused(startWith(context, anna.profile, { ...format, channels: 2, ...more }));
    expect(await named({ channelNames: ['customer'] })).toContain('start.format.channel_names');
    expect(await named({ channelNames: ['a', 'a'] })).toContain('must differ');
    expect(await named({ channelNames: ['a', 'b'], customerChannelName: 'c' })).toContain(
      'start.format.customer_channel_name',
    );
    expect(await refused(startWith({ ...context, configsetId: 'none' }, anna.profile))).toContain(
      'configset',
    );
    expect(await refused(startWith(context, crypto.randomUUID()))).toContain('voiceprint profile');
    expect(
      await refused(startWith({ ...context, gkSessionId: { value: crypto.randomUUID() } }, anna.profile)),
    ).toBe('context.gk_session_id: no such session');
    expect(await refused(JSON.stringify({ start: { format } }))).toContain('start.stream_token');
  });

  it('needs a token: bearer at the protocol, or a stream token at the start', async () => {
    await expect(visit([], { authorization: 'Bearer wrong' })).rejects.toThrow('HTTP 401');
    const context = await platform.open();
    expect((await visit([startWith(context, anna.profile)])).closed.reason).toContain('token is required');
    const { body } = await platform.post('/v1/live/calls', { context, target: targetOf(anna.profile) });
    const start = JSON.stringify({ start: { streamToken: body.streamToken, format } });
    const { events } = await visit([start, ...pieces(muLaw(own), 4000), STOP]);
    expect(events.at(-1)).toMatchObject({ liveCallId: body.liveCallId, state: 'AUTHENTIC', final: true });
    expect((await visit([start])).closed.reason).toContain('stream token is unknown');
  });
});

liveChanges(
  () => platform,
  () => anna,
);

describe('a call over gRPC', () => {
  const listen = (messages: ListenRequest[], token?: string): Promise<ListenResponse[]> =>
    new Promise((resolve, reject) => {
      const client = new Client(platform.server.grpcAddress, credentials.createInsecure());
      const stream = client.makeBidiStreamRequest(
        `/${LiveAudio.typeName}/Listen`,
        serializerFor(ListenRequestSchema),
        deserializerFor(ListenResponseSchema),
        callMetadata(token === undefined ? {} : { token }),
      );
      const answers: ListenResponse[] = [];
      stream.on('data', (answer: ListenResponse) => answers.push(answer));
      stream.on('error', reject);
      stream.on('end', () => resolve(answers));
      stream.on('status', () => client.close());
      for (const message of messages) stream.write(message);
      stream.end();
    });
  const message = (init: Parameters<typeof create<typeof ListenRequestSchema>>[1]): ListenRequest =>
    create(ListenRequestSchema, init);
  const startOf = async (): Promise<ListenRequest> => {
    const audio = { encoding: 'LINEAR16', sampleRateHz: 8000 };
    return fromJson(ListenRequestSchema, JSON.parse(startWith(await platform.open(), anna.profile, audio)));
  };

  it('is decided as the same audio by the other protocol', async () => {
    const audio = [...pieces(linear16(own), 3201)].map((value) =>
      message({ message: { case: 'audio', value } }),
    );
    const answers = await listen([await startOf(), ...audio]);
    expect(answers.map(({ event }) => event?.state)).toEqual([
      LiveState.LISTENING,
      LiveState.AUTHENTIC,
      LiveState.AUTHENTIC,
    ]);
    expect(answers.at(-1)?.event).toMatchObject({ final: true, endReason: 'stopped' });
  });

  it('answers a wrong beginning in the body, and a wrong token as a refusal', async () => {
    const [answer] = await listen([message({ message: { case: 'audio', value: new Uint8Array(3) } })]);
    expect(JSON.stringify(toJson(ListenResponseSchema, answer as ListenResponse))).toContain('first message');
    await expect(listen([await startOf()], 'wrong')).rejects.toThrow('UNAUTHENTICATED');
  });
});

describe('a connection that breaks', () => {
  const question = async (on = platform, profile = anna.profile) => ({
    question: { context: await on.open(), target: targetOf(profile) },
    format,
  });

  it('is resumed without losing speech: the outcome is that of a call without a break', async () => {
    const audio = muLaw(own);
    const whole = new Line(platform);
    await whole.begin(await question());
    whole.send(audio, STOP);
    expect(await whole.closed).toBe('1000 stopped');
    const first = new Line(platform);
    const { event, resume } = await first.begin(await question());
    expect(event).toMatchObject({ state: 'LISTENING' });
    first.send(...pieces(audio.subarray(0, 30_000), 1600));
    first.socket.terminate();
    await first.closed;
    const second = new Line(platform);
    const again = await second.begin({ resumeToken: resume?.resumeToken, afterSequence: '1' });
    const received = Number(again.resume?.receivedBytes ?? 0);
    expect(received).toBeLessThanOrEqual(30_000);
    second.send(audio.subarray(received), STOP);
    expect(await second.closed).toBe('1000 stopped');
    const facts = (event: object) => ({ ...event, liveCallId: '', at: '' });
    expect(second.events.map(facts)).toEqual(whole.events.slice(1).map(facts));
  });

  it('is taken over from a connection that still seems to be there, also by one that has lost count', async () => {
    const first = new Line(platform);
    const { resume } = await first.begin(await question());
    const second = new Line(platform);
    await second.begin({ resumeToken: resume?.resumeToken, afterSequence: '9' });
    expect(await first.closed).toBe('1000 resumed by another connection');
    second.send(muLaw(own), STOP);
    expect(await second.closed).toBe('1000 stopped');
    expect(second.events.map(({ state }) => state)).toEqual(['AUTHENTIC', 'AUTHENTIC']);
    expect(second.answers.at(-1)?.event).toMatchObject({ state: 'AUTHENTIC', final: true });
  });

  it('is not resumed with a token that nobody has, or whose call is over', async () => {
    const first = new Line(platform);
    const { resume } = await first.begin(await question());
    first.send(STOP);
    await first.closed;
    for (const resumeToken of [resume?.resumeToken, 'wrong']) {
      const late = new Line(platform);
      await new Promise((resolve) => late.socket.once('open', resolve));
      late.send(JSON.stringify({ start: { resumeToken } }));
      expect(await late.closed).toContain('resume token is unknown');
    }
  });
});

describe('the events of a call', () => {
  const read = (id: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${platform.server.httpUrl}/v1/live/${id}/events`, { headers: { ...bearer, ...headers } });
  const eventsIn = (text: string) =>
    [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)].map(([, id, data]) => ({ id, ...JSON.parse(data!) }));

  it('can be followed from before its beginning to its end, and picked up behind any of them', async () => {
    const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
    const followed = await read(liveCallId);
    expect(followed.headers.get('content-type')).toBe('text/event-stream');
    await visit([JSON.stringify({ start: { streamToken, format } }), muLaw(own), STOP]);
    const all = eventsIn(await followed.text());
    expect(all.map(({ id, state }) => [id, state])).toEqual([
      ['1', 'LISTENING'],
      ['2', 'AUTHENTIC'],
      ['3', 'AUTHENTIC'],
    ]);
    expect(all.at(-1)).toMatchObject({ final: true, endReason: 'stopped' });
    const rest = eventsIn(await (await read(liveCallId, { 'last-event-id': '2' })).text());
    expect(rest).toEqual(all.slice(2));
    expect((await read(liveCallId, { 'last-event-id': '3' })).status).toBe(204);
    expect((await read(liveCallId, { 'last-event-id': 'x' })).status).toBe(400);
  });

  it('are told over gRPC as well, to others than the sender, with how much was said in between', async () => {
    const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
    const watching = watchCall(platform, { liveCallId, progress: true });
    const line = new Line(platform);
    await line.begin({ streamToken, format });
    line.send(muLaw(own));
    const said = (): unknown => watching.answers.find(({ progress }) => progress?.netSpeech)?.progress;
    await expect.poll(said).toMatchObject({ liveCallId: '', events: [] });
    line.send(STOP);
    await line.closed;
    await watching.ended;
    expect(watching.events()).toEqual(line.events);
    expect(line.events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
    const late = watchCall(platform, { liveCallId, afterSequence: 2n });
    await late.ended;
    expect(late.events()).toEqual(line.events.slice(2));
  });

  it('are told over gRPC to as many as there may be calls, beside whom others are served', async () => {
    const { liveCallId } = await prepareCall(platform, anna.profile);
    const all = Array.from({ length: 300 }, () => watchCall(platform, { liveCallId }));
    for (const { begun } of all) await begun;
    const { body } = await platform.post(`/v1/live/calls/${liveCallId}:end`, {});
    expect(body.call.ended).toBe(true);
    for (const { events, ended } of all) {
      await ended;
      expect(events()).toMatchObject([{ reason: 'NOT_BEGUN', final: true }]);
    }
  });

  it('are refused over gRPC where the call is none of theirs, or the request makes no sense', async () => {
    const { liveCallId } = await prepareCall(platform, anna.profile);
    await expect(watchCall(platform, { liveCallId }, 'wrong').ended).rejects.toThrow('UNAUTHENTICATED');
    const answerTo = async (request: Parameters<typeof watchCall>[1]): Promise<string> => {
      const { answers, ended } = watchCall(platform, request);
      await ended;
      return JSON.stringify(answers.map((answer) => toJson(WatchCallResponseSchema, answer)));
    };
    expect(await answerTo({ liveCallId: crypto.randomUUID() })).toContain('NOT_FOUND');
    expect(await answerTo({})).toContain('NOT_FOUND');
    expect(await answerTo({ liveCallId, afterSequence: -1n })).toContain('after_sequence');
  });

  it('are told to those who may read the call, and to nobody else', async () => {
    const { liveCallId } = await prepareCall(platform, anna.profile);
    expect((await read(liveCallId, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await read(crypto.randomUUID())).status).toBe(404);
  });

  it('say so where a call was taken back before it began, also to those who ask later', async () => {
    const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
    const followed = await read(liveCallId);
    const { body } = await platform.post(`/v1/live/calls/${liveCallId}:end`, {});
    const last = { state: 'LISTENING', reason: 'NOT_BEGUN', final: true, endReason: 'ended' };
    expect(body.call).toMatchObject({ liveCallId, ended: true, events: [last] });
    expect(eventsIn(await followed.text())).toMatchObject([last]);
    expect(eventsIn(await (await read(liveCallId)).text())).toMatchObject([last]);
    const { closed } = await visit([JSON.stringify({ start: { streamToken, format } })]);
    expect(closed.reason).toContain('stream token is unknown');
    // Once more changes nothing.
    expect((await platform.post(`/v1/live/calls/${liveCallId}:end`, {})).body.call).toMatchObject({
      events: [last],
    });
  });

  it('can be asked for at every moment of a call that is just starting', async () => {
    const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
    const line = new Line(platform);
    await new Promise((resolve) => line.socket.once('open', resolve));
    line.send(JSON.stringify({ start: { streamToken, format } }));
    const statuses = new Set<string>();
    while (line.answers.length === 0) {
      const { body } = await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`);
      statuses.add(body.status.statusCode);
    }
    expect([...statuses]).toEqual(['OK']);
    line.send(STOP);
    await line.closed;
  });
});

describe('calls that run', () => {
  it('are listed, read and ended by those who may, and by nobody else', async () => {
    const context = await platform.open();
    const { body } = await platform.post('/v1/live/calls', { context, target: targetOf(anna.profile) });
    const path = `/v1/live/calls/${body.liveCallId}`;
    const socket = new WebSocket(`${platform.server.httpUrl.replace('http', 'ws')}/v1/live`);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const first = new Promise((resolve) => socket.on('message', resolve));
    socket.on('open', () =>
      socket.send(JSON.stringify({ start: { streamToken: body.streamToken, format } })),
    );
    await first;
    const scope = context.gkScopeId.value;
    const listed = await platform.server.rest('GET', `/v1/live/calls?gk_scope_id.value=${scope}`);
    expect(listed.body.calls.map((call: { liveCallId: string }) => call.liveCallId)).toContain(
      body.liveCallId,
    );
    expect((await platform.server.rest('GET', path)).body.call).toMatchObject({ protocol: 'websocket' });
    const ended = await platform.post(`${path}:end`, {});
    expect(ended.body.call.ended).toBe(true);
    await closed;
    expect(
      (await platform.server.rest('GET', `/v1/live/calls/${crypto.randomUUID()}`)).body.status,
    ).toMatchObject({
      statusCode: 'NOT_FOUND',
    });
  });
});

describe('more calls than a node may listen to', () => {
  it('are told to come later, and those that run go on', async () => {
    const small = await Platform.start({ config: { 'live.callsMax': 1, 'live.resumeMs': 50 } });
    try {
      const { profile } = await small.printOf('anna');
      const url = `${small.server.httpUrl.replace('http', 'ws')}/v1/live`;
      const start = startWith(await small.open(), profile);
      const first = new WebSocket(url, { headers: bearer });
      const running = new Promise((resolve) => first.once('message', resolve));
      first.on('open', () => first.send(start));
      await running;
      const { streamToken } = await prepareCall(small, profile);
      const refused = new Line(small);
      await new Promise((resolve) => refused.socket.once('open', resolve));
      refused.send(JSON.stringify({ start: { streamToken, format } }));
      expect(await refused.closed).toContain('1013 this node is already listening');
      first.send(STOP);
      expect(await new Promise((resolve) => first.on('close', resolve))).toBe(1000);
      // Whoever was refused for want of room may try again with the same token.
      const again = new Line(small);
      await again.begin({ streamToken, format });
      again.send(STOP);
      expect(await again.closed).toBe('1000 stopped');
      // A call that nobody resumes makes room too.
      const third = new Line(small);
      const { event } = await third.begin(JSON.parse(start).start);
      third.socket.terminate();
      const { liveCallId } = event as unknown as { liveCallId: string };
      const look = async () => (await small.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call;
      // Sooner than without the setting.
      await expect.poll(async () => (await look()).ended, { timeout: 10_000 }).toBe(true);
      expect((await look()).events.at(-1)).toMatchObject({ endReason: 'lost' });
    } finally {
      await small.stop();
    }
  });
});
