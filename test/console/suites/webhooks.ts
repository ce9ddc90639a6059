// Webhooks: a receiver of one's own is added, tried, given a new secret, told past events again, and removed.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { confirmByTyping, type ConsoleTest } from '../support.js';
import { makeOwner, moveTo, reopen } from '../voices.js';
import type { Suite } from './setting.js';

export const webhooks: Suite = (setting) =>
  describe('webhooks', () => {
    let console: ConsoleTest;
    let page: Page;
    let receiver: Server;
    let host: string;
    let status = 200;
    const received: { type: string; subject?: string }[] = [];
    beforeAll(async () => {
      console = await setting().console.inTenant('hooks');
      receiver = createServer((request, response) => {
        let body = '';
        request.on('data', (piece: Buffer) => (body += piece.toString()));
        request.on('end', () => {
          received.push(JSON.parse(body) as { type: string });
          response.writeHead(status).end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
      page = await console.signedIn();
    });
    afterAll(() => {
      receiver.closeAllConnections();
      receiver.close();
    });

    const dialog = () => page.getByRole('dialog');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const toast = (text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();
    const takeSecret = async (): Promise<string> => {
      await dialog().getByText('Shown only once').waitFor();
      const secret = await dialog().locator('.copy code').innerText();
      await dialog().getByLabel('I have stored it').check();
      await dialog().getByRole('button', { name: 'Done' }).click();
      await dialog().waitFor({ state: 'detached' });
      return secret;
    };

    it('are refused in German to those who read German', async () => {
      const german = await console.signedIn({ locale: 'de-DE' });
      await moveTo(german, console.at('/webhooks'));
      await german.getByRole('button', { name: 'Webhook hinzufügen' }).click();
      const field = german.getByRole('dialog').getByLabel('Adresse');
      for (const [address, words] of [
        ['ftp://hooks.example.com/', 'Die Adresse muss mit https:// oder http:// beginnen.'],
        [`https://hooks.example.com/${'x'.repeat(3000)}`, /^Höchstens [\d.]+ Zeichen sind möglich\.$/],
      ] as const) {
        await field.fill(address);
        await german.getByRole('dialog').getByRole('button', { name: 'Webhook hinzufügen' }).click();
        await german.locator('.field-error').getByText(words).waitFor();
      }
      await german.context().close();
    });

    it('are added with a secret that is shown once, and get what happens', async () => {
      await moveTo(page, console.at('/webhooks'));
      await page.getByText('No webhooks yet').waitFor();
      await press('Add webhook');
      await dialog().getByLabel('Address').fill('https://10.0.0.1/in');
      await dialog().getByRole('button', { name: 'Add webhook' }).click();
      await dialog().locator('.field-error').waitFor();
      await dialog().getByLabel('Address').fill(`http://${host}/in?token=of-the-receiver`);
      await dialog().getByLabel('Event types').fill('voxgate.v1.CratePerson');
      await dialog().getByRole('button', { name: 'Add webhook' }).click();
      await dialog()
        .locator('.field-error')
        .getByText(
          'No event is called voxgate.v1.CratePerson; the nearest name is voxgate.v1.CreatePerson.',
          { exact: true },
        )
        .waitFor();
      await dialog().getByLabel('Event types').fill('');
      await dialog().getByLabel('Add an event type').selectOption({ label: 'Person added (CreatePerson)' });
      expect(await dialog().getByLabel('Event types').inputValue()).toBe('voxgate.v1.CreatePerson');
      await dialog().getByRole('button', { name: 'Add webhook' }).click();
      expect(await takeSecret()).toMatch(/^whsec_/);
      // The address may hold a token: the list shows no more than the host.
      await page.getByRole('link', { name: host, exact: true }).waitFor();
      expect(await page.locator('main').innerText()).not.toContain('of-the-receiver');
      const gkPersonId = await makeOwner(console, 'person', 'hooked');
      await expect.poll(() => received.map(({ subject }) => subject)).toContain(gkPersonId);
    });

    it('are tried, given a new secret, switched off and on, and told past events again', async () => {
      await page.getByRole('link', { name: host, exact: true }).click();
      await page.getByText('voxgate.v1.CreatePerson').waitFor();
      await press('Send a test event');
      await toast('The receiver took the test event (HTTP 200).');
      status = 500;
      await press('Send a test event');
      await page.getByText('The receiver answered with HTTP 500.').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      status = 200;
      await press('New secret');
      await dialog().getByLabel('The old secret keeps signing for').selectOption({ label: '1 hour' });
      await dialog().getByRole('button', { name: 'Create secret' }).click();
      expect(await takeSecret()).toMatch(/^whsec_/);
      await page.getByText('Old secret signs until').waitFor();
      await press('Turn off');
      await dialog().getByText(`Nothing is sent to ${host} any more`).waitFor();
      await dialog().getByText('it sends the events of this time').waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('On', { exact: true }).waitFor();
      await press('Turn off');
      await dialog().getByRole('button', { name: 'Turn off' }).click();
      await page.getByText('Off', { exact: true }).waitFor();
      await page.getByText('Events in the meantime do not count as waiting').waitFor();
      await press('Turn on');
      await page.getByText('On', { exact: true }).waitFor();
      await press('Edit');
      await dialog().getByLabel('Description').fill('Our data hall');
      await dialog().getByRole('button', { name: 'Save webhook' }).click();
      await page.getByText('Our data hall').waitFor();
      const before = received.length;
      await page.getByLabel('From', { exact: true }).fill('2020-01-01');
      await press('Send these events again');
      await toast('1 event will be sent again.');
      await expect.poll(() => received.length).toBeGreaterThan(before);
    });

    it('list what was given up, give it another chance, and are removed by name', async () => {
      // Three days of failing are more than a test can wait for.
      await page.route('**/v1/webhooks/*/dead-letters?**', (route) =>
        route.fulfill({
          json: {
            status: { statusCode: 'OK' },
            deadLetters: [
              {
                eventId: 'event-7',
                event: { type: 'voxgate.v1.CreatePerson', data: { operation: 'CreatePerson' } },
                attempts: 31,
                lastAttempt: '2026-01-02T03:04:05Z',
                lastFault: 'HTTP 503',
              },
            ],
          },
        }),
      );
      await page.route(/\/v1\/webhooks\/[^/?]+\?/, async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { webhook: object };
        await route.fulfill({
          response,
          json: { ...answer, webhook: { ...answer.webhook, deadLetters: 1 } },
        });
      });
      await reopen(page, page.url());
      const row = page.getByRole('row').filter({ hasText: 'event-7' });
      await row.getByText('Person added').waitFor();
      await row.getByText('HTTP 503').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await press('Send all of them again');
      await toast('0 events will be sent again.');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await press('Delete webhook');
      await confirmByTyping(page, host, 'Delete webhook');
      await page.getByText('No webhooks yet').waitFor();
    });
  });
