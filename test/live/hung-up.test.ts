// @module-tag slow
// Whether the sender of a call went before or after its session was stopped: the order of the two decides, however soon one follows the
// other. Audio that is sent as it is spoken is left unread for up to half a second, so senders go at several moments of that.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Platform, type RequestContext } from '../biometrics/support.js';
import { Line, startWith } from './line.js';
import { cutOffIn, muLaw, pieces, prepareCall, twoCallers } from './support.js';

let platform: Platform;
let profile: string;
let audio: Buffer[];

beforeAll(async () => {
  platform = await Platform.start();
  ({ profile } = await platform.printOf('anna'));
  audio = [...pieces(muLaw((await twoCallers()).own), 160)];
});
afterAll(() => platform.stop());

const PIECE_MS = 20;
const breaksAtMs = [600, 690, 780, 870, 960, 1050];

interface Sender {
  send(piece: Buffer, number: number): void;
  leave(): void;
}

async function ownSender(context: RequestContext, leave: (socket: WebSocket) => void): Promise<Sender> {
  const line = new Line(platform);
  await line.begin(JSON.parse(startWith(context, profile)).start);
  return { send: (piece) => line.send(piece), leave: () => leave(line.socket) };
}

async function twilioSender(context: RequestContext): Promise<Sender> {
  const { streamToken } = await prepareCall(platform, profile, '', context);
  const socket = new WebSocket(`${platform.server.httpUrl.replace('http', 'ws')}/v1/live/twilio`);
  await new Promise((resolve) => socket.once('open', resolve));
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ event: 'start', start: { customParameters: { token: streamToken } } });
  return {
    send: (piece, number) =>
      say({ event: 'media', media: { chunk: String(number + 1), payload: piece.toString('base64') } }),
    leave: () => socket.terminate(),
  };
}

const senders: Record<string, (context: RequestContext) => Promise<Sender>> = {
  'a WebSocket that is cut': (context) => ownSender(context, (socket) => socket.terminate()),
  'a WebSocket that is closed without a stop': (context) => ownSender(context, (socket) => socket.close()),
  'a Twilio stream that is cut': twilioSender,
};

/** Sends as it is spoken, for so long. */
async function speak({ send }: Sender, forMs: number): Promise<void> {
  const beganAt = performance.now();
  for (let number = 0; performance.now() - beganAt < forMs;) {
    const due = Math.floor((performance.now() - beganAt) / PIECE_MS);
    for (; number <= due; number++) send(audio[number] as Buffer, number);
    await pause(PIECE_MS / 2);
  }
}

const stop = (context: RequestContext) =>
  platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });

describe.each(Object.keys(senders))('%s', (name) => {
  const heard = async (forMs: number) => {
    const context = await platform.open();
    const sender = await senders[name]!(context);
    await speak(sender, forMs);
    return { context, sender };
  };

  it('before the session is stopped leaves one that was cut off, also in the same moment', async () => {
    const all = await Promise.all(
      breaksAtMs.map(async (forMs) => {
        const { context, sender } = await heard(forMs);
        sender.leave();
        // On its way to the server.
        await pause(10);
        await stop(context);
        return context;
      }),
    );
    for (const context of all)
      await expect
        .poll(() => cutOffIn(platform, context))
        // A machine that has much to do may tell of the loss before.
        .toEqual({ isCutOff: true, rows: expect.arrayContaining(['CutOffCall lost']) });
  });

  it('after the session was stopped leaves one of which nothing was missed', async () => {
    const all = await Promise.all(
      breaksAtMs.map(async (forMs) => {
        const { context, sender } = await heard(forMs);
        await stop(context);
        sender.leave();
        return context;
      }),
    );
    // A call that waits in a session which is over is ended within five seconds.
    await pause(6000);
    for (const context of all)
      expect(await cutOffIn(platform, context)).toEqual({ isCutOff: false, rows: [] });
  });
});
