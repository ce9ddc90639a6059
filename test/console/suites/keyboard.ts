// Hands off the mouse: from the sign-in page to a new application whose secret is in the clipboard.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { resize } from '../support.js';
import { shownSession } from '../session-page.js';
import { moveTo, settled } from '../voices.js';
import type { Suite } from './setting.js';

const STEPS_MAX = 80;

export const keyboard: Suite = (setting) =>
  describe('by keyboard alone', () => {
    let page: Page;
    beforeAll(async () => {
      page = await setting().console.signedIn();
    });
    /** What the focus is on, as a screen reader would begin to say it. */
    const focused = (page: Page): Promise<string> =>
      page.evaluate<string>(`(() => {
      const element = document.activeElement;
      const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
      return label.trim().replace(/\\s+/g, ' ');
    })()`);
    /** Tab until the focus is on something of that name; what has the focus can always be seen. */
    const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
      for (let step = 0; step < STEPS_MAX; step += 1) {
        const here = await focused(page);
        if (typeof name === 'string' ? here === name : name.test(here)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`no way by Tab to ${String(name)}`);
    };

    it('signs in, makes an application, copies its secret and closes the dialog', async () => {
      const { console } = setting();
      const page = await console.newPage();
      await page.goto(`${console.url}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await tabTo(page, 'Sign in');
      await page.keyboard.press('Enter');
      await page.getByLabel('User name').waitFor();
      await tabTo(page, 'User name');
      await page.keyboard.type(console.admin.username);
      await tabTo(page, 'Password');
      await page.keyboard.type(console.admin.password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^Hello/ }).waitFor();

      await tabTo(page, 'Applications');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      // A new page begins at its title.
      await expect.poll(() => focused(page)).toBe('Applications');
      await tabTo(page, 'New application');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await tabTo(page, 'Name');
      await page.keyboard.type('Night desk');
      await tabTo(page, 'Create application');
      await page.keyboard.press('Enter');
      await page.getByText('Shown only once').waitFor();
      const secret = await page
        .locator('.copy', { has: page.getByRole('button', { name: 'Copy client secret' }) })
        .locator('code')
        .innerText();
      await tabTo(page, 'Copy client secret');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'client secret copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
      await tabTo(page, 'I have stored it');
      await page.keyboard.press('Space');
      await tabTo(page, 'Done');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Night desk', level: 1 }).waitFor();
    });

    it('finds anything by Ctrl-K: a person, a call by its number, a page', async () => {
      // What is typed while the dialog is still on its way is not lost.
      let arrive = (): void => {};
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      await page.route(/\/search-[^/]*\.js$/, async (route) => {
        await arrived;
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Voi');
      arrive();
      const search = page.getByRole('dialog', { name: 'Find anything' });
      await search.getByRole('option', { name: /^Voice lab/ }).waitFor();
      expect(await search.getByRole('combobox').inputValue()).toBe('Voi');
      await search.getByRole('combobox').fill('');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await search.getByRole('option', { name: /^Webhooks/ }).waitFor();
      expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('INPUT');
      await page.keyboard.type('keller');
      await search.getByRole('option', { name: /^anna-4711 Anna Keller/ }).waitFor();
      await search.getByRole('option', { name: /^keller-household.*Group/ }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'anna-4711', level: 1 }).waitFor();
      // Enter before the answer has come: it is gone to as soon as it is known, and nothing else before.
      await page.keyboard.press('Control+k');
      await search.waitFor();
      await page.keyboard.type('call-20932');
      await page.keyboard.press('Enter');
      await shownSession(page, 'call-20932');
      await page.keyboard.press('Control+k');
      await search.waitFor();
      await page.keyboard.type('2093');
      await search.getByRole('option', { name: /^call-20931/ }).waitFor();
      await search.getByText(/^\d+ results$/).waitFor();
      await page.keyboard.press('ArrowDown');
      const second = (await search.getByRole('option', { selected: true }).innerText()).split(/\s/)[0] ?? '';
      await page.keyboard.press('Enter');
      await shownSession(page, second);
      await page.getByRole('button', { name: 'Find anything' }).click();
      await search.waitFor();
      await page.keyboard.type('shadow');
      await search.getByRole('option', { name: /^Shadow mode/ }).waitFor();
      await search.getByRole('combobox').fill('');
      await page.keyboard.type('change pass');
      await search.getByRole('option', { name: /^Change password/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByLabel('Current password').waitFor();
      // What the frame can do, done where one is; and back.
      const themeNow = (): Promise<string> => page.evaluate<string>('document.documentElement.dataset.theme');
      for (const theme of ['dark', 'light']) {
        await page.keyboard.press('Control+k');
        await search.waitFor();
        await page.keyboard.type(`${theme} mode`);
        await search.getByRole('option', { name: `Use ${theme} theme Action` }).waitFor();
        await page.keyboard.press('Enter');
        await expect.poll(themeNow).toBe(theme);
        await page.getByLabel('Current password').waitFor();
      }
      // By the words of a tab, or what others call it.
      for (const words of ['two-step', 'second factor']) {
        await page.keyboard.press('Control+k');
        await search.waitFor();
        await page.keyboard.type(words);
        await search.getByRole('option', { name: /^Two-step sign-in Profile · Action/ }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('tab', { name: 'Two-step sign-in', selected: true }).waitFor();
      }
      await page.keyboard.press('Control+k');
      await search.waitFor();
      await page.keyboard.type('no such thing');
      await search.getByText('Nothing found.').waitFor();
      await page.keyboard.press('Escape');
      await search.waitFor({ state: 'detached' });
    });

    it('skips to the content, walks tabs by arrows, and shows where the focus is', async () => {
      const { console } = setting();
      // Loaded anew: the focus is where a browser begins.
      await page.goto(`${console.url}/console/profile`);
      await settled(page);
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip to content');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Account');
      expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe(
        'solid',
      );
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: 'Tooling credentials', selected: true }).waitFor();
      await page.keyboard.press('End');
      await page.getByRole('tab', { name: 'Programs with access', selected: true }).waitFor();
    });

    it('never hides what has the focus behind the bar on top, on the way back up a long page', async () => {
      const { console } = setting();
      await resize(page, { width: 1280, height: 420 });
      await moveTo(page, console.at('/sessions?tab=audit'));
      await page.getByRole('table').getByRole('link').last().focus();
      const hidden: string[] = [];
      for (let step = 0; step < 30; step++) {
        await page.keyboard.press('Shift+Tab');
        const above = await page.evaluate<number>(
          "document.querySelector('.topbar').getBoundingClientRect().bottom - document.activeElement.getBoundingClientRect().top",
        );
        if (above > 0) hidden.push(`${await focused(page)}: ${above} px`);
      }
      await resize(page, { width: 1280, height: 800 });
      expect(hidden).toEqual([]);
    });
  });
