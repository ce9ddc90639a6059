// Calls that are about to begin when the server goes down, or finds no room: none is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAudio, encodeFrame, encodeHangup, FrameParser, FrameType } from 'asterisk-audiosocket';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forEachStore, Platform } from '../biometrics/support.js';
import { freePort } from '../support/free-port.js';
import { format, Line, STOP } from './line.js';
import { prepareCall } from './support.js';

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-going-down-'));
  let config: Record<string, unknown>;
  let platform: Platform;
  let profile: string;
  let tcpPort: number;

  beforeAll(async () => {
    tcpPort = await freePort();
    config = { home, 'live.audiosocket': `127.0.0.1:${tcpPort}`, ...(await store.settings()) };
    platform = await Platform.start({ config });
    profile = (await platform.printOf('anna')).profile;
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(home, { recursive: true });
  });

  // From the moment in which the start has just been sent to that in which it may have been answered.
  it.each([0, 2, 8])('begin at the next one, stopped after %i turns', async (turns) => {
    const calls = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { streamToken } = await prepareCall(platform, profile);
        const line = new Line(platform);
        await new Promise((resolve) => line.socket.once('open', resolve));
        return { streamToken, line };
      }),
    );
    const silent = new Line(platform);
    await new Promise((resolve) => silent.socket.once('open', resolve));
    for (const { line, streamToken } of calls) line.send(JSON.stringify({ start: { streamToken, format } }));
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await platform.stop();
    expect(await silent.closed).toBe('1012 the server is shutting down: connect again');
    const told = await Promise.all(calls.map(({ line }) => line.closed));
    platform = await Platform.restarted(platform, { config });
    for (const [at, { line, streamToken }] of calls.entries()) {
      const resumeToken = line.answers[0]?.resume?.resumeToken;
      expect(told[at]).toBe(
        resumeToken
          ? '1012 draining: resume with the token'
          : '1012 the server is shutting down: connect again',
      );
      const again = new Line(platform);
      await again.begin(resumeToken ? { resumeToken } : { streamToken, format });
      again.send(STOP);
      expect(await again.closed).toBe('1000 stopped');
    }
  });

  /** A connection of Asterisk; gives the types of the frames that came back. */
  const asterisk = (...frames: Buffer[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
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
  const uuidFrame = (uuid: string): Buffer =>
    encodeFrame(FrameType.UUID, Buffer.from(uuid.replaceAll('-', ''), 'hex'));
  const stateOf = async (liveCallId: string) =>
    (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body;
  const comesNow = async (liveCallId: string) => {
    const told = await asterisk(uuidFrame(liveCallId), encodeAudio(Buffer.alloc(320)), encodeHangup());
    expect(told).toEqual([]);
    expect((await stateOf(liveCallId)).call.events.at(-1)).toMatchObject({ final: true });
  };

  it('begin at the next one, where AudioSocket has said which call it is and nothing more', async () => {
    const { liveCallId } = await prepareCall(platform, profile);
    const silent = asterisk(uuidFrame(liveCallId));
    // By a connection that came later and has been let in and gone again.
    const later = await prepareCall(platform, profile);
    await asterisk(uuidFrame(later.liveCallId), encodeHangup());
    await platform.stop();
    expect(await silent).toEqual([]);
    platform = await Platform.restarted(platform, { config });
    await comesNow(liveCallId);
  });

  it('begin at another try, where AudioSocket found no room', async () => {
    await platform.stop();
    platform = await Platform.restarted(platform, { config: { ...config, 'live.callsMax': '1' } });
    const first = new Line(platform);
    const { streamToken } = await prepareCall(platform, profile);
    await first.begin({ streamToken, format });
    const { liveCallId } = await prepareCall(platform, profile);
    const told = await asterisk(uuidFrame(liveCallId), encodeAudio(Buffer.alloc(320)));
    expect(told).toEqual([FrameType.ERROR]);
    first.send(STOP);
    await first.closed;
    await comesNow(liveCallId);
  });
});
