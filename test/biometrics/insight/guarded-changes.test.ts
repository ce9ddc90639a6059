// Consent and locks, by two people at once: nobody undoes what they have not read. Over both transports, on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Directory } from '../../../src/gen/voxgate/biosec/v1/directory_pb.js';
import { asker, transports } from '../asking.js';
import type { Json } from '../requests.js';
import { Platform, forEachStore, type RequestContext } from '../support.js';

const directory = asker(Directory);
const NEVER = '1970-01-01T00:00:00Z';

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    context = await platform.open();
  });
  afterAll(() => platform?.stop());

  const ask = async (transport: (typeof transports)[number], method: string, request: Json) => {
    const { code, body } = await directory(platform, transport, method, request, context);
    const status = body['status'] as { diagnosticDetails?: { code: string }[] } | undefined;
    return status?.diagnosticDetails?.[0]?.code ?? code;
  };
  const details = async (path: string): Promise<Json> =>
    (await platform.server.rest('GET', `${path}${platform.query(context)}`)).body.details as Json;

  it.each(transports)('an opt-in does not undo an objection that was not read (%s)', async (transport) => {
    const gkId = await platform.createOwner(context, 'person', `consent ${transport}`);
    const consent = async () =>
      (await details(`/v1/persons/${gkId}?`))['consentInfo'] as { status: string; timestamp: string };
    const agree = (expectedTime?: string) =>
      ask(transport, 'RecordConsent', {
        gk_person_id: { value: gkId },
        text: 'all of it',
        ...(expectedTime && { expected_time: expectedTime }),
      });
    expect(await agree(NEVER)).toBe('OK');
    const { timestamp } = await consent();
    const body = { context, reason: 'not any more' };
    expect((await platform.server.rest('PUT', `/v1/persons/${gkId}/optout`, { body })).status).toBe(200);
    for (const read of [NEVER, timestamp]) expect(await agree(read)).toBe('CHANGED_MEANWHILE');
    expect((await consent()).status).toBe('CONSENT_STATUS_OPTED_OUT');
    expect(await agree((await consent()).timestamp)).toBe('OK');
    // Whoever does not say what they have read is not asked.
    expect(await agree()).toBe('OK');
  });

  it.each(transports)('nobody opens or replaces a lock that they have not seen (%s)', async (transport) => {
    await platform.createOwner(context, 'person', `lock ${transport}`);
    const profile = await platform.createProfile(context, 'person', `lock ${transport}`);
    const lockInfo = async () =>
      (await details(`/v1/voiceprints/profiles?gkVoiceprintProfileId.value=${profile}&`))['lockInfo'] as {
        status: string;
        reason: string;
      };
    const replace = (change: Json, expected?: Json) =>
      ask(transport, 'ReplaceLock', {
        gk_voiceprint_profile_id: { value: profile },
        ...change,
        ...(expected && { expected }),
      });
    const open = await lockInfo();
    expect(await replace({ isLocked: true, reason: 'stolen' }, open)).toBe('OK');
    const first = await lockInfo();
    expect(first).toMatchObject({ status: 'LOCK_STATUS_LOCKED', reason: 'stolen' });
    // Somebody else has another reason: at the same lock, which keeps its time.
    for (const seen of [undefined, open])
      expect(await replace({ isLocked: true, reason: 'again' }, seen)).toBe('CHANGED_MEANWHILE');
    expect(await replace({ isLocked: true, reason: 'second report' }, first)).toBe('OK');
    expect(await replace({ isLocked: false }, first)).toBe('CHANGED_MEANWHILE');
    expect(await lockInfo()).toMatchObject({ status: 'LOCK_STATUS_LOCKED', reason: 'second report' });
    expect(await replace({ isLocked: false }, await lockInfo())).toBe('OK');
    expect((await lockInfo()).status).toBe('LOCK_STATUS_UNLOCKED');
    expect(await replace({ isLocked: true, reason: 'x'.repeat(5000) })).toBe('INVALID_REQUEST');
  });

  it('names who was first', async () => {
    const gkId = await platform.createOwner(context, 'person', 'named');
    const path = `/v1/x/persons/${gkId}/consent`;
    const agree = () => platform.post(path, { context, text: 'all of it', expectedTime: NEVER });
    expect((await agree()).status).toBe(200);
    const { status, body } = await agree();
    expect([status, body.status.diagnosticDetails[0].code]).toEqual([409, 'CHANGED_MEANWHILE']);
    expect(body.status.fieldViolations[0].field).toMatch(/consent$/);
    expect(body.status.fieldViolations[0].message).toMatch(/^was changed in the meantime/);
  });
});
