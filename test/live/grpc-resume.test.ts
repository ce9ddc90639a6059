// A stream of LiveAudio.Listen that ends without a word: its call waits for another connection, as one of the WebSocket does.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platform } from '../biometrics/support.js';
import { GrpcLine } from './grpc-line.js';
import { format, targetOf } from './line.js';
import { cutOffIn, muLaw, twoCallers } from './support.js';

let platform: Platform;
let profile: string;
let audio: Buffer;

beforeAll(async () => {
  platform = await Platform.start();
  ({ profile } = await platform.printOf('anna'));
  audio = muLaw((await twoCallers()).own);
});
afterAll(() => platform.stop());

const question = async () => ({
  question: { context: await platform.open(), target: targetOf(profile) },
  format,
});

const callOf = async (liveCallId: string) =>
  (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call;

/** The way to the server, which can be cut. */
async function cable(): Promise<{ address: string; cut: () => void; close: () => void }> {
  const sockets: Socket[] = [];
  const [host, port] = platform.server.grpcAddress.split(':');
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () => void server.close(),
  };
}

describe('a stream over gRPC', () => {
  let whole: GrpcLine;
  const facts = (event: object | undefined) => ({ ...event, liveCallId: '', at: '', sequence: '' });

  beforeAll(async () => {
    whole = new GrpcLine(platform.server.grpcAddress, await question());
    whole.send(audio);
    whole.stop();
    await whole.over;
  });

  it.each<[string, (line: GrpcLine, cut: () => void) => void]>([
    ['canceled', ({ stream }) => stream.cancel()],
    ['cut off', (_line, cut) => cut()],
  ])('that is %s is gone on with, and no speech is lost', async (_name, breakOff) => {
    const way = await cable();
    try {
      const first = new GrpcLine(way.address, await question());
      const { event, resume } = await first.begun();
      const { liveCallId } = event as unknown as { liveCallId: string };
      first.send(audio.subarray(0, 48_000));
      await expect.poll(() => first.answers.at(-1)?.event?.state).toBe('AUTHENTIC');
      breakOff(first, way.cut);
      await first.over;
      const second = new GrpcLine(platform.server.grpcAddress, {
        resumeToken: resume?.resumeToken,
        afterSequence: '2',
      });
      const received = Number((await second.begun()).resume?.receivedBytes);
      expect(received).toBeGreaterThan(24_000);
      expect((await callOf(liveCallId)).ended).toBeFalsy();
      second.send(audio.subarray(received));
      second.stop();
      await second.over;
      expect(facts(second.answers.at(-1)?.event)).toEqual(facts(whole.answers.at(-1)?.event));
      expect((await callOf(liveCallId)).events).toHaveLength(3);
    } finally {
      way.close();
    }
  });

  it('that is cut off, and whose session is stopped before it comes back, leaves a session that was cut off', async () => {
    const context = await platform.open();
    const way = await cable();
    const line = new GrpcLine(way.address, { question: { context, target: targetOf(profile) }, format });
    await line.begun();
    line.send(audio.subarray(0, 48_000));
    await expect.poll(() => line.answers.at(-1)?.event?.state).toBe('AUTHENTIC');
    way.cut();
    await line.over;
    way.close();
    await expect.poll(() => cutOffIn(platform, context)).toEqual({ isCutOff: true, rows: ['LoseCall'] });
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
    await expect
      .poll(() => cutOffIn(platform, context))
      .toEqual({ isCutOff: true, rows: ['LoseCall', 'CutOffCall lost'] });
  });

  it('that says stop, or ends its side and stays, is over', async () => {
    for (const leave of [(line: GrpcLine) => line.stop(), ({ stream }: GrpcLine) => stream.end()]) {
      const line = new GrpcLine(platform.server.grpcAddress, await question());
      await line.begun();
      leave(line);
      await line.over;
      expect(line.answers.at(-1)?.event).toMatchObject({ final: true, endReason: 'stopped' });
    }
  });
});
