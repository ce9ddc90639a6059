/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// A line that was left open by an attack check names it, also where the decision is no yes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Platform, jobPatience, utterance } from '../support.js';

let platform: Platform;
beforeAll(async () => {
  // No attack check is ever this sure.
  platform = await Platform.start({ parameters: { attackChecks: { reliabilityMin: 100 } } });
});
afterAll(() => platform.stop());

async function run(kind: 'check' | 'register', manifest: string, more: object = {}): Promise<any> {
  const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
  const { status, body } = await platform.post(`/v1/batches:${kind}`, {
    ...{ context, manifest, tag: 'calls' },
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const read = async (path: string): Promise<any> =>
    (await platform.server.rest('GET', `${path}?context.gk_scope_id.value=${platform.gkScopeId}`)).body;
  await expect
    .poll(async () => (await read(`/v1/batches/${body.gkJobId}`)).batch.state, jobPatience)
    .toBe('BATCH_STATE_COMPLETED');
  const { results } = await read(`/v1/batches/${body.gkJobId}/results`);
  return results[0];
}

const unreliable = [
  { check: 'SYNTHETIC_SPEECH', reason: 'LOW_RELIABILITY', measures: ['reliability'] },
  { check: 'CHANNEL_PLAYBACK', reason: 'LOW_RELIABILITY', measures: ['reliability'] },
];

it('names a watchlist without anybody to compare with, and what else is open', async () => {
  const session = await platform.open();
  const made = await platform.post('/v1/watchlists', { context: session, watchlistId: 'nobody yet' });
  const { gkWatchlistId } = made.body;
  await platform.printOf('anna');
  const media = await platform.upload(session, utterance('anna', 4));
  const nobody = 'nobody on the watchlist nobody yet has a trained voiceprint';
  const [all, list] = [['FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'], ['FRAUD_DETECTION']];
  const withoutAttackChecks = true;
  expect(await run('check', `media\n${media}`, { gkWatchlistId, withoutAttackChecks })).toMatchObject({
    decision: 'UNCERTAIN',
    reason: 'NO_SCORES',
    checksNotMade: all,
    message: `${nobody}; not checked for attacks`,
  });
  expect(await run('check', `media\n${media}`, { gkWatchlistId })).toMatchObject({
    decision: 'UNCERTAIN',
    reason: 'LOW_RELIABILITY',
    checksNotMade: list,
    assessment: { headline: 'SESSION_HEADLINE_UNCERTAIN', causes: unreliable },
    message: `${nobody}; it could not be told whether a live person spoke`,
  });
  // Also where somebody was named, and matches.
  const named = `media,person_id\n${media},anna`;
  expect(await run('check', named, { gkWatchlistId, withoutAttackChecks, tag: '' })).toMatchObject({
    decision: 'AUTHENTIC',
    reason: 'VOICEPRINT_MATCH',
    checksNotMade: all,
    message: `${nobody}; not checked for attacks`,
  });
});

it('names the checks that left a line open beside a clear watchlist', async () => {
  const session = await platform.open();
  const made = await platform.post('/v1/watchlists', { context: session, watchlistId: 'known' });
  const { gkWatchlistId } = made.body;
  const upload = (voice: 'anna' | 'bruno', index: number) =>
    platform.upload(session, utterance(voice, index));
  const bruno = await Promise.all([1, 2, 3].map((index) => upload('bruno', index)));
  const recordings = bruno.map((media) => ({ media }));
  const registered = await run('register', JSON.stringify([{ fraudster_id: 'F-1', recordings }]), {
    gkWatchlistId,
  });
  expect(registered.reason).toBe('REGISTERED');
  const manifest = `media\n${await upload('anna', 4)}`;
  const open = {
    decision: 'UNCERTAIN',
    assessment: { headline: 'SESSION_HEADLINE_UNCERTAIN', causes: unreliable },
    message: 'it could not be told whether a live person spoke',
  };
  expect(await run('check', manifest, { gkWatchlistId })).toMatchObject(open);
  // The same where nothing but attacks was looked for.
  expect(await run('check', manifest)).toMatchObject(open);
});
