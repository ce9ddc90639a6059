// Every page of the console in both themes: no serious finding of axe, nothing thrown, nothing that the
// content security policy had to stop, usable on a phone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedConsole, type Seeded } from './seed.js';
import { accessibilityFaults, hasChromium, startConsole, type ConsoleTest } from './support.js';

const LONG = { timeout: 400_000 };

describe.skipIf(!hasChromium)('every page', () => {
  let console: ConsoleTest;
  let seeded: Seeded;
  beforeAll(async () => {
    console = await startConsole();
    seeded = await seedConsole(console);
  });
  afterAll(() => console?.stop());

  const paths = (): string[] => {
    const environment = `/applications/${seeded.applicationId}/environments/${seeded.appId}`;
    const site = `/engagement/sites/${seeded.siteId}`;
    return [
      '/',
      '/applications',
      `/applications/${seeded.applicationId}`,
      `/applications/${seeded.applicationId}?tab=members`,
      environment,
      `${environment}?tab=tenants`,
      `${environment}?tab=downloads`,
      '/engagement',
      '/engagement?tab=sites',
      site,
      `${site}?tab=agents`,
      `${site}?tab=hours`,
      `${site}?tab=groups`,
      '/tenants',
      '/users',
      '/profile',
      '/profile?tab=credentials',
      '/profile?tab=password',
      '/profile?tab=sessions',
      '/voice',
      '/people',
      '/sessions',
      '/accuracy',
      '/system',
      '/no-such-page',
    ];
  };

  const settle = async (page: Page): Promise<void> => {
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  };

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', LONG, async (colorScheme) => {
    const page = await console.signedIn({ colorScheme });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) complaints.push(message.text());
    });
    for (const path of paths()) {
      await page.goto(`${console.url}/console${path}`);
      await settle(page);
      expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
    }
    await page.goto(`${console.url}/console/applications`);
    await page.getByRole('button', { name: 'New application' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it(
    'fits a phone: no page is wider than the screen, and the navigation opens as a drawer',
    LONG,
    async () => {
      const page = await console.signedIn({ width: 390 });
      for (const path of paths()) {
        await page.goto(`${console.url}/console${path}`);
        await settle(page);
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect([path, overflow]).toEqual([path, 0]);
      }
      await page.goto(`${console.url}/console/`);
      await page.getByRole('button', { name: 'Open the navigation' }).click();
      const drawer = page.getByRole('dialog', { name: 'Navigation' });
      expect(await accessibilityFaults(page)).toEqual([]);
      await drawer.getByRole('link', { name: 'Applications' }).click();
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      expect(await drawer.count()).toBe(0);
    },
  );

  it(
    'is used by keyboard alone: skip link, tabs by arrows, dialogs that give the focus back',
    LONG,
    async () => {
      const page = await console.signedIn();
      await page.goto(`${console.url}/console/profile`);
      await settle(page);
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the content');
      await page.getByRole('tab', { name: 'Account' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: 'Tooling credentials', selected: true }).waitFor();
      await page.getByRole('link', { name: 'Applications', exact: true }).click();
      // A new page begins at its title, also for a screen reader.
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.textContent'), { timeout: 30_000 })
        .toBe('Applications');
      await page.goBack();
      const opener = page.getByRole('button', { name: 'New credential' });
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      expect(
        await page.evaluate<boolean>('document.querySelector("dialog").contains(document.activeElement)'),
      ).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('New credential');
    },
  );

  it('remembers the theme that was chosen', LONG, async () => {
    const page = await console.signedIn({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
    expect(await page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark');
  });

  it('loads less than 300 kB of JavaScript first', async () => {
    const assets = join(import.meta.dirname, '..', '..', 'dist', 'console');
    const html = readFileSync(join(assets, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(
      ([, file = '']) => file,
    );
    const bytes = first.reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file))).length, 0);
    expect(first.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(300_000);
    // Pages are chunks of their own.
    expect(readdirSync(join(assets, 'assets')).filter((file) => file.endsWith('.js')).length).toBeGreaterThan(
      first.length + 5,
    );
  });
});
