/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// A check of a recording whose line names somebody without a trained print: it is looked at for all that, and never an all-clear. By turns
// on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Platform, forEachStore, jobPatience, utterance, type RequestContext } from '../support.js';

await forEachStore((store) => {
  let platform: Platform;
  let session: RequestContext;
  let gkWatchlistId: any;
  /** Recordings: of the fraudster, and of somebody nobody knows. */
  let bruno: string;
  let anna: string;

  beforeAll(async () => {
    // No attack check raises an alarm, or leaves anything open: what is found is found by the voice.
    platform = await Platform.start({
      config: await store.settings(),
      parameters: { attackChecks: { riskHigh: 999, reliabilityMin: 0 } },
    });
    session = await platform.open();
    ({ gkWatchlistId } = (
      await platform.post('/v1/watchlists', { context: session, watchlistId: 'ring' })
    ).body);
    const { owner } = await platform.printOf('bruno', 'fraudster', 'F-1');
    const added = { context: session, gkFraudsterId: { value: owner } };
    const path = `/v1/watchlists/${gkWatchlistId.value}/fraudsters`;
    expect((await platform.post(path, added)).status).toBe(200);
    bruno = await platform.upload(session, utterance('bruno', 4));
    anna = await platform.upload(session, utterance('anna', 4));
    // Known, without a print; the second has objected.
    await platform.createOwner(session, 'person', 'begun');
    await platform.createProfile(session, 'person', 'begun');
    const out = await platform.createOwner(session, 'person', 'out');
    const asked = { body: { context: session, reason: 'asked for' } };
    expect((await platform.server.rest('PUT', `/v1/persons/${out}/optout`, asked)).status).toBe(200);
  });
  afterAll(() => platform.stop());

  const read = async (path: string): Promise<any> =>
    (await platform.server.rest('GET', `${path}?context.gk_scope_id.value=${platform.gkScopeId}`)).body;

  async function run(manifest: string, more: object = {}): Promise<any[]> {
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const asked = { context, manifest, tag: 'calls', ...more };
    const { status, body } = await platform.post('/v1/batches:check', asked);
    expect(status, JSON.stringify(body)).toBe(200);
    await expect
      .poll(async () => (await read(`/v1/batches/${body.gkJobId}`)).batch.state, jobPatience)
      .toBe('BATCH_STATE_COMPLETED');
    return (await read(`/v1/batches/${body.gkJobId}/results`)).results;
  }

  const names = ['nobody', 'begun', 'out'];
  const manifestOf = (media: string): string =>
    ['speaker_id,media', ...names.map((name) => `${name},${media}`)].join('\n');
  const whys = [
    'this person has no trained print',
    'this person has no trained print',
    'this person has opted out of voice biometrics',
  ];
  const reasons = ['NOT_ENROLLED', 'NOT_ENROLLED', 'PERSON_OPTED_OUT'];
  const entryOf = async (gkSessionId: string, filter = ''): Promise<any> => {
    const asked = `context.gk_scope_id.value=${platform.gkScopeId}&page_size=500${filter}`;
    const { body } = await platform.server.rest('GET', `/v1/x/sessions?${asked}`);
    return body.sessions?.find(({ details }: any) => details.gkSessionId.value === gkSessionId);
  };
  const decisionOf = async (gkSessionId: string): Promise<string> =>
    (await entryOf(gkSessionId)).details.riskInfo.decision;

  it('finds a known fraudster behind the name of somebody without a print', async () => {
    const results = await run(manifestOf(bruno), { gkWatchlistId });
    for (const [index, line] of results.entries()) {
      expect(line).toMatchObject({
        outcome: 'LINE_OUTCOME_DONE',
        decision: 'FRAUD',
        reason: 'FRAUDSTER_INDICATION',
        found: ['FRAUD_DETECTION'],
        fraudsterId: 'F-1',
        checksNotMade: ['AUTHENTICATION'],
        message: `${whys[index]}; the voice of a known fraudster was found`,
        syntheticSpeechRisk: expect.any(Number),
      });
      expect(await decisionOf(line.gkSessionId)).toBe('DECISION_FRAUD');
      // Whom the caller posed as stays with the session.
      const claimed = { claimedPersonId: names[index] };
      expect(await entryOf(line.gkSessionId)).toMatchObject(claimed);
      expect(await read(`/v1/x/sessions/${line.gkSessionId}/timeline`)).toMatchObject(claimed);
    }
  });

  it('gives no all-clear where nothing is found, in the line and in its session', async () => {
    const results = await run(manifestOf(anna), { gkWatchlistId });
    const [unnamed] = await run(`media\n${anna}`, { gkWatchlistId });
    expect(unnamed).toMatchObject({ decision: 'NO_RISK_DETECTED' });
    for (const [index, line] of results.entries()) {
      expect(line).toMatchObject({
        outcome: 'LINE_OUTCOME_DONE',
        decision: 'UNCERTAIN',
        reason: reasons[index],
        checksNotMade: ['AUTHENTICATION'],
        message: whys[index],
        syntheticSpeechRisk: expect.any(Number),
        playbackRisk: expect.any(Number),
      });
      expect(line).not.toHaveProperty('found');
      expect(line.assessment).not.toHaveProperty('unresolvedChecks');
      expect(await decisionOf(line.gkSessionId)).toBe('DECISION_UNCERTAIN');
      const timeline = await read(`/v1/x/sessions/${line.gkSessionId}/timeline`);
      const compared = timeline.events.find(({ attributes }: any) => attributes?.factor === 'AUTHENTICATION');
      expect(compared).toMatchObject({ decision: 'DECISION_UNCERTAIN', reason: reasons[index] });
    }
  });

  it('says beside it that an attack check could not tell, and what was not looked for', async () => {
    await platform.configure('unsure', { attackChecks: { reliabilityMin: 100 } });
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: 'unsure' };
    const [open] = await run(manifestOf(anna), { gkWatchlistId, context });
    expect(open).toMatchObject({
      decision: 'UNCERTAIN',
      reason: 'NOT_ENROLLED',
      assessment: {
        caveats: ['SESSION_CAVEAT_ATTACK_CHECK_UNRESOLVED'],
        unresolvedChecks: ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'],
        causes: [{ check: 'AUTHENTICATION', reason: 'NOT_ENROLLED' }],
      },
      message: `${whys[0]}; it could not be told whether a live person spoke`,
    });
    const [fast, , objecting] = await run(manifestOf(anna), { gkWatchlistId, withoutAttackChecks: true });
    expect(fast).toMatchObject({
      decision: 'UNCERTAIN',
      reason: 'NOT_ENROLLED',
      message: `${whys[0]}; not checked for attacks`,
      checksNotMade: ['AUTHENTICATION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'],
    });
    const { body: made } = await platform.post('/v1/watchlists', { context: session, watchlistId: 'empty' });
    const empty = { gkWatchlistId: made.gkWatchlistId };
    const [nobody] = await run(manifestOf(anna), { ...empty, withoutAttackChecks: true });
    // The sessions say the same, in lists, alone and on their pages.
    const [unknown, unchecked, uncompared] = [
      ['ATTACK_CHECK_UNRESOLVED'],
      ['ATTACK_CHECK_MISSING'],
      ['ATTACK_CHECK_MISSING', 'LIST_NOT_FULLY_COMPARED'],
    ];
    for (const [line, names, filter] of [
      [open, unknown, 'ATTACK_CHECK_UNRESOLVED'],
      [fast, unchecked, 'ATTACK_CHECK_MISSING'],
      [objecting, unchecked, 'ATTACK_CHECK_MISSING'],
      [nobody, uncompared, 'ATTACK_CHECK_MISSING'],
      [nobody, uncompared, 'LIST_NOT_FULLY_COMPARED'],
    ] as const) {
      const caveats = expect.arrayContaining(names.map((name) => `SESSION_CAVEAT_${name}`));
      const told = { assessment: { caveats } };
      expect(await entryOf(line.gkSessionId)).toMatchObject(told);
      for (const order of ['', '&order=LIST_ORDER_PERSON'])
        expect(await entryOf(line.gkSessionId, `&caveat=SESSION_CAVEAT_${filter}${order}`)).toMatchObject(
          told,
        );
      expect(await read(`/v1/x/sessions/${line.gkSessionId}/timeline`)).toMatchObject(told);
    }
    for (const filter of ['ATTACK_CHECK_UNRESOLVED', 'LIST_NOT_FULLY_COMPARED'])
      expect(await entryOf(fast.gkSessionId, `&caveat=SESSION_CAVEAT_${filter}`)).toBeUndefined();
  });

  it('foresees that in a dry run, and fails only where there is nothing else to look for', async () => {
    const dry = await run(manifestOf(anna), { gkWatchlistId, dryRun: true });
    expect(dry).toMatchObject(
      whys.map((why, index) => ({
        outcome: 'LINE_OUTCOME_WOULD_BE_DONE',
        reason: reasons[index],
        message: `1 recordings; ${why}`,
      })),
    );
    for (const dryRun of [true, false]) {
      const lines = await run(manifestOf(anna), { withoutAttackChecks: true, dryRun });
      expect(lines).toMatchObject(
        whys.map((message, index) => ({
          outcome: 'LINE_OUTCOME_FAILED',
          reason: reasons[index],
          message,
        })),
      );
      for (const line of lines) expect(line).not.toHaveProperty('gkSessionId');
    }
  });
});
