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
import { openStorage } from '../../src/storage/open-storage.js';
import { testCaller } from '../support/server.js';
import { Platform, forEachStore, jobPatience, utterance } from './support.js';

const withRole = (role: 'data-protection' | 'fraud-analyst' | 'auditor') => ({
  ...testCaller,
  userId: 'u',
  scopes: ['platform-api'],
  rights: { everywhere: rolePermissions[role], byTenant: new Map<string, ReadonlySet<string>>() },
});

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
      const { status, body } = await ask('POST', `/v1/x/persons/${owner}/export`, {});
      expect(status, JSON.stringify(body)).toBe(200);
      const answer = await fetch(body.downloadUrl);
      expect(answer.headers.get('content-type')).toBe('application/zip');
      const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
      const read = (name: string): any => JSON.parse(Buffer.from(files[name] ?? []).toString());
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
        expect(Buffer.from(files[file] ?? []).toString('latin1', 0, 4)).toBe('OggS');
      }
      const operations = read('audit.json').map(({ operation }: any) => operation);
      expect(operations).toEqual(expect.arrayContaining(['CreatePerson', 'Verify', 'ExportPersonalData']));
    });

    it('leaves out the sound of a call in which somebody else was recognized too', async () => {
      const bruno = await platform.printOf('bruno');
      const carl = await platform.printOf('carl');
      const call = await platform.open();
      await platform.verify(call, bruno.profile, utterance('carl', 4));
      await platform.verify(call, carl.profile, utterance('carl', 5));
      const { body } = await ask('POST', `/v1/x/persons/${bruno.owner}/export`, {});
      const files = unzipSync(new Uint8Array(await (await fetch(body.downloadUrl)).arrayBuffer()));
      const recordings = JSON.parse(Buffer.from(files['recordings.json'] ?? []).toString());
      expect(recordings.filter(({ withheld }: any) => withheld === 'ALSO_ANOTHER_PERSON')).not.toHaveLength(
        0,
      );
      const sessions = Buffer.from(files['sessions.json'] ?? []).toString();
      expect(sessions).not.toContain(carl.profile);
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
      const claimed = await platform.server.rest('PATCH', '/v1/sessions/details', {
        body: {
          context: late,
          details: { claimedGkPersonId: { value: owner } },
          fieldMask: 'claimedGkPersonId',
        },
      });
      expect(claimed.status).toBe(200);
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
