// @module-tag slow
// A database that goes away while calls are listened to: a real PostgreSQL that is stopped and started, and a full disk under SQLite.
// Calls by every kind of connection go on, and are told what they would have been told without it.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Log } from '../../src/platform.js';
import { Platform, type RequestContext } from '../biometrics/support.js';
import { startPostgres, stopPostgres, type OwnPostgres } from '../support/postgres-server.js';
import { sharedPostgres } from '../support/postgres.js';
import { canMount, smallDisk } from '../support/small-disk.js';
import { GrpcLine } from './grpc-line.js';
import { format, Line, STOP, targetOf, type ToldEvent } from './line.js';
import { cutOffIn, muLaw, pieces, twoCallers } from './support.js';

/** A call that is being sent. */
interface Sent {
  context: RequestContext;
  liveCallId: string;
  send(bytes: Buffer): void;
  stop(): void;
  /** As GetCall tells them, where its connection tells none. */
  events(): Promise<ToldEvent[]>;
}

type Prepared = Pick<Sent, 'context' | 'liveCallId'> & { streamToken: string };

/** By our own WebSocket, over gRPC, and as Twilio sends it. */
const protocols: Record<string, (on: Platform, call: Prepared) => Promise<Sent>> = {
  async websocket(on, { streamToken, ...call }) {
    const line = new Line(on);
    await line.begin({ streamToken, format });
    const send = (bytes: Buffer): void => line.send(bytes);
    return { ...call, send, stop: () => line.send(STOP), events: async () => line.events };
  },
  async grpc(on, { streamToken, ...call }) {
    const line = new GrpcLine(on.server.grpcAddress, { streamToken, format });
    await line.begun();
    const send = (bytes: Buffer): void => line.send(bytes);
    return { ...call, send, stop: () => line.stop(), events: async () => line.events };
  },
  async twilio(on, { streamToken, ...call }) {
    const socket = new WebSocket(`${on.server.httpUrl.replace('http', 'ws')}/v1/live/twilio`);
    await new Promise((resolve) => socket.once('open', resolve));
    const say = (message: object): void => socket.send(JSON.stringify({ streamSid: 'MZ1', ...message }));
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    const about = {
      streamSid: 'MZ1',
      tracks: ['inbound'],
      customParameters: { token: streamToken },
      mediaFormat,
    };
    say({ event: 'start', sequenceNumber: '1', start: about });
    const events = async (): Promise<ToldEvent[]> =>
      (await on.server.rest('GET', `/v1/live/calls/${call.liveCallId}`)).body.call?.events ?? [];
    // It is not told that it has begun.
    await expect.poll(events).toHaveLength(1);
    let chunk = 0;
    return {
      ...call,
      send: (bytes) => {
        for (const piece of pieces(bytes, 160)) {
          const place = { chunk: String(++chunk), timestamp: String(20 * chunk) };
          say({ event: 'media', media: { track: 'inbound', ...place, payload: piece.toString('base64') } });
        }
      },
      stop: () => say({ event: 'stop', stop: { callSid: 'CA1' } }),
      events,
    };
  },
};

async function callsOn(platform: Platform, profile: string): Promise<Sent[]> {
  return Promise.all(
    Object.values(protocols).map(async (begin) => {
      const context = await platform.open();
      const { body } = await platform.post('/v1/live/calls', { context, target: targetOf(profile) });
      return begin(platform, { context, liveCallId: body.liveCallId, streamToken: body.streamToken });
    }),
  );
}

const statesOf = async (call: Sent): Promise<string[]> =>
  (await call.events()).map(({ state, final }) => (final ? `${state}, final` : state));

async function timelineOf(platform: Platform, { gkSessionId, gkScopeId }: RequestContext): Promise<string[]> {
  const query = `context.gkScopeId.value=${gkScopeId.value}`;
  const path = `/v1/x/sessions/${gkSessionId?.value}/timeline?${query}`;
  type Row = { operation: string; reason?: string; attributes?: Record<string, string> };
  const { events } = (await platform.server.rest('GET', path)).body as { events: Row[] };
  return events
    .filter(({ operation }) => !operation.startsWith('Start'))
    .map(({ operation, reason, attributes = {} }) => [
      operation,
      reason ?? attributes['reason'],
      attributes['final'],
    ])
    .map((row) => row.filter((part) => part !== undefined && part !== '').join(' '));
}

// Somebody else's server cannot be stopped.
const shared = process.env['VOXGATE_TEST_POSTGRES_URL'] ? { fault: 'not ours' } : await sharedPostgres();

describe.skipIf('fault' in shared)('calls while PostgreSQL is stopped', () => {
  let postgres: OwnPostgres;
  let platform: Platform;
  let profile: string;
  let audio: Buffer;
  const said: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (_fields, message) => void said.push(message),
    error: (_fields, message) => void said.push(message),
    child: () => log,
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    platform = await Platform.start({
      config: { database: postgres.url },
      overrides: { log },
    });
    ({ profile } = await platform.printOf('anna'));
    audio = muLaw((await twoCallers()).own);
  });
  afterAll(async () => {
    await platform?.stop();
    if (postgres) await stopPostgres(postgres.folder);
  });

  const halted = async (): Promise<void> => {
    said.splice(0);
    await postgres.halt();
  };
  const isNoticed = async (): Promise<void> => {
    await expect.poll(() => said.join()).toContain('the database is not available');
    // Every call has come to its checkpoint, and has tried more than once.
    await pause(1500);
  };

  it('go on, and are decided when it is back', async () => {
    const calls = await callsOn(platform, profile);
    await halted();
    for (const call of calls) call.send(audio.subarray(0, 44_000));
    await isNoticed();
    await postgres.resume();
    for (const call of calls) await expect.poll(() => statesOf(call)).toEqual(['LISTENING', 'AUTHENTIC']);
    for (const call of calls) {
      call.send(audio.subarray(44_000));
      call.stop();
      await expect.poll(() => statesOf(call)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC, final']);
      expect((await call.events()).at(-1)?.endReason).toBe('stopped');
      // Told once, as without the outage.
      expect(await timelineOf(platform, call.context)).toEqual([
        'LiveAudio VOICEPRINT_MATCH false',
        'LiveAudio VOICEPRINT_MATCH true',
      ]);
      expect((await cutOffIn(platform, call.context)).isCutOff).toBe(false);
    }
  });

  it('that end meanwhile are judged by all that was said, and told so, when it is back', async () => {
    const calls = await callsOn(platform, profile);
    for (const call of calls) {
      call.send(audio.subarray(0, 44_000));
      await expect.poll(() => statesOf(call)).toEqual(['LISTENING', 'AUTHENTIC']);
    }
    await halted();
    for (const call of calls) {
      call.send(audio.subarray(44_000));
      call.stop();
    }
    await isNoticed();
    await postgres.resume();
    for (const call of calls) {
      await expect.poll(() => statesOf(call)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC, final']);
      const [, first, last] = await call.events();
      expect(last?.endReason).toBe('stopped');
      expect(parseFloat(last?.netSpeech ?? '')).toBeGreaterThan(parseFloat(first?.netSpeech ?? ''));
      expect(await timelineOf(platform, call.context)).toEqual([
        'LiveAudio VOICEPRINT_MATCH false',
        'LiveAudio VOICEPRINT_MATCH true',
      ]);
    }
  });
});

describe.skipIf(!canMount())('a call while the disk under SQLite is full', () => {
  it('goes on, and is decided when there is space', async () => {
    const disk = smallDisk(96);
    onTestFinished(() => disk?.remove());
    const place = disk?.path ?? '';
    const platform = await Platform.start({ config: { home: join(place, 'home') } });
    onTestFinished(() => platform.stop());
    const { profile } = await platform.printOf('anna');
    const calls = await callsOn(platform, profile);
    const context = await platform.open();
    const filler = join(place, 'filler');
    fill(filler);
    // What fits into the log of the database is still stored.
    const create = (n: number) => platform.post('/v1/persons', { context, personId: `p-${n}` });
    for (let n = 0; (await create(n)).status === 200;) n++;
    const { own } = await twoCallers();
    for (const call of calls) call.send(muLaw(own).subarray(0, 44_000));
    await pause(1500);
    for (const call of calls) expect(await statesOf(call)).toEqual(['LISTENING']);
    rmSync(filler);
    for (const call of calls) {
      await expect.poll(() => statesOf(call)).toEqual(['LISTENING', 'AUTHENTIC']);
      call.stop();
      await expect.poll(() => statesOf(call)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC, final']);
    }
  });
});

/** Writes until nothing more fits. */
function fill(path: string): void {
  for (const bytes of [1 << 20, 1 << 12, 1])
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // Smaller pieces may fit.
    }
}
