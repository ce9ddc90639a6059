// `voxgate live send` and `watch`, and `npm run tools -- send`, run in-process against a server: its protocols, events as lines, refusals in words; and AudioSocket itself, by
// the frames of another implementation.
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { encodeAudio, encodeFrame, encodeHangup, FrameParser, FrameType } from 'asterisk-audiosocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeMuLaw } from '../../src/voice/audio/encode-mulaw.js';
import { Platform } from '../biometrics/support.js';
import { runVoxgate } from '../cli/run-voxgate.js';
import { freePort } from '../support/free-port.js';
import { TEST_TOKEN } from '../support/server.js';
import { runTools } from '../tools/run-tools.js';
import { wavFile } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';
import { eventsIn, linear16, muLaw, pieces, prepareCall, twoCallers, type PreparedCall } from './support.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-live-'));
const RECORDING = join(FOLDER, 'call.wav');
let platform: Platform;
let anna: { profile: string };

let tcpPort: number;

beforeAll(async () => {
  tcpPort = await freePort();
  platform = await Platform.start({ config: { 'live.audiosocket': `127.0.0.1:${tcpPort}` } });
  anna = await platform.printOf('anna');
  const spoken = joined(await voiceSamples('anna', 4), await voiceSamples('anna', 5));
  writeFileSync(RECORDING, wavFile([spoken], 16_000));
});
afterAll(async () => {
  await platform.stop();
  rmSync(FOLDER, { recursive: true });
});

/** Ways in of our own are commands of the program, those of vendors are imitated by a tool. */
async function send(...args: string[]): Promise<{ out: string[]; err: string; code: number }> {
  const isVendor = ['twilio', 'audiosocket', 'audiohook'].some((protocol) => args.includes(protocol));
  const all = ['send', ...args, '--speed', '0'];
  const { out, err, code } = isVendor ? await runTools(all, FOLDER) : await runVoxgate(['live', ...all]);
  return { out: out.split('\n').slice(0, -1), err, code };
}

async function watch(...args: string[]): Promise<{ out: string[]; err: string; code: number }> {
  const { out, err, code } = await runVoxgate(['live', 'watch', ...args, '--token', TEST_TOKEN]);
  return { out: out.split('\n').slice(0, -1), err, code };
}

const follow = (liveCallId: string): string[] => [
  '--follow',
  `${platform.server.httpUrl}/v1/live/${liveCallId}/events`,
  '--token',
  TEST_TOKEN,
];

const target = () => ({ gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }] } });

async function streamToken(): Promise<string> {
  const context = await platform.open();
  return (await platform.post('/v1/live/calls', { context, target: target() })).body.streamToken;
}

describe('voxgate live send', () => {
  it('prints the events of a prepared call, one JSON object a line, the decision last', async () => {
    const server = ['--server', platform.server.httpUrl, '--stream-token', await streamToken()];
    const { out, code } = await send(RECORDING, ...server, '--json');
    const events = eventsIn(out);
    expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
    expect(events.at(-1)).toMatchObject({ final: true, endReason: 'stopped' });
    expect(code).toBe(0);
  });

  it('asks its own question over gRPC, and says in words what it hears', async () => {
    const question = JSON.stringify({ context: await platform.open(), target: target() });
    const server = ['--protocol', 'grpc', '--server', platform.server.grpcAddress, '--token', TEST_TOKEN];
    const { out, code } = await send(RECORDING, ...server, '--question', question);
    expect(out[0]).toBe('Listening        0s of speech');
    expect(out.at(-1)).toMatch(
      /^Verified +[\d.]+s of speech, risk \d+ \(stopped\); Not checked for attacks \(Synthetic speech\)$/,
    );
    expect(code).toBe(0);
  });

  it('says in words what is refused over gRPC', async () => {
    const server = ['--protocol', 'grpc', '--server', platform.server.grpcAddress, '--token', TEST_TOKEN];
    const { err, code } = await send(RECORDING, ...server, '--stream-token', 'wrong');
    expect(err).toContain('stream token is unknown');
    expect(code).toBe(1);
    const stranger = await send(RECORDING, ...server.slice(0, 4), '--stream-token', 'wrong');
    expect(stranger).toMatchObject({ err: 'voxgate: a bearer token is needed\n', code: 1 });
  });

  const bySelf = ['--token', TEST_TOKEN];
  const byApi = () => [...bySelf, '--api', platform.server.httpUrl];
  const tcp = () => `127.0.0.1:${tcpPort}`;

  it.each<[string, string, (call: PreparedCall) => string[]]>([
    [
      'twilio, and follows its events elsewhere',
      'twilio',
      ({ streamToken, liveCallId }) => ['--stream-token', streamToken, ...follow(liveCallId)],
    ],
    [
      'twilio, and reads the events of the call that it is told',
      'twilio',
      ({ streamToken, liveCallId }) => ['--stream-token', streamToken, '--call', liveCallId, ...bySelf],
    ],
    [
      'audiosocket, and follows its events elsewhere',
      'audiosocket',
      ({ liveCallId }) => ['--uuid', liveCallId, ...follow(liveCallId)],
    ],
    [
      'audiosocket, and reads its events by itself',
      'audiosocket',
      ({ liveCallId }) => ['--uuid', liveCallId, ...byApi()],
    ],
  ])('brings a call in by %s', async (_how, protocol, flags) => {
    const call = await prepareCall(platform, anna.profile);
    const server = protocol === 'twilio' ? platform.server.httpUrl : tcp();
    const { out, err, code } = await send(
      RECORDING,
      '--protocol',
      protocol,
      '--server',
      server,
      ...flags(call),
      '--json',
    );
    expect(err).toBe('');
    const events = eventsIn(out);
    expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
    expect(events.at(-1)).toMatchObject({ final: true, endReason: 'stopped' });
    expect(code).toBe(0);
  });

  it.each<[string, () => string[]]>([
    ['websocket', () => ['--server', platform.server.httpUrl, ...bySelf]],
    ['grpc', () => ['--server', platform.server.grpcAddress, ...bySelf]],
    ['twilio', () => ['--server', platform.server.httpUrl, ...bySelf]],
    ['audiosocket', () => ['--server', tcp(), ...byApi()]],
  ])(
    'asks its question by %s without a call that was prepared, the decision last',
    async (protocol, flags) => {
      const question = JSON.stringify({ context: await platform.open(), target: target() });
      const asked = ['--protocol', protocol, ...flags(), '--question', question, '--json'];
      const { out, err, code } = await send(RECORDING, ...asked);
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(eventsIn(out).at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true });
    },
  );

  it.each(['twilio', 'audiosocket'])('says by %s what the question lacks', async (protocol) => {
    const flags = [
      '--protocol',
      protocol,
      '--server',
      platform.server.httpUrl,
      '--api',
      platform.server.httpUrl,
    ];
    const wrong = await send(RECORDING, ...flags, ...bySelf, '--question', '{"target": {}}');
    expect(wrong.err).toContain('context');
    expect(wrong).toMatchObject({ out: [], code: 1 });
    const question = JSON.stringify({ context: await platform.open(), target: target() });
    const stranger = await send(RECORDING, ...flags, '--token', 'wrong', '--question', question);
    expect(stranger.err).toMatch(/^voxgate: .*token/);
    expect(stranger).toMatchObject({ out: [], code: 1 });
  });

  it.each(['websocket', 'grpc', 'twilio'])(
    'says by %s what to give for the session of the call',
    async (protocol) => {
      const context = { gk_scope_id: { value: platform.gkScopeId } };
      const flags = ['--protocol', protocol, '--server', 'http://127.0.0.1:1', ...bySelf];
      const { err, code } = await send(RECORDING, ...flags, '--question', JSON.stringify({ context }));
      expect(err).toContain('the context of --question lacks gkEngagementId, gkSessionId: start a session');
      expect(code).toBe(1);
    },
  );

  it('sends without reading the events where that is asked for', async () => {
    const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
    const server = [
      '--protocol',
      'twilio',
      '--server',
      platform.server.httpUrl,
      '--stream-token',
      streamToken,
    ];
    expect(await send(RECORDING, ...server, '--no-follow')).toEqual({ out: [], err: '', code: 0 });
    const look = () => platform.server.rest('GET', `/v1/live/calls/${liveCallId}`);
    await expect.poll(async () => (await look()).body.call.ended).toBe(true);
  });

  it.each([
    ['twilio', [], 'this protocol needs --stream-token'],
    ['audiosocket', [], 'this protocol needs --uuid'],
    ['twilio', ['--stream-token', 'x'], 'twilio sends nothing back: to read the decision, give --token'],
    ['twilio', ['--stream-token', 'x', '--call', 'y'], 'give --token and --call'],
    ['audiosocket', ['--uuid', crypto.randomUUID()], 'audiosocket sends nothing back'],
    ['audiosocket', ['--uuid', crypto.randomUUID(), '--token', 'x'], 'this protocol needs --api'],
    ['audiosocket', ['--uuid', crypto.randomUUID(), '--no-follow'], 'the server refused the call'],
    ['audiohook', [], 'this protocol needs --conversation'],
  ])('says what a call by %s lacks', async (protocol, flags, words) => {
    const server = protocol === 'audiosocket' ? `127.0.0.1:${tcpPort}` : platform.server.httpUrl;
    const { err, code } = await send(RECORDING, '--protocol', protocol, '--server', server, ...flags);
    expect(err).toContain(words);
    expect(code).toBe(1);
  });

  it.each([
    ['a used token', async () => ['--stream-token', 'wrong'], 'stream token is unknown'],
    ['no call', async () => [], 'name the call'],
    ['a question that is no JSON', async () => ['--question', '{'], '--question is not JSON'],
    ['a wrong bearer token', async () => ['--token', 'wrong', '--stream-token', 'x'], 'HTTP 401, '],
  ])('refuses %s in words', async (_name, flags, words) => {
    const { err, code } = await send(RECORDING, '--server', platform.server.httpUrl, ...(await flags()));
    expect(err).toContain(words);
    expect(err).not.toContain('    at ');
    expect(code).toBe(1);
  });

  it('refuses what is no recording before it connects', async () => {
    const text = join(FOLDER, 'text.wav');
    writeFileSync(text, 'no audio');
    const { err, code } = await send(text, '--server', 'http://127.0.0.1:1', '--stream-token', 'x');
    expect(err).toContain('format is not recognized');
    expect(code).toBe(1);
  });
});

describe('voxgate live watch', () => {
  const addressFor = { events: () => platform.server.httpUrl, grpc: () => platform.server.grpcAddress };

  it.each(['events', 'grpc'] as const)('prints by %s what becomes of a call of others', async (by) => {
    const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
    const server = ['--server', addressFor[by](), '--by', by];
    const watched = watch(liveCallId, ...server, '--json', '--progress');
    const sent = await send(
      RECORDING,
      '--server',
      platform.server.httpUrl,
      '--stream-token',
      streamToken,
      '--json',
    );
    const { out, err, code } = await watched;
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const events = out.filter((line) => !line.startsWith('{"progress"'));
    expect(events.map((line) => JSON.parse(line))).toEqual(sent.out.map((line) => JSON.parse(line)));
    const later = await watch(liveCallId, ...server, '--after', '2');
    expect(later.out).toEqual([expect.stringMatching(/^Verified .*\(stopped\); Not checked for attacks /)]);
    expect((await watch(liveCallId, ...server, '--after', '3')).out).toEqual([]);
  });

  it.each(['events', 'grpc'] as const)('says by %s what is wrong', async (by) => {
    const server = ['--server', addressFor[by](), '--by', by];
    const unknown = await watch(crypto.randomUUID(), ...server);
    expect(unknown.err).toContain('live call');
    expect(unknown.code).toBe(1);
    expect((await watch('x', ...server, '--after', 'two')).err).toContain('--after must be');
  });
});

/** A connection of Asterisk, by the frames of `asterisk-audiosocket`; gives what came back, as types of frames. */
function connectAsterisk(...frames: Buffer[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const parser = new FrameParser();
    const types: number[] = [];
    const socket = connect(tcpPort, '127.0.0.1', () => frames.forEach((frame) => socket.write(frame)));
    socket.on('data', (bytes: Buffer) => {
      parser.push(bytes);
      for (const { type } of parser.drain()) types.push(type);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(types));
  });
}

const uuidFrame = (uuid: string): Buffer =>
  encodeFrame(FrameType.UUID, Buffer.from(uuid.replaceAll('-', ''), 'hex'));

describe('AudioSocket', () => {
  const eventsOf = async (liveCallId: string) =>
    (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call.events;

  it('is judged as any other call, whatever the pieces in which its frames arrive', async () => {
    const { liveCallId } = await prepareCall(platform, anna.profile);
    const { own } = await twoCallers();
    const audio = [...pieces(linear16(own), 320)].map((frame) => encodeAudio(frame));
    const all = Buffer.concat([uuidFrame(liveCallId), ...audio, encodeHangup()]);
    expect(await connectAsterisk(...pieces(all, 1111))).toEqual([]);
    const events = await eventsOf(liveCallId);
    expect(events.at(-1)).toMatchObject({ state: 'AUTHENTIC', endReason: 'stopped' });
    expect((await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call.protocol).toBe(
      'audiosocket',
    );
  });

  it('knows the UUID that the telephone system chose, once', async () => {
    const uuid = crypto.randomUUID();
    const { liveCallId } = await prepareCall(platform, anna.profile, uuid);
    expect(await connectAsterisk(uuidFrame(uuid), encodeAudio(Buffer.alloc(320)), encodeHangup())).toEqual(
      [],
    );
    expect((await eventsOf(liveCallId)).at(-1)).toMatchObject({ state: 'LISTENING', final: true });
    expect(await connectAsterisk(uuidFrame(uuid))).toEqual([FrameType.ERROR]);
  });

  it.each([
    ['an error', encodeFrame(FrameType.ERROR, Buffer.of(1))],
    ['a hang-up', encodeHangup()],
  ])('that says %s before its first audio is hung up on, and the call is gone', async (_name, frame) => {
    const { liveCallId } = await prepareCall(platform, anna.profile);
    expect(await connectAsterisk(uuidFrame(liveCallId), frame)).toEqual([]);
    const { body } = await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`);
    expect(body.status.statusCode).toBe('NOT_FOUND');
  });

  it.each<[string, () => Promise<Buffer[]>]>([
    ['a UUID that nobody registered', async () => [uuidFrame(crypto.randomUUID())]],
    ['audio before the UUID', async () => [encodeAudio(Buffer.alloc(320))]],
    ['a UUID that is too short', async () => [encodeFrame(FrameType.UUID, Buffer.alloc(15))]],
    [
      'a frame of no known type',
      async () => [
        uuidFrame((await prepareCall(platform, anna.profile)).liveCallId),
        encodeFrame(0x77 as FrameType, Buffer.alloc(3)),
      ],
    ],
    [
      'another format in the middle of a call',
      async () => [
        uuidFrame((await prepareCall(platform, anna.profile)).liveCallId),
        encodeAudio(Buffer.alloc(320)),
        encodeFrame(0x12 as FrameType, Buffer.alloc(640)),
      ],
    ],
  ])('answers %s with an error, and hangs up', async (_name, frames) => {
    expect(await connectAsterisk(...(await frames()))).toEqual([FrameType.ERROR]);
  });
});

describe('mu-law', () => {
  it('is that of G.711 for every 16-bit sample', () => {
    const all = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const expected = muLaw(all);
    const encoded = encodeMuLaw(Float32Array.from(all, (value) => value / 32_767));
    expect(Buffer.compare(expected, Buffer.from(encoded))).toBe(0);
  });
});
