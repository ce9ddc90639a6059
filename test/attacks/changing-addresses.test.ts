// Attack: wrong passwords for one account from ever-changing addresses, at two nodes of one database. Each address used to have its
// own budget, and nothing added them up. Now all strangers together have one; browsers that the owner has used have their own.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Auth } from '../../src/auth/create.js';
import type { UserView } from '../../src/auth/model.js';
import { authenticateUser, type LoginOutcome } from '../../src/auth/users/authenticate-user.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { knownDeviceCookie } from '../../src/auth/users/known-device.js';
import { setPassword } from '../../src/auth/users/set-password.js';
import { signOutEverywhere } from '../../src/auth/users/sign-out-everywhere.js';
import { updateUser } from '../../src/auth/users/update-user.js';
import { DAY_MS } from '../../src/platform.js';
import { PASSWORD, createTestAuth, type TestAuth } from '../auth/support.js';
import { forEachDatabase } from '../support/database.js';

/** Five times as many as make one sender slow. */
const BUDGET = 15;
const HOUR_MS = 3600_000;

await forEachDatabase(({ open }) => {
  let here: TestAuth;
  let nodes: Auth[];
  let ann: UserView;
  let addresses: number;
  beforeEach(async () => {
    const database = await open();
    const settings = { sharedState: true, changePollMs: 3600_000, loginFailuresMax: 3 };
    // Stands still, so that no wait is over because the machine is slow.
    let nowMs = Date.now();
    const clock = { now: () => nowMs, advance: (ms: number) => void (nowMs += ms) };
    here = await createTestAuth(database, { settings, clock });
    const there = await createTestAuth(database, { settings, clock });
    nodes = [here.auth, there.auth];
    addresses = 0;
    ann = await person('ann');
    return async () => {
      for (const node of nodes) await node.stop();
    };
  });

  const person = (userName: string): Promise<UserView> =>
    createUser(here.auth, here.system, {
      userName,
      displayName: userName,
      role: 'member',
      password: PASSWORD,
      temporary: false,
    });

  /** From an address that nobody has seen, at one node after the other. */
  const attempt = (userName: string, password: string, device?: string): Promise<LoginOutcome> => {
    addresses += 1;
    const address = `2001:db8:${addresses.toString(16)}::/64`;
    return authenticateUser(nodes[addresses % 2]!, { userName, password, address, device });
  };
  const said = (outcome: LoginOutcome): string | number =>
    outcome.ok ? 'in' : outcome.reason === 'rate-limited' ? outcome.retryAfterMs : outcome.reason;

  /** What strangers are told, until they have to wait. */
  async function flood(userName: string, times = BUDGET): Promise<(string | number)[]> {
    const outcomes: (string | number)[] = [];
    for (let i = 0; i < times; i++) outcomes.push(said(await attempt(userName, `wrong ${i}`)));
    return outcomes;
  }

  const deviceOf = async (userId: string, before?: string): Promise<string> => {
    const user = (await here.auth.store.direct.users.get(userId))!;
    return knownDeviceCookie(here.auth, user, `session of ${userId}`, before);
  };

  describe('wrong passwords from ever-changing addresses', () => {
    it('are few, then rare, alike for names that nobody has', async () => {
      const told: Record<string, (string | number)[]> = {};
      for (const name of ['ann', 'nobody-has-this-name']) {
        const list = (told[name] = await flood(name, BUDGET + 3));
        for (const seconds of [29, 1, 59, 1, 120, 3600, 3600]) {
          here.clock.advance(seconds * 1000);
          list.push(said(await attempt(name, 'wrong')), said(await attempt(name, 'wrong')));
        }
      }
      const { ann: known } = told;
      expect(known?.slice(0, BUDGET)).toEqual(Array<string>(BUDGET).fill('wrong'));
      expect(known?.slice(BUDGET)).toEqual([
        ...[30_000, 30_000, 30_000],
        ...[1000, 1000],
        ...['wrong', 60_000],
        ...[1000, 1000],
        ...['wrong', 120_000],
        ...['wrong', 240_000],
        ...['wrong', 480_000],
        ...['wrong', 960_000],
      ]);
      expect(told['nobody-has-this-name']).toEqual(known);
    });

    it('do not keep the owner out of a browser they have used, nor does that help anybody else', async () => {
      const device = await deviceOf(ann.userId);
      await flood('ann');
      expect(said(await attempt('ann', PASSWORD))).toBeTypeOf('number');
      for (let i = 0; i < 4; i++) expect(said(await attempt('ann', PASSWORD, device))).toBe('in');
      // Not to be used for somebody else, and strangers stay slow although the owner was right.
      expect(said(await attempt('ann', PASSWORD, await deviceOf((await person('bob')).userId)))).toBeTypeOf(
        'number',
      );
      expect(said(await attempt('ann', PASSWORD, 'AAAAAAAAAAAAAAAAAAAAAA.BBBB'))).toBeTypeOf('number');
    });

    it('from a browser with the cookie of the owner are as few', async () => {
      const device = await deviceOf(ann.userId);
      const outcomes: (string | number)[] = [];
      for (let i = 0; i < BUDGET + 2; i++) {
        outcomes.push(said(await attempt('ann', 'wrong', device)));
        here.clock.advance(10_000);
      }
      expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(BUDGET);
      // The others have lost nothing by it.
      expect(said(await attempt('ann', PASSWORD))).toBe('in');
    });

    it('are as few when they come at the same moment', async () => {
      const many = Array.from({ length: 3 * BUDGET }, (_, i) => attempt('ann', `wrong ${i}`));
      const atOnce = (await Promise.all(many)).map(said);
      // Where the server was too busy to compare, nothing was tried: that is left for later.
      const outcomes = [...atOnce, ...(await flood('ann'))];
      expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(BUDGET);
    });

    it('are remembered for a month, whether somebody has the name or not', async () => {
      const names = ['ann', 'nobody-has-this-name'];
      for (const name of names) await flood(name);
      here.clock.advance(29 * DAY_MS);
      for (const node of nodes) await node.housekeep();
      for (const name of names) {
        expect(said(await attempt(name, 'wrong'))).toBe('wrong');
        expect(said(await attempt(name, 'wrong'))).toBeGreaterThan(30_000);
      }
      here.clock.advance(31 * DAY_MS);
      await here.auth.housekeep();
      for (const name of names) expect(await flood(name, 3)).toEqual(['wrong', 'wrong', 'wrong']);
    });

    it('end with a right one, with a word of an administrator, and with a new password', async () => {
      await flood('ann');
      here.clock.advance(HOUR_MS);
      expect(said(await attempt('ann', PASSWORD))).toBe('in');
      expect(await flood('ann', 3)).toEqual(['wrong', 'wrong', 'wrong']);
      const { userId } = ann;
      await flood('ann');
      await updateUser(here.auth, here.system, { userId, locked: false });
      expect(said(await attempt('ann', PASSWORD))).toBe('in');
      await flood('ann');
      await setPassword(here.auth, here.system, { userId, newPassword: `${PASSWORD} 2`, temporary: false });
      expect(said(await attempt('ann', `${PASSWORD} 2`))).toBe('in');
    });

    it('are told to auditors when all become slow', async () => {
      await flood('ann');
      await flood('nobody-has-this-name');
      const records = await here.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 });
      const slow = records.filter(({ operation }) => operation === 'user.slow-down');
      expect(slow.map(({ detail }) => detail)).toContainEqual(
        expect.objectContaining({ userName: 'ann', failures: BUDGET, waitSeconds: 30 }),
      );
      const unknown = slow.filter(({ subjectIds }) => subjectIds.includes('unknown'));
      expect(unknown).toHaveLength(slow.length / 2);
      expect(JSON.stringify(unknown)).not.toContain('nobody-has');
    });
  });

  describe('a browser that was known', () => {
    const ends: [string, (userId: string) => Promise<unknown>][] = [
      ['signing out everywhere', (userId) => signOutEverywhere(here.auth, here.system, { userId })],
      [
        'a lock',
        async (userId) => {
          await updateUser(here.auth, here.system, { userId, locked: true });
          await updateUser(here.auth, here.system, { userId, locked: false });
        },
      ],
      [
        'a new password',
        (userId) => setPassword(here.auth, here.system, { userId, newPassword: PASSWORD, temporary: false }),
      ],
    ];
    it.each(ends)('is a stranger after %s', async (_name, end) => {
      const device = await deviceOf(ann.userId);
      await end(ann.userId);
      await flood('ann');
      expect(said(await attempt('ann', PASSWORD, device))).toBeTypeOf('number');
      expect(said(await attempt('ann', PASSWORD, await deviceOf(ann.userId)))).toBe('in');
    });

    it('is one, however often its session asks for the mark', async () => {
      const [first, second] = [await deviceOf(ann.userId), await deviceOf(ann.userId)];
      expect(second).toBe(first);
    });

    it('is known for each of those who share it', async () => {
      const bob = await person('bob');
      let cookie = await deviceOf(ann.userId);
      cookie = await deviceOf(bob.userId, cookie);
      cookie = await deviceOf(bob.userId, cookie);
      expect(cookie.split('~')).toHaveLength(2);
      for (const name of ['ann', 'bob']) {
        await flood(name);
        expect(said(await attempt(name, PASSWORD, cookie))).toBe('in');
      }
    });
  });
});
