// Data of one tenant is never visible from another: whatever an operation can name is named from a second
// tenant, over gRPC and REST. The answer is the one for something that does not exist at all, and neither
// tenant is changed. No list shows a stranger's things, and whoever may act in one tenant is refused in the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Accuracy } from '../../src/gen/voxgate/biosec/v1/accuracy_pb.js';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { Directory } from '../../src/gen/voxgate/biosec/v1/directory_pb.js';
import { Batches } from '../../src/gen/voxgate/batch/v1/batch_pb.js';
import { LabAudio } from '../../src/gen/voxgate/biosec/v1/lab_pb.js';
import { VoiceSearch } from '../../src/gen/voxgate/biosec/v1/voice_search_pb.js';
import { Webhooks } from '../../src/gen/voxgate/events/v1/webhooks_pb.js';
import type { Caller } from '../../src/platform.js';
import type { Database } from '../../src/storage/database.js';
import { itInLanes } from '../support/lanes.js';
import { testCaller, type TestServer } from '../support/server.js';
import { at, changed, leavesOf, send, type Outcome } from './calls.js';
import { TenantFixture, cases, quickEnrollment, services, type Json } from './requests.js';
import { databaseOf, stateOf } from './state.js';
import { Platform, forEachStore } from './support.js';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** What a caller can tell from an answer. */
function told({ http, code, fields, body }: Outcome): Json {
  const { requestInfo: _, ...status } = (body['status'] ?? {}) as Json;
  return { http, code, fields, status, rest: { ...body, status: undefined } };
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-isolation-'));
  let platform: Platform;
  let ours: TenantFixture;
  let theirs: TenantFixture;
  let database: Database;
  /** The same server, asked by a client that may act in our tenant alone. */
  let asOurs: TestServer;

  beforeAll(async () => {
    const settings = { home, ...(await store.settings()) };
    const callers: Record<string, Caller> = {};
    platform = await Platform.start({ config: settings, parameters: quickEnrollment, callers });
    theirs = await TenantFixture.make(platform, 'theirs');
    const other = await Platform.on(platform.server, 'isolation-ours', quickEnrollment);
    ours = await TenantFixture.make(other, 'ours');
    callers['ours'] = { ...testCaller, tenants: [other.gkScopeId] };
    const { server } = platform;
    asOurs = { ...server, rest: (verb, path, more) => server.rest(verb, path, { ...more, token: 'ours' }) };
    database = databaseOf(settings);
  });
  afterAll(async () => {
    await database?.close();
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const states = async () => [
    await stateOf(database, ours.platform.gkScopeId),
    await stateOf(database, theirs.platform.gkScopeId),
  ];

  describe.each(services.map((service) => [service.name, service] as const))('%s', (_name, service) => {
    itInLanes(service.methods.map((method) => [method.name, method] as const))('%s', async (name, method) => {
      const entry = cases[name];
      if (!entry) throw new Error(`${name} has no valid request`);
      const request: Json = { context: ours.context, ...(await entry.request(ours)) };
      const foreign: Json = { context: theirs.context, ...(await entry.request(theirs)) };
      const context = request['context'] as Json;

      const named = [
        ...leavesOf(method.input, request)
          .filter(({ kind }) => kind === 'id')
          .map(({ path }) => ({ path, stranger: { value: NOWHERE } as unknown })),
        ...(entry.lookups ?? []).map((path) => ({ path, stranger: 'never-made' as unknown })),
        ...(['gk_engagement_id', 'gk_session_id'] as const)
          .filter((member, index) => entry.context[index] !== '-' && context[member])
          .map((member) => ({ path: `context.${member}`, stranger: { value: NOWHERE } as unknown })),
      ];
      const before = await states();
      for (const { path, stranger } of named) {
        for (const transport of ['gRPC', 'REST'] as const) {
          const probe = (value: unknown) =>
            send(platform.server, transport, service, method, changed(request, path, value));
          const answer = await probe(at(foreign, path));
          const why = `${transport} ${path}: ${JSON.stringify(answer.body)}`;
          if (entry.harmless?.includes(path)) expect(answer.code, why).toBe('OK');
          else expect(answer.code, why).toBe('NOT_FOUND');
          if (entry.harmless?.includes(path)) break;
          expect(told(answer), why).toEqual(told(await probe(stranger)));
        }
      }
      expect((await send(asOurs, 'REST', service, method, foreign)).code).toBe('PERMISSION_DENIED');
      if (!entry.harmless) expect(await states()).toEqual(before);
      else expect((await states())[1]).toEqual(before[1]);
      // Their whole request, sent with our context: nothing of theirs opens.
      if (named.some(({ path }) => !path.startsWith('context.')) && !entry.harmless) {
        const smuggled = { ...foreign, context };
        expect((await send(platform.server, 'REST', service, method, smuggled)).code).toBe('NOT_FOUND');
      }
    });
  });

  it('lists show nothing of another tenant', async () => {
    const secrets = [
      ...Object.values(theirs.ids),
      theirs.platform.gkScopeId,
      (theirs.context['gk_session_id'] as { value: string }).value,
      (theirs.context['gk_engagement_id'] as { value: string }).value,
      'theirs-person',
      'theirs-fraudster',
      'theirs-group',
      'theirs-watchlist',
    ];
    const lists: string[] = [];
    for (const service of [...services, Directory, Activity]) {
      for (const method of service.methods) {
        if (!method.name.startsWith('List')) continue;
        const own = (await cases[method.name]?.request(ours)) ?? {};
        const answer = await send(platform.server, 'REST', service, method, {
          context: ours.context,
          ...own,
        });
        expect(answer.code, method.name).toBe('OK');
        const text = JSON.stringify(answer.body);
        for (const secret of secrets) expect(text, method.name).not.toContain(secret);
        lists.push(method.name);
      }
    }
    expect(lists.length).toBeGreaterThanOrEqual(14);
  });

  it('a client of one tenant is told nothing of another, whatever it asks', async () => {
    const others = [Accuracy, Activity, Batches, Directory, LabAudio, VoiceSearch, Webhooks];
    const asked = others.flatMap((service) => service.methods.map((method) => ({ service, method })));
    const refused: string[] = [];
    for (const { service, method } of asked) {
      const request = { context: { gk_scope_id: theirs.context['gk_scope_id'] } };
      const { code } = await send(asOurs, 'REST', service, method, request);
      expect(code, method.name).not.toBe('OK');
      if (code === 'PERMISSION_DENIED') refused.push(method.name);
    }
    // The rest lacks something that is asked for first.
    expect(refused).toEqual(
      expect.arrayContaining(['ListSessions', 'ListPersons', 'VerifyAuditChain', 'ListWebhooks']),
    );
    expect(refused.length).toBeGreaterThan(12);
  });

  it('timelines, inspections and reports of another tenant are not found', async () => {
    const scope = { context: { gk_scope_id: ours.context['gk_scope_id'] } };
    const probe = async (
      service: typeof Activity | typeof LabAudio | typeof Accuracy,
      name: string,
      more: Json,
    ) => {
      const method = service.methods.find((candidate) => candidate.name === name);
      if (!method) throw new Error(name);
      return (await send(platform.server, 'REST', service, method, { ...scope, ...more })).code;
    };
    expect(
      await probe(Activity, 'GetSessionTimeline', { gk_session_id: theirs.context['gk_session_id'] }),
    ).toBe('NOT_FOUND');
    expect(await probe(LabAudio, 'InspectAudio', { gk_media_segment_id: { value: theirs.ids.media } })).toBe(
      'NOT_FOUND',
    );
    expect(
      await probe(Accuracy, 'SetShadowRevision', {
        configset_id: 'calls',
        gk_configset_revision_id: { value: theirs.ids.revision },
      }),
    ).toBe('NOT_FOUND');
  });
});
