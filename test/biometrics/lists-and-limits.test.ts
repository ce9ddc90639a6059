// How long a list may be, and whose limits an enrollment follows. Over both transports, on both databases.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EntitiesManager } from '../../src/gen/vendor/biosec/v1/entities/entities_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Transport } from './calls.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const LIST_MAX = 10_000;
const ask = asker(VoiceprintsProcessor);
const askEntities = asker(EntitiesManager);

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  let anna: { profile: string; owner: string };
  let carl: { profile: string; owner: string };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('full-at-three', { enrollment: { segmentsOptimal: 3, segmentsMax: 3 } });
    await platform.configure('one-is-enough', {
      enrollment: { segmentsMin: 1, segmentsOptimal: 1, netSpeechSecondsMin: 1, netSpeechSecondsOptimal: 1 },
    });
    anna = await platform.printOf('anna');
    carl = await platform.printOf('carl', 'fraudster');
    context = await platform.open();
  });
  afterAll(() => platform.stop());

  describe.each(transports)('a list over %s', (transport) => {
    const operations = ['Identify', 'DetectKnownFraudsters', 'AnalyzeAudio', 'CheckWatchlistConsistency'];
    it.each(operations)('%s takes 10,000 prints, after removing duplicates', async (operation) => {
      const known = operation === 'Identify' || operation === 'AnalyzeAudio' ? anna.profile : carl.profile;
      const audio =
        operation === 'CheckWatchlistConsistency'
          ? {}
          : { gk_media_segment_id: id(await platform.upload(context, utterance('anna', 4))) };
      const asked = (ids: string[]) =>
        ask(
          platform,
          transport,
          operation,
          { ...audio, gk_voiceprint_profile_ids: { unique_ids: ids.map(id) } },
          context,
        );
      const repeated = await asked(Array.from({ length: LIST_MAX + 1 }, () => known));
      expect(repeated.code).toBe('OK');
      const strangers = Array.from({ length: LIST_MAX + 1 }, () => randomUUID());
      expect(await asked(strangers)).toMatchObject({
        code: 'TOO_LARGE',
        fields: ['gk_voiceprint_profile_ids.unique_ids'],
        violations: ['TOO_LONG'],
      });
      // One less, and the list is looked up: these prints do not exist.
      const short = await asked([...strangers.slice(2), known, known]);
      expect(short.code).toBe('NOT_FOUND');
    });

    it.each(operations)('%s names the entries without an ID', async (operation) => {
      const list = { gk_voiceprint_profile_ids: { unique_ids: [id(anna.profile), id(''), id(' ')] } };
      const answer = await ask(platform, transport, operation, list, context);
      const audio = ['gk_media_segment_id', 'gk_processed_audio_id'];
      expect(answer).toMatchObject({ code: 'INVALID_REQUEST' });
      expect([...answer.fields].sort()).toEqual(
        [
          'gk_voiceprint_profile_ids.unique_ids[1]',
          'gk_voiceprint_profile_ids.unique_ids[2]',
          ...(operation === 'CheckWatchlistConsistency' ? [] : audio),
        ].sort(),
      );
    });

    it('members are removed by the same rule', async () => {
      const group = (await platform.post('/v1/groups', { context, groupId: `many-${transport}` })).body
        .gkGroupId;
      await platform.post(`/v1/groups/${group.value}/persons`, { context, gkPersonId: id(anna.owner) });
      const remove = (ids: string[]) =>
        askEntities(
          platform,
          transport,
          'RemovePersonsFromGroup',
          { gk_group_id: group, gk_person_ids: ids.map(id) },
          context,
        );
      const strangers = Array.from({ length: LIST_MAX + 1 }, () => randomUUID());
      expect((await remove(strangers)).code).toBe('TOO_LARGE');
      expect((await remove([...strangers.slice(2), anna.owner, anna.owner])).code).toBe('OK');
      const { body } = await askEntities(
        platform,
        transport,
        'ListGroupPersons',
        { gk_group_id: group },
        context,
      );
      expect(body['gkPersonId'] ?? []).toEqual([]);
    });
  });

  describe.each(transports)('the limits of an enrollment over %s', (transport) => {
    const status = async (profile: string, own: RequestContext) => {
      const request = { gk_voiceprint_profile_id: id(profile) };
      return (await ask(platform, transport, 'GetEnrollStatus', request, own)).body['result'];
    };
    const enroll = (profile: string, own: RequestContext, audio: object) =>
      ask(
        platform,
        transport,
        'Enroll',
        { gk_voiceprint_profile_id: id(profile), gk_processed_audio_id: audio },
        own,
      );
    const sets = ['calls', 'full-at-three', 'one-is-enough'];

    it('are those of the set of its first segment, whichever a call names', async () => {
      const profile = await platform.createProfile(context, 'person', `made-${transport}`);
      const first = await platform.open('full-at-three');
      for (const index of [1, 2]) await platform.enroll(first, profile, utterance('bruno', index));
      await platform.enroll(context, profile, utterance('bruno', 3));
      const fourth = await platform.process(context, utterance('bruno', 4));
      for (const name of sets) {
        const own = await platform.open(name);
        expect(await status(profile, own), name).toBe('ENROLL_STATUS_FULL');
        expect(resultOf(await enroll(profile, own, fourth.gkProcessedAudioId)), name).toMatchObject({
          enrolled: false,
          enrollStatus: 'ENROLL_STATUS_FULL',
        });
      }
    });

    it('hold for Train too', async () => {
      const lax = await platform.open('one-is-enough');
      const profile = await platform.createProfile(context, 'person', `first-${transport}`);
      const first = await platform.process(context, utterance('bruno', 1));
      expect(resultOf(await enroll(profile, lax, first.gkProcessedAudioId))).toMatchObject({
        enrollStatus: 'ENROLL_STATUS_TRAIN_SUGGESTED',
      });
      for (const name of sets)
        expect(await status(profile, await platform.open(name)), name).toBe('ENROLL_STATUS_TRAIN_SUGGESTED');
      const request = { gk_voiceprint_profile_id: id(profile) };
      const trained = await ask(platform, transport, 'Train', request, context);
      expect(resultOf(trained)).toMatchObject({
        trainStatus: 'TRAIN_STATUS_TRAINED',
        minSegmentsRequired: 1,
      });
    });
  });

  it('falls back to the set of the call when the own one is gone', async () => {
    await platform.configure('short-lived', { enrollment: { segmentsOptimal: 3, segmentsMax: 3 } });
    const made = await platform.open('short-lived');
    const profile = await platform.createProfile(made, 'person', 'outlives');
    for (const index of [1, 2, 3]) await platform.enroll(made, profile, utterance('bruno', index));
    const status = async (transport: Transport) => {
      const request = { gk_voiceprint_profile_id: id(profile) };
      return (await ask(platform, transport, 'GetEnrollStatus', request, context)).body['result'];
    };
    expect(await status('REST')).toBe('ENROLL_STATUS_FULL');
    await platform.server.rest('DELETE', `/v1/configsets/short-lived?${platform.query(context)}`);
    expect(await status('gRPC')).toBe('ENROLL_STATUS_TRAIN_POSSIBLE');
  });
});

describe('a node that holds one print of groups', () => {
  it('refuses a group of more prints than a node holds', async () => {
    const platform = await Platform.start({ config: { 'groups.printsMax': 1 } });
    try {
      const context = await platform.open();
      const group = (await platform.post('/v1/groups', { context, groupId: 'two' })).body.gkGroupId;
      const gkMediaSegmentId = id(await platform.upload(context, utterance('anna', 4)));
      const body = { context, gkMediaSegmentId, group: { uniqueId: group } };
      const identify = async (voice: 'anna' | 'bruno') => {
        const { owner } = await platform.printOf(voice);
        await platform.post(`/v1/groups/${group.value}/persons`, { context, gkPersonId: id(owner) });
        return (await platform.post('/v1/voiceprints/identification', body)).body;
      };
      expect((await identify('anna')).result).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
      expect((await identify('bruno')).status).toMatchObject({ statusCode: 'TOO_LARGE' });
    } finally {
      await platform.stop();
    }
  });
});
