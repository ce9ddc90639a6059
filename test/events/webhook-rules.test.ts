// The rules of webhooks: where they may be sent, how a delivery is made and signed, and what follows from its end.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.js';
import { unknownTypeFaults } from '../../src/events/webhooks/event-types.js';
import { Addresses } from '../../src/events/webhooks/addresses.js';
import { httpDeliver } from '../../src/events/webhooks/deliver.js';
import type { Delivery, Webhook } from '../../src/events/webhooks/model.js';
import { afterFailure, endReason, resultOf, type Attempt } from '../../src/events/webhooks/schedule.js';
import { newSecret, signedHeaders } from '../../src/events/webhooks/sign.js';

const publicOnly = new Addresses({ privateNetworks: [], plainHttp: false });
const local = new Addresses({ privateNetworks: ['127.0.0.1', '10.20.0.0/16', 'fd00::/8'], plainHttp: true });
const never = new AbortController().signal;

describe('an address', () => {
  it.each([
    ['93.184.216.34', true],
    ['8.8.8.8', true],
    ['10.0.0.1', false],
    ['100.64.0.1', false],
    ['127.0.0.1', false],
    ['127.8.8.8', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.32.0.1', true],
    ['192.168.1.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['0.0.0.0', false],
    ['2606:4700::1111', true],
    ['::', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:8.8.8.8', false],
    ['::7f00:1', false],
    ['64:ff9b::a00:1', false],
    ['2001:0:4136:e378::1', false],
    ['2002:a00:1::', false],
    ['2001:db8::1', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['fd12::1', false],
    ['fec0::1', false],
    ['ff02::1', false],
    ['fd00:ec2::254', false],
    ['localhost', false],
    ['', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(publicOnly.mayReach(address)).toBe(isPublic);
  });

  it.each([
    ['10.20.3.4', true],
    ['10.21.0.1', false],
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['169.254.169.254', false],
    ['fd12::1', true],
    ['fe80::1', false],
    ['8.8.8.8', true],
  ])('%s may be reached where some are allowed: %s', (address, mayReach) => {
    expect(local.mayReach(address)).toBe(mayReach);
  });

  it.each<[url: string, fault: string | undefined]>([
    ['https://hooks.example.com/in?token=1', undefined],
    ['https://8.8.8.8:8443/', undefined],
    ['http://hooks.example.com/', 'must begin with https://'],
    ['ftp://hooks.example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['hooks.example.com', 'must be a URL'],
    ['https://user:word@hooks.example.com/', 'must not contain credentials'],
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '[fe80::1]',
      'localhost',
      'LOCALHOST.',
      'x.localhost',
      'metadata.google.internal',
      'printer.local',
    ].map((host): [string, string] => [`https://${host}/`, 'must not be inside a private network']),
  ])('%s: %s', (url, fault) => {
    expect(publicOnly.urlFault(url)?.message).toBe(fault);
  });

  it('is no longer than it may be', () => {
    const url = `https://hooks.example.com/${'x'.repeat(2000)}`;
    expect(publicOnly.urlFault(url)?.message).toBe('must have at most 2000 characters');
  });

  it('may be private and without TLS where the operator says so', () => {
    expect(local.urlFault('http://127.0.0.1:9000/in')).toBeUndefined();
    expect(local.urlFault('http://collector.internal/in')).toBeUndefined();
    expect(local.urlFault('http://127.0.0.2/')?.message).toBe('must not be inside a private network');
    expect(local.urlFault('ftp://10.20.0.1/')?.message).toBe('must begin with https:// or http://');
    expect(local.urlFault('https:8.8.4.4')?.message).toBe('must begin with https:// or http://');
    expect(local.urlFault(' https://8.8.4.4/ ')?.message).toBe('must be a URL');
  });

  it('of the operator that is none is refused at the start', () => {
    const load = (networks: string) => () =>
      loadConfig({ env: {}, flags: { 'webhooks.privateNetworks': networks } });
    expect(load('10.0.0.0/33')).toThrow(ConfigError);
    expect(load('10.0.0.0/8, ::1')).not.toThrow();
  });
});

describe('a delivery', () => {
  async function receiver(answer: RequestListener): Promise<{ port: number; seen: string[] }> {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, seen };
  }
  const message = { headers: { 'webhook-id': 'x' }, body: '{}' };

  it('does not follow where it is sent', async () => {
    const { port, seen } = await receiver((_, response) =>
      response.writeHead(307, { location: '/elsewhere', 'retry-after': '7' }).end(),
    );
    const answer = await httpDeliver(local)(`http://127.0.0.1:${port}/in`, message, never);
    expect(answer).toEqual({ status: 307, retryAfterMs: 7000 });
    expect(seen).toEqual(['POST /in']);
  });

  it.each([
    ['seconds', { 'retry-after': '60' }, 60_000],
    ['more than an hour', { 'retry-after': '99999999999' }, 3_600_000],
    [
      'a time by its own clock',
      { 'retry-after': 'Sun, 01 Nov 2026 10:02:00 GMT', date: 'Sun, 01 Nov 2026 10:00:00 GMT' },
      120_000,
    ],
    ['a time gone by', { 'retry-after': 'Sun, 01 Nov 2026 09:00:00 GMT' }, undefined],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
  ])('hears how long it is to stay away: %s', async (_name, headers, retryAfterMs) => {
    const { port } = await receiver((_, response) => response.writeHead(503, headers).end());
    const answer = await httpDeliver(local)(`http://127.0.0.1:${port}/in`, message, never);
    expect(answer.retryAfterMs).toBe(retryAfterMs);
  });

  it('goes nowhere when the name leads inside, whatever it was when the webhook was made', async () => {
    const { port, seen } = await receiver((_, response) => response.end());
    const plain = new Addresses({ privateNetworks: [], plainHttp: true });
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]'])
      await expect(httpDeliver(plain)(`http://${host}:${port}/`, message, never)).rejects.toThrow(
        'the address is inside a private network',
      );
    expect(seen).toEqual([]);
  });

  it('reads no answer to its end', async () => {
    let isClosed = false;
    const { port } = await receiver((_, response) => {
      response.on('close', () => (isClosed = true)).writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    expect(await httpDeliver(local)(`http://127.0.0.1:${port}/`, message, never)).toEqual({ status: 200 });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('ends when nobody answers, and when the server stops', async () => {
    const { port } = await receiver(() => {});
    const url = `http://127.0.0.1:${port}/`;
    await expect(httpDeliver(local, 50)(url, message, never)).rejects.toThrow('no answer within 0.05 s');
    const stopping = new AbortController();
    const waiting = httpDeliver(local)(url, message, stopping.signal);
    stopping.abort();
    await expect(waiting).rejects.toThrow('the server is stopping');
  });

  it('tells of a fault without the addresses inside', async () => {
    const { port } = await receiver(() => {});
    const names = new Addresses({ privateNetworks: ['127.0.0.1'], plainHttp: false });
    // TLS to a receiver that does not speak it.
    const failing = httpDeliver(names)(`https://127.0.0.1:${port}/`, message, never);
    await expect(failing).rejects.toThrow(/^the connection failed \([A-Z_]+\)$/);
  });
});

describe('the types of a webhook', () => {
  const said = (types: string[], kept?: string[]) =>
    unknownTypeFaults(types, kept).map((fault) => fault && `${fault.field} ${fault.message}`);

  it.each(['voxgate.v1.Verify', 'voxgate.v1.Create*', 'voxgate.*', '*', 'voxgate.v1.LiveAudio'])(
    'can be %s',
    (type) => expect(said([type])).toEqual([undefined]),
  );

  it('are refused if no event has them, with the nearest name', () => {
    expect(said(['voxgate.v1.Trian', 'voxgate.v1.Etrani'])).toEqual([
      'types[0] no event is called voxgate.v1.Trian; the nearest name is voxgate.v1.Train',
      'types[1] no event is called voxgate.v1.Etrani',
    ]);
    expect(said(['voxgate.v1.Verify', 'voxgate.v1.Verfy', 'voxgate.v1.Somewhere', 'voxgate.v1.X*'])).toEqual([
      undefined,
      'types[1] no event is called voxgate.v1.Verfy; the nearest name is voxgate.v1.Verify',
      'types[2] no event is called voxgate.v1.Somewhere',
      'types[3] no event is called voxgate.v1.X*',
    ]);
  });

  it('stay as they are where a webhook had them before', () => {
    expect(said(['voxgate.v1.Verfy'], ['voxgate.v1.Verfy'])).toEqual([undefined]);
  });
});

describe('a signature', () => {
  const body = '{"id":"t.1"}';

  it('is what Standard Webhooks asks for', () => {
    const [now, other] = [newSecret(), newSecret()];
    const headers = signedHeaders({ id: 't.1', atMs: Date.now(), body }, [{ value: now }]);
    expect(new Verifier(now).verify(body, headers)).toEqual({ id: 't.1' });
    expect(() => new Verifier(other).verify(body, headers)).toThrow();
    expect(() => new Verifier(now).verify(`${body} `, headers)).toThrow();
    expect(() => new Verifier(now).verify(body, { ...headers, 'webhook-id': 't.2' })).toThrow();
  });

  it('is made with the old secret, too, until that ends', () => {
    const [now, old] = [newSecret(), newSecret()];
    const atMs = Date.now();
    const under = (endsAtMs: number) =>
      signedHeaders({ id: 't.1', atMs, body }, [{ value: now }, { value: old, endsAtMs }]);
    for (const secret of [now, old])
      expect(new Verifier(secret).verify(body, under(atMs + 1))).toEqual({ id: 't.1' });
    expect(() => new Verifier(old).verify(body, under(atMs))).toThrow();
  });
});

describe('what follows from attempts', () => {
  const dayMs = 86_400_000;
  const hook = (progress: Partial<Webhook['progress']> = {}): Webhook => ({
    webhookId: 'w',
    gkScopeId: 't',
    url: 'https://hooks.example.com/',
    description: '',
    types: [],
    isEnabled: true,
    disabledReason: '',
    secrets: [],
    progress: { afterSeq: 10, failures: 0, pausedUntilMs: 0, ...progress },
    createdAtMs: 0,
    modifiedAtMs: 0,
  });
  const queued = (seq: number): Delivery => ({
    webhookId: 'w',
    seq,
    eventAtMs: 1,
    attempts: 3,
    firstAtMs: 5,
    lastAtMs: 6,
    nextAtMs: 7,
    isDead: false,
    lastFault: 'x',
  });
  const ok = (seq: number): Attempt => ({ seq, eventAtMs: 1, status: 204 });
  const bad = (seq: number): Attempt => ({ seq, eventAtMs: 1, status: 500, fault: 'no' });
  const time = { nowMs: 1000, chance: 0.5 };

  it('an event is tried again later and later, for three days', () => {
    let delivery: Delivery = { ...queued(1), attempts: 0, firstAtMs: 0 };
    const waitsMs: number[] = [];
    for (let nowMs = 0; !delivery.isDead; nowMs = delivery.nextAtMs) {
      delivery = afterFailure(delivery, { fault: 'f'.repeat(500) }, { nowMs, chance: 0.5 });
      waitsMs.push(delivery.nextAtMs - nowMs);
    }
    expect(waitsMs.slice(0, 4)).toEqual([5000, 30_000, 120_000, 600_000]);
    expect(delivery.lastAtMs).toBeGreaterThan(2.7 * dayMs);
    expect(delivery.lastAtMs).toBeLessThanOrEqual(3 * dayMs);
    expect(delivery.lastFault).toHaveLength(200);
  });

  it('a receiver that takes something is well', () => {
    const result = resultOf(
      hook({ failures: 1, failingSinceMs: 3, pausedUntilMs: 9 }),
      12,
      [bad(11), ok(12)],
      time,
    );
    expect(result.progress).toEqual({ afterSeq: 12, failures: 0, pausedUntilMs: 0 });
    expect(result.failed.map(({ now }) => [now.seq, now.attempts])).toEqual([[11, 1]]);
    expect(result.isBack).toBe(false);
  });

  it('a receiver that takes nothing new is left alone, longer each time', () => {
    const first = resultOf(hook(), 12, [bad(11), bad(12)], time).progress;
    expect(first).toEqual({ afterSeq: 12, failures: 1, failingSinceMs: 1000, pausedUntilMs: 6000 });
    const tenth = resultOf(hook({ failures: 9, failingSinceMs: 3 }), 11, [bad(11)], time).progress;
    expect(tenth).toMatchObject({ failures: 10, failingSinceMs: 3, pausedUntilMs: 601_000 });
    const asked = resultOf(hook(), 11, [{ ...bad(11), retryAfterMs: 60_000 }], time).progress;
    expect(asked.pausedUntilMs).toBe(61_000);
  });

  it('a receiver that asks for quiet is asked neither for new events nor for old ones', () => {
    const again = { ...bad(4), queued: queued(4), retryAfterMs: 3_600_000 };
    const { progress, failed, quietUntilMs } = resultOf(hook(), 10, [again], time);
    expect(quietUntilMs).toBe(3_601_000);
    expect(progress).toMatchObject({ failures: 0, pausedUntilMs: 3_601_000 });
    expect(failed[0]?.now.nextAtMs).toBe(3_601_000);
    // One that takes other events means the event, not itself.
    const mixed = resultOf(hook(), 11, [again, ok(11)], time);
    expect(mixed).toMatchObject({ progress: { pausedUntilMs: 0 } });
    expect(mixed.quietUntilMs).toBeUndefined();
    expect(mixed.failed[0]?.now.nextAtMs).toBe(3_601_000);
  });

  it('an event that is refused again says nothing about the receiver', () => {
    const again = { ...bad(4), queued: queued(4) };
    const { progress, failed } = resultOf(hook(), 10, [again], time);
    expect(progress).toEqual(hook().progress);
    expect(failed).toEqual([
      { before: queued(4), now: expect.objectContaining({ attempts: 4, firstAtMs: 5 }) },
    ]);
  });

  it('a receiver that comes back gets all that waits', () => {
    const { isBack, delivered } = resultOf(
      hook({ failures: 3 }),
      10,
      [{ ...ok(4), queued: queued(4) }],
      time,
    );
    expect(isBack).toBe(true);
    expect(delivered).toEqual([queued(4)]);
  });

  it('a webhook ends when its receiver is gone, or takes nothing for a week', () => {
    expect(endReason([ok(1)], { afterSeq: 1, failures: 0, pausedUntilMs: 0 }, 0)).toBeUndefined();
    expect(endReason([{ ...bad(1), status: 410 }], hook().progress, 0)).toMatch(/410/);
    const failing = { ...hook().progress, failures: 9, failingSinceMs: 0 };
    expect(endReason([bad(1)], failing, 7 * dayMs)).toBeUndefined();
    expect(endReason([bad(1)], failing, 7 * dayMs + 1)).toMatch(/seven days/);
  });
});
