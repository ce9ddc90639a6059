// Attack: finding out who has an account by what a wrong password costs the server, or by when it begins to say no.
// Known names used to cost one write more, and to be guarded where unknown ones were not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { updateUser } from '../../src/auth/users/update-user.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { PASSWORD } from '../auth/support.js';
import { startTarget, type Target } from './support.js';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
  const input = { userName: 'locked', displayName: 'Locked', role: 'member', password: PASSWORD } as const;
  const { userId } = await createUser(target.auth, target.system, input);
  await updateUser(target.auth, target.system, { userId, locked: true });
});
afterAll(() => target.stop());

const names = ['olga', 'locked', 'nobody-has-this-name'];
const tryName = async (userName: string, address: string): Promise<string> => {
  const outcome = await authenticateUser(target.auth, { userName, password: 'not it', address });
  return outcome.ok ? 'ok' : outcome.reason;
};

/** How often something was written, by what the database says of itself. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const { store } = target.auth;
  let writes = 0;
  const counted = <T extends object>(part: T, methods: readonly (keyof T)[]): void => {
    for (const name of methods) {
      const own = part[name] as (...args: unknown[]) => unknown;
      Object.assign(part, {
        [name]: (...args: unknown[]) => {
          writes += 1;
          return own.apply(part, args);
        },
      });
    }
  };
  const { users, rates } = store.direct;
  const before = { users: { ...users }, rates: { ...rates }, transaction: store.transaction };
  counted(users, ['update']);
  counted(rates, ['add', 'putOff']);
  counted(store, ['transaction']);
  try {
    await work();
  } finally {
    Object.assign(users, before.users);
    Object.assign(rates, before.rates);
    store.transaction = before.transaction;
  }
  return writes;
}

describe('a wrong password', () => {
  it('costs as many writes whoever it is for', async () => {
    const writes: number[] = [];
    for (const name of names) writes.push(await writesOf(() => tryName(name, '192.0.2.1')));
    expect(new Set(writes)).toEqual(new Set([2]));
  });

  it('does so when the audit trail takes no more about strangers', async () => {
    target.clock.advance(3600_000);
    for (let i = 0; i < 40; i++) await tryName(`stranger-${i}`, `198.51.100.${i}`);
    const writes: number[] = [];
    for (const name of names) writes.push(await writesOf(() => tryName(name, '192.0.2.2')));
    expect(new Set(writes)).toEqual(new Set([2]));
  });

  it('is slowed down at the same attempt for every name', async () => {
    target.clock.advance(24 * 3600_000);
    // A right password ends what was counted before; the other two begin anew by names that were not tried yet.
    await authenticateUser(target.auth, { userName: 'olga', password: PASSWORD, address: '192.0.2.3' });
    const outcomes: Record<string, string[]> = {};
    for (const name of ['olga', 'another-unknown-name']) {
      const list = (outcomes[name] = [] as string[]);
      for (let i = 0; i < 25; i++) {
        // From several addresses, so that what slows it down is the name.
        list.push(await tryName(name, `203.0.113.${i % 5}`));
        target.clock.advance(2000);
      }
      target.clock.advance(3600_000);
    }
    expect(outcomes['olga']).toContain('rate-limited');
    expect(outcomes['another-unknown-name']).toEqual(outcomes['olga']);
  });
});
