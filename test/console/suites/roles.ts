// The pages with every role: what the navigation offers works, and what it does not says so in words when somebody types
// its address. What is expected comes from the tables that the server itself decides by.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { rolePermissions, tenantRoles, type Permission } from '../../../src/auth/roles.js';
import { registeredPages } from '../registered-pages.js';
import { text as shell } from '../../../src/console/text/en/shell.js';
import { operationPermissions } from '../../../src/transport/access.js';
import { pagesOf } from '../pages.js';
import { makePerson, type ConsoleTest } from '../support.js';
import { moveTo } from '../voices.js';
import type { Suite } from './setting.js';

const PASSWORD = 'walks through every page there is';
const NOT_ALLOWED = shell.frame.notAllowed.heading;
const asked = new Map(Object.values(operationPermissions).flatMap((methods) => Object.entries(methods)));

/** All that is in a page, seen or not, and how often it says that something went wrong. */
const SHOWN = `({
  text: document.body.textContent,
  bad: document.querySelectorAll('main .notice[data-tone=bad]').length,
})`;

interface Walked {
  held: ReadonlySet<Permission>;
  isAuditor?: boolean;
}

function isFor(path: string, { held, isAuditor = false }: Walked): boolean {
  const need = needs.get(areaOf(path));
  // An address that leads nowhere says so to everybody.
  if (need === undefined || need === 'everybody') return true;
  if (need === 'administrator') return false;
  if (need === 'agents') return isAuditor || held.has('agents.state');
  return asked.get(need)?.some((permission) => held.has(permission)) ?? false;
}

/** The first part of the address, by which a page knows whom it is for. */
const areaOf = (path: string): string => path.split(/[/?]/)[1] ?? '';
const needs = new Map(registeredPages.map((page) => [areaOf(page.path), page.needs]));

/** Applications and profiles are alike with every role beyond their first page; help, and what leads nowhere, as a whole. */
const isAlikeForAll = (path: string): boolean =>
  /^\/(applications|profile)./.test(path) || areaOf(path) === 'help' || !needs.has(areaOf(path));

/** What can differ for this role: pages that it may open, and one of each area that it may not, which is refused as a whole. */
function pagesToSee(paths: readonly string[], walked: Walked): string[] {
  const refused = new Set<string>();
  return paths.filter((path) => {
    if (isAlikeForAll(path)) return false;
    if (isFor(path, walked)) return true;
    const isFirst = !refused.has(areaOf(path));
    refused.add(areaOf(path));
    return isFirst;
  });
}

/** Where the navigation leads, by what it says. */
const navigation: Readonly<Record<string, string>> = {
  'Voice lab': '/voice',
  'People and watchlists': '/people',
  'Sessions and audit': '/sessions',
  'Live calls': '/calls',
  'Voice search': '/voice-search',
  Accuracy: '/accuracy',
  Applications: '/applications',
  Engagement: '/engagement',
  Webhooks: '/webhooks',
  Batches: '/batches',
  Tenants: '/tenants',
  Users: '/users',
  System: '/system',
  Profile: '/profile',
};

export const everyRole: Suite = (setting) =>
  describe('with every role', () => {
    let console: ConsoleTest;
    let page: Page;
    let userId: string;
    /** What the server refused since it was last looked at. */
    let refused: string[] = [];
    beforeAll(async () => {
      console = setting().console;
      await makePerson(console, 'walker', PASSWORD);
      page = await console.signedIn({ username: 'walker', password: PASSWORD });
      const { body } = await console.api('GET', '/v1/management/users?query=walker');
      userId = body.users[0].userId;
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        // Voice search wants a legal basis besides a role, and says so.
        if (response.status() === 403 && !pathname.startsWith('/v1/x/voice-search')) refused.push(pathname);
      });
    });

    const become = async (change: { role?: string; tenantRoles?: object[] }): Promise<void> => {
      const fieldMask = Object.keys(change).join(',');
      const answer = await console.api('PATCH', `/v1/management/users/${userId}`, { ...change, fieldMask });
      expect(answer.status).toBe(200);
      await page.goto(console.at('/'));
      await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    };

    const expectPages = async (walked: Walked): Promise<void> => {
      const offered = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
      const expected = Object.keys(navigation).filter((name) => isFor(navigation[name] ?? '', walked));
      expect(offered.map((name) => name.trim()).sort()).toEqual(expected.sort());
      // The first page offers what the role is for.
      const doors = page.locator('main').getByRole('link', { name: /^(Try your voice|My cases)$/ });
      await page.getByRole('region', { name: 'Latest sessions' }).waitFor();
      expect(await doors.allInnerTexts()).toEqual([
        ...(walked.held.has('voice.fraud') ? ['My cases'] : []),
        ...(walked.held.has('voice.enroll') ? ['Try your voice'] : []),
      ]);
      const { seeded, voices } = setting();
      for (const path of pagesToSee(pagesOf(seeded, voices).paths, walked)) {
        refused = [];
        await moveTo(page, console.at(path));
        const { text, bad } = await page.evaluate<{ text: string; bad: number }>(SHOWN);
        expect([path, text.split(NOT_ALLOWED).length - 1]).toEqual([path, isFor(path, walked) ? 0 : 1]);
        expect([path, refused]).toEqual([path, []]);
        expect([path, bad]).toEqual([path, 0]);
        // Nobody is told to do what they may not.
        if (!walked.held.has('voice.listen') && path.startsWith('/sessions/'))
          expect([path, text.match(/Listen to/)]).toEqual([path, null]);
      }
    };

    it('in no tenant at all', async () => {
      await page.goto(`${console.url}/console/`);
      await page.getByRole('heading', { name: /^Hello/ }).waitFor();
      const offered = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
      expect(offered.map((name) => name.trim())).toEqual(['Applications', 'System', 'Profile']);
      await page.goto(`${console.url}/console/people`);
      await page.getByText(NOT_ALLOWED).waitFor();
      await page.getByText('You have no role in any tenant yet').waitFor();
    });

    it.each(tenantRoles)('%s', async (role) => {
      const word = `TENANT_ROLE_${role.toUpperCase().replace('-', '_')}`;
      await become({ tenantRoles: [{ gkScopeId: console.gkScopeId, role: word }] });
      await expectPages({ held: rolePermissions[role] });
      if (role === 'auditor') {
        await page.goto(console.at('/applications'));
        await page.getByText('ask an administrator to create it and to name you its owner').waitFor();
        expect(await page.getByRole('button', { name: 'New application' }).count()).toBe(0);
      }
      if (role === 'fraud-analyst') {
        const admin = await console.signedIn();
        await admin.goto(`${console.url}/console/users`);
        const row = admin.getByRole('row').filter({ hasText: 'walker' });
        await row.getByText(/^Fraud analyst in /).waitFor();
        await admin.context().close();
      }
      if (role !== 'developer') return;
      await page.goto(console.at('/accuracy?tab=thresholds'));
      const callers = page.getByRole('region', { name: 'Thresholds from your own callers' });
      await callers.getByText('Only an owner of the tenant').waitFor();
      expect(await callers.getByRole('button').count()).toBe(0);
    });

    it('auditor of the installation, who changes nothing', async () => {
      await become({ tenantRoles: [], role: 'USER_ROLE_AUDITOR' });
      await expectPages({ held: rolePermissions.auditor, isAuditor: true });
      await page.goto(console.at('/applications'));
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      expect(await page.getByRole('button', { name: 'New application' }).count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search', { exact: true }).fill('a');
      await page.getByRole('option', { name: /^Installation audit/ }).waitFor();
      expect(await page.getByRole('option', { name: /^(Users|Voice lab|Signing keys)/ }).count()).toBe(0);
    });
  });
