// One text, then audio: each telephone system by its first message, from outside, and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readOpening } from '../../src/live/protocols/first-frame.js';
import { Platform } from '../biometrics/support.js';
import { interleaved, linear16, muLaw, pieces, prepareCall, twoCallers } from './support.js';

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

const prepare = () => prepareCall(platform, anna.profile);

/** Sends everything; hangs up at the end where the dialect has no word for it. */
function visit(messages: (string | Buffer)[], query = '', hangUp = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${platform.server.httpUrl.replace('http', 'ws')}/v1/live/stream${query}`);
    socket.on('open', () => {
      for (const message of messages) socket.send(message);
      if (hangUp) socket.close(1000);
    });
    socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`));
    socket.on('error', reject);
  });
}

async function ended(liveCallId: string): Promise<string> {
  const read = async () => (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call;
  await expect.poll(async () => (await read()).ended).toBe(true);
  const { protocol, events } = await read();
  return `${protocol} ${events.at(-1).state} ${events.at(-1).endReason}`;
}

describe('a call with one text before its audio', () => {
  it('comes from Vonage, with the token among its own fields', async () => {
    const { liveCallId, streamToken } = await prepare();
    const first = { event: 'websocket:connected', 'content-type': 'audio/l16;rate=8000', token: streamToken };
    const key = JSON.stringify({ event: 'websocket:dtmf', digit: '5' });
    await visit([JSON.stringify(first), key, ...pieces(linear16(own), 640)], '', true);
    expect(await ended(liveCallId)).toBe('vonage AUTHENTIC stopped');
  });

  it('comes from jambonz, with the caller on the left of two', async () => {
    const { liveCallId, streamToken } = await prepare();
    const metadata = { token: streamToken };
    const first = { callSid: 'c', sampleRate: 8000, mixType: 'stereo', metadata };
    const closed = await visit([
      JSON.stringify(first),
      ...pieces(linear16(interleaved(own, stranger)), 640),
      JSON.stringify({ type: 'disconnect' }),
    ]);
    expect(closed).toBe('1000 stopped');
    expect(await ended(liveCallId)).toBe('jambonz AUTHENTIC stopped');
  });

  it('comes from Asterisk, with the token in the address', async () => {
    const { liveCallId, streamToken } = await prepare();
    const first = 'MEDIA_START connection_id:1 channel:WebSocket/x format:ulaw optimal_frame_size:160';
    await visit([first, ...pieces(muLaw(own), 160), 'HANGUP'], `?token=${streamToken}`);
    expect(await ended(liveCallId)).toBe('asterisk AUTHENTIC stopped');
  });

  const vonage = (rate: number) =>
    JSON.stringify({ event: 'websocket:connected', 'content-type': `audio/l16;rate=${rate}` });
  const asterisk = (format: string) => `MEDIA_START connection_id:1 channel:c format:${format}`;

  it.each([
    ['Vonage', vonage(8000), vonage(16_000)],
    ['Asterisk', asterisk('ulaw'), asterisk('slin16')],
    ['Asterisk in JSON', asterisk('ulaw'), '{"event":"MEDIA_START","format":"alaw"}'],
    ['jambonz', '{"callSid":"c","sampleRate":8000,"mixType":"mono"}', '{"callSid":"c","mixType":"stereo"}'],
    ['FreeSWITCH', '{}', '{"sample_rate":16000}'],
  ])('ends where %s says another format later', async (_name, first, other) => {
    const { liveCallId, streamToken } = await prepare();
    const closed = await visit([first, Buffer.alloc(320), other, Buffer.alloc(640)], `?token=${streamToken}`);
    expect(closed).toBe('1002 the format cannot change during a call');
    expect(await ended(liveCallId)).toMatch(/ lost$/);
  });

  it.each([
    ['Vonage', vonage(16_000), vonage(16_000), '{"event":"websocket:dtmf","digit":"5"}'],
    ['Asterisk', asterisk('ulaw'), asterisk('ulaw'), 'MEDIA_XON'],
    [
      'jambonz',
      '{"callSid":"c","sampleRate":16000,"mixType":"stereo"}',
      '{"sampleRate":16000}',
      '{"callSid":"c"}',
    ],
    ['FreeSWITCH', '{"sampleRate":16000}', '{"sampleRate":16000}', '{"a":1}'],
  ])('goes on where %s says the same format again', async (_name, first, ...later) => {
    const { liveCallId, streamToken } = await prepare();
    const hangup = '{"type":"disconnect"}';
    const closed = await visit([first, Buffer.alloc(320), ...later, hangup], `?token=${streamToken}`);
    expect(closed).toBe('1000 stopped');
    expect(await ended(liveCallId)).toMatch(/ stopped$/);
  });

  it.each([
    ['audio first', [Buffer.alloc(320)], '', '1002 audio before the first text'],
    ['what is no JSON', ['hello'], '', '1002 the first text is neither JSON'],
    ['a list', ['[]'], '', '1002 the first text message must be a JSON object'],
    ['no token', ['{}'], '', '1002 token'],
    ['a wrong token', ['{}'], '?token=x', '1002 the stream token is unknown'],
  ])('ends at %s', async (_name, messages, query, words) => {
    expect(await visit(messages, query)).toContain(words);
  });
});

describe('the first text', () => {
  const address = (text = '') => new URLSearchParams(text);

  it.each([
    ['{"event":"websocket:connected","content-type":"audio/l16;rate=16000"}', '', 'vonage', 16_000, 1],
    ['{"callSid":"c","sampleRate":16000,"mixType":"mono"}', '', 'jambonz', 16_000, 1],
    ['{"anything":1}', 'rate=16000&channels=2', 'freeswitch', 16_000, 2],
    ['{}', '', 'freeswitch', 8000, 1],
    ['{"callSid":"c","sample_rate":16000,"mixType":"mono"}', '', 'jambonz', 16_000, 1],
    ['MEDIA_START connection_id:1 channel:c format:slin16 optimal_frame_size:640', '', 'asterisk', 16_000, 1],
    ['{"event":"MEDIA_START","connection_id":"1","format":"slin48"}', '', 'asterisk', 48_000, 1],
    ['MEDIA_START format:slin24', '', 'asterisk', 24_000, 1],
    ['MEDIA_START format:slin44', '', 'asterisk', 44_100, 1],
  ] as const)('%s (%s) is that of %s', (text, query, ...expected) => {
    const { dialect, audio } = readOpening(text, address(query));
    expect([dialect, audio.format.sampleRateHz, audio.format.channels]).toEqual(expected);
  });

  it.each([
    ['{"event":"websocket:connected","content-type":"audio/opus"}', 'content-type'],
    ['{"callSid":"c","sampleRate":1}', 'sampleRate'],
    ['{"callSid":"c","sampleRate":{}}', 'sampleRate'],
    ['MEDIA_START format:g729', 'format'],
    ['MEDIA_START', 'format'],
    ['{"event":"MEDIA_START","format":7}', 'format'],
  ])('%s is refused for its %s', (text, field) => {
    expect(() => readOpening(text, address())).toThrow(field);
  });
});
