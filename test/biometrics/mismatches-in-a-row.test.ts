// Mismatches count in a row: whatever finds a match ends the row, and what only looks at recordings of the past does not.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { id } from './asking.js';
import { Platform, utterance, type RequestContext, type VoiceName } from './support.js';

const MISMATCHES_MAX = 3;
let platform: Platform;
let context: RequestContext;
let group: { value: string };
let bruno: { profile: string; owner: string };

beforeAll(async () => {
  platform = await Platform.start({ parameters: { locks: { mismatchesMax: MISMATCHES_MAX } } });
  context = await platform.open();
  bruno = await platform.printOf('bruno');
  group = (await platform.post('/v1/groups', { context, groupId: 'staff' })).body.gkGroupId;
  await platform.post(`/v1/groups/${group.value}/persons`, { context, gkPersonId: id(bruno.owner) });
});
afterAll(() => platform.stop());

async function lock(): Promise<{ status?: string; mismatchCounter?: number }> {
  const query = platform.query(context, { 'gkVoiceprintProfileId.value': bruno.profile });
  const { body } = await platform.server.rest('GET', `/v1/voiceprints/profiles?${query}`);
  return body.details.lockInfo ?? {};
}
const counter = async (): Promise<number> => (await lock()).mismatchCounter ?? 0;

const verify = async (voice: VoiceName) =>
  (await platform.verify(context, bruno.profile, utterance(voice, 4))).body.result.decision;

async function ask(path: string, voice: VoiceName, body: object): Promise<string> {
  const gkMediaSegmentId = id(await platform.upload(context, utterance(voice, 5)));
  const answer = await platform.post(path, { context, gkMediaSegmentId, ...body });
  return answer.body.result.decision;
}
const prints = () => ({ gkVoiceprintProfileIds: { uniqueIds: [id(bruno.profile)] } });
const analyze = (voice: VoiceName, more: object = {}) =>
  ask('/v1/voiceprints/audio-analysis', voice, { ...prints(), ...more });

beforeEach(async () => {
  expect(await verify('bruno')).toBe('DECISION_AUTHENTIC');
  expect(await counter()).toBe(0);
});

it('a match by AnalyzeAudio ends the row, and no match does not lengthen it', async () => {
  expect([await verify('dora'), await verify('dora')]).toEqual(['DECISION_NO_MATCH', 'DECISION_NO_MATCH']);
  expect(await analyze('dora')).toBe('DECISION_NO_MATCH');
  expect(await counter()).toBe(2);
  expect(await analyze('bruno')).toBe('DECISION_AUTHENTIC');
  expect(await counter()).toBe(0);
  expect(await verify('dora')).toBe('DECISION_NO_MATCH');
  expect(await lock()).toMatchObject({ status: 'LOCK_STATUS_UNLOCKED', mismatchCounter: 1 });
});

it('so does being recognized in a group', async () => {
  await verify('dora');
  expect(await ask('/v1/voiceprints/identification', 'bruno', { group: { uniqueId: group } })).toBe(
    'DECISION_AUTHENTIC',
  );
  expect(await counter()).toBe(0);
});

it('a voice that matches and is a machine’s ends nothing', async () => {
  await verify('dora');
  // The voices of the tests are synthetic.
  expect(await analyze('bruno', { syntheticSpeechDetectionParameters: {} })).toBe('DECISION_FRAUD');
  expect(await counter()).toBe(1);
});
