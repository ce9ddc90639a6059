// Attacks on limits: a forged X-Forwarded-For, another address of the same IPv6 network for every guess, junk that eats
// the limit of an honest client at the same address, and going to the next node.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressKey } from '../../src/transport/limits/address-key.js';
import { trustedProxiesOf } from '../../src/config/read-text.js';
import { ConfigError, loadConfig } from '../../src/config.js';
import { createRateLimits } from '../../src/auth/rate-limits.js';
import { defaultAuthSettings, type RateLimit } from '../../src/auth/settings.js';
import { SharedRates } from '../../src/auth/shared-rates.js';
import { silentLog } from '../../src/platform.js';
import { basic, postForm } from '../auth/support.js';
import { testClock } from '../support/storage.js';
import { startTarget, type Target } from './support.js';

let target: Target;
beforeAll(async () => {
  const { rateLimits } = defaultAuthSettings('http://localhost');
  const tokenPerAddress = { perMinute: 100, burst: 100 };
  target = await startTarget(
    { rateLimits: { ...rateLimits, tokenPerAddress } },
    { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] },
  );
});
afterAll(() => target.stop());

const ask = (secret: string, headers: Record<string, string> = {}) =>
  postForm(
    `${target.url}/oauth2/token`,
    { grant_type: 'client_credentials', scope: 'asr' },
    { authorization: basic(target.platform.client.clientId, secret), ...headers },
  );
const lastAddress = () => target.events.at(-1)?.address;

it.each(['/oauth2/token', '/oauth2/introspect', '/oauth2/userinfo'])(
  'two Authorization headers, of which a proxy may have read the other one, are refused at %s',
  async (path) => {
    const { client, secret } = target.platform;
    const form = 'grant_type=client_credentials&scope=asr&token=x';
    const headers = [
      ...['host', new URL(target.url).host, 'content-length', String(form.length)],
      ...['content-type', 'application/x-www-form-urlencoded'],
      ...['authorization', basic(client.clientId, secret), 'authorization', basic('other', 'x')],
    ];
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const asked = request(target.url + path, { method: 'POST', headers }, (came) => {
        came.toArray().then((parts) => {
          resolve({ status: came.statusCode, text: Buffer.concat(parts).toString() });
        }, reject);
      });
      asked.on('error', reject);
      asked.end(form);
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'invalid_request' });
  },
);

describe('X-Forwarded-For', () => {
  it('counts from the right, past trusted proxies only', async () => {
    await ask(target.platform.secret, { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.1.2.3' });
    expect(lastAddress()).toBe('203.0.113.7');
    await ask(target.platform.secret, { 'x-forwarded-for': '6.6.6.6' });
    expect(lastAddress()).toBe('6.6.6.6');
    await ask(target.platform.secret, { 'x-forwarded-for': '192.0.2.1:4711' });
    expect(lastAddress()).toBe('192.0.2.1');
    await ask(target.platform.secret, { 'x-forwarded-for': 'no address' });
    expect(lastAddress()).toBe('127.0.0.1');
  });

  it('is ignored without trusted proxies, and read by hops where a number is given', async () => {
    for (const [serving, expected] of [
      [{}, '127.0.0.1'],
      [{ trustedProxies: 1 }, '198.51.100.1'],
      [{ trustedProxies: 2 }, '6.6.6.6'],
    ] as const) {
      const other = await startTarget({}, serving);
      await postForm(
        `${other.url}/oauth2/token`,
        { grant_type: 'client_credentials', scope: 'asr' },
        { authorization: 'Basic eDp5', 'x-forwarded-for': '9.9.9.9, 6.6.6.6, 198.51.100.1' },
      );
      expect(other.events.at(-1)?.address).toBe(expected);
      await other.stop();
    }
  });

  it('is configured by networks or hops', () => {
    expect(trustedProxiesOf('')).toBe(false);
    expect(trustedProxiesOf('2')).toBe(2);
    expect(trustedProxiesOf('10.0.0.0/8, ::1')).toEqual(['10.0.0.0/8', '::1']);
    const load = (proxies: string) => () =>
      loadConfig({ env: {}, flags: { 'http.trustedProxies': proxies, home: '/nowhere' } });
    expect(load('everybody')).toThrow(ConfigError);
    expect(load('10.0.0.0/40')).toThrow(ConfigError);
    expect(load('10.0.0.0/8')).not.toThrow();
  });
});

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['203.0.113.9', '203.0.113.9'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

it('junk of strangers takes nothing from a client at the same address', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.50' };
  const { perMinute } = target.auth.settings.rateLimits.tokenPerAddress;
  const answers: number[] = [];
  while (answers.length <= perMinute) {
    const junk = Array.from({ length: 50 }, (_, index) => ask(`junk ${answers.length + index}`, headers));
    answers.push(...(await Promise.all(junk)).map(({ status }) => status));
  }
  expect(answers).toContain(429);
  expect((await ask(target.platform.secret, headers)).status).toBe(200);
});

/** A node as far as limits go; it shares what was taken when it is told to, not once a second. */
function nodeWith(tokenPerClient: RateLimit) {
  const clock = testClock();
  const { settings, store } = target.auth;
  const rates = new SharedRates(store.direct.rates, silentLog, () => clock.now());
  const limits = createRateLimits({ ...settings.rateLimits, tokenPerClient }, clock, rates);
  return { clock, limit: limits.tokenPerClient, share: () => rates.sync() };
}

it('going to the next node does not double a limit', async () => {
  const limit = { perMinute: 10, burst: 10 };
  const [here, there] = [nodeWith(limit), nodeWith(limit)];
  // Known to both nodes before the flood: what was taken before a node has heard of a client is not charged to it.
  expect([here.limit.take('busy'), there.limit.take('busy')]).toEqual([0, 0]);
  for (const node of [here, there, here, there]) await node.share();
  for (let count = 0; count < 8; count++) expect(here.limit.take('busy')).toBe(0);
  await here.share();
  expect(there.limit.take('busy')).toBe(0);
  await there.share();
  expect(there.limit.take('busy')).toBeGreaterThan(0);
});

it('a flood over three nodes gets what one node would grant', async () => {
  const nodes = [1, 2, 3].map(() => nodeWith({ perMinute: 60, burst: 20 }));
  let granted = 0;
  const durationSeconds = 120;
  for (let second = 0; second < durationSeconds; second++) {
    for (const { clock, limit, share } of nodes) {
      while (limit.take('flood') === 0) granted++;
      await share();
      clock.advance(1000);
    }
  }
  // One per second, the bursts of three, and what three can grant before they hear of each other.
  expect(granted).toBeGreaterThan(durationSeconds / 2);
  expect(granted).toBeLessThan(durationSeconds + 3 * 20 + 20);
});
