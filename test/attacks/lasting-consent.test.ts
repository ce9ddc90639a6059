// Attack: a member registers a public client and an administrator once allows it. It kept an administrator's rights
// through the member's being disabled, the administrator's new password and signing out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockClient } from '../../src/auth/clients/lock-client.js';
import { createApplication } from '../../src/auth/applications/create-application.js';
import { listApplications, getApplication } from '../../src/auth/applications/read-applications.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { listConsents, withdrawConsent } from '../../src/auth/users/consents.js';
import { setPassword } from '../../src/auth/users/set-password.js';
import { signOutEverywhere } from '../../src/auth/users/sign-out-everywhere.js';
import { updateUser } from '../../src/auth/users/update-user.js';
import { PASSWORD, callOf } from '../auth/support.js';
import type { Browser } from '../auth/browser.js';
import {
  authorizationRequest,
  callerOf,
  codeIn,
  consented,
  exchange,
  refresh,
  signedInBrowser,
  startTarget,
  type Target,
} from './support.js';

let target: Target;
let browser: Browser;
beforeAll(async () => {
  target = await startTarget();
});
beforeEach(async () => {
  browser = await signedInBrowser(target, 'olga');
});
afterAll(() => target.stop());

const asOlga = () => callOf(target.platform.owner);

describe('what the client may do', () => {
  it('is no more than its owner may do', async () => {
    const { tokens } = await consented(target, browser, target.member);
    const caller = await callerOf(target, tokens.access);
    expect(caller).toMatchObject({ userId: target.platform.owner.userId, tenants: [] });
    const call = { ...asOlga(), caller: caller! };
    expect(await listApplications(target.auth, call)).toEqual([]);
    const { applicationId } = target.platform;
    await expect(getApplication(target.auth, call, { applicationId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('does not include making its access last: no credentials, passwords or applications in the name of the user', async () => {
    const { tokens } = await consented(target, browser, target.member);
    const call = { ...asOlga(), caller: (await callerOf(target, tokens.access))! };
    const refused = { code: 'PERMISSION_DENIED' };
    await expect(
      createToolingClient(target.auth, call, { name: 'x', type: 'service-account' }),
    ).rejects.toMatchObject(refused);
    await expect(createApplication(target.auth, call, { name: 'x', environments: [] })).rejects.toMatchObject(
      refused,
    );
    await expect(listConsents(target.auth, call)).rejects.toMatchObject(refused);
    await expect(signOutEverywhere(target.auth, call, {})).rejects.toMatchObject(refused);
    const userId = target.platform.owner.userId;
    const attempt = { userId, newPassword: 'another long password', currentPassword: PASSWORD };
    await expect(setPassword(target.auth, call, attempt)).rejects.toMatchObject(refused);
  });

  it('ends when its owner is disabled, and cannot begin again', async () => {
    const { client, tokens } = await consented(target, browser, target.member);
    const { userId } = target.member;
    await updateUser(target.auth, target.system, { userId, locked: true });
    try {
      expect(await callerOf(target, tokens.access)).toBeUndefined();
      expect(await refresh(target, client.clientId, tokens.refresh)).toBeUndefined();
      const page = await browser.get(
        authorizationRequest(target, client.clientId, 'https://tool.example/cb').address,
      );
      expect(page.status).toBe(400);
    } finally {
      await updateUser(target.auth, target.system, { userId, locked: false });
    }
    // What was allowed before stays ended: it is asked for again.
    expect(await refresh(target, client.clientId, tokens.refresh)).toBeUndefined();
    const { address } = authorizationRequest(target, client.clientId, 'https://tool.example/cb');
    expect((await browser.get(`${address}&prompt=none`)).html).toContain('consent_required');
    expect((await browser.get(address)).html).toContain('Allow access?');
  });
});

describe('a grant ends at once', () => {
  it.each([
    [
      'when the user withdraws the consent',
      (clientId: string) => withdrawConsent(target.auth, asOlga(), { clientId }),
    ],
    [
      'when the client is disabled',
      (clientId: string) => lockClient(target.auth, target.system, { clientId }),
    ],
    [
      'when the password changes',
      () =>
        setPassword(target.auth, target.system, {
          userId: target.platform.owner.userId,
          newPassword: PASSWORD,
          temporary: false,
        }),
    ],
    ['when the user signs out everywhere', () => signOutEverywhere(target.auth, asOlga(), {})],
  ])('%s', async (_when, end: (clientId: string) => Promise<unknown>) => {
    const { client, tokens } = await consented(target, browser, target.platform.owner);
    const pending = authorizationRequest(target, client.clientId, 'https://tool.example/cb');
    const unusedCode = codeIn(await browser.get(pending.address));
    expect(unusedCode).toBeDefined();
    expect(await callerOf(target, tokens.access)).toMatchObject({ tenants: 'all' });
    await end(client.clientId);
    expect(await callerOf(target, tokens.access)).toBeUndefined();
    expect(await refresh(target, client.clientId, tokens.refresh)).toBeUndefined();
    await expect(exchange(target, pending, unusedCode!)).rejects.toThrow('no token');
  });

  it('and is asked for again', async () => {
    const { client } = await consented(target, browser, target.platform.owner);
    const { address } = authorizationRequest(target, client.clientId, 'https://tool.example/cb');
    expect(codeIn(await browser.get(address))).toBeDefined();
    await withdrawConsent(target.auth, asOlga(), { clientId: client.clientId });
    expect((await browser.get(address)).html).toContain('Allow access?');
    const mine = await listConsents(target.auth, asOlga());
    expect(mine.map((each) => each.clientId)).not.toContain(client.clientId);
  });
});

it('consents are listed with the name and the owner of the application', async () => {
  const { client } = await consented(target, browser, target.member);
  const listed = await listConsents(target.auth, asOlga());
  expect(listed.find((each) => each.clientId === client.clientId)).toMatchObject({
    name: 'Handy tool',
    ownerUserName: 'mallory',
    scope: 'platform-api',
  });
});

it.each([
  'Con\u202Esole',
  'Console\u2066',
  'Con\u0007sole',
  'Console\u200b',
  'C\u061console',
  '\u0301\u0308',
  ' \u0301',
])('a name cannot pretend to be another: %j', async (name) => {
  await expect(
    createToolingClient(target.auth, callOf(target.member), {
      name,
      type: 'user-account',
      redirectUris: ['https://tool.example/cb'],
    }),
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

it('names of the world are accepted', async () => {
  for (const name of ['Zoë', 'می‌خواهم', 'आवाज़', '話者', 'متصل']) {
    const { client } = await createToolingClient(target.auth, callOf(target.member), {
      name,
      type: 'service-account',
    });
    expect(client.name).toBe(name);
  }
});
