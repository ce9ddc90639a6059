// The protocol of Twilio Media Streams and its relatives: their messages, tracks, order, signature and refusals.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ChunkOrder } from '../../src/live/protocols/chunk-order.js';
import { Platform } from '../biometrics/support.js';
import { cutOffIn, linear16, muLaw, pieces, prepareCall, type PreparedCall, twoCallers } from './support.js';

let platform: Platform;
let anna: { profile: string };
let own: Int16Array;
let stranger: Int16Array;

beforeAll(async () => {
  platform = await Platform.start();
  anna = await platform.printOf('anna');
  ({ own, stranger } = await twoCallers());
});
afterAll(() => platform.stop());

const prepare = (on = platform, profile = anna.profile) => prepareCall(on, profile);

/** Sends texts and resolves with the close code and reason, or with the HTTP status of a refusal. */
function visit(
  messages: (object | string | Buffer)[],
  { at = platform, headers = {}, query = '' }: { at?: Platform; headers?: object; query?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `${at.server.httpUrl.replace('http', 'ws')}/v1/live/twilio${query}`;
    const socket = new WebSocket(url, { headers: { ...headers } });
    socket.on('open', () => {
      for (const message of messages)
        socket.send(
          typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
        );
    });
    socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`));
    socket.on('unexpected-response', (_, answer) => resolve(`HTTP ${answer.statusCode}`));
    socket.on('error', reject);
  });
}

async function lastState({ liveCallId }: PreparedCall): Promise<string> {
  const { body } = await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`);
  return `${body.call.protocol} ${body.call.events.at(-1).state}`;
}

const connected = { event: 'connected', protocol: 'Call', version: '1.0.0' };
const stop = { event: 'stop', streamSid: 'MZ1', stop: { callSid: 'CA1' } };
const start = ({ streamToken }: PreparedCall, custom: object = {}, mediaFormat: object = {}) => ({
  event: 'start',
  sequenceNumber: '1',
  streamSid: 'MZ1',
  start: {
    streamSid: 'MZ1',
    tracks: ['inbound', 'outbound'],
    customParameters: { token: streamToken, ...custom },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1, ...mediaFormat },
  },
});
const media = (track: string, bytes: Buffer) =>
  [...pieces(bytes, 160)].map((piece, index) => ({
    event: 'media',
    streamSid: 'MZ1',
    media: {
      track,
      chunk: String(index + 1),
      timestamp: String(20 * index),
      payload: piece.toString('base64'),
    },
  }));

describe('a Twilio stream', () => {
  it('is judged by the track of the customer, with keys and marks beside', async () => {
    const call = await prepare();
    const [mine, theirs] = [media('inbound', muLaw(own)), media('outbound', muLaw(stranger))];
    const mixed = mine.flatMap((message, index) => [message, ...(theirs[index] ? [theirs[index]] : [])]);
    const dtmf = { event: 'dtmf', streamSid: 'MZ1', dtmf: { track: 'inbound_track', digit: '5' } };
    const mark = { event: 'mark', streamSid: 'MZ1', mark: { name: 'x' } };
    const closed = await visit([connected, start(call), dtmf, mark, ...mixed, stop]);
    expect(closed).toBe('1000 stopped');
    expect(await lastState(call)).toBe('twilio AUTHENTIC');
    const other = await prepare();
    await visit([connected, start(other, { customerTrack: 'outbound_track' }), ...mixed, stop]);
    expect(await lastState(other)).toBe('twilio NO_MATCH');
  });

  it('that breaks leaves a session that was cut off, also where that is stopped in the next moment', async () => {
    const context = await platform.open();
    const call = await prepareCall(platform, anna.profile, '', context);
    const socket = new WebSocket(`${platform.server.httpUrl.replace('http', 'ws')}/v1/live/twilio`);
    await new Promise((resolve) => socket.once('open', resolve));
    for (const message of [connected, start(call), ...media('inbound', muLaw(own))])
      socket.send(JSON.stringify(message));
    await expect.poll(() => lastState(call)).toBe('twilio AUTHENTIC');
    socket.terminate();
    await pause(100);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
    await expect
      .poll(() => cutOffIn(platform, context))
      .toEqual({ isCutOff: true, rows: ['CutOffCall lost'] });
  });

  it('is put in order, and pieces that come twice count once', async () => {
    const call = await prepare();
    const inOrder = media('inbound', muLaw(own));
    const shuffled = inOrder.map((_, index) => inOrder[index ^ 1] ?? inOrder[index]).flatMap((piece) => [piece, piece]); // prettier-ignore
    await visit([start(call), ...(shuffled as object[]), stop]);
    expect(await lastState(call)).toBe('twilio AUTHENTIC');
  });

  it('may be that of a relative: snake_case, the token in the address, PCM, the rate as text', async () => {
    const call = await prepare();
    const opening = {
      event: 'start',
      sequence_number: '1',
      stream_id: 's',
      start: { media_format: { encoding: 'PCM', sample_rate: '8000', channels: 1 } },
    };
    const query = `?token=${call.streamToken}`;
    expect(await visit([opening, ...media('inbound', linear16(own)), stop], { query })).toBe('1000 stopped');
    expect(await lastState(call)).toBe('twilio AUTHENTIC');
  });

  it.each<[string, (call: PreparedCall) => (object | string | Buffer)[], string]>([
    ['no JSON', () => ['{'], '1002 not a JSON message'],
    ['no event', () => ['[]'], '1002 not a message with an event'],
    ['binary audio', () => [Buffer.alloc(160)], '1002 audio comes as base64'],
    ['media before the start', () => media('inbound', Buffer.alloc(160)), '1002 media before start'],
    ['a stop before the start', () => [stop], '1002 stop before start'],
    ['no token', () => [{ event: 'start', start: {} }], '1002 start.customParameters.token'],
    [
      'a wrong token',
      () => [start({ liveCallId: '', streamToken: 'x' })],
      '1002 the stream token is unknown',
    ],
    ['two starts', (call) => [start(call), start(call)], '1002 the stream has already started'],
    [
      'another codec',
      (call) => [start(call, {}, { encoding: 'audio/amr' })],
      '1002 start.mediaFormat.encoding',
    ],
    [
      'a rate of nothing',
      (call) => [start(call, {}, { sampleRate: 1 })],
      '1002 start.mediaFormat.sampleRate',
    ],
    [
      'two channels in one track',
      (call) => [start(call, {}, { channels: 2 })],
      '1002 start.mediaFormat.channels',
    ],
    [
      'media is from another stream',
      (call) => [start(call), { event: 'media', streamSid: 'MZ2', media: { chunk: '1', payload: '' } }],
      '1002 media is from another stream',
    ],
    [
      'no base64',
      (call) => [start(call), { event: 'media', media: { chunk: '1', payload: '!' } }],
      '1002 media.payload',
    ],
    [
      'a lying number',
      (call) => [start(call), { event: 'media', media: { chunk: '1e99', payload: '' } }],
      '1002 media.chunk',
    ],
  ])('ends at %s', async (_name, messages, words) => {
    expect(await visit(messages(await prepare()))).toContain(words);
  });

  it('needs the signature of the account where its token is set', async () => {
    const config = {
      'live.twilioAuthToken': '12345678901234567890123456789012',
      publicUrl: 'https://voxgate.example.com',
    };
    const at = await Platform.start({ config });
    try {
      // Made by getExpectedTwilioSignature of the package twilio 6.2.0: for this address, and for it with ?token=abc.
      const headers = { 'x-twilio-signature': 'OZRMaRpWMuUraWJSdXD9mSkjZtQ=' };
      const ofAnother = { 'x-twilio-signature': 'l57TrRvDQDBzIhKLAVSmhe+5naE=' };
      expect(await visit([], { at })).toBe('HTTP 401');
      expect(await visit([], { at, headers: ofAnother })).toBe('HTTP 401');
      const target = { syntheticSpeech: true };
      const call = (await at.post('/v1/live/calls', { context: await at.open(), target })).body;
      expect(await visit([start(call), stop], { at, headers })).toBe('1000 stopped');
      // The same with the port in the address, as other systems of theirs have it.
      const withPort = { 'x-twilio-signature': 'JgF4EnZUEfodD48lxdledeowCAk=' };
      expect(await visit(['{'], { at, headers: withPort })).toMatch(/^1002 /);
    } finally {
      await at.stop();
    }
  });
});

describe('numbered pieces', () => {
  const piece = (value: number) => Uint8Array.of(value);
  const run = (numbers: number[], window = 3): number[] => {
    const order = new ChunkOrder(window);
    const given = numbers.flatMap((number) => order.push(number, piece(number)));
    return [...given, ...order.flush()].map((bytes) => bytes[0] as number);
  };

  it.each([
    ['in order', [1, 2, 3], [1, 2, 3]],
    ['from nought', [0, 1, 2], [0, 1, 2]],
    ['out of order', [2, 1, 4, 3], [1, 2, 3, 4]],
    ['twice', [1, 1, 2, 1, 2], [1, 2]],
    ['with one lost, waiting only so long', [1, 3, 4, 5, 6, 2, 7], [1, 3, 4, 5, 6, 7]],
    ['that begin late', [40, 41, 42, 43, 44], [40, 41, 42, 43, 44]],
  ])('%s', (_name, numbers, expected) => {
    expect(run(numbers)).toEqual(expected);
  });
});
