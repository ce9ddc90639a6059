// What a page shows while it waits, when the server refuses, when it goes away and when it is back.
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import type { ConsoleTest } from '../support.js';
import { goTo, settled } from '../voices.js';
import type { Suite } from './setting.js';

/** Pages that load something of their own. */
const paths = [
  '/voice',
  '/people',
  '/people?tab=watchlists',
  '/people/persons/00000000-0000-4000-8000-000000000001',
  '/people/groups/00000000-0000-4000-8000-000000000001',
  '/sessions',
  '/sessions?tab=audit',
  '/sessions/00000000-0000-4000-8000-000000000001',
  '/accuracy',
  '/applications',
  '/applications/nothing',
  '/applications/nothing/environments/nothing',
  '/engagement',
  '/engagement?tab=sites',
  '/engagement/sites/nowhere',
  '/webhooks',
  '/webhooks/00000000-0000-4000-8000-000000000001',
  '/batches',
  '/batches/00000000-0000-4000-8000-000000000001',
  '/users',
  '/system',
  '/profile?tab=credentials',
  '/profile?tab=sessions',
];
/** The tenant picker of every page needs these; what is tested is the page itself. */
const frame = /\/v1\/(management\/me$|scopes$|configsets\/revisions\?context\.gk_?scope)/i;

export const states: Suite = (setting) =>
  describe('when things do not go well', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      page = await console.signedIn();
    });

    /** Not waited for: what is shown while it loads, or instead of it, is what these tests are about. */
    const show = (path: string): Promise<void> => goTo(page, console.at(path));
    const only = async (work: (route: Route) => Promise<void>): Promise<void> => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route('**/v1/**', (route) => {
        const url = new URL(route.request().url());
        const path = url.pathname + url.search;
        return frame.test(path.split('&')[0] ?? '') ? route.continue() : work(route);
      });
    };

    it('says on every page that it is loading, and when that takes long', async () => {
      await only(async () => {
        /* never answered */
      });
      for (const path of paths) {
        await show(path);
        await page.locator('main .loading').first().waitFor();
        expect([path, await page.locator('main .loading').first().innerText()]).toEqual([
          path,
          expect.stringMatching(/…/),
        ]);
      }
      await page.getByText('This is taking longer than usual').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('says on every page what failed, in a sentence, with a way to try again', async () => {
      await only((route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: JSON.stringify({
            status: {
              statusCode: 'INTERNAL_ERROR',
              httpTransCode: 500,
              requestInfo: { requestId: 'req-4711' },
            },
          }),
        }),
      );
      for (const path of paths) {
        await show(path);
        const alert = page.locator('main').getByRole('alert').first();
        await alert.waitFor();
        expect([path, await alert.innerText()]).toEqual([
          path,
          expect.stringMatching(/Something went wrong on the server\.[\s\S]*req-4711/),
        ]);
        expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByRole('table', { name: 'Active sessions' }).waitFor();
    });

    it('keeps a form while the server is away, says so, and goes on when it is back', async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto(`${console.url}/console/applications`);
      await settled(page);
      await page.getByRole('button', { name: 'New application' }).first().click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Written in the dark');
      await page.context().setOffline(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
      await page.getByRole('dialog').getByText('The server cannot be reached').waitFor();
      await page.getByText('The server is not responding.').waitFor();
      expect(await accessibilityFaults(page, 'html')).toEqual([]);
      await page.context().setOffline(false);
      await page.getByText('The server is not responding.').waitFor({ state: 'detached' });
      await page.getByRole('dialog').getByText('The server can be reached again.').waitFor();
      expect(await page.getByText('The server cannot be reached').count()).toBe(0);
      await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
      await page.getByRole('heading', { name: 'Written in the dark is ready' }).waitFor();
    });

    it('loads by itself what it could not load without the server', async () => {
      await page.goto(`${console.url}/console/users`);
      await settled(page);
      await page.context().setOffline(true);
      await page.getByLabel('Find by name').fill('adm');
      await page.locator('main').getByText('The server cannot be reached').waitFor();
      await page.context().setOffline(false);
      await page.locator('main').getByRole('row').filter({ hasText: 'admin' }).first().waitFor();
    });

    it('fetches a page by itself that was asked for while the server was away', async () => {
      await page.goto(`${console.url}/console/`);
      await page.getByRole('heading', { name: /^Hello/ }).waitFor();
      // The browser may have kept the page from a visit before.
      await page.route('**/console/assets/**', (route) => route.abort());
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Batches', exact: true }).click();
      await page.getByText('This page could not be fetched.').waitFor();
      await page.getByText('The server is not responding.').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: 'Batches', level: 1 }).waitFor();
      await page.getByText('The server is not responding.').waitFor({ state: 'detached' });
    });

    it('says that a page itself could not be fetched', async () => {
      await page.goto(`${console.url}/console/`);
      await page.getByRole('heading', { name: /^Hello/ }).waitFor();
      await page.route('**/console/assets/**', (route) => route.abort());
      await page.getByRole('link', { name: 'Engagement', exact: true }).click();
      await page.getByText('This page could not be fetched.').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Engagement', level: 1 }).waitFor();
    });
  });
