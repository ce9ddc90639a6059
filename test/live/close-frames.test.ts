// How a connection is closed: with words that can be read, and with what a message may hold.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { audiohookProtocol } from '../../src/live/protocols/audiohook.js';
import type { LiveCalls } from '../../src/live/live-calls.js';
import { systemClock } from '../../src/platform.js';
import { closeReason } from '../../src/transport/sockets/close-reason.js';
import { Platform } from '../biometrics/support.js';
import { bearer, startWith, STOP, visit } from './line.js';
import { audiohookHeaders, HOOK_PATH } from './support.js';

let platform: Platform;
let profile: string;

beforeAll(async () => {
  platform = await Platform.start();
  profile = (await platform.printOf('anna')).profile;
});
afterAll(() => platform.stop());
afterEach(() => void vi.useRealTimers());

const wide = { encoding: 'LINEAR16', sampleRateHz: 16_000 };

it('half a minute of wide-band audio may come in one message', async () => {
  const start = startWith(await platform.open(), profile, wide);
  const { closed } = await visit(platform, [start, Buffer.alloc(960_000), STOP], bearer);
  expect(closed).toEqual({ code: 1000, reason: 'stopped' });
});

it('a message that is too long is refused with what it may have, to strangers less', async () => {
  const start = startWith(await platform.open(), profile, wide);
  const known = await visit(platform, [start, Buffer.alloc(1024 * 1024 + 1)], bearer);
  expect(known.closed).toEqual({ code: 1009, reason: 'a message may have at most 1048576 bytes' });
  const stranger = await visit(platform, [Buffer.alloc(256 * 1024 + 1)]);
  expect(stranger.closed).toEqual({ code: 1009, reason: 'a message may have at most 262144 bytes' });
});

it.each([
  ['short', 'short'],
  ['a'.repeat(123), 'a'.repeat(123)],
  [`${'word '.repeat(24)}xyz`, `${'word '.repeat(24)}xyz`],
  [`${'word '.repeat(24)}longer`, `${'word '.repeat(24).trimEnd()}…`],
  ['a'.repeat(124), `${'a'.repeat(120)}…`],
  ['ü'.repeat(62), `${'ü'.repeat(60)}…`],
])('of %j a close frame says %j', (text, expected) => {
  expect(closeReason(text)).toBe(expected);
});

it('an AudioHook client that does not close after disconnect is closed', async () => {
  const key = { apiKey: 'k', secret: Buffer.from('secret').toString('base64') };
  const settings = { ...key, gkScopeId: 's', publicUrl: '' };
  const protocol = audiohookProtocol({} as LiveCalls, settings, {
    clock: systemClock,
    once: async () => true,
  });
  const id = randomUUID();
  const headers = { ...audiohookHeaders('hook.example.com', id, key), host: 'hook.example.com' };
  const said: string[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const session = await protocol.enter(
    { headers, url: HOOK_PATH, caller: undefined },
    {
      sendText: (text) => void said.push(JSON.parse(text).type),
      close: (code, reason) => void said.push(`${code} ${reason}`),
      read: async () => {},
    },
  );
  await session.text(JSON.stringify({ version: '2', id, type: 'open', seq: 1, parameters: { media: [] } }));
  vi.advanceTimersByTime(4999);
  expect(said).toEqual(['disconnect']);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(['disconnect', '1000 disconnected']);
});
