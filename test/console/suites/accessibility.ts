// Every page of the console, and every dialog, by day on a desk and by night on a phone: no finding of
// axe, nothing thrown, nothing that the content security policy had to stop, nothing wider than the screen.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pagesOf, type Places } from '../pages.js';
import { accessibilityFaults, rulesOfLook } from '../axe.js';
import { resize, type ConsoleTest } from '../support.js';
import { moveTo } from '../voices.js';
import { countingWire } from '../wire.js';
import type { Suite } from './setting.js';

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const DARK_PART = '<i style="position: absolute; inset: 0; background: #333"></i>';
const englishOnly =
  /\b(the|and|with|your|this|which|yet|are|of|to|is|by|for|from|has|been|created|changed)\b/gi;

/** On white, once it has been measured: the same again, and what only looks the same from near. */
const grounds: readonly (readonly [what: string, style: string, part: string, isLegible: boolean])[] = [
  ['the same look', '', '<b>text</b>', true],
  ['a background that is dark', 'background: #333', '<b>text</b>', false],
  ['a background that lets light through', 'background: rgba(0 0 0 / 70%)', '<b>text</b>', false],
  ['an element in between that is dark', '', '<i style="background: #333"><b>text</b></i>', false],
  ['text that fades', '', '<b style="opacity: 0.3">text</b>', false],
  ['a part that fades', 'opacity: 0.3', '<b>text</b>', false],
  ['text of another color', '', '<b style="color: #bbb">text</b>', false],
  [
    'a dark part behind it',
    'position: relative; height: 4em',
    `${DARK_PART}<b style="position: absolute">text</b>`,
    false,
  ],
  ['the same look after all of them', '', '<b>text</b>', true],
];

/** Whether anything can be seen that could not be seen when this was asked before. */
const showsMore = (part: string): string => `(() => {
  const shown = [...document.querySelectorAll('${part}, ${part} *')].filter((each) =>
    each.checkVisibility({ visibilityProperty: true }));
  const before = window.seenBefore;
  window.seenBefore = new Set(shown);
  return before === undefined || shown.some((each) => !before.has(each));
})()`;

/** However tall a dialog is, its buttons can be seen. */
const OUT_OF_SIGHT = `({
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  hidden: (document.querySelector('dialog .dialog-foot')?.getBoundingClientRect().bottom ?? 0) - innerHeight,
})`;

export const accessibility: Suite = (setting) =>
  describe('every page', () => {
    let console: ConsoleTest;
    let places: Places;
    let page: Page;
    const complaints: string[] = [];
    beforeAll(async () => {
      console = setting().console;
      places = pagesOf(setting().seeded, setting().voices);
      page = await console.signedIn();
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) complaints.push(message.text());
      });
    });

    let current = '';
    const look = async (colorScheme: 'light' | 'dark', size: typeof desk): Promise<void> => {
      const wanted = `${colorScheme} ${size.width}`;
      if (current === wanted) return;
      current = wanted;
      // Without motion: a fade that is under way has colors of its own.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await resize(page, size);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    };
    const open = (path: string): Promise<void> => moveTo(page, console.at(path));
    /** Findings in what is on the screen now, in two opposite looks: each theme and each size once. */
    const faults = async (part: string): Promise<string[]> => {
      const found: string[] = [];
      const looks = [
        ['light', desk, 'light desk'],
        ['dark', phone, 'dark phone'],
      ] as const;
      await page.evaluate('delete window.seenBefore');
      // Beginning with the one that is there.
      for (const [colorScheme, size, name] of current.startsWith('dark') ? looks.toReversed() : looks) {
        await look(colorScheme, size);
        // What was seen in the other look is the same here except for how it looks.
        const rules = (await page.evaluate<boolean>(showsMore(part))) ? undefined : rulesOfLook;
        found.push(...(await accessibilityFaults(page, part, rules)).map((fault) => `${name}: ${fault}`));
        const { wider, hidden } = await page.evaluate<{ wider: number; hidden: number }>(OUT_OF_SIGHT);
        if (wider > 0) found.push(`${name}: ${wider} px wider than the screen`);
        if (hidden > 0) found.push(`${name}: buttons ${hidden} px below the screen`);
      }
      return found;
    };

    it('would be found hard to read wherever it is, though the same text was measured on another ground', async () => {
      const blank = await console.newPage();
      await blank.setContent('<style>body { color: #222; background: #fff }</style><p></p>');
      for (const [what, style, part, isLegible] of grounds) {
        await blank.evaluate(
          `document.querySelector('p').outerHTML = ${JSON.stringify(`<p style="${style}">${part}</p>`)}`,
        );
        const found = await accessibilityFaults(blank, 'body', ['color-contrast']);
        expect([what, found.map((fault) => fault.split(':')[0])]).toEqual([
          what,
          isLegible ? [] : ['color-contrast'],
        ]);
      }
    });

    /** On the page that is on show: opens each of its dialogs, looks at it and closes it. */
    const expectDialogs = async (path: string, openers: readonly string[]): Promise<void> => {
      for (const opener of openers) {
        const button = page.locator('main').getByRole('button', { name: opener, exact: true }).first();
        const more = page.locator('main').getByRole('button', { name: 'More', exact: true, expanded: false });
        if (!(await button.isVisible()) && (await more.isVisible())) await more.click();
        await button.click();
        await page.getByRole('dialog').waitFor();
        // What is behind it was looked at before.
        expect([path, opener, await faults('dialog')]).toEqual([path, opener, []]);
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
    };

    it('is accessible by day on a desk and by night on a phone, with dialogs that give the focus back', async () => {
      expect(places.dialogs.filter(([path]) => !places.paths.includes(path))).toEqual([]);
      for (const path of places.paths) {
        await open(path);
        const openers = places.dialogs.filter(([at]) => at === path).map(([, opener]) => opener);
        // The frame around a page is the same everywhere: it is left to the first one.
        const part = path === '/' ? 'html' : 'main';
        expect([path, await faults(part)]).toEqual([path, []]);
        expect([path, await page.title()]).toEqual([path, expect.stringMatching(/\S.*Voxgate/)]);
        await expectDialogs(path, openers);
      }
      expect(complaints).toEqual([]);
    });

    it('has a navigation that opens as a drawer on a phone', async () => {
      await look('light', phone);
      await open('/');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      const drawer = page.getByRole('dialog', { name: 'Navigation' });
      expect(await accessibilityFaults(page)).toEqual([]);
      await drawer.getByRole('link', { name: 'Applications' }).click();
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      await drawer.waitFor({ state: 'detached' });
      await look('light', desk);
    });

    it('remembers the theme that was chosen', async () => {
      await look('light', desk);
      await page.getByRole('button', { name: 'Use dark theme' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'Use light theme' }).waitFor();
      expect(await page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark');
    });

    it('speaks the language of the browser, and another one when asked', async () => {
      const german = await console.signedIn({ locale: 'de-DE' });
      expect(await german.locator('html').getAttribute('lang')).toBe('de');
      for (const path of places.paths) {
        await moveTo(german, console.at(path));
        // Words that no German text has: one that is not in the catalogue shows itself by them. What the server says in
        // English for everybody is marked as such, and so is what people wrote themselves.
        const foreign = async (): Promise<RegExpMatchArray | null> => {
          const text = await german.evaluate<string>(`(() => {
            for (const part of document.querySelectorAll('main [lang=en], main [translate=no]')) part.hidden = true;
            return document.querySelector('main').innerText;
          })()`);
          return text.match(englishOnly);
        };
        // What stays is looked at, not what a slow machine shows while parts of the page are still on their way.
        await expect.poll(foreign, { message: path }).toBeNull();
      }
      // Times and numbers as a German reader writes them, and the exact time where the pointer rests.
      await moveTo(german, console.at('/people'));
      const added = german.locator('main time').first();
      expect(await added.innerText()).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
      expect(await added.getAttribute('title')).toMatch(/^\w+, \d+\. \w+ \d{4} um \d\d:\d\d:\d\d/);
      await moveTo(german, console.at(`/sessions/${setting().voices.gkSessionId}`));
      await german
        .locator('main')
        .getByText(/\d,\d s von \d,\d s/)
        .waitFor();
      await german.goto(`${console.url}/console/profile`);
      await german.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
      await german.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
      expect(await german.locator('html').getAttribute('lang')).toBe('en');
    });

    it('loads at most 70 kB before the sign-in, and 120 kB until the first page is there', async () => {
      const page = await console.newPage();
      const wire = await countingWire(page);
      await page.goto(`${console.url}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(wire().bytes).toBeGreaterThan(30_000);
      expect(wire().bytes).toBeLessThan(70_000);
      const home = await console.signedIn({ locale: 'de-DE' });
      const again = await countingWire(home);
      await home.reload();
      // The last that the page shows.
      await home.getByRole('img', { name: /^Prüfungen/ }).waitFor();
      await home.waitForLoadState('networkidle');
      expect(again().bytes).toBeGreaterThan(60_000);
      expect(again().bytes).toBeLessThan(120_000);
    });
  });
