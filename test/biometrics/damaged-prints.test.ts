// A stored print that cannot be read any more fails for itself, in words, and never takes the rest of a list, a watchlist or
// an enrollment with it; training makes it whole again. Over both transports, on both databases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import type { Database } from '../../src/storage/database.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Outcome, Transport } from './calls.js';
import type { Json } from './requests.js';
import { databaseOf } from './state.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const ask = asker(VoiceprintsProcessor);

/** The last byte belongs to the seal, so that nothing of the value opens. */
async function damage(database: Database, what: { print?: string; audio?: string }): Promise<void> {
  const flipped = (sealed: Uint8Array | null | undefined): Uint8Array => {
    const bytes = Uint8Array.from(sealed ?? []);
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 0xff;
    return bytes;
  };
  const { db } = database;
  if (what.print) {
    const query = db.selectFrom('voiceprint_profiles').select('template');
    const row = await query.where('gk_voiceprint_profile_id', '=', what.print).executeTakeFirst();
    await db
      .updateTable('voiceprint_profiles')
      .set({ template: flipped(row?.template) })
      .where('gk_voiceprint_profile_id', '=', what.print)
      .execute();
  }
  if (what.audio) {
    const query = db.selectFrom('processed_audios').select('model');
    const row = await query.where('gk_processed_audio_id', '=', what.audio).executeTakeFirst();
    await db
      .updateTable('processed_audios')
      .set({ model: flipped(row?.model) })
      .where('gk_processed_audio_id', '=', what.audio)
      .execute();
  }
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-damaged-'));
  let platform: Platform;
  let database: Database;
  let context: RequestContext;
  const prints: Record<string, string> = {};
  let watchlist: { value: string };

  beforeAll(async () => {
    const config = { home, ...(await store.settings()) };
    platform = await Platform.start({ config });
    database = databaseOf(config);
    context = await platform.open();
    watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'known' })).body.gkWatchlistId;
    for (const voice of ['anna', 'bruno'] as const) prints[voice] = (await platform.printOf(voice)).profile;
    for (const voice of ['carl', 'dora'] as const) {
      const { profile, owner } = await platform.printOf(voice, 'fraudster');
      prints[voice] = profile;
      await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, {
        context,
        gkFraudsterId: id(owner),
      });
    }
    for (const voice of ['anna', 'carl']) await damage(database, { print: prints[voice] ?? '' });
  });
  afterAll(async () => {
    await database.close();
    await platform.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const print = (voice: string) => id(prints[voice] ?? '');
  const list = (...voices: string[]) => ({ gk_voiceprint_profile_ids: { unique_ids: voices.map(print) } });
  const speech = async (voice: 'anna' | 'bruno' | 'dora') => ({
    gk_media_segment_id: id(await platform.upload(context, utterance(voice, 4))),
  });
  const call = (transport: Transport, name: string, request: Json) =>
    ask(platform, transport, name, request, context);
  const failed = { decision: 'DECISION_FAILED', reason: 'DECISION_REASON_INTERNAL_ERROR' };
  const namesDamage = ({ code, body }: Outcome, ...voices: string[]) => {
    expect(code).toBe('OK');
    // A member whose print is damaged is one that was not compared, too: another test has that.
    const details = (body['status'] as Json)['diagnosticDetails'] as { code: string }[];
    expect(details.filter((detail) => detail.code !== 'MEMBERS_NOT_COMPARED')).toEqual([
      {
        code: 'PRINT_DAMAGED',
        extras: {
          prints: String(voices.length),
          gk_voiceprint_profile_ids: voices.map((voice) => prints[voice]).join(','),
        },
      },
    ]);
  };

  it.each(transports)('Verify fails for the print itself over %s', async (transport) => {
    const answer = await call(transport, 'Verify', {
      gk_voiceprint_profile_id: print('anna'),
      ...(await speech('anna')),
    });
    expect(resultOf(answer)).toMatchObject(failed);
    namesDamage(answer, 'anna');
  });

  it.each(transports)('a list is decided by the prints that can be read, over %s', async (transport) => {
    const found = await call(transport, 'Identify', { ...(await speech('bruno')), ...list('anna', 'bruno') });
    expect(resultOf(found)).toMatchObject({
      decision: 'DECISION_AUTHENTIC',
      voiceprintDetails: { gkVoiceprintProfileId: print('bruno') },
      voiceprintResults: [{ gkVoiceprintProfileId: print('bruno') }],
    });
    namesDamage(found, 'anna');
    const alone = await call(transport, 'Identify', { ...(await speech('anna')), ...list('anna') });
    expect(resultOf(alone)).toMatchObject(failed);
  });

  it.each(transports)('a watchlist too, and it counts what was compared, over %s', async (transport) => {
    const hit = await call(transport, 'DetectKnownFraudsters', {
      ...(await speech('dora')),
      watchlist: { unique_id: watchlist },
    });
    expect(resultOf(hit)).toMatchObject({ decision: 'DECISION_FRAUD', numberOfPrints: 1 });
    namesDamage(hit, 'carl');
    const all = await call(transport, 'AnalyzeAudio', {
      ...(await speech('bruno')),
      ...list('anna', 'bruno', 'carl', 'dora'),
    });
    expect(resultOf(all)).toMatchObject({
      decision: 'DECISION_AUTHENTIC',
      authenticationResult: { numberOfPersonsPrints: 1 },
      fraudDetectionResult: { numberOfFraudstersPrints: 1, decision: 'DECISION_NO_RISK_DETECTED' },
    });
    namesDamage(all, 'anna', 'carl');
  });

  it.each(transports)('the consistency check counts it as incompatible over %s', async (transport) => {
    for (const target of [{ watchlist: { unique_id: watchlist } }, list('carl', 'dora')]) {
      const answer = await call(transport, 'CheckWatchlistConsistency', target);
      namesDamage(answer, 'carl');
      expect(answer.body).toMatchObject({
        totalNumberOfCompatiblePrints: 1,
        totalNumberOfIncompatiblePrints: 1,
        incompatiblePrints: [{ voiceprintDetails: { gkVoiceprintProfileId: print('carl') } }],
      });
    }
  });

  it('is not usable until it is trained again, and a lock changes nothing of that', async () => {
    const trained = async () =>
      (await call('REST', 'GetEnrollStatus', { gk_voiceprint_profile_id: print('anna') })).body['isTrained'];
    const lock = `/v1/voiceprints/profiles/${prints['anna']}/attributes/lock`;
    await platform.server.rest('PUT', lock, { body: { context, reason: 'a look at it' } });
    await platform.server.rest('DELETE', `${lock}?${platform.query(context)}`);
    expect(await trained()).toBe(false);
    const verify = async () =>
      resultOf(
        await call('gRPC', 'Verify', {
          gk_voiceprint_profile_id: print('anna'),
          ...(await speech('anna')),
        }),
      );
    expect(await verify()).toMatchObject(failed);
    expect(resultOf(await call('gRPC', 'Train', { gk_voiceprint_profile_id: print('anna') }))).toMatchObject({
      trainStatus: 'TRAIN_STATUS_TRAINED',
      voiceprintDetails: { printVersion: 2 },
    });
    expect(await trained()).toBe(true);
    expect(await verify()).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
  });

  it.each(transports)('a print with an unreadable lock fails for itself too, over %s', async (transport) => {
    const column = (lock: string) =>
      database.db
        .updateTable('voiceprint_profiles')
        .set({ lock })
        .where('gk_voiceprint_profile_id', '=', prints['dora'] ?? '')
        .execute();
    const query = database.db.selectFrom('voiceprint_profiles').select('lock');
    const before = await query
      .where('gk_voiceprint_profile_id', '=', prints['dora'] ?? '')
      .executeTakeFirstOrThrow();
    await column('{bad');
    const all = await call(transport, 'AnalyzeAudio', {
      ...(await speech('bruno')),
      ...list('bruno', 'dora'),
    });
    expect(resultOf(all)).toMatchObject({ authenticationResult: { decision: 'DECISION_AUTHENTIC' } });
    namesDamage(all, 'dora');
    const alone = await call(transport, 'DetectKnownFraudsters', {
      ...(await speech('dora')),
      ...list('dora'),
    });
    expect(resultOf(alone)).toMatchObject(failed);
    await column(before.lock);
  });

  it('damaged processed audio is processed again, and enrolls nothing', async () => {
    const { gkProcessedAudioId } = await platform.process(context, utterance('bruno', 4));
    await damage(database, { audio: gkProcessedAudioId.value });
    const enrolled = await call('gRPC', 'Enroll', {
      gk_voiceprint_profile_id: print('bruno'),
      gk_processed_audio_id: gkProcessedAudioId,
    });
    expect(resultOf(enrolled)).toMatchObject({ enrolled: false, reason: 'ENROLL_REASON_MISSING_MODEL' });
    const verified = await call('gRPC', 'Verify', {
      gk_voiceprint_profile_id: print('bruno'),
      gk_processed_audio_id: gkProcessedAudioId,
    });
    expect(resultOf(verified)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
    expect(resultOf(verified)['gkProcessedAudioId']).not.toEqual(gkProcessedAudioId);
  });
});
