// Every page of the console, and every dialog, by day on a desk and by night on a phone: no serious finding of
// axe, nothing thrown, nothing that the content security policy had to stop, nothing wider than the screen.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesOf, type Places } from './pages.js';
import { seedConsole } from './seed.js';
import { seedVoices } from './seed-voices.js';
import { accessibilityFaults, HAS_CHROMIUM, startConsole, type ConsoleTest } from './support.js';
import { settled } from './voices.js';

const long = { timeout: 900_000 };
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

describe.skipIf(!HAS_CHROMIUM)('every page', () => {
  let console: ConsoleTest;
  let places: Places;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    console = await startConsole();
    places = pagesOf(await seedConsole(console), await seedVoices(console));
    page = await console.signedIn();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) complaints.push(message.text());
    });
  }, 400_000);
  afterAll(() => console?.stop());

  const look = async (colorScheme: 'light' | 'dark', size: typeof desk): Promise<void> => {
    // Without motion: a fade that is under way has colours of its own.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
  const open = async (path: string): Promise<void> => {
    await page.goto(`${console.url}/console${path}`);
    await settled(page);
  };
  /** Findings in what is on the screen now, in two opposite looks: each theme and each size once. */
  const faults = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const [colorScheme, size, name] of [
      ['light', desk, 'light desk'],
      ['dark', phone, 'dark phone'],
    ] as const) {
      await look(colorScheme, size);
      found.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
      const wider = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (wider > 0) found.push(`${name}: ${wider} px wider than the screen`);
    }
    await look('light', desk);
    return found;
  };

  it('is accessible by day on a desk and by night on a phone', long, async () => {
    for (const path of places.paths) {
      await open(path);
      expect([path, await faults()]).toEqual([path, []]);
    }
    expect(complaints).toEqual([]);
  });

  it('has dialogs that are accessible by day and by night and give the focus back', long, async () => {
    for (const [path, opener] of places.dialogs) {
      await open(path);
      const button = page.locator('main').getByRole('button', { name: opener, exact: true }).first();
      await button.click();
      await page.getByRole('dialog').waitFor();
      expect([path, opener, await faults()]).toEqual([path, opener, []]);
      expect(
        await page.evaluate<boolean>('document.querySelector("dialog").contains(document.activeElement)'),
      ).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect([opener, await page.evaluate<string>('document.activeElement.textContent.trim()')]).toEqual([
        opener,
        opener,
      ]);
    }
    expect(complaints).toEqual([]);
  });

  it('has a navigation that opens as a drawer on a phone', long, async () => {
    await look('light', phone);
    await open('/');
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    expect(await accessibilityFaults(page)).toEqual([]);
    await drawer.getByRole('link', { name: 'Applications' }).click();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect(await drawer.count()).toBe(0);
    await look('light', desk);
  });

  it('remembers the theme that was chosen', long, async () => {
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
