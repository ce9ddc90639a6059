// The library against a real server with its own token service: voices, lists, events, live calls and refusals.
import { expect, it } from 'vitest';
import type { Voxgate } from '../../../src/client/index.js';
import { encodeWav } from '../../../src/voice/audio/encode-wav.js';
import { callSamples, linear16, pieces } from '../../live/support.js';
import { voices, type Kit } from '../kit.js';

const format = { encoding: 'LINEAR16', sampleRateHz: 8000 } as const;

/** A group with these persons in it. */
async function makeGroup(voxgate: Voxgate, groupId: string, persons: readonly string[]): Promise<void> {
  await voxgate.inSession(async ({ context }) => {
    const { gkGroupId } = await voxgate.call('CreateGroup', { context, groupId });
    for (const personId of persons) {
      const { gkPersonId } = await voxgate.call('GetGkPersonId', { context: voxgate.context, personId });
      await voxgate.call('AddPersonToGroup', { context, gkGroupId, gkPersonId });
    }
  });
}

export function librarySuite(kit: () => Kit): void {
  it('makes a print of recordings and tells its owner from others', async () => {
    const { voxgate } = kit();
    const told: number[] = [];
    const made = await voxgate.enroll('anna', voices('anna', 1, 2, 3), {
      consent: true,
      onRecording: (_done, index) => told.push(index),
    });
    expect(made).toMatchObject({ trained: true, trainReason: 'TRAIN_OK' });
    expect(made.recordings.map(({ reason }) => reason)).toEqual(['ENROLL_OK', 'ENROLL_OK', 'ENROLL_OK']);
    expect(told).toEqual([0, 1, 2]);
    const { gkPersonId } = await voxgate.call('GetGkPersonId', {
      context: voxgate.context,
      personId: 'anna',
    });
    const { details } = await voxgate.call('GetPersonDetails', { context: voxgate.context, gkPersonId });
    expect(details?.consentInfo?.status).toBe('CONSENT_STATUS_OPTED_IN');

    const [own, other] = [...voices('anna', 4), ...voices('bruno', 4)];
    const genuine = await voxgate.verify('anna', own as Uint8Array);
    expect(genuine).toMatchObject({
      decision: 'AUTHENTIC',
      reason: 'VOICEPRINT_MATCH',
      profileId: made.profileId,
    });
    expect(genuine.netSpeechSeconds).toBeGreaterThan(1);
    const impostor = await voxgate.verify('anna', new Blob([other as Uint8Array<ArrayBuffer>]));
    expect(impostor).toMatchObject({ decision: 'NO_MATCH', reason: 'VOICEPRINT_NO_MATCH' });
    expect(impostor.risk ?? 0).toBeGreaterThan(genuine.risk ?? 1000);
  });

  it('says of a recording that cannot be used why, and trains nothing', async () => {
    const silence = encodeWav(new Float32Array(16_000), 16_000);
    const made = await kit().voxgate.enroll('nobody', [silence]);
    expect(made).toMatchObject({ trained: false, status: 'TRAIN_NOT_POSSIBLE' });
    expect(made.recordings).toMatchObject([{ enrolled: false, validity: 'AUDIO_TOO_SOFT' }]);
  });

  it('finds whose voice it is, and the session says the same', async () => {
    const { voxgate } = kit();
    await voxgate.enroll('bruno', voices('bruno', 1, 2, 3));
    await makeGroup(voxgate, 'customers', ['anna', 'bruno']);
    const [call] = voices('bruno', 5);
    const session = await voxgate.session({ type: 'IVR' });
    const found = await session.identify('customers', call as Uint8Array, { wholeRecording: true });
    expect(found).toMatchObject({ decision: 'AUTHENTIC', gkSessionId: session.ids.gkSessionId });
    expect(found.profileId).toBe(await session.profileOf({ personId: 'bruno' }));
    expect(await session.decision()).toBe('AUTHENTIC');
    await session.stop();
  });

  it('looks for the voices of a watchlist', async () => {
    const { voxgate } = kit();
    await voxgate.enroll({ fraudsterId: 'carl' }, voices('carl', 1, 2, 3));
    await voxgate.inSession(async (session) => {
      const { context } = session;
      const { gkWatchlistId } = await voxgate.call('CreateWatchlist', { context, watchlistId: 'known' });
      const { gkFraudsterId } = await voxgate.call('GetGkFraudsterId', {
        context: voxgate.context,
        fraudsterId: 'carl',
      });
      await voxgate.call('AddFraudsterToWatchlist', { context, gkWatchlistId, gkFraudsterId });
    });
    const [fraud, honest] = [...voices('carl', 4), ...voices('anna', 5)];
    expect(await voxgate.checkWatchlist('known', fraud as Uint8Array)).toMatchObject({ decision: 'FRAUD' });
    expect(await voxgate.checkWatchlist('known', honest as Uint8Array)).toMatchObject({
      decision: 'NO_RISK_DETECTED',
    });
  });

  it('goes through lists page by page', async () => {
    const { voxgate } = kit();
    const { context } = voxgate;
    const found: string[] = [];
    for await (const { details } of voxgate.each('ListPersons', { context, pageSize: 1 }))
      found.push(details?.personId ?? '');
    expect(found.sort()).toEqual(['anna', 'bruno', 'nobody']);
    let pageCount = 0;
    for await (const page of voxgate.pages('ListPersons', { context, pageSize: 2 }))
      pageCount += page.persons ? 1 : 0;
    expect(pageCount).toBe(2);
  });

  it('tells events once, and goes on where it left off', async () => {
    const { voxgate } = kit();
    const types = ['voxgate.v1.CreatePerson'];
    const before = voxgate.events({ types });
    for await (const _event of before);
    await voxgate.inSession(({ context }) => voxgate.call('CreatePerson', { context, personId: 'later' }));
    const rest = voxgate.events({ types, cursor: before.cursor });
    const told: string[] = [];
    for await (const { type } of rest) told.push(type ?? '');
    expect(told).toEqual(types);
  });

  it('tells nothing older than asked for, not even by the cursor of a feed that found nothing', async () => {
    const { voxgate } = kit();
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const nothingYet = voxgate.events({ startTime: inAnHour });
    for await (const { type } of nothingYet) throw new Error(`told ${type ?? ''}`);
    await voxgate.inSession(({ context }) => voxgate.call('CreatePerson', { context, personId: 'newest' }));
    const types = ['voxgate.v1.CreatePerson'];
    const told: string[] = [];
    for await (const { type } of voxgate.events({ types, cursor: nothingYet.cursor })) told.push(type ?? '');
    expect(told).toEqual(types);
  });

  it('follows events until it is told to stop', async () => {
    const { voxgate } = kit();
    const types = ['voxgate.v1.CreateGroup'];
    const before = voxgate.events({ types });
    for await (const _event of before);
    const ended = new AbortController();
    const following = (async () => {
      const feed = { types, cursor: before.cursor, follow: true, pollMs: 10, signal: ended.signal };
      for await (const { data } of voxgate.events(feed)) return data?.operation;
      return undefined;
    })();
    await makeGroup(voxgate, 'followed', []);
    expect(await following).toBe('CreateGroup');
    ended.abort();
  });

  it('has a call listened to while it runs', async () => {
    const { voxgate } = kit();
    const audio = linear16(await callSamples('anna', [4, 5], 8000));
    const told: { state?: string; final?: boolean }[] = [];
    const person = { personId: 'anna' };
    for await (const event of voxgate.live(pieces(audio, 3200), { format, person })) told.push(event);
    expect(told.at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true });
    expect(told.slice(0, -1).every(({ final }) => !final)).toBe(true);
  });

  it('names what is wrong: who calls, which field, what is missing', async () => {
    const { voxgate } = kit();
    const stranger = kit().client({ clientSecret: 'wrong' });
    await expect(stranger.verify('anna', new Uint8Array(4))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'invalid_client',
    });
    await expect(voxgate.verify('unheard-of', new Uint8Array(4))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'unheard-of has no voiceprint with the tag main',
    });
    await expect(voxgate.verify('anna', new Uint8Array(0))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expect(voxgate.call('GetPersonDetails', {})).rejects.toMatchObject({
      code: expect.stringMatching(/REQUEST|NOT_FOUND/) as string,
    });
    await expect(voxgate.call('ListPersons', {})).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      fields: [{ field: 'context.gkScopeId', violation: 'MANDATORY_FIELD_MISSING' }],
    });
  });
}
