// Five people, each with a goal, who follow what they can read: at a desk by day with a mouse, and on a phone by night
// by the keyboard alone.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptInvitation, pressKey, takeSecret, type ConsoleTest } from '../support.js';
import { openedPart } from '../session-page.js';
import { aliveForChecks, giveFile, moveTo, reopen } from '../voices.js';
import { heardSomething } from './heard.js';
import type { Suite } from './setting.js';

interface Walker {
  console: ConsoleTest;
  page: Page;
  /** Part of the names of what this walk makes. */
  name: 'desk' | 'phone';
  /** Presses a button, follows a link, ticks a box: as this person does it. */
  act: (what: Locator) => Promise<void>;
  /** To a page of the navigation, which is a drawer on a phone. */
  go: (name: string) => Promise<void>;
}

async function walkerOf(console: ConsoleTest, name: Walker['name']): Promise<Walker> {
  const isPhone = name === 'phone';
  const page = await console.signedIn({
    colorScheme: isPhone ? 'dark' : 'light',
    width: isPhone ? 390 : 1280,
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const act = async (what: Locator): Promise<void> => {
    if (!isPhone) return what.click();
    const isBox = (await what.getAttribute('type')) === 'checkbox';
    await pressKey(what, isBox ? 'Space' : 'Enter');
  };
  const go = async (to: string): Promise<void> => {
    if (!isPhone) return page.getByRole('link', { name: to, exact: true }).first().click();
    await act(page.getByRole('button', { name: 'Open navigation' }));
    await act(page.getByRole('dialog').getByRole('link', { name: to, exact: true }));
  };
  return { console, page, name, act, go };
}

async function newcomer({ console: shared, page, name, act, go }: Walker): Promise<void> {
  const console = await shared.inTenant(`newcomer-${name}`);
  await aliveForChecks(page);
  await moveTo(page, console.at('/'));
  const firstStep = page
    .getByRole('region', { name: 'First steps' })
    .getByRole('listitem')
    .filter({ hasText: 'Enroll a voice and verify it' });
  await firstStep.getByText('To do', { exact: true }).waitFor();
  await act(page.getByRole('link', { name: 'Try your voice' }));
  await page.getByLabel('Whose voice').fill(`newcomer-${name}`);
  for (const sample of [1, 2, 3]) {
    await page.getByRole('button', { name: `Record sample ${sample}` }).waitFor();
    await giveFile(page, 'bruno', sample);
  }
  await page.getByRole('button', { name: 'Record and verify' }).waitFor();
  await giveFile(page, 'bruno', 4);
  await page.locator('.outcome').getByText('Verified', { exact: true }).waitFor();
  // The home page knows of it.
  await go('Voxgate');
  await firstStep.getByText('Done', { exact: true }).waitFor();
  const happened = page.getByRole('region', { name: 'What happened' });
  // What was tried out is no call, and the page says so.
  await happened.getByText('0 matches', { exact: true }).waitFor();
  await happened.getByText(/^Not counted: 1 check in a trial from the voice lab/).waitFor();
  for (const figure of ['Usable audio', 'Response time', 'Longest queue'])
    await happened.getByText(figure, { exact: true }).waitFor();
}

async function fraudAnalyst({ page, act, go }: Walker): Promise<void> {
  await go('Sessions and audit');
  await page.getByRole('button', { name: 'Fraud risk', exact: true }).click();
  await act(page.getByRole('link', { name: 'call-20933' }));
  const hit = await openedPart(page, 'Voice checked against a watchlist');
  await hit.getByRole('link', { name: 'case-118' }).waitFor();
  await act(page.getByRole('button', { name: 'Play What was heard' }));
  await heardSomething(page);
  await act(page.getByRole('button', { name: 'Record outcome' }));
  await page.getByLabel('What was it?').selectOption({ label: 'Fraud' });
  await act(page.getByRole('dialog').getByRole('button', { name: 'Record outcome' }));
  await page.getByText('Outcome recorded.').first().waitFor();
  await act(hit.getByRole('link', { name: 'card-fraud-ring' }));
  await page.getByRole('link', { name: 'case-118' }).waitFor();
}

async function developer({ console, page, name, act, go }: Walker): Promise<void> {
  await go('Applications');
  await act(page.getByRole('button', { name: 'New application' }).first());
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(`Bank app ${name}`);
  await act(dialog.getByRole('button', { name: 'Create application' }));
  await dialog.getByText('Shown only once').waitFor();
  const curl = await dialog.getByLabel('curl command with the secret', { exact: true }).first().innerText();
  const [, user = '', secret = ''] = /-u '([^:]+):([^']+)'/.exec(curl) ?? [];
  await takeSecret(page);
  await page.getByRole('heading', { name: `Bank app ${name}`, level: 1 }).waitFor();
  // What was copied works, and reaches the tenant that was in use: the samples of the API page run as they are written.
  await go('API reference');
  const prepare = await page.locator('#begin pre.curl').innerText();
  const sample = await page.locator('#Directory_ListPersons pre.curl').textContent();
  if (name === 'phone') {
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    expect(await widthTooMuch(page)).toBe(0);
  }
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${prepare}\n${sample ?? ''}`], {
    env: { ...process.env, VOXGATE_CLIENT_ID: decodeURIComponent(user), VOXGATE_CLIENT_SECRET: secret },
  });
  const [tenant, ...answer] = stdout.split('\n');
  expect(tenant).toBe(console.gkScopeId);
  const people = JSON.parse(answer.join('\n')) as { persons: { details: { personId: string } }[] };
  expect(people.persons.map(({ details }) => details.personId)).toContain('anna-4711');
  // The call is in the requests log.
  await page.goto(console.at('/applications'));
  await act(page.getByRole('link', { name: `Bank app ${name}` }));
  await act(page.getByRole('link', { name: 'Clients and downloads' }));
  await act(page.getByRole('tab', { name: 'Requests' }));
  const row = page.getByRole('row').filter({ hasText: 'ListPersons' });
  await row.getByText('Succeeded', { exact: true }).waitFor();
  await page.getByLabel('Outcome').selectOption({ label: 'Refused or failed' });
  await page.getByText('No matching requests').waitFor();
  // And so is whoever tries another secret.
  await fetch(`${console.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${user}:guessed`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  await page.getByRole('row').filter({ hasText: 'RequestToken' }).getByText('wrong credentials').waitFor();
}

const widthTooMuch = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

async function administrator({ console, page, name, act, go }: Walker): Promise<void> {
  await go('Users');
  await act(page.getByRole('button', { name: 'New user' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User name').fill(`vera-${name}`);
  await dialog.getByLabel('Role').first().selectOption('USER_ROLE_AUDITOR');
  await act(dialog.getByRole('button', { name: 'Create user' }));
  const shown = page.getByRole('dialog', { name: `Invitation for vera-${name}` });
  const link = await shown.locator('code').innerText();
  await act(shown.getByLabel('I have passed it on or stored it'));
  await act(shown.getByRole('button', { name: 'Done' }));
  // The auditor sees, among others, that this was done, and by whom.
  const hers = await acceptInvitation(console, link, 'a long enough sentence');
  await moveTo(hers, console.at('/sessions?tab=system'));
  const row = hers
    .getByRole('row')
    .filter({ hasText: /user create/i })
    .first();
  await row.getByText(console.admin.username, { exact: true }).waitFor();
  await hers.context().close();
}

async function engagementOwner({ page, name, act, go }: Walker): Promise<void> {
  await go('Engagement');
  const dialog = page.getByRole('dialog');
  const press = (button: string) => act(page.getByRole('button', { name: button, exact: true }).first());
  const save = async (button: string): Promise<void> => {
    await act(dialog.getByRole('button', { name: button, exact: true }));
    await dialog.waitFor({ state: 'detached' });
  };
  await act(page.getByRole('tab', { name: 'Sites' }));
  await press('New site');
  await dialog.getByLabel('Site ID').fill(`bergen-${name}`);
  await dialog.getByLabel('Time zone').fill('Europe/Oslo');
  await save('Save site');
  await act(page.getByRole('link', { name: `bergen-${name}` }));
  await act(page.getByRole('tab', { name: 'Units and groups' }));
  await press('New business unit');
  await dialog.getByLabel('Business unit ID').fill('10');
  await save('Save business unit');
  await press('New agent group');
  await dialog.getByLabel('Agent group ID').fill('cards');
  await save('Save agent group');
  await act(page.getByRole('tab', { name: 'Agents' }));
  await press('New agent');
  await dialog.getByLabel('Agent ID').fill('ada');
  await act(dialog.getByLabel('cards'));
  await dialog.getByLabel('Attributes').fill('language: de');
  await save('Save agent');
  await act(page.getByRole('tab', { name: 'Availability' }));
  await page.getByText('Available', { exact: true }).waitFor();
}

const walks: [string, (walker: Walker) => Promise<void>][] = [
  ['a newcomer to a verified voice', newcomer],
  ['a fraud analyst to who called, who matched and a verdict', fraudAnalyst],
  ['a developer to a token that reaches the tenant', developer],
  ['an administrator to an auditor who sees it', administrator],
  ['an engagement owner to a site that is available', engagementOwner],
];

export const fiveWalks: Suite = (setting) =>
  describe('a walk leads', () => {
    const walkers: Walker[] = [];
    beforeAll(async () => {
      for (const name of ['desk', 'phone'] as const) walkers.push(await walkerOf(setting().console, name));
    });

    it.each(walks)('%s, at a desk and on a phone', async (_goal, walk) => {
      for (const walker of walkers) {
        const { console, page } = walker;
        await reopen(page, console.at('/'));
        await walk(walker);
        expect(await widthTooMuch(page)).toBe(0);
      }
    });
  });
