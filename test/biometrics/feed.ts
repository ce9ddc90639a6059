// The events of a tenant from outside: by cursor over both transports, and as a stream. For suites that have a server and a tenant.
import type { Client } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import {
  Events,
  ListTenantEventsRequestSchema,
  ListTenantEventsResponseSchema,
  type ListTenantEventsResponse,
} from '../../src/gen/voxgate/events/v1/events_pb.js';
import { callMetadata, deserializerFor, serializerFor, type RestAnswer } from '../support/server.js';
import type { Platform, RequestContext } from './support.js';

export interface Given {
  platform: Platform;
  context: RequestContext;
  raw: Client;
  /** A token for another tenant. */
  foreignToken: string;
}

interface WireEvent {
  id: string;
  type: string;
  time: string;
  subject?: string;
  data: { operation: string; gkSessionId?: string; detail?: Record<string, string> };
}

export function describeFeed(given: () => Given): void {
  const list = (query: Record<string, string> = {}, token?: string): Promise<RestAnswer> => {
    const { platform } = given();
    const parameters = new URLSearchParams({ 'context.gk_scope_id.value': platform.gkScopeId, ...query });
    for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name);
    return platform.server.rest('GET', `/v1/events?${parameters}`, token ? { token } : {});
  };

  async function all(pageSize: string): Promise<WireEvent[]> {
    const events: WireEvent[] = [];
    for (let cursor = ''; ;) {
      const { body } = await list({ cursor, page_size: pageSize });
      events.push(...(body.events ?? []));
      if (body.endOfEvents) return events;
      cursor = body.nextCursor;
    }
  }

  describe('the feed', () => {
    it('tells every change once, in order, as CloudEvents and without anything personal', async () => {
      const events = await all('7');
      expect(events).toEqual(await all('1000'));
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expect(events.find(({ type }) => type === 'voxgate.v1.CreatePerson')).toMatchObject({
        specversion: '1.0',
        source: `/tenants/${given().platform.gkScopeId}`,
        datacontenttype: 'application/json',
        data: { operation: 'CreatePerson' },
      });
      const verified = events.filter(({ type }) => type === 'voxgate.v1.Verify');
      expect(verified.length).toBeGreaterThanOrEqual(2);
      expect(verified[0]?.data.gkSessionId).toBe(given().context.gkSessionId?.value);
      // The print's owner is called anna by its tenant.
      expect(JSON.stringify(events)).not.toMatch(/anna/);
    });

    it('goes on behind its cursor, over gRPC as over REST; what was refused is not in it', async () => {
      const { platform, context } = given();
      const { nextCursor } = (await list({ page_size: '1000' })).body;
      const made = await platform.createOwner(context, 'person', 'feed-1');
      const again = await platform.post('/v1/persons', { context, personId: 'feed-1' });
      expect(again.body.status.statusCode).toBe('ALREADY_EXISTS');
      const { body } = await list({ cursor: nextCursor });
      expect(body.events.map((event: WireEvent) => [event.type, event.subject])).toEqual([
        ['voxgate.v1.CreatePerson', made],
      ]);
      const overGrpc = await platform.server.grpc(Events).listTenantEvents({
        context: { gkScopeId: context.gkScopeId },
        cursor: nextCursor,
      });
      expect(overGrpc.events.map(({ id }) => id)).toEqual(body.events.map(({ id }: WireEvent) => id));
      expect((await list({ cursor: body.nextCursor })).body).toMatchObject({
        nextCursor: body.nextCursor,
        endOfEvents: true,
      });
    });

    it('can be narrowed to types and begun at a time', async () => {
      const created = (await list({ types: 'voxgate.v1.Create*', page_size: '1000' })).body
        .events as WireEvent[];
      expect(new Set(created.map(({ data }) => data.operation.slice(0, 6)))).toEqual(new Set(['Create']));
      const late = created.at(-1)?.time ?? '';
      const since = (await list({ start_time: late, types: 'voxgate.v1.Create*', page_size: '1000' })).body
        .events as WireEvent[];
      expect(since.at(-1)).toEqual(created.at(-1));
      expect(since.every(({ time }) => time >= late)).toBe(true);
      expect((await list({ types: 'voxgate.v1.Nothing' })).body).toMatchObject({ endOfEvents: true });
    });

    it.each([
      [{ 'context.gk_scope_id.value': '' }, 'context.gk_scope_id'],
      [{ cursor: 'x' }, 'cursor'],
      [{ cursor: 'fzzzz' }, 'cursor'],
      [{ page_size: '1001' }, 'page_size'],
      [{ page_size: '-1' }, 'page_size'],
      [{ types: 'not a type' }, 'types[0]'],
      [{ types: 'nonsense' }, 'types[0]'],
    ])('refuses %j by its field', async (query, field) => {
      const { status, body } = await list(query);
      expect([status, body.status.fieldViolations[0].field]).toEqual([
        400,
        `${ListTenantEventsRequestSchema.typeName}.${field}`,
      ]);
    });

    it('is closed to other tenants', async () => {
      expect((await list({}, given().foreignToken)).status).toBe(403);
    });

    it('as a stream tells what comes while somebody listens', async () => {
      const { platform, context, raw } = given();
      const { nextCursor } = (await list({ page_size: '1000' })).body;
      const stream = raw.makeBidiStreamRequest(
        `/${Events.typeName}/WatchTenantEvents`,
        serializerFor(ListTenantEventsRequestSchema),
        deserializerFor(ListTenantEventsResponseSchema),
        callMetadata({}),
      );
      stream.on('error', () => {});
      const pages: ListTenantEventsResponse[] = [];
      stream.on('data', (page: ListTenantEventsResponse) => pages.push(page));
      stream.write({ context: { gkScopeId: context.gkScopeId }, cursor: nextCursor });
      await expect.poll(() => pages.length).toBe(1);
      expect(pages[0]?.nextCursor).toBe(nextCursor);
      const made = await platform.createOwner(context, 'person', 'feed-2');
      await expect.poll(() => pages[1]?.events[0]?.subject).toBe(made);
      stream.cancel();
    });
  });
}
