/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// What a data protection officer does, over both transports: everything held about a person as one archive, evidence holds that
// outlast retention and erasure, and the certificate of an erasure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rolePermissions } from '../../src/auth/roles.js';
import { endHolds } from '../../src/biometrics/media/holds.js';
import { Privacy } from '../../src/gen/voxgate/biosec/v1/privacy_pb.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { nodeNotes } from '../../src/storage/nodes.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { testCaller } from '../support/server.js';
import { Platform, forEachStore, jobPatience, utterance, type RequestContext } from './support.js';

const withRole = (role: 'data-protection' | 'fraud-analyst' | 'auditor') => ({
  ...testCaller,
  userId: 'u',
  scopes: ['platform-api'],
  rights: { everywhere: rolePermissions[role], byTenant: new Map<string, ReadonlySet<string>>() },
});

interface Archive {
  /** All documents. */
  all: string;
  files: string[];
  bytes: (name: string) => Uint8Array;
  read: (name: string) => any;
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-privacy-'));
  let platform: Platform;
  let settings: Record<string, unknown>;
  beforeAll(async () => {
    settings = { ...(await store.settings()), home };
    platform = await Platform.start({
      config: settings,
      callers: {
        officer: withRole('data-protection'),
        analyst: withRole('fraud-analyst'),
        auditor: withRole('auditor'),
      },
    });
  });
  afterAll(async () => {
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const scope = () => ({ gkScopeId: { value: platform.gkScopeId } });
  const ask = (method: string, path: string, body?: object, token = 'officer') =>
    platform.server.rest(method, path, { token, ...(body && { body: { context: scope(), ...body } }) });
  const get = (path: string, token = 'officer') =>
    ask('GET', `${path}?context.gkScopeId.value=${platform.gkScopeId}`, undefined, token);
  const holdsOf = async (owner: string): Promise<any[]> =>
    (
      await platform.server.rest(
        'GET',
        `/v1/x/holds?context.gkScopeId.value=${platform.gkScopeId}&gkPersonId.value=${owner}`,
        { token: 'officer' },
      )
    ).body.holds ?? [];
  const exported = async (owner: string): Promise<Archive> => {
    const { status, body } = await ask('POST', `/v1/x/persons/${owner}/export`, {});
    expect(status, JSON.stringify(body)).toBe(200);
    const answer = await fetch(body.downloadUrl);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const text = (name: string): string => Buffer.from(files[name] ?? []).toString();
    const documents = Object.keys(files).filter((name) => name.endsWith('.json'));
    return {
      all: documents.map(text).join('\n'),
      files: Object.keys(files),
      bytes: (name) => files[name] ?? new Uint8Array(),
      read: (name) => JSON.parse(text(name)),
    };
  };
  const patchSession = (context: object, details: Record<string, unknown>, token?: string) =>
    platform.server.rest('PATCH', '/v1/sessions/details', {
      ...(token && { token }),
      body: { context, details, fieldMask: Object.keys(details).join() },
    });
  const judge = async ({ gkEngagementId }: RequestContext, verdict: string): Promise<void> => {
    const path = `/v1/x/engagements/${gkEngagementId?.value}/outcome`;
    const body = { context: scope(), verdict: `ENGAGEMENT_VERDICT_${verdict}` };
    expect((await platform.server.rest('PUT', path, { body })).status).toBe(200);
  };
  const erase = async (owner: string): Promise<void> => {
    const context = await platform.open();
    const path = `/v1/persons/${owner}/personal-data?${platform.query(context)}`;
    expect((await platform.server.rest('DELETE', path, { token: 'officer' })).status).toBe(200);
    await expect
      .poll(async () => {
        const { body } = await get(`/v1/x/persons/${owner}/erasure`);
        return body.erasedTime !== undefined && !body.isRunning;
      }, jobPatience)
      .toBe(true);
  };

  describe('everything held', () => {
    it('is one archive: person, prints, decisions, recordings and audit; and its making is audited', async () => {
      const { profile, owner } = await platform.printOf('anna');
      const call = await platform.open();
      await platform.verify(call, profile, utterance('anna', 4));
      const { read, bytes } = await exported(owner);
      expect(read('person.json')).toMatchObject({ gkPersonId: owner, personId: 'anna' });
      const [print] = read('voiceprints.json');
      expect(print).toMatchObject({ gkVoiceprintProfileId: profile, status: 'BASIC_TRAINED' });
      expect(print.segments).toHaveLength(3);
      expect(print.voice.numbers.length).toBeGreaterThan(100);
      const checks = read('sessions.json').flatMap((session: any) => session.checks);
      expect(checks).toContainEqual(
        expect.objectContaining({ operation: 'Verify', decision: 'AUTHENTIC', time: expect.any(String) }),
      );
      const recordings = read('recordings.json');
      expect(recordings).toHaveLength(4);
      for (const { file } of recordings) {
        expect(file).toMatch(/^recordings\/.+\.ogg$/);
        expect(Buffer.from(bytes(file)).toString('latin1', 0, 4)).toBe('OggS');
      }
      const operations = read('audit.json').map(({ operation }: any) => operation);
      expect(operations).toEqual(expect.arrayContaining(['CreatePerson', 'Verify', 'ExportPersonalData']));
    });

    it('of a call in which the person was not recognized has only that they were named, and what was decided', async () => {
      const { profile, owner } = await platform.printOf('bruno', 'person', 'victim');
      const called = async (name: string, bytes: Uint8Array | undefined, outcome?: string) => {
        const context = await platform.open();
        const details = {
          claimedGkPersonId: { value: owner },
          ani: `+1555-${name}`,
          sessionId: `own-${name}`,
        };
        expect((await patchSession(context, details)).status).toBe(200);
        const segment = await platform.upload(context, bytes ?? utterance('emil', 5));
        const gkMediaSegmentId = { value: segment };
        if (bytes)
          await platform.post(`/v1/voiceprints/${profile}/verification`, { context, gkMediaSegmentId });
        if (name !== 'recognized') await platform.post('/v1/sessions/stop', { context });
        if (outcome) await judge(context, outcome);
        return { name, context, segment };
      };
      const [own, other] = [utterance('bruno', 4), utterance('carl', 4)];
      const theirs = [
        await called('recognized', own),
        await called('uncertain', own, 'UNCERTAIN'),
        await called('genuine', other, 'AUTHENTIC'),
      ];
      const others = [
        { ...(await called('impostor', other)), withheld: 'NOT_RECOGNIZED', decision: 'NO_MATCH' },
        {
          ...(await called('unclear', other, 'UNCERTAIN')),
          withheld: 'NOT_RECOGNIZED',
          decision: 'NO_MATCH',
        },
        {
          ...(await called('fooled', own, 'SOMEONE_ELSE')),
          withheld: 'NOT_RECOGNIZED',
          decision: 'AUTHENTIC',
        },
        { ...(await called('fraud', own, 'FRAUD')), withheld: 'EVIDENCE_OF_FRAUD', decision: 'AUTHENTIC' },
        { ...(await called('unheard', undefined)), withheld: 'NOT_RECOGNIZED', decision: 'UNCERTAIN' },
      ];
      // Beside the recording that was recognized, this is a guess.
      const guessed = await platform.upload(theirs[0]!.context, utterance('emil', 4));

      const { all, files, read } = await exported(owner);
      const recordings = new Map(read('recordings.json').map((one: any) => [one.gkMediaSegmentId, one]));
      const sessions = new Map(read('sessions.json').map((one: any) => [one.gkSessionId, one]));
      const audit: any[] = read('audit.json');
      for (const { name, context, segment } of theirs) {
        expect(recordings.get(segment), name).toMatchObject({ file: `recordings/${segment}.ogg` });
        expect(sessions.get(context.gkSessionId!.value), name).toMatchObject({
          details: { ani: `+1555-${name}` },
          checks: [{ operation: 'Verify', score: expect.any(Number) }],
        });
      }
      for (const { name, context, segment, withheld, decision } of others) {
        const createdTime = expect.any(String);
        expect(recordings.get(segment), name).toEqual({ gkMediaSegmentId: segment, withheld, createdTime });
        const time = expect.any(String);
        expect(sessions.get(context.gkSessionId!.value), name).toEqual({
          gkSessionId: context.gkSessionId!.value,
          isOfOther: true,
          isClaimed: true,
          startTime: time,
          decision: { decision },
          ...(name === 'unclear' && { outcome: { outcome: 'UNCERTAIN', time } }),
          ...(name === 'fooled' && { outcome: { outcome: 'SOMEONE_ELSE', time } }),
          ...(name === 'fraud' && { outcome: { outcome: 'FRAUD', time } }),
          checks: name === 'unheard' ? [] : [{ time, operation: 'Verify', decision }],
        });
        expect(all, name).not.toContain(`+1555-${name}`);
        expect(all, name).not.toContain(`own-${name}`);
      }
      expect(recordings.get(guessed)).toMatchObject({ withheld: 'NOT_RECOGNIZED' });
      expect(files.filter((name) => name.startsWith('recordings/'))).toHaveLength(3 + theirs.length);
      const verified = audit.filter(({ operation }) => operation === 'Verify');
      expect(verified).toHaveLength(7);
      expect(verified.filter(({ detail }) => detail?.score !== undefined)).toHaveLength(theirs.length);
      expect(
        verified
          .filter(({ detail }) => detail === undefined)
          .map(({ decision }) => decision)
          .sort(),
      ).toEqual(['AUTHENTIC', 'AUTHENTIC', 'NO_MATCH', 'NO_MATCH']);
    });

    it('leaves out recordings with two persons, and a voiceprint that was made from them', async () => {
      const { profile, owner } = await platform.printOf('carl');
      const same = await platform.printOf('carl', 'person', 'same-voice');
      const call = await platform.open();
      const gkMediaSegmentId = { value: await platform.upload(call, utterance('carl', 4)) };
      for (const print of [profile, same.profile])
        await platform.post(`/v1/voiceprints/${print}/verification`, { context: call, gkMediaSegmentId });
      const { all, read } = await exported(owner);
      expect(read('recordings.json')).toContainEqual(
        expect.objectContaining({
          gkMediaSegmentId: gkMediaSegmentId.value,
          withheld: 'ALSO_ANOTHER_PERSON',
        }),
      );
      for (const foreign of [same.profile, same.owner]) expect(all).not.toContain(foreign);
      expect(read('voiceprints.json')[0].voice.numbers.length).toBeGreaterThan(100);
      const [enrolled] = read('sessions.json').filter(({ checks }: any) =>
        checks.some(({ kind }: any) => kind === 'ENROLLMENT'),
      );
      await judge(
        { gkScopeId: scope().gkScopeId, gkEngagementId: { value: enrolled.gkEngagementId } },
        'FRAUD',
      );
      const [{ voice }] = (await exported(owner)).read('voiceprints.json');
      expect(voice).toMatchObject({ withheld: 'ALSO_ANOTHER_PERSON' });
      expect(voice).not.toHaveProperty('numbers');
    });

    it('tells neither why something is held nor what was noted on a recording that is left out', async () => {
      const { owner } = await platform.printOf('fritz');
      const call = await platform.open();
      await patchSession(call, { claimedGkPersonId: { value: owner } });
      const segment = await platform.upload(call, utterance('emil', 2));
      const noted = await platform.server.rest('PATCH', `/v1/mediasegments/${segment}`, {
        body: { context: call, details: { customData: { note: 'SECRET-NOTE' } }, fieldMask: 'customData' },
      });
      expect(noted.status).toBe(200);
      const held = [{ gkPersonId: { value: owner } }, { gkMediaSegmentId: { value: segment } }];
      for (const one of held)
        expect((await ask('POST', '/v1/x/holds', { ...one, reason: 'SECRET-REASON' })).status).toBe(200);
      for (const { gkHoldId } of await holdsOf(owner)) {
        const path = `/v1/x/holds/${gkHoldId.value}/lift`;
        expect((await ask('POST', path, { reason: 'SECRET-END' })).status).toBe(200);
      }
      await ask('POST', '/v1/x/holds', { gkPersonId: { value: owner }, reason: 'SECRET-REASON' });
      const { all, read } = await exported(owner);
      expect(all).not.toContain('SECRET');
      const recordings: any[] = read('recordings.json');
      expect(recordings.filter(({ isOnHold }) => isOnHold)).toHaveLength(3);
      expect(recordings.filter(({ withheld }) => withheld)).toEqual([
        { gkMediaSegmentId: segment, withheld: 'NOT_RECOGNIZED', createdTime: expect.any(String) },
      ]);
      expect(read('audit.json').map(({ operation }: any) => operation)).toContain('PlaceHold');
    });

    it('is for whom it is entrusted to; nobody else, and nothing without the signature', async () => {
      const owner = await platform.createOwner(await platform.open(), 'person', 'private');
      for (const token of ['analyst', 'auditor'])
        expect((await ask('POST', `/v1/x/persons/${owner}/export`, {}, token)).status, token).toBe(403);
      const { body } = await ask('POST', `/v1/x/persons/${owner}/export`, {});
      const other = String(body.downloadUrl).replace(owner, crypto.randomUUID());
      expect((await fetch(other)).status).toBe(403);
      const unknown = await ask('POST', `/v1/x/persons/${crypto.randomUUID()}/export`, {});
      expect(unknown.status).toBe(404);
    });
  });

  describe('a hold', () => {
    it('keeps recordings through an erasure, tells why and by whom, and lets them go when it is lifted', async () => {
      const { owner } = await platform.printOf('dora');
      const placed = await ask('POST', '/v1/x/holds', {
        gkPersonId: { value: owner },
        reason: 'Case 4711',
        endTime: new Date(Date.now() + 86_400_000).toISOString(),
      });
      expect(placed.status, JSON.stringify(placed.body)).toBe(200);
      const [hold] = await holdsOf(owner);
      expect(hold).toMatchObject({ reason: 'Case 4711', placedBy: testCaller.subject });
      // What comes later is held as well.
      const late = await platform.open();
      expect((await patchSession(late, { claimedGkPersonId: { value: owner } })).status).toBe(200);
      const segment = await platform.upload(late, utterance('dora', 5));
      const deleted = await platform.server.rest(
        'DELETE',
        `/v1/mediasegments/${segment}?${platform.query(late)}`,
      );
      expect(JSON.stringify(deleted.body)).toContain('MEDIA_ON_LEGAL_HOLD');

      await erase(owner);
      const after = await get(`/v1/x/persons/${owner}/erasure`);
      expect(after.body.keptOnLegalHoldCount).toBe(4);
      const { certificate, erasures } = (await get(`/v1/x/persons/${owner}/erasure/certificate`)).body;
      expect(erasures).toMatchObject([
        { deletedVoiceprintCount: 1, keptOnHoldCount: 4, keptRecordingCount: 4 },
      ]);
      const keys = createRemoteJWKSet(new URL(`${platform.server.httpUrl}/.well-known/jwks.json`));
      const { payload } = await jwtVerify(certificate, keys, { typ: 'erasure-certificate+jwt' });
      expect(payload).toMatchObject({
        sub: owner,
        gkScopeId: platform.gkScopeId,
        erasures: [
          { kept: { onHold: 4 }, audit: { position: expect.any(Number), hash: expect.any(String) } },
        ],
      });

      const lifted = await ask('POST', `/v1/x/holds/${hold.gkHoldId.value}/lift`, { reason: 'Case closed' });
      expect(lifted.status).toBe(200);
      await expect
        .poll(
          async () => (await get(`/v1/x/persons/${owner}/erasure`)).body.keptOnLegalHoldCount ?? 0,
          jobPatience,
        )
        .toBe(0);
      await expect
        .poll(
          async () => (await get(`/v1/x/persons/${owner}/erasure/certificate`)).body.erasures.length,
          jobPatience,
        )
        .toBe(2);
      expect(await holdsOf(owner)).toEqual([]);
    });

    it('keeps whom recordings and calls are said to be of: nobody can erase them as another person', async () => {
      const desk = await platform.open();
      const held = await platform.createOwner(desk, 'person', 'held');
      const other = await platform.createOwner(desk, 'person', 'accomplice');
      const claim = (owner: string) => ({ claimedGkPersonId: { value: owner } });
      const past = await platform.open();
      await patchSession(past, claim(held));
      const recorded = await platform.upload(past, utterance('emil', 3));
      const running = await platform.open();
      await patchSession(running, claim(held));
      // A recording of its own, by each way to hold one.
      const [marked, ordered] = [
        await platform.upload(desk, utterance('emil', 4)),
        await platform.upload(desk, utterance('emil', 5)),
      ];
      const patch = (segment: string, details: object) =>
        platform.server.rest('PATCH', `/v1/mediasegments/${segment}`, {
          body: { context: desk, details, fieldMask: Object.keys(details).join() },
        });
      for (const segment of [marked, ordered])
        expect((await patch(segment, { gkPersonId: { value: held } })).status).toBe(200);
      expect((await patch(marked, { legalHold: true })).status).toBe(200);
      const reason = 'Order of a court';
      for (const one of [{ gkPersonId: { value: held } }, { gkMediaSegmentId: { value: ordered } }])
        expect((await ask('POST', '/v1/x/holds', { ...one, reason })).status).toBe(200);

      const toOther = { gkPersonId: { value: other } };
      const check = (segment: string) =>
        platform.post('/v1/audios/spoofing', {
          ...{ context: desk, gkMediaSegmentId: { value: segment }, ...toOther },
          syntheticSpeechDetectionParameters: {},
        });
      const refused = [
        await patchSession(past, claim(other)),
        await patchSession(running, claim(other)),
        await patch(recorded, toOther),
        await patch(marked, toOther),
        await patch(ordered, toOther),
        await patch(ordered, { ...toOther, legalHold: false }),
        await check(recorded),
      ];
      for (const { status, body } of refused) {
        expect(status, JSON.stringify(body)).toBe(403);
        expect(JSON.stringify(body)).toContain('"EVIDENCE_HOLD"');
      }
      await erase(other);
      const context = platform.query(desk);
      for (const segment of [recorded, marked, ordered]) {
        const { body } = await platform.server.rest('GET', `/v1/mediasegments/${segment}?${context}`);
        expect(body.details, segment).toMatchObject({ legalHold: true });
      }
      // Everything else of such a session and recording can be changed.
      expect((await patchSession(past, { ani: '+15550100', ...claim(held) })).status).toBe(200);
      expect((await patch(recorded, { customData: { note: 'x' } })).status).toBe(200);
      for (const { gkHoldId } of await holdsOf(held))
        await ask('POST', `/v1/x/holds/${gkHoldId.value}/lift`, { reason: 'closed' });
      const next = await platform.createOwner(desk, 'person', 'next');
      const toNext = { gkPersonId: { value: next } };
      expect((await patchSession(past, claim(next))).status).toBe(200);
      expect((await patch(ordered, toNext)).status).toBe(200);
      expect((await patch(marked, { ...toNext, legalHold: false })).status).toBe(200);

      const query = `context.gkScopeId.value=${platform.gkScopeId}&changesOnly=true&pageSize=200`;
      const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
      const changes: any[] = body.records.map((record: any) => JSON.parse(record.recordAsJson));
      const sameSession = ({ context: of }: any) => of.gkSessionId === past.gkSessionId?.value;
      expect(
        changes.filter(sameSession).find(({ operation }) => operation === 'UpdateSession'),
      ).toMatchObject({
        subjectIds: [held, next],
        detail: { changed: ['claimedGkPersonId'] },
      });
      expect(
        changes.find(({ subjectIds }) => subjectIds.includes(ordered) && subjectIds.includes(held)),
      ).toMatchObject({
        subjectIds: [ordered, held, next],
        detail: { changed: ['gkPersonId'] },
      });
    });

    it('on one recording ends by itself, and the mark of the contract does not lift it', async () => {
      const context = await platform.open();
      const segment = await platform.upload(context, utterance('emil', 1));
      const placed = await platform.server.grpc(Privacy).placeHold({
        context: scope(),
        held: { case: 'gkMediaSegmentId', value: { value: segment } },
        reason: 'Order of a court',
        endTime: { seconds: BigInt(Math.floor(Date.now() / 1000) + 60), nanos: 0 },
      } as never);
      expect(placed.hold).toMatchObject({ reason: 'Order of a court' });
      const unmark = () =>
        platform.server.rest('PATCH', `/v1/mediasegments/${segment}`, {
          body: { context, details: { legalHold: false }, fieldMask: 'legalHold' },
        });
      const details = async () =>
        (await platform.server.rest('GET', `/v1/mediasegments/${segment}?${platform.query(context)}`)).body
          .details;
      expect((await unmark()).status).toBe(403);
      expect((await details()).legalHold).toBe(true);

      const databaseUrl = String(settings['database'] ?? '');
      const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
      onTestFinished(() => storage.close());
      const tomorrow = { now: () => Date.now() + 86_400_000 };
      const biometrics = createBiometricsStore(storage.database, storage.keyring, storage.audit);
      expect(
        await endHolds({
          store: biometrics,
          clock: { ...systemClock, ...tomorrow },
          jobs: { wake: () => {} },
        }),
      ).toBe(1);
      expect((await details()).legalHold).toBeFalsy();
    });

    it('is refused while nodes of 0.2.0, which know none, work beside this one', async ({ skip }) => {
      const databaseUrl = String(settings['database'] ?? '');
      // Nobody else can be there.
      if (!databaseUrl.startsWith('postgres')) skip();
      const owner = await platform.createOwner(await platform.open(), 'person', 'upgrading');
      const place = () => ask('POST', '/v1/x/holds', { gkPersonId: { value: owner }, reason: 'why' });
      const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
      onTestFinished(() => storage.close());
      const note = JSON.stringify({ address: '', speaks: 'its model', beat: 1 });
      await nodeNotes(storage.database).write('of 0.2.0', note);
      const refused = await place();
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        503,
        expect.stringContaining('UPGRADE_IN_PROGRESS'),
      ]);
      expect(await holdsOf(owner)).toEqual([]);
      await nodeNotes(storage.database).remove('of 0.2.0', note);
      expect((await place()).status).toBe(200);
    });

    it('wants a reason, a future end, and one thing to hold', async () => {
      const owner = await platform.createOwner(await platform.open(), 'person', 'unreasoned');
      const fields = async (body: object): Promise<string> => {
        const answer = await ask('POST', '/v1/x/holds', body);
        expect(answer.status).toBe(400);
        return JSON.stringify(answer.body);
      };
      const gkPersonId = { value: owner };
      expect(await fields({ gkPersonId, reason: ' ' })).toContain('reason');
      expect(await fields({ reason: 'why' })).toContain('gk_person_id');
      expect(await fields({ gkPersonId, reason: 'why', endTime: '2020-01-01T00:00:00Z' })).toContain(
        'end_time',
      );
      expect((await ask('POST', '/v1/x/holds', { gkPersonId, reason: 'why' }, 'analyst')).status).toBe(403);
    });
  });

  it('certifies no erasure that did not happen', async () => {
    const owner = await platform.createOwner(await platform.open(), 'person', 'still-here');
    expect((await get(`/v1/x/persons/${owner}/erasure/certificate`)).status).toBe(404);
  });
});
