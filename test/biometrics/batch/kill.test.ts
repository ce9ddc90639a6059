// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// kill -9 in the middle of a batch, again and again: it goes on by itself, each line has exactly one result in the end, and nobody was
// made, enrolled or told of twice. The call that started it is sent again after the first blow, and starts nothing more.
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { verifyChain } from '../../../src/audit/verify-chain.js';
import { systemClock } from '../../../src/platform.js';
import { openStorage } from '../../../src/storage/open-storage.js';
import { builtProgram } from '../../support/built-program.js';
import { Client, serve } from '../../support/served-program.js';
import { temporaryFolder } from '../../support/storage.js';
import { fixturePath, type VoiceName } from '../support.js';

const voices: readonly VoiceName[] = ['anna', 'bruno', 'carl', 'dora', 'emil', 'fritz'];
const PERSONS = 18;
/** Lines that are refused at once, between those that take their time. */
const REFUSED = 482;
const LINES = PERSONS + REFUSED;
const MANIFEST = [
  'speaker_id,consent,file',
  ...Array.from({ length: LINES }, (_, line) => {
    const isPerson = Math.floor(((line + 1) * PERSONS) / LINES) > Math.floor((line * PERSONS) / LINES);
    const voice = voices[line % voices.length];
    return `person-${line},${isPerson ? 'yes' : 'no'},${voice}/1.opus`;
  }),
].join('\n');
/** One recording makes a print, so that there are many. */
const parameters = { enrollment: { segmentsMin: 1, netSpeechSecondsMin: 1 } };
/** Persons that are enrolled when the blow falls. */
const blows = [1, 8];

beforeAll(builtProgram, 120_000);

it('does each line once', { timeout: 600_000 }, async () => {
  const home = temporaryFolder();
  const folder = temporaryFolder();
  for (const voice of voices)
    cpSync(dirname(fixturePath(voice, 1)), join(folder, voice), { recursive: true });
  const settings = { VOXGATE_ENGINE_WORKERS: '2', VOXGATE_BATCH_FOLDER: folder };
  let secret = '';
  const start = async () => {
    const server = await serve(home, settings);
    onTestFinished(() => void server.process.kill('SIGKILL'));
    secret = server.bootstrap.application.client_secret ?? secret;
    return { server, api: await Client.of(server, secret) };
  };
  const startBatch = async (api: Client): Promise<string> => {
    const { gkScopeId } = api.context;
    const request = { context: { gkScopeId, configsetId: 'short' }, tag: 'calls', manifest: MANIFEST };
    const answer = await api.post('/v1/batches:enroll', request, { 'idempotency-key': 'the-batch' });
    expect(answer).toMatchObject({ lines: LINES });
    return answer.gkJobId;
  };

  const jobs = new Set<string>();
  for (const blow of blows) {
    const { server, api } = await start();
    if (jobs.size === 0) await configure(api);
    const gkJobId = await startBatch(api);
    jobs.add(gkJobId);
    const isFar = async (): Promise<boolean> =>
      ((await api.get(`/v1/batches/${gkJobId}`)).batch.done ?? 0) >= blow;
    await expect.poll(isFar, { timeout: 240_000, interval: 100 }).toBe(true);
    const exited = once(server.process, 'exit');
    server.process.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
  }
  const [gkJobId = '', ...others] = jobs;
  expect(others).toEqual([]);

  const { server, api } = await start();
  const batch = async () => (await api.get(`/v1/batches/${gkJobId}`)).batch;
  await expect
    .poll(async () => (await batch()).state, { timeout: 240_000, interval: 100 })
    .toBe('BATCH_STATE_COMPLETED');
  expect(await batch()).toMatchObject({ lines: LINES, done: PERSONS, refused: REFUSED });
  const { results } = await api.get(`/v1/batches/${gkJobId}/results`, { page_size: '1000' });
  expect(results.map(({ line }: any) => line)).toEqual(Array.from({ length: LINES }, (_, n) => n + 2));

  const enrolled: Record<string, any>[] = results.filter((each: any) => each.reason === 'ENROLLED');
  const { persons } = await api.get('/v1/x/persons', { page_size: '1000' });
  expect(persons.map(({ details }: any) => details.personId).sort()).toEqual(
    enrolled.map(({ ownerId }) => ownerId as string).sort(),
  );
  for (const person of persons)
    expect(person).toMatchObject({ voiceprintProfileCount: 1, trainedProfileCount: 1 });
  for (const { gkVoiceprintProfileId } of enrolled) {
    const listed = await api.get(`/v1/voiceprints/profiles/${gkVoiceprintProfileId}/enrollment-segments`);
    expect(listed.enrollmentSegmentsDetails).toHaveLength(1);
  }
  const told = await makersOf(api);
  expect(told.CreatePerson?.sort()).toEqual(enrolled.map(({ gkOwnerId }) => gkOwnerId as string).sort());
  expect([told.StartBatch, told.EndBatch]).toEqual([[gkJobId], [gkJobId]]);

  const ended = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await ended;
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  for (const chain of await storage.audit.chains())
    expect(await verifyChain(storage.audit, chain)).toMatchObject({ ok: true });
  await storage.close();
});

async function configure(api: Client): Promise<void> {
  const { gkConfigsetRevisionId } = await api.post('/v1/configsets', {
    configsetId: 'short',
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    rawContent: Buffer.from(JSON.stringify(parameters)).toString('base64'),
  });
  await api.put(`/v1/configsets/revisions/${gkConfigsetRevisionId.value}:activate`, {});
}

/** Whom each kind of event was about; one that was told twice is there twice. */
async function makersOf(api: Client): Promise<Record<string, string[]>> {
  const told: Record<string, string[]> = {};
  for (let cursor = '', isLast = false; !isLast;) {
    const page = await api.get('/v1/events', { page_size: '1000', ...(cursor && { cursor }) });
    for (const { data, subject = '' } of page.events ?? []) (told[data.operation] ??= []).push(subject);
    cursor = page.nextCursor;
    isLast = page.endOfEvents === true;
  }
  return told;
}
