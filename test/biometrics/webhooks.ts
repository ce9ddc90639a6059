// Webhooks from outside, with a receiver that checks signatures by the library that receivers use. For suites that have a server
// and a tenant, and a server that may send to 127.0.0.1 without TLS.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Webhooks } from '../../src/gen/voxgate/events/v1/webhooks_pb.js';
import type { RestAnswer } from '../support/server.js';
import type { Given } from './feed.js';

interface Received {
  body: string;
  headers: Record<string, string>;
  event: { id: string; type: string; subject?: string };
}

/** Settings of a server whose webhooks may reach the tests. */
export const webhookSettings = { 'webhooks.privateNetworks': '127.0.0.1', 'webhooks.plainHttp': true };

export function describeWebhooks(given: () => Given): void {
  let receiver: Server;
  let url: string;
  let status = 200;
  const received: Received[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const headers = Object.fromEntries(Object.entries(request.headers).map(([n, v]) => [n, String(v)]));
        received.push({ body, headers, event: JSON.parse(body) as Received['event'] });
        response.writeHead(status).end();
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in?token=of-the-receiver`;
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const context = () => ({ gkScopeId: { value: given().platform.gkScopeId } });
  const post = (path: string, body: object, token?: string): Promise<RestAnswer> =>
    given().platform.server.rest('POST', path, {
      body: { context: context(), ...body },
      ...(token && { token }),
    });
  const of = (webhookId: string, rest = ''): string =>
    `/v1/webhooks/${webhookId}${rest}?context.gk_scope_id.value=${given().platform.gkScopeId}`;
  const get = (path: string): Promise<RestAnswer> => given().platform.server.rest('GET', path);
  const add = async (body: object = {}): Promise<{ webhookId: string; secret: string }> => {
    const answer = await post('/v1/webhooks', { url, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { webhookId: answer.body.webhook.webhookId, secret: answer.body.secret };
  };
  const remove = (webhookId: string): Promise<RestAnswer> =>
    given().platform.server.rest('DELETE', of(webhookId));
  const first = (found: readonly Received[]): Received => {
    const [delivery] = found;
    if (!delivery) throw new Error('nothing was received');
    return delivery;
  };
  const about = (subject: string): Received[] => received.filter(({ event }) => event.subject === subject);

  describe('webhooks', () => {
    it('deliver what the feed tells, signed, where the operator lets them go', async () => {
      const { platform, context: session } = given();
      const { webhookId, secret } = await add({ types: ['voxgate.v1.CreatePerson'] });
      const made = await platform.createOwner(session, 'person', 'webhook-1');
      await expect.poll(() => about(made).length).toBe(1);
      const { body, headers } = first(about(made));
      const event = new Verifier(secret).verify(body, headers) as Received['event'];
      expect(headers['webhook-id']).toBe(event.id);
      expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
      const feed = await get(`/v1/events?context.gk_scope_id.value=${platform.gkScopeId}&page_size=1000`);
      expect(feed.body.events).toContainEqual(event);
      expect(body).not.toContain('webhook-1');
      await remove(webhookId);
    });

    it('have secrets that are shown once, and two of them while one is replaced', async () => {
      const { webhookId, secret } = await add({ description: 'case tool' });
      const shown = await get(of(webhookId));
      expect(shown.body.webhook).toMatchObject({ webhookId, url, description: 'case tool', enabled: true });
      const rotated = (await post(`/v1/webhooks/${webhookId}:rotate-secret`, { overlapSeconds: 60 })).body;
      expect(rotated.webhook.previousSecretExpiry).toBeDefined();
      for (const answer of [shown, await get(of(webhookId)), await get(of('').replace('/?', '?'))])
        for (const each of [secret, rotated.secret]) expect(JSON.stringify(answer.body)).not.toContain(each);
      const ping = (await post(`/v1/webhooks/${webhookId}:ping`, {})).body;
      expect(ping).toMatchObject({ delivered: true, httpStatus: 200 });
      const { body, headers } = first(received.filter(({ event }) => event.id === ping.eventId));
      for (const each of [secret, rotated.secret])
        expect(new Verifier(each).verify(body, headers)).toMatchObject({
          type: 'voxgate.v1.ping',
          subject: webhookId,
        });
      await remove(webhookId);
    });

    it('are the same over gRPC, and tell how deliveries go', async () => {
      const client = given().platform.server.grpc(Webhooks);
      const made = await client.createWebhook({ context: context(), url });
      const webhookId = made.webhook?.webhookId ?? '';
      status = 503;
      const ping = await client.pingWebhook({ context: context(), webhookId });
      expect(ping).toMatchObject({ delivered: false, httpStatus: 503, fault: 'the receiver answered 503' });
      status = 200;
      const off = await client.updateWebhook({ context: context(), webhookId, url, enabled: false });
      expect(off.webhook).toMatchObject({ enabled: false, waiting: 0, deadLetters: 0 });
      const { webhooks } = await client.listWebhooks({ context: context() });
      expect(webhooks.map((each) => each.webhookId)).toEqual([webhookId]);
      expect((await client.listDeadLetters({ context: context(), webhookId })).deadLetters).toEqual([]);
      const replayed = await client.replayWebhook({ context: context(), webhookId });
      const { waiting } = (await client.getWebhook({ context: context(), webhookId })).webhook ?? {};
      expect(replayed.events).toBeGreaterThan(10);
      expect([waiting, replayed.webhookIsOff]).toEqual([replayed.events, true]);
      received.splice(0);
      await client.updateWebhook({ context: context(), webhookId, url, enabled: true });
      // All of the trail up to the replay, and what came after it.
      await expect
        .poll(() => new Set(received.map(({ event }) => event.id)).size)
        .toBeGreaterThan(replayed.events);
      const again = await client.replayWebhook({ context: context(), webhookId, deadLettersOnly: true });
      expect(again).toMatchObject({ events: 0, webhookIsOff: false });
      await client.deleteWebhook({ context: context(), webhookId });
      expect((await client.getWebhook({ context: context(), webhookId })).status?.statusCode).not.toBe(0);
    });

    it.each([
      [{ url: 'https://10.0.0.1/' }, 'url'],
      [{ url: 'https://[::1]/' }, 'url'],
      [{ url: 'nowhere' }, 'url'],
      [{ description: 'x'.repeat(257) }, 'description'],
      [{ types: ['not a type'] }, 'types[0]'],
      [{ types: ['voxgate.v1.Verify', 'voxgate.v1.Verfy'] }, 'types[1]'],
      [{ types: ['voxgate.v1.Nothing*'] }, 'types[0]'],
    ])('refuse %j by its field', async (change, field) => {
      const { status: code, body } = await post('/v1/webhooks', { url, ...change });
      expect([code, body.status.fieldViolations[0].field]).toEqual([
        400,
        `voxgate.events.v1.CreateWebhookRequest.${field}`,
      ]);
    });

    it('are closed to other tenants, and unknown ones are not found', async () => {
      expect((await post('/v1/webhooks', { url }, given().foreignToken)).status).toBe(403);
      for (const answer of [
        await get(of('nobody')),
        await remove('nobody'),
        await post('/v1/webhooks/nobody:ping', {}),
        await post('/v1/webhooks/nobody:replay', {}),
        await get(of('nobody', '/dead-letters')),
      ])
        expect(answer.status).toBe(404);
    });
  });
}
