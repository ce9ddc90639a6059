// Directory, Activity, LabAudio and Accuracy from outside, over REST and gRPC, on a tenant with three people.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decision, SessionType } from '../../../src/gen/vendor/biosec/v1/common_pb.js';
import { Accuracy } from '../../../src/gen/voxgate/biosec/v1/accuracy_pb.js';
import { Activity, SessionPersonRole } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { Directory, ListOrder } from '../../../src/gen/voxgate/biosec/v1/directory_pb.js';
import { LabAudio } from '../../../src/gen/voxgate/biosec/v1/lab_pb.js';
import { StatusCode } from '../../../src/gen/vendor/rpc/status_pb.js';
import type { RestAnswer } from '../../support/server.js';
import { Platform, forEachStore, utterance, type RequestContext } from '../support.js';

/** Parsed answers; what is in them is what the tests look at. */
type Json = RestAnswer['body'];

const voices = ['anna', 'bruno', 'carl'] as const;

await forEachStore((store) => {
  let platform: Platform;
  let empty: Platform;
  let call: RequestContext;
  let mediaId: string;
  const prints: Record<string, { profile: string; owner: string }> = {};
  let gkGroupId: string;

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    empty = await Platform.on(platform.server, 'empty-tenant');
    for (const voice of voices) prints[voice] = await platform.printOf(voice);
    call = await platform.open();
    await platform.post('/v1/persons', {
      context: call,
      personId: 'p-4',
      details: { firstName: 'Grete', lastName: 'Müller', phoneNumbers: ['+49 30 5550123'] },
    });
    const group = await platform.post('/v1/groups', { context: call, groupId: 'callers' });
    gkGroupId = group.body.gkGroupId.value;
    const { groups } = (await get('/v1/x/groups')).body;
    expect(groups).toHaveLength(1);
    await platform.server.rest('POST', `/v1/groups/${gkGroupId}/persons`, {
      body: { context: call, gkPersonId: { value: prints['anna']?.owner } },
    });
    mediaId = await platform.upload(call, utterance('anna', 4));
    await platform.post(`/v1/voiceprints/${prints['anna']?.profile}/verification`, {
      context: call,
      gkMediaSegmentId: { value: mediaId },
    });
    await platform.verify(call, prints['anna']?.profile ?? '', utterance('bruno', 4));
  }, 300_000);

  afterAll(() => platform?.stop());

  const scope = () => ({ gkScopeId: { value: platform.gkScopeId } });
  const get = (path: string, more: Record<string, string> = {}, on: Platform = platform) =>
    on.server.rest('GET', `${path}?${on.query({ gkScopeId: { value: on.gkScopeId } }, more)}`);

  describe('Directory', () => {
    it('lists people with their prints, newest first, and finds them by a part of ID or name', async () => {
      const all = await get('/v1/x/persons');
      expect(all.status).toBe(200);
      expect(all.body.total).toBe(4);
      expect(all.body.persons.map((entry: Json) => entry.details.personId)).toEqual([
        'p-4',
        'carl',
        'bruno',
        'anna',
      ]);
      const anna = all.body.persons[3];
      expect([anna.voiceprintProfileCount, anna.trainedProfileCount]).toEqual([1, 1]);
      const found = await get('/v1/x/persons', { query: 'mülL' });
      expect(found.body.persons.map((entry: Json) => entry.details.personId)).toEqual(['p-4']);
      expect(found.body.total).toBe(1);
      // Without accents, and by the number, however it is written.
      for (const query of ['MULLER', '30 555-0123', '+4930555'])
        expect([query, (await get('/v1/x/persons', { query })).body.total]).toEqual([query, 1]);
      expect((await get('/v1/x/persons', { query: 'RUN' })).body.persons[0].details.personId).toBe('bruno');
    });

    it('pages without losing or repeating anybody, with and without a search', async () => {
      const client = platform.server.grpc(Directory);
      for (const query of ['', 'a']) {
        const seen: string[] = [];
        let pageToken = '';
        let total = 0;
        do {
          const page = await client.listPersons({ context: scope(), pageSize: 1, pageToken, query });
          expect(page.persons.length).toBeLessThanOrEqual(1);
          seen.push(...page.persons.map((entry) => entry.details?.personId ?? ''));
          ({ total, nextPageToken: pageToken } = page);
        } while (pageToken);
        expect(seen).toEqual(query ? ['carl', 'anna'] : ['p-4', 'carl', 'bruno', 'anna']);
        expect(total).toBe(seen.length);
      }
      const wrong = await client.listPersons({ context: scope(), pageToken: 'no token' });
      expect(wrong.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
      const foreign = await client.listGroups({ context: {} });
      expect(foreign.status?.fieldViolations[0]?.field).toContain('context.gk_scope_id');
    });

    it.each([
      [ListOrder.NEWEST_FIRST, ['p-4', 'carl', 'bruno', 'anna']],
      [ListOrder.OLDEST_FIRST, ['anna', 'bruno', 'carl', 'p-4']],
      [ListOrder.IDENTIFIER, ['anna', 'bruno', 'carl', 'p-4']],
      [ListOrder.IDENTIFIER_REVERSED, ['p-4', 'carl', 'bruno', 'anna']],
    ])('pages in the order that was asked for (%s), with and without a search', async (order, expected) => {
      const client = platform.server.grpc(Directory);
      for (const query of ['', 'a']) {
        const seen: string[] = [];
        let pageToken = '';
        do {
          const page = await client.listPersons({ context: scope(), pageSize: 1, pageToken, query, order });
          seen.push(...page.persons.map((entry) => entry.details?.personId ?? ''));
          pageToken = page.nextPageToken;
        } while (pageToken);
        expect(seen).toEqual(expected.filter((id) => id.includes(query)));
      }
    });

    it('refuses a page token of another order', async () => {
      const client = platform.server.grpc(Directory);
      const ask = (order: ListOrder, pageToken = '') =>
        client.listPersons({ context: scope(), pageSize: 1, pageToken, order });
      const byName = await ask(ListOrder.IDENTIFIER);
      const byTime = await ask(ListOrder.NEWEST_FIRST);
      for (const wrong of [
        await ask(ListOrder.NEWEST_FIRST, byName.nextPageToken),
        await ask(ListOrder.IDENTIFIER, byTime.nextPageToken),
      ])
        expect(wrong.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
    });

    it('lists members, groups, watchlists and fraudsters', async () => {
      const members = await get('/v1/x/persons', { 'gkGroupId.value': gkGroupId });
      expect(members.body.persons.map((entry: Json) => entry.details.personId)).toEqual(['anna']);
      expect(members.body.total).toBe(1);
      expect((await get('/v1/x/persons', { 'gkGroupId.value': 'none' })).status).toBe(404);
      const groups = await get('/v1/x/groups', { query: 'CALL' });
      expect(groups.body.groups).toMatchObject([{ details: { groupId: 'callers' }, personCount: 1 }]);
      expect((await get('/v1/x/groups', { query: '_' })).body.total ?? 0).toBe(0);
      expect((await get('/v1/x/watchlists')).body.total ?? 0).toBe(0);
      expect((await get('/v1/x/fraudsters')).body.total ?? 0).toBe(0);
      expect((await get('/v1/x/persons', {}, empty)).body.total ?? 0).toBe(0);
    });

    it('lists prints with owner, enrollment and filters', async () => {
      const { body } = await get('/v1/x/voiceprint-profiles', {
        'context.configsetId': platform.configsetId,
      });
      expect(body.total).toBe(3);
      const anna = body.profiles.find((entry: Json) => entry.ownerExternalId === 'anna');
      expect(anna).toMatchObject({ segmentCount: 3, enrollStatus: 'ENROLL_STATUS_TRAIN_POSSIBLE' });
      expect(Number.parseFloat(anna.netAudio)).toBeGreaterThan(6);
      const client = platform.server.grpc(Directory);
      const byOwner = await client.listVoiceprintProfiles({ context: scope(), query: 'CARL' });
      expect(byOwner.profiles.map((entry) => entry.ownerExternalId)).toEqual(['carl']);
      const locked = await client.listVoiceprintProfiles({ context: scope(), lockStatus: 1 });
      const unlocked = await client.listVoiceprintProfiles({ context: scope(), lockStatus: 2 });
      expect([locked.total, unlocked.total].sort()).toEqual([0, 3]);
    });
  });

  describe('Activity', () => {
    it('counts checks and their outcomes over time', async () => {
      const client = platform.server.grpc(Activity);
      const { buckets } = await client.getActivityOverview({ context: scope() });
      expect(buckets).toHaveLength(7);
      expect(buckets.at(-1)).toMatchObject({ verifications: 2, matches: 1, undecided: 0, attacks: 0 });
      expect(buckets.at(-1)?.enrollments).toBeGreaterThanOrEqual(9);
      expect(buckets.at(-1)?.checks).toBeGreaterThanOrEqual(11);
      expect(buckets.at(-1)?.unusableAudio).toBe(0);
      expect(buckets.slice(0, -1).every(({ verifications }) => verifications === 0)).toBe(true);
      const none = await empty.server
        .grpc(Activity)
        .getActivityOverview({ context: { gkScopeId: { value: empty.gkScopeId } } });
      expect(none.buckets.reduce((sum, { enrollments }) => sum + enrollments, 0)).toBe(0);
      const fine = await get('/v1/x/activity', { step: '30s' });
      expect(fine.status).toBe(400);
      expect(fine.body.status.fieldViolations[0].field).toMatch(/\bstep$/);
    });

    it('lists sessions with their decision so far', async () => {
      const { body } = await get('/v1/x/sessions', { pageSize: '2' });
      expect(body.sessions).toHaveLength(2);
      expect(body.nextPageToken).not.toBe('');
      expect(body.sessions[0]).toMatchObject({ details: { gkSessionId: call.gkSessionId }, factorCount: 2 });
      const client = platform.server.grpc(Activity);
      const decided = body.sessions[0].details.riskInfo.decision as keyof typeof Decision;
      const word = String(decided).replace('DECISION_', '') as keyof typeof Decision;
      const same = await client.listSessions({ context: scope(), decision: [Decision[word]] });
      expect(same.sessions.map((entry) => entry.details?.gkSessionId?.value)).toContain(
        call.gkSessionId?.value,
      );
      const byId = await client.listSessions({ context: scope(), query: call.gkSessionId?.value ?? '' });
      expect(byId.sessions).toHaveLength(1);
      expect((await client.listSessions({ context: scope(), isActive: false })).sessions).toHaveLength(0);
    });

    it('finds sessions by the number and by the name of the person, however they are written, in both orders', async () => {
      const found = await get('/v1/x/persons', { query: 'p-4' });
      const started = await platform.server.rest('PUT', '/v1/sessions/start', {
        body: {
          context: scope(),
          sessionType: 'SESSION_TYPE_CALL_CENTER',
          details: {
            ani: '+49 (30) 777-4321',
            claimedGkPersonId: found.body.persons[0].details.gkPersonId,
          },
        },
      });
      const client = platform.server.grpc(Activity);
      const ids = async (asked: { query?: string; order?: ListOrder }) =>
        (await client.listSessions({ context: scope(), ...asked })).sessions.map(
          ({ details }) => details?.gkSessionId?.value,
        );
      const own = [started.body.gkSessionId.value];
      for (const query of ['grete mull', 'MÜLLER', '0307774321', '777 43', 'p-4'])
        expect([query, await ids({ query })]).toEqual([query, own]);
      expect(await ids({ query: 'nobody' })).toEqual([]);
      const newest = await ids({});
      expect(newest[0]).toBe(own[0]);
      expect((await ids({ order: ListOrder.OLDEST_FIRST })).at(-1)).toBe(own[0]);
      for (const order of [ListOrder.NUMBER, ListOrder.NUMBER_REVERSED, ListOrder.PERSON_REVERSED])
        // The only one with a number, and the last person; the others come behind it, newest first.
        expect([order, (await ids({ order }))[0]]).toEqual([order, own[0]]);
      expect(await ids({ order: ListOrder.NUMBER })).toEqual(newest);
      // Those who are known by their voiceprints only have their place, too.
      const last = (await ids({ order: ListOrder.PERSON })).at(-1);
      expect(last).toBe(own[0]);
      const refused = await client.listSessions({ context: scope(), order: ListOrder.IDENTIFIER });
      expect(refused.status?.fieldViolations[0]?.field).toMatch(/order$/);
    });

    it('finds the sessions of a person also where only a voiceprint was named, and says how it knows', async () => {
      const client = platform.server.grpc(Activity);
      const personOf = (voice: string) => ({ value: prints[voice]?.owner ?? '' });
      const about = async (voice: string, asked: object = {}) =>
        (await client.listSessions({ context: scope(), gkPersonId: personOf(voice), ...asked })).sessions;
      // The newest is a Verify that named the print and nobody; the one before it has enrolled her.
      const [verified, enrolled, ...more] = await about('anna');
      expect(more).toEqual([]);
      expect(verified?.details?.gkSessionId?.value).toBe(call.gkSessionId?.value);
      expect([verified?.claimedPersonId, verified?.persons]).toMatchObject([
        '',
        [{ personId: 'anna', gkPersonId: personOf('anna'), role: SessionPersonRole.VERIFIED }],
      ]);
      expect(enrolled?.persons).toMatchObject([{ personId: 'anna', role: SessionPersonRole.ENROLLED }]);
      expect(await about('anna', { query: 'nobody' })).toEqual([]);
      expect(await about('anna', { order: ListOrder.PERSON, pageSize: 1 })).toHaveLength(1);
      // The voice of bruno was compared with the print of anna: that makes it no session of his.
      expect((await about('bruno')).map(({ persons }) => persons[0]?.role)).toEqual([
        SessionPersonRole.ENROLLED,
      ]);
      const byName = await client.listSessions({ context: scope(), query: 'ANNA' });
      expect(byName.sessions.map(({ details }) => details?.gkSessionId?.value)).toEqual(
        [verified, enrolled].map((session) => session?.details?.gkSessionId?.value),
      );
      const timeline = await client.getSessionTimeline({ context: scope(), gkSessionId: call.gkSessionId });
      expect(timeline.persons).toMatchObject(verified?.persons ?? []);
      const others = { gkScopeId: { value: empty.gkScopeId } };
      expect((await client.listSessions({ context: others, gkPersonId: personOf('anna') })).sessions).toEqual(
        [],
      );
    });

    it('knows the person of a session as soon as a check has run in it, and whom it recognized among several', async () => {
      const client = platform.server.grpc(Activity);
      const found = async (query: string) =>
        (await client.listSessions({ context: scope(), query })).sessions.map(
          ({ details }) => details?.gkSessionId?.value,
        );
      const context = await platform.open();
      const own = context.gkSessionId?.value;
      expect(await found('carl')).not.toContain(own);
      const media = await platform.upload(context, utterance('carl', 4));
      const answer = await platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId: { value: media },
        gkVoiceprintProfileIds: { uniqueIds: voices.map((voice) => ({ value: prints[voice]?.profile })) },
      });
      expect([answer.status, answer.body.result?.decision]).toEqual([200, 'DECISION_AUTHENTIC']);
      expect(await found('carl')).toContain(own);
      expect(await found('bruno')).not.toContain(own);
      const { persons } = await client.getSessionTimeline({
        context: scope(),
        gkSessionId: context.gkSessionId,
      });
      expect(persons).toMatchObject([{ personId: 'carl', role: SessionPersonRole.RECOGNIZED }]);
    });

    it('finds sessions by what an analyst wrote down about them, as long as it stands there', async () => {
      const { rest } = platform.server;
      const { body: started } = await rest('PUT', '/v1/sessions/start', {
        body: { context: scope(), sessionType: 'SESSION_TYPE_POST_CALL' },
      });
      const { gkSessionId, gkEngagementId } = started;
      const context = { ...scope(), gkEngagementId };
      const write = async (customData: object) => {
        const answer = await rest('PATCH', '/v1/engagements/details', {
          body: { context, gkEngagementId, details: { customData }, fieldMask: 'customData' },
        });
        expect(answer.status).toBe(200);
      };
      await write({ caseNumber: 'F-2031/A', note: 'Wollte eine neue Kärte', other: 'machine made' });
      await rest('PUT', '/v1/engagements/verdict', {
        body: {
          context,
          gkEngagementId,
          verdict: 'ENGAGEMENT_VERDICT_FRAUD',
          description: 'Called back',
          amount: '98765',
        },
      });
      const client = platform.server.grpc(Activity);
      const found = async (asked: { query?: string; caseNumber?: string }) =>
        (await client.listSessions({ context: scope(), ...asked })).sessions;
      const ids = async (asked: { query?: string; caseNumber?: string }) =>
        (await found(asked)).map(({ details }) => details?.gkSessionId?.value);
      const own = [gkSessionId.value];
      for (const query of ['F-2031/A', 'f-2031', 'NEUE KARTE', 'called back', '98765'])
        expect([query, await ids({ query })]).toEqual([query, own]);
      for (const caseNumber of ['F-2031/A', 'f-20'])
        expect([caseNumber, await ids({ caseNumber })]).toEqual([caseNumber, own]);
      // A number begins with what was asked for, or it is another case; other data of the engagement is nobody's note.
      for (const asked of [{ caseNumber: '2031' }, { caseNumber: 'F-2032' }, { query: 'machine made' }])
        expect([asked, await ids(asked)]).toEqual([asked, []]);
      expect(await ids({ query: 'nobody', caseNumber: 'F-2031' })).toEqual([]);
      expect((await found({ query: 'F-2031' }))[0]).toMatchObject({ caseNumber: 'F-2031/A', amount: 98765n });
      // What is done to the engagement is part of what happened, of this session and no other.
      const { events } = await client.getSessionTimeline({ context: scope(), gkSessionId });
      expect(events.map(({ operation }) => operation)).toEqual([
        'StartEngagement',
        'StartSession',
        'UpdateEngagement',
        'SetEngagementVerdict',
      ]);
      // The trail names the call that a note and an outcome are about, and which parts were written, never what they say.
      await write({ caseNumber: 'F-2031/A', note: 'Another word', other: 'machine made' });
      const { records } = await client.listAuditRecords({ context: scope(), gkEngagementId });
      const told = records
        .filter(({ context: of }) => !of?.gkSessionId)
        .map(({ operation, gkSessionId: about, recordAsJson }) => {
          const { detail } = JSON.parse(recordAsJson) as { detail: Json };
          return [operation, about?.value, detail];
        });
      expect(told).toEqual([
        ['UpdateEngagement', gkSessionId.value, { changed: [], note: 'CHANGED' }],
        ['SetEngagementVerdict', gkSessionId.value, { verdict: 'FRAUD' }],
        [
          'UpdateEngagement',
          gkSessionId.value,
          { changed: ['customData'], caseNumber: 'ADDED', note: 'ADDED' },
        ],
        ['StartEngagement', gkSessionId.value, {}],
      ]);
      expect(records.map(({ recordAsJson }) => recordAsJson).join()).not.toMatch(/neue Kärte|Another word/);
      await write({});
      expect(await ids({ caseNumber: 'F-2031' })).toEqual([]);
      expect(await ids({ query: 'neue karte' })).toEqual([]);
      expect(await ids({ query: 'called back' })).toEqual(own);
    });

    it('pages through sessions by what is in them, whichever way, and keeps to what was asked for', async () => {
      const client = platform.server.grpc(Activity);
      for (const ani of ['+49 30 111', '0049 30 333', '+49 30 222'])
        await platform.server.rest('PUT', '/v1/sessions/start', {
          body: { context: scope(), sessionType: 'SESSION_TYPE_WEB', details: { ani } },
        });
      const all = async (order: ListOrder) => {
        const numbers: string[] = [];
        let pageToken = '';
        do {
          const page = await client.listSessions({
            context: scope(),
            order,
            pageSize: 1,
            pageToken,
            sessionType: [SessionType.WEB],
          });
          numbers.push(...page.sessions.map(({ details }) => details?.ani.slice(-3) ?? ''));
          pageToken = page.nextPageToken;
        } while (pageToken);
        return numbers;
      };
      expect(await all(ListOrder.NUMBER)).toEqual(['111', '222', '333']);
      expect(await all(ListOrder.NUMBER_REVERSED)).toEqual(['333', '222', '111']);
      expect(await all(ListOrder.NEWEST_FIRST)).toEqual(['222', '333', '111']);
      const first = await client.listSessions({ context: scope(), order: ListOrder.NUMBER, pageSize: 1 });
      const { status } = await client.listSessions({
        context: scope(),
        order: ListOrder.PERSON,
        pageToken: first.nextPageToken,
      });
      expect(status?.fieldViolations[0]?.field).toMatch(/page_token$/);
      const persons = await platform.server
        .grpc(Directory)
        .listPersons({ context: scope(), order: ListOrder.NUMBER });
      expect(persons.status?.fieldViolations[0]?.field).toMatch(/order$/);
    });

    it('tells what happened in a session, each factor once', async () => {
      const { body } = await get(`/v1/x/sessions/${call.gkSessionId?.value}/timeline`);
      const factors = body.events.filter((event: Json) => event.isFactor);
      expect(factors).toHaveLength(2);
      expect(factors[0]).toMatchObject({
        operation: 'Verify',
        decision: 'DECISION_AUTHENTIC',
        gkMediaSegmentId: { value: mediaId },
      });
      expect(factors[0].requestId).not.toBe('');
      expect(factors[0].score).toBeGreaterThan(factors[1].score);
      expect(body.events.filter((event: Json) => event.operation === 'Verify')).toHaveLength(2);
      expect(body.events.map((event: Json) => event.operation)).toEqual(
        expect.arrayContaining(['StartSession', 'CreateGroup']),
      );
      const times = body.events.map((event: Json) => Date.parse(event.time));
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(body.engagement.gkEngagementId).toEqual(call.gkEngagementId);
      expect((await get('/v1/x/sessions/none/timeline')).status).toBe(404);
      expect((await get(`/v1/x/sessions/${call.gkSessionId?.value}/timeline`, {}, empty)).status).toBe(404);
    });

    it('says of an enrollment that a segment was added, and claims no decision', async () => {
      const tenant = await Platform.on(platform.server, 'enrolling-tenant');
      const own = await tenant.open();
      await tenant.createOwner(own, 'person', 'new');
      await tenant.enroll(own, await tenant.createProfile(own, 'person', 'new'), utterance('carl', 4));
      const { body } = await get(`/v1/x/sessions/${own.gkSessionId?.value}/timeline`, {}, tenant);
      const [factor] = body.events.filter((event: Json) => event.isFactor);
      expect(factor.summary).toMatch(/^Enroll: segment added, \d+\.\d s of speech$/);
      expect(factor.decision ?? 'DECISION_UNSPECIFIED').toBe('DECISION_UNSPECIFIED');
    });

    it('searches the audit trail with masked personal values and proves it', async () => {
      const client = platform.server.grpc(Activity);
      const first = await client.listAuditRecords({ context: scope(), pageSize: 5 });
      expect(first.records).toHaveLength(5);
      const second = await client.listAuditRecords({
        context: scope(),
        pageSize: 5,
        pageToken: first.nextPageToken,
      });
      expect(second.records[0]?.sequence).toBe((first.records[4]?.sequence ?? 0n) - 1n);
      expect(first.records[4]?.previousHash).toBe(second.records[0]?.hash);
      const created = await client.listAuditRecords({ context: scope(), query: 'createPERSON' });
      expect(created.records).toHaveLength(4);
      expect(created.records.map((record) => record.recordAsJson).join()).not.toContain('Müller');
      const ofSession = await client.listAuditRecords({
        context: scope(),
        gkSessionId: call.gkSessionId,
        query: 'Verify',
      });
      expect(ofSession.records).toHaveLength(2);
      // By the names of what it is about, which no record holds.
      const searched = async (query: string) =>
        (await client.listAuditRecords({ context: scope(), query })).records;
      const ofMuller = await searched('MULLER');
      expect(ofMuller.map(({ operation, objectName }) => [operation, objectName])).toEqual([
        ['StartSession', 'p-4'],
        ['CreatePerson', 'p-4'],
      ]);
      expect((await searched('callers')).map(({ operation }) => operation)).toEqual(
        expect.arrayContaining(['CreateGroup', 'AddPersonToGroup']),
      );
      expect(await searched('nobody of this name')).toEqual([]);
      // Without what calls do by themselves; and what somebody else did is nobody's own.
      const changes = await client.listAuditRecords({ context: scope(), changesOnly: true, pageSize: 1000 });
      const done = new Set(changes.records.map(({ operation }) => operation));
      for (const operation of ['CreatePerson', 'CreateGroup'])
        expect([operation, done.has(operation)]).toEqual([operation, true]);
      for (const operation of ['StartSession', 'Verify', 'GetUploadUrl'])
        expect([operation, done.has(operation)]).toEqual([operation, false]);
      expect((await client.listAuditRecords({ context: scope(), actor: 'nobody-here' })).records).toEqual([]);
      const [{ member } = {}] = changes.records;
      const actor = member?.memberId.value ?? '';
      expect((await client.listAuditRecords({ context: scope(), actor })).records.length).toBeGreaterThan(0);

      const proof = await client.verifyAuditChain({ context: scope() });
      expect(proof.intact).toBe(true);
      expect(proof.recordsChecked).toBeGreaterThan(20n);
      expect(proof.headHash).toMatch(/^[0-9a-f]{64}$/);
      const other = await platform.server.rest('POST', '/v1/x/audit/verification', {
        body: { context: scope() },
      });
      expect(other.body.intact).toBe(true);
    });
  });

  describe('LabAudio', () => {
    it('takes audio in one call and shows what is inside', async () => {
      const client = platform.server.grpc(LabAudio);
      const uploaded = await client.uploadAudio({ context: call, audio: utterance('dora', 1) });
      expect(uploaded.status?.statusCode).toBe(StatusCode.OK);
      expect(Number(uploaded.mediaLength?.seconds)).toBeGreaterThan(3);
      expect(uploaded.numberOfChannels).toBe(1);
      const id = uploaded.gkMediaSegmentId?.value;
      const details = await get(`/v1/mediasegments/${id}`);
      expect(details.body.details).toMatchObject({ numberOfChannels: 1, sampleRateHz: 16_000 });

      const { body } = await get(`/v1/x/audios/${id}/inspection`, {
        envelopePoints: '100',
        spectrogramColumns: '50',
      });
      expect(body.validity).toBe('REASON_AUDIO_OK');
      expect(body.envelope.maximum).toHaveLength(100);
      expect(Math.max(...body.envelope.maximum)).toBeGreaterThan(0.05);
      expect(body.speechSegments.length).toBeGreaterThan(0);
      expect(Buffer.from(body.spectrogram.values, 'base64')).toHaveLength(
        body.spectrogram.columns * body.spectrogram.rows,
      );
      expect(body.spectrogram.columns).toBe(50);
      expect(body.audioDetails.snrDb).toBeGreaterThan(5);
      const without = await client.inspectAudio({
        context: scope(),
        gkMediaSegmentId: { value: id ?? '' },
        spectrogramColumns: -1,
      });
      expect(without.spectrogram).toBeUndefined();
      expect(without.envelope?.maximum).toHaveLength(800);
      const tooMuch = await client.inspectAudio({
        context: scope(),
        gkMediaSegmentId: { value: id ?? '' },
        envelopePoints: 4001,
      });
      expect(tooMuch.status?.fieldViolations[0]?.field).toContain('envelope_points');
    });

    it('says what is wrong with bytes that are no audio', async () => {
      const answer = await platform.post('/v1/x/audios', {
        context: call,
        audio: Buffer.from('no audio at all').toString('base64'),
      });
      expect(answer.status).toBe(200);
      expect(answer.body.mediaLength).toBeUndefined();
      const inspected = await get(`/v1/x/audios/${answer.body.gkMediaSegmentId.value}/inspection`);
      expect(inspected.body.validity).toBe('REASON_INVALID_AUDIO');
      expect((await platform.post('/v1/x/audios', { context: call })).status).toBe(400);
    });
  });

  describe('Accuracy', () => {
    it("measures the tenant's own prints", async () => {
      const answer = await platform.post('/v1/x/accuracy/scores', {
        context: { ...scope(), configsetId: platform.configsetId },
      });
      const { report } = answer.body;
      // Nine segments, each against the others of its print and against the prints of the two others.
      expect([report.targetTrials, report.nontargetTrials, report.speakers]).toEqual([9, 18, 3]);
      expect(report.histogram.targetCounts.reduce((a: number, b: number) => a + b)).toBe(9);
      expect(report.equalErrorRate.value ?? 0).toBeLessThan(0.2);
      expect(report.equalErrorRate.upper ?? 0).toBeGreaterThanOrEqual(report.equalErrorRate.value ?? 0);
      expect(report.thresholdPoints).toHaveLength(101);
      expect(report.activeFalseAcceptRate.upper).toBeGreaterThan(0.05);
      expect(report.warnings.join()).toContain('rough');
      const client = platform.server.grpc(Accuracy);
      const fewer = await client.evaluateScores({ context: scope(), ownPrints: { maxNontargetTrials: 5 } });
      expect(fewer.report?.nontargetTrials).toBe(5);
      expect(fewer.report?.activeThreshold).toBeUndefined();
      const nobody = await empty.post('/v1/x/accuracy/scores', {
        context: { gkScopeId: { value: empty.gkScopeId } },
      });
      expect(nobody.body.report.targetTrials ?? 0).toBe(0);
      expect(nobody.body.report.warnings).toHaveLength(2);
    });

    it('counts owners who are one person once, also by way of a third', async () => {
      const owner = (voice: string) => ({ value: prints[voice]?.owner ?? '' });
      const same = (one: string, other: string) => ({
        gkOwnerId: owner(one),
        gkOtherOwnerId: owner(other),
      });
      const measure = async (...sameVoice: object[]) => {
        const { body } = await platform.post('/v1/x/accuracy/scores', {
          context: scope(),
          ownPrints: { sameVoice },
        });
        const { targetTrials, nontargetTrials = 0, speakers, alikePairs = [] } = body.report;
        return [targetTrials, nontargetTrials, speakers, alikePairs.length];
      };
      expect(await measure()).toEqual([9, 18, 3, 3]);
      expect(await measure(same('anna', 'bruno'))).toEqual([9, 12, 2, 2]);
      expect(await measure(same('anna', 'bruno'), same('carl', 'bruno'))).toEqual([9, 0, 1, 0]);
      const client = platform.server.grpc(Accuracy);
      const suggested = await client.suggestThreshold({
        context: scope(),
        targetFalseAcceptRate: 0.1,
        source: { case: 'ownPrints', value: { sameVoice: [same('anna', 'bruno')] } },
      });
      expect([suggested.speakers, suggested.nontargetTrials]).toEqual([2, 12]);
      const wrong = await platform.post('/v1/x/accuracy/scores', {
        context: scope(),
        ownPrints: { sameVoice: [{ gkOwnerId: owner('anna') }] },
      });
      expect(wrong.status).toBe(400);
      expect(wrong.body.status.fieldViolations[0].field).toContain('same_voice[0].gk_other_owner_id');
    });

    it('compares the errors of groups of people, by what the tenant says of them', async () => {
      const own = await platform.open();
      const person = async (voice: string, details: object, paths: string) => {
        const answer = await platform.server.rest('PATCH', `/v1/persons/${prints[voice]?.owner ?? ''}`, {
          body: { context: own, details, fieldMask: paths },
        });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      };
      for (const [voice, genderIdentity] of [
        ['anna', 'FEMALE'],
        ['bruno', 'MALE'],
        ['carl', 'MALE'],
      ] as const)
        await person(voice, { genderIdentity: `GENDER_${genderIdentity}` }, 'genderIdentity');
      await person('carl', { customData: { line: 'mobile' } }, 'customData');
      for (const [voice, preferredLanguage] of [
        ['anna', 'en'],
        ['bruno', 'EN'],
        ['carl', 'en-US'],
      ] as const)
        await person(voice, { preferredLanguage }, 'preferredLanguage');
      const answer = await platform.post('/v1/x/accuracy/scores', {
        context: { ...scope(), configsetId: platform.configsetId },
        groupBy: ['gender', 'custom_data.line', 'line', 'language'],
      });
      const [gender, line, measured, language] = answer.body.report.fairness;
      const figures = gender.groups.map((row: Json) => [
        row.group, row.speakers, row.targetTrials, row.nontargetTrials ?? 0,
      ]); // prettier-ignore
      // Three segments each; those of two men against the print of the other.
      expect(figures).toEqual([['FEMALE', 1, 3, 0], ['MALE', 2, 6, 6]]); // prettier-ignore
      expect(gender.groups[1].falseAcceptRate.upper).toBeGreaterThan(0.3);
      expect(gender.warnings.join()).toContain('12 trials were left out');
      expect(line).toMatchObject({ by: 'custom_data.line', groups: [{ group: 'mobile', speakers: 1 }] });
      // Two spellings are one group; the language of a country is its own.
      expect(language.groups).toMatchObject([
        { group: expect.stringMatching(/^en$/i), speakers: 2, targetTrials: 6, nontargetTrials: 6 },
        { group: 'en-US', speakers: 1 },
      ]);
      // What the recordings themselves tell: all are of good microphones.
      expect(measured).toMatchObject({
        by: 'line',
        groups: [{ group: 'wide', speakers: 3, targetTrials: 9, nontargetTrials: 18 }],
      });
      const wrong = await platform.post('/v1/x/accuracy/scores', {
        context: scope(),
        groupBy: ['shoe size'],
      });
      expect(wrong.status).toBe(400);
      expect(wrong.body.status.fieldViolations[0]).toMatchObject({
        field: expect.stringContaining('group_by[0]'),
        message: expect.stringContaining('gender, language'),
      });
    });

    it('sets thresholds by callers only where the tenant allows it and enough have called', async () => {
      const client = platform.server.grpc(Accuracy);
      const refused = await platform.post('/v1/x/accuracy/callers', { context: scope() });
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.body)).toContain('calibration.useCallers');
      const other = await Platform.on(platform.server, 'callers-tenant');
      await other.configure('SCOPE', { calibration: { useCallers: true } });
      const few = await client.calibrateFromCallers({ context: { gkScopeId: { value: other.gkScopeId } } });
      expect(few.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
      expect(few.status).toMatchObject({
        statusMessage: { message: '0 callers are too few: thresholds need at least 10' },
        fieldViolations: [],
        diagnosticDetails: [{ code: 'TOO_FEW_CALLERS' }],
      });
    });

    it('measures uploaded lists of scores, recordings and prints', async () => {
      const client = platform.server.grpc(Accuracy);
      const scores = Array.from({ length: 40 }, (_, i) => `target ${i / 4}\nnontarget ${-i / 4}`).join('\n');
      const listed = await client.evaluateTrials({
        context: scope(),
        trials: { text: `# scores\n${scores}\n` },
      });
      expect([listed.report?.targetTrials, listed.report?.nontargetTrials]).toEqual([40, 40]);
      expect(listed.report?.equalErrorRate?.value).toBeLessThan(0.03);
      const print = {
        gkVoiceprintProfileId: { value: prints['anna']?.profile ?? '' },
        gkMediaSegmentId: { value: mediaId },
      };
      const mixed = await client.evaluateTrials({
        context: scope(),
        trials: {
          trials: [
            { isTarget: true, evidence: { case: 'print', value: print } },
            { isTarget: false, evidence: { case: 'score', value: -3 } },
          ],
        },
      });
      expect(mixed.report?.equalErrorRate?.value).toBe(0);
      const text = `target ${prints['anna']?.profile} ${mediaId}\nnontarget ${prints['carl']?.profile} ${mediaId}`;
      expect(
        (await client.evaluateTrials({ context: scope(), trials: { text } })).report?.equalErrorRate?.value,
      ).toBe(0);
      const wrong = await client.evaluateTrials({ context: scope(), trials: { text: 'target 1\nmaybe 2' } });
      expect(wrong.status?.fieldViolations[0]?.message).toContain('line 2');
      const missing = await client.evaluateTrials({ context: scope() });
      expect(missing.status?.fieldViolations[0]?.field).toContain('trials');
    });

    it('suggests a threshold for a wanted rate', async () => {
      const client = platform.server.grpc(Accuracy);
      const text = Array.from({ length: 200 }, (_, i) => `nontarget ${-10 + i / 20}\ntarget ${i / 10}`).join(
        '\n',
      );
      const suggestion = await client.suggestThreshold({
        context: scope(),
        targetFalseAcceptRate: 0.1,
        source: { case: 'trials', value: { text } },
      });
      // Nontarget scores are even from -10 to -0.05: a tenth of them lies above -1.
      expect(suggestion.threshold?.value).toBeCloseTo(-1, 0);
      expect(suggestion.threshold?.lower).toBeLessThan(suggestion.threshold?.value ?? 0);
      expect(suggestion.falseAcceptRate?.value).toBeLessThanOrEqual(0.1);
      expect(suggestion.falseAcceptRate?.upper).toBeGreaterThan(0.1);
      expect(suggestion.lowRiskThreshold).toBeGreaterThan(300);
      expect(suggestion.warnings).toEqual([]);
      // Of -1 the shipped thresholds know nothing; turning everybody away is no suggestion either.
      expect(suggestion.objections).toHaveLength(1);
      // By its calibration, whatever the rate among these trials.
      expect(suggestion.objections[0]).toMatch(
        /^a config set goes no lower than score -?[\d.]+, which means 50% false accepts .* a lower rate$/,
      );
      expect(suggestion.configuredFalseAcceptRate).toBeUndefined();
      const own = await client.suggestThreshold({ context: scope(), targetFalseAcceptRate: 0.001 });
      expect(own.warnings.join()).toContain('1000 trials');
      expect(own.objections.join()).toMatch(/^\d speakers are too few: a threshold needs at least 10/);
      const absurd = await client.suggestThreshold({
        context: scope(),
        targetFalseAcceptRate: 0.01,
        source: {
          case: 'trials',
          value: {
            text: Array.from({ length: 200 }, (_, i) => `nontarget ${4 + i / 100}\ntarget 1`).join('\n'),
          },
        },
      });
      expect(absurd.objections).toEqual(['it would reject 100% of the right people']);
      for (const rate of [1, 0.6, 0.11, -0.01, NaN]) {
        const wrong = await client.suggestThreshold({ context: scope(), targetFalseAcceptRate: rate });
        const [fault] = wrong.status?.fieldViolations ?? [];
        expect(fault?.field).toContain('target_false_accept_rate');
        expect(fault?.message).toMatch(
          /^must be above 0 and at most 0\.1: .* one impostor in ten protects nobody$/,
        );
      }
    });

    it('tells the setting that puts a config set exactly at the suggested threshold', async () => {
      const client = platform.server.grpc(Accuracy);
      const text = Array.from(
        { length: 200 },
        (_, i) => `nontarget ${-6 + i / 20}\ntarget ${5 + i / 10}`,
      ).join('\n');
      const trials = { case: 'trials', value: { text } } as const;
      for (const rate of [0.01, 0.05]) {
        const suggestion = await client.suggestThreshold({
          context: scope(),
          targetFalseAcceptRate: rate,
          source: trials,
        });
        expect(suggestion.objections).toEqual([]);
        const configsetId = `exact-${rate * 100}`;
        await platform.configure(configsetId, {
          authentication: { falseAcceptRate: suggestion.configuredFalseAcceptRate, riskLow: 300 },
        });
        const { report } = await client.evaluateTrials({
          context: { ...scope(), configsetId },
          trials: { text },
        });
        expect(report?.activeThreshold).toBeCloseTo(suggestion.threshold?.value ?? 0, 6);
      }
    });

    it('compares a revision in the shadow with the active one, without effect', async () => {
      const { configsetId } = platform;
      const made = await platform.post('/v1/configsets', {
        context: scope(),
        configsetId,
        type: 'CONFIGSET_TYPE_OPERATIONAL',
        // So lax that everybody gets in.
        rawContent: Buffer.from(JSON.stringify({ authentication: { riskLow: 998, riskHigh: 999 } })).toString(
          'base64',
        ),
      });
      const gkConfigsetRevisionId = made.body.gkConfigsetRevisionId;
      const path = `/v1/x/accuracy/shadow/${configsetId}`;
      const before = await get(path);
      expect(before.body.gkShadowRevisionId).toBeUndefined();
      const set = await platform.server.rest('PUT', path, {
        body: { context: scope(), gkConfigsetRevisionId },
      });
      expect(set.status).toBe(200);
      const startTime = '2020-01-01T00:00:00Z';
      const past = await get(path, { startTime });
      expect(past.body.gkShadowRevisionId).toEqual(gkConfigsetRevisionId);
      expect(past.body.gkActiveRevisionId).not.toEqual(gkConfigsetRevisionId);
      // The two verifications of one call count once, and the identification in another one.
      expect(Number(past.body.calls)).toBe(2);

      const next = await platform.open();
      const verified = await platform.verify(next, prints['anna']?.profile ?? '', utterance('bruno', 5));
      expect(verified.body.result.decision).toBe('DECISION_NO_MATCH');
      const now = await get(path);
      expect(Number(now.body.calls)).toBe(1);
      const decided = { active: 'DECISION_NO_MATCH', shadow: 'DECISION_AUTHENTIC' };
      expect(now.body.pairs).toEqual([{ ...decided, count: '1' }]);
      expect(now.body.differences).toMatchObject([
        { ...decided, operation: 'Verify', gkSessionId: next.gkSessionId },
      ]);
      // What somebody tries out, and checks once more, is no call.
      const tried = { ...scope(), configsetId };
      const { body: opened } = await platform.post('/v1/sessions/start', {
        context: tried,
        sessionType: 2,
        isTest: true,
      });
      const { gkSessionId, gkEngagementId } = opened;
      const trial = { ...tried, gkSessionId, gkEngagementId };
      await platform.verify(trial, prints['anna']?.profile ?? '', utterance('bruno', 5));
      await platform.verify(next, prints['anna']?.profile ?? '', utterance('bruno', 5));
      expect((await get(path)).body.pairs).toEqual([{ ...decided, count: '1' }]);

      const client = platform.server.grpc(Accuracy);
      const wrong = await client.setShadowRevision({
        context: scope(),
        configsetId: 'other',
        gkConfigsetRevisionId,
      });
      expect(wrong.status?.statusCode).toBe(StatusCode.NOT_FOUND);
      for (let i = 0; i < 2; i++)
        expect((await client.clearShadowRevision({ context: scope(), configsetId })).status?.statusCode).toBe(
          StatusCode.OK,
        );
      // What was compared can still be read, and nothing that comes later is added to it.
      const late = await platform.open();
      await platform.verify(late, prints['anna']?.profile ?? '', utterance('bruno', 5));
      const { body: over } = await get(path);
      expect(over.gkShadowRevisionId).toBeUndefined();
      expect(over.gkComparedRevisionId).toEqual(gkConfigsetRevisionId);
      expect([over.since, over.until, over.calls]).toEqual([now.body.since, expect.any(String), '1']);
      expect(over.differences).toEqual(now.body.differences);
    });
  });

  it('records consent with the text that was agreed to, in the audit trail', async () => {
    const context = await empty.open();
    const { body } = await empty.post('/v1/persons', { context, personId: 'agrees' });
    const { gkPersonId } = body;
    const path = `/v1/x/persons/${gkPersonId.value}/consent`;
    const text = 'We make a voiceprint of your voice.';
    const answer = await empty.post(path, { context, text, language: 'en' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const person = await get(`/v1/persons/${gkPersonId.value}`, {}, empty);
    expect(person.body.details.consentInfo.status).toBe('CONSENT_STATUS_OPTED_IN');
    const { records } = (await get('/v1/x/audit/records', { query: 'OptPersonIn' }, empty)).body;
    expect(JSON.parse(records[0].recordAsJson)).toMatchObject({
      detail: { consentText: text, language: 'en' },
    });
    const client = platform.server.grpc(Directory);
    const refused = await client.recordConsent({ context, gkPersonId, text: 'x'.repeat(4001) });
    expect(refused.status?.fieldViolations).toMatchObject([{ field: expect.stringContaining('text') }]);
  });
});
