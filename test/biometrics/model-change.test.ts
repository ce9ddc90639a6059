// @module-tag slow
// Another speaker model, or another calibration: every operation tells the same story about a print made before, and Train
// makes it whole again from the stored recordings; so does the server by itself. Over both transports, on both databases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { examine } from '../../src/compose/doctor/doctor.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock } from '../../src/platform.js';
import type { VoiceEngine } from '../../src/voice/engine.js';
import { resample } from '../../src/voice/resample.js';
import { sharedEngine } from '../support/engine.js';
import { wavFile } from '../support/sounds.js';
import { voiceSamples } from '../support/voice-samples.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Outcome, Transport } from './calls.js';
import type { Json } from './requests.js';
import { databaseOf } from './state.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const ask = asker(VoiceprintsProcessor);

/** The bundled model under another name: its voices mean the same, but nothing may be compared across. */
function renamed(engine: VoiceEngine, revision: string): VoiceEngine {
  const under = <T extends object>(sample: T): T => ({ ...sample, modelRevision: revision });
  return {
    ...engine,
    model: { ...engine.model, revision },
    processAudio: async (input, options, signal, atCheckpoint) => {
      const result = await engine.processAudio(
        input,
        options,
        signal,
        atCheckpoint && ((reached) => atCheckpoint({ ...reached, voice: under(reached.voice) })),
      );
      return {
        ...result,
        ...(result.voice && { voice: under(result.voice) }),
        checkpoints: result.checkpoints.map(under),
      };
    },
  };
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-models-'));
  let config: Record<string, unknown>;
  let platform: Platform;
  let context: RequestContext;
  let watchlist: { value: string };
  const prints: Record<string, string> = {};

  const call = (transport: Transport, name: string, request: Json) =>
    ask(platform, transport, name, request, context);
  const print = (name: string) => ({ gk_voiceprint_profile_id: id(prints[name] ?? '') });
  const speech = async (voice: 'anna' | 'carl') => ({
    gk_media_segment_id: id(await platform.upload(context, utterance(voice, 4))),
  });
  const consistency = async (transport: Transport) => {
    const { body } = await call(transport, 'CheckWatchlistConsistency', {
      watchlist: { unique_id: watchlist },
    });
    const listed = await call(transport, 'CheckWatchlistConsistency', {
      gk_voiceprint_profile_ids: {
        unique_ids: ['carl', 'dora', 'beginner'].map((name) => id(prints[name] ?? '')),
      },
    });
    const { status: _status, ...counts } = body;
    const { status: _other, ...listedCounts } = listed.body;
    expect(listedCounts).toEqual(counts);
    return {
      compatible: body['totalNumberOfCompatiblePrints'],
      incompatible: body['totalNumberOfIncompatiblePrints'],
      untrained: ((body['status'] as Json)['diagnosticDetails'] as Json[] | undefined)?.[0],
      named: ((body['incompatiblePrints'] ?? []) as Json[]).map((one) => [
        ((one['voiceprintDetails'] as Json)['gkVoiceprintProfileId'] as Json)['value'],
        (one['incompatibleCalibrationModel'] as Json | undefined)?.['calibrationModelId'],
      ]),
      required: (body['requiredCalibrationModel'] as Json)['calibrationModelId'],
    };
  };
  const oneUntrained = { code: 'PRINTS_NOT_TRAINED', extras: { prints: '1' } };

  const status = async (transport: Transport, name: string) => {
    const { result, isTrained } = (await call(transport, 'GetEnrollStatus', print(name))).body;
    return [result, isTrained];
  };

  beforeAll(async () => {
    config = { home, ...(await store.settings()) };
    platform = await Platform.start({ config });
    for (const name of ['anna', 'anna-too', 'anna-lost'])
      prints[name] = (await platform.printOf('anna', 'person', name)).profile;
    context = await platform.open();
    watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'known' })).body.gkWatchlistId;
    const owners = [];
    for (const voice of ['carl', 'dora'] as const) {
      const { profile, owner } = await platform.printOf(voice, 'fraudster');
      prints[voice] = profile;
      owners.push(owner);
    }
    owners.push(await platform.createOwner(context, 'fraudster', 'beginner'));
    prints['beginner'] = await platform.createProfile(context, 'fraudster', 'beginner');
    for (const owner of owners)
      await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, {
        context,
        gkFraudsterId: id(owner),
      });
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(home, { recursive: true, force: true });
  });

  describe('another calibration of the same model', () => {
    let revision: string;
    const turn = (how: 'activate' | 'deactivate' | 'validate') =>
      platform.server.rest('PUT', `/v1/calibrations/revisions/${revision}:${how}`, { body: { context } });

    it.each(transports)(
      'CheckWatchlistConsistency judges by the one required, over %s',
      async (transport) => {
        expect(await consistency(transport)).toMatchObject({
          compatible: 2,
          incompatible: 0,
          untrained: oneUntrained,
          required: 'factory',
        });
        const made = await platform.post('/v1/calibrations', {
          context,
          calibrationModelId: `ours-${transport}`,
          type: 'CALIBRATION_MODEL_TYPE_VOICEPRINTS',
        });
        revision = made.body.gkCalibrationModelRevisionId.value;
        const thresholds = [
          { far: 0.01, llr: 1 },
          { far: 0.001, llr: 3 },
          { far: 0.0001, llr: 5 },
        ];
        await fetch(made.body.calibrationModelUploadUrl, {
          method: 'PUT',
          body: JSON.stringify({ thresholds }),
        });
        await turn('validate');
        expect((await turn('activate')).status).toBe(200);
        const stale = ['carl', 'dora'].map((voice) => [prints[voice], 'factory']).sort();
        expect(await consistency(transport)).toMatchObject({
          compatible: 0,
          incompatible: 2,
          named: stale,
          untrained: oneUntrained,
          required: `ours-${transport}`,
        });
        // Such a print keeps working meanwhile; training brings it up to date.
        const hit = await call(transport, 'DetectKnownFraudsters', {
          ...(await speech('carl')),
          watchlist: { unique_id: watchlist },
        });
        expect(resultOf(hit)).toMatchObject({ decision: 'DECISION_FRAUD', numberOfPrints: 2 });
        await call(transport, 'Train', print('carl'));
        expect(await consistency(transport)).toMatchObject({ compatible: 1, incompatible: 1 });
        await turn('deactivate');
        expect(await consistency(transport)).toMatchObject({
          compatible: 1,
          named: [[prints['carl'], `ours-${transport}`]],
        });
        await call(transport, 'Train', print('carl'));
      },
    );
  });

  describe('another speaker model', () => {
    beforeAll(async () => {
      const database = databaseOf(config);
      // Of one print nothing is left but what the old model measured.
      const segments = await database.db
        .selectFrom('enrollment_segments')
        .select('gk_media_segment_id')
        .where('gk_voiceprint_profile_id', '=', prints['anna-lost'] ?? '')
        .execute();
      for (const { gk_media_segment_id } of segments) {
        const row = await database.db
          .selectFrom('media_segments')
          .select('document')
          .where('gk_media_segment_id', '=', gk_media_segment_id)
          .executeTakeFirstOrThrow();
        const { blob: _gone, ...document } = JSON.parse(row.document) as Json;
        await database.db
          .updateTable('media_segments')
          .set({ document: JSON.stringify(document) })
          .where('gk_media_segment_id', '=', gk_media_segment_id)
          .execute();
      }
      await database.close();
      await platform.stop();
      platform = await Platform.restarted(platform, {
        config: { ...config, 'engine.renewPrints': false },
        overrides: { engine: renamed(await sharedEngine(), 'next-r9') },
      });
      context = await platform.open();
    });

    it.each([
      ['gRPC', 'anna'],
      ['REST', 'anna-too'],
    ] as const)('over %s Train makes a print whole from its recordings', async (transport, name) => {
      expect(await status(transport, name)).toEqual(['ENROLL_STATUS_TRAIN_POSSIBLE', false]);
      const refused = await call(transport, 'Verify', { ...print(name), ...(await speech('anna')) });
      expect(refused).toMatchObject({ code: 'INVALID_REQUEST', fields: ['gk_voiceprint_profile_id'] });
      expect(JSON.stringify(refused.body)).toContain('CALIBRATION_INCOMPATIBLE');
      expect(resultOf(await call(transport, 'Train', print(name)))).toMatchObject({
        trainStatus: 'TRAIN_STATUS_TRAINED',
        totalValidSegments: 3,
        voiceprintDetails: { printVersion: 2 },
      });
      expect(await status(transport, name)).toEqual(['ENROLL_STATUS_TRAIN_POSSIBLE', true]);
      const verified = await call(transport, 'Verify', { ...print(name), ...(await speech('anna')) });
      expect(resultOf(verified)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
    });

    it.each(transports)('over %s a copy of what the old model heard counts once', async (transport) => {
      const samples = await voiceSamples('anna', 2);
      const copy = wavFile([resample(samples.subarray(5000), 16_000, 8000)], 8000);
      const { gkProcessedAudioId } = await platform.process(context, copy);
      const enrolled = await call(transport, 'Enroll', {
        ...print('anna-lost'),
        gk_processed_audio_id: gkProcessedAudioId,
      });
      expect(resultOf(enrolled)).toMatchObject({
        enrolled: false,
        reason: 'ENROLL_REASON_ALREADY_ADDED',
      });
    });

    it.each(transports)('over %s a print without recordings is not ready, and says so', async (transport) => {
      expect(await status(transport, 'anna-lost')).toEqual(['ENROLL_STATUS_TRAIN_NOT_POSSIBLE', false]);
      expect(resultOf(await call(transport, 'Train', print('anna-lost')))).toMatchObject({
        trainStatus: 'TRAIN_STATUS_FAILED',
        reason: 'TRAIN_REASON_NOT_READY_TO_TRAIN',
        totalSegments: 3,
        totalValidSegments: 0,
      });
    });

    it('a watchlist is whole again once its prints are trained', async () => {
      expect(await consistency('gRPC')).toMatchObject({
        compatible: 0,
        incompatible: 2,
        untrained: oneUntrained,
      });
      for (const voice of ['carl', 'dora']) await call('REST', 'Train', print(voice));
      expect(await consistency('REST')).toMatchObject({ compatible: 2, incompatible: 0, named: [] });
      const hit = await call('gRPC', 'DetectKnownFraudsters', {
        ...(await speech('carl')),
        watchlist: { unique_id: watchlist },
      });
      expect(resultOf(hit)).toMatchObject({ decision: 'DECISION_FRAUD', numberOfPrints: 2 });
    });
  });

  describe('a speaker model that the server has just been given', () => {
    beforeAll(async () => {
      await platform.stop();
      platform = await Platform.restarted(platform, {
        config,
        overrides: { engine: renamed(await sharedEngine(), 'next-r10') },
      });
      context = await platform.open();
    });
    const outdated = async () => {
      const { body } = await platform.server.rest('GET', '/metrics');
      return Number(/^voxgate_prints_outdated (\d+)/m.exec(String(body))?.[1]);
    };

    /** What a node cannot compare with is refused for now, and the other one serves it; `now` has the model of the prints. */
    async function eachLeavesToTheOther(now: Platform, next: Platform) {
      const there = await next.open();
      const heard = async (voice: 'anna' | 'carl') => ({
        gk_media_segment_id: id(await next.upload(there, utterance(voice, 4))),
      });
      const known = { watchlist: { unique_id: watchlist } };
      const expectLeft = ({ code, body }: Outcome, from: string, to: string) => {
        expect(code).toBe('BUSY');
        expect(body['status']).toMatchObject({
          statusMessage: { message: expect.stringContaining('being upgraded') },
          retryInfo: { retryDelayMs: 1000 },
          diagnosticDetails: [{ code: 'UPGRADE_IN_PROGRESS', extras: { print_model: to, node_model: from } }],
        });
      };
      for (const transport of transports) {
        for (const [name, request] of [
          ['Verify', { ...print('anna'), ...(await heard('anna')) }],
          ['DetectKnownFraudsters', { ...known, ...(await heard('carl')) }],
        ] as const)
          expectLeft(await ask(next, transport, name, request, there), 'next-r11', 'next-r10');
      }
      const hit = await ask(
        now,
        'REST',
        'DetectKnownFraudsters',
        { ...known, ...(await heard('carl')) },
        there,
      );
      expect(resultOf(hit)).toMatchObject({ decision: 'DECISION_FRAUD', numberOfPrints: 2 });
      // Over REST a balancer sees it by the status.
      const { status, headers } = await next.server.rest(
        'POST',
        `/v1/voiceprints/${prints['anna']}/verification`,
        {
          body: { context: there, gkMediaSegmentId: (await heard('anna')).gk_media_segment_id },
        },
      );
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);

      // A print that is made meanwhile has the new model, and the nodes of the old one leave it to the new ones.
      expect(resultOf(await ask(next, 'gRPC', 'Train', print('anna-too'), there))).toMatchObject({
        trainStatus: 'TRAIN_STATUS_TRAINED',
      });
      const verify = { ...print('anna-too'), ...(await heard('anna')) };
      expectLeft(await ask(now, 'gRPC', 'Verify', verify, there), 'next-r10', 'next-r11');
      expect(resultOf(await ask(next, 'REST', 'Verify', verify, there))).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
      });
      // One that no node can compare with is refused for good.
      const lost = await ask(
        next,
        'REST',
        'Verify',
        { ...print('anna-lost'), ...(await heard('anna')) },
        there,
      );
      expect(lost.code).toBe('INVALID_REQUEST');
    }

    it('makes the prints again by itself, fraudsters first, and keeps what it cannot make', async () => {
      // All but the one whose recordings are gone.
      await expect.poll(outdated, { interval: 100 }).toBe(1);
      for (const name of ['anna', 'anna-too']) expect((await status('REST', name))[1]).toBe(true);
      expect(await consistency('gRPC')).toMatchObject({ compatible: 2, incompatible: 0 });
      const verified = await call('REST', 'Verify', { ...print('anna'), ...(await speech('anna')) });
      expect(resultOf(verified)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
      const lost = await call('gRPC', 'Verify', { ...print('anna-lost'), ...(await speech('anna')) });
      expect(JSON.stringify(lost.body)).toContain('CALIBRATION_INCOMPATIBLE');

      const database = databaseOf(config);
      const rows = await database.db
        .selectFrom('audit_records')
        .select('subject_ids')
        .where('operation', '=', 'RemakeTemplate')
        .orderBy('seq')
        .execute();
      await database.close();
      const made = rows.map(({ subject_ids }) => subject_ids);
      expect(made.length).toBeGreaterThanOrEqual(4);
      const fraudsters = made.slice(0, 2).join();
      for (const name of ['carl', 'dora']) expect(fraudsters).toContain(prints[name]);
    });

    it.runIf(store.dialect === 'postgres')(
      'leaves the prints to nodes with another model, and makes them again when those are gone',
      async () => {
        const remade = async () => {
          const database = databaseOf(config);
          const { count } = await database.db
            .selectFrom('audit_records')
            .select((select) => select.fn.countAll<number>().as('count'))
            .where('operation', '=', 'RemakeTemplate')
            .executeTakeFirstOrThrow();
          await database.close();
          return Number(count);
        };
        const before = await remade();
        const told: unknown[] = [];
        const next = await Platform.restarted(platform, {
          config,
          overrides: {
            engine: renamed(await sharedEngine(), 'next-r11'),
            log: { ...silentLog, warn: (...line: unknown[]) => void told.push(line[1]) },
          },
        });
        await expect
          .poll(() => told, { interval: 50 })
          .toContainEqual(expect.stringContaining('stay as they are'));
        const verified = await call('REST', 'Verify', { ...print('anna'), ...(await speech('anna')) });
        expect(resultOf(verified)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
        expect(await remade()).toBe(before);
        await eachLeavesToTheOther(platform, next);
        await platform.stop();
        platform = next;
        context = await platform.open();
        await expect.poll(outdated, { interval: 100 }).toBe(1);
        const again = await call('gRPC', 'Verify', { ...print('anna'), ...(await speech('anna')) });
        expect(resultOf(again)).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
      },
    );

    it('is compared with the prints by the doctor, who names the setting that brings the old one back', async () => {
      const findings = await examine(configWith(config), systemClock, 'quick');
      const found = findings.find(({ name }) => name === 'prints');
      expect(found).toMatchObject({
        status: 'warning',
        found: expect.stringMatching(/^4 were made by next-r1[01] and cannot be compared by /),
        advice: expect.stringContaining('engine.speakerModel'),
      });
    });
  });
});
