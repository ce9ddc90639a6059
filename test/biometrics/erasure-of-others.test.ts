// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Somebody else was recognized in calls that claimed a person, or asked for them. When that person is erased, these calls are not theirs:
// they stay, with the recording, the scores and who was recognized, and without the person. By turns on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker, id } from './asking.js';
import {
  forEachStore,
  jobPatience,
  Platform,
  utterance,
  type RequestContext,
  type VoiceName,
} from './support.js';
import { withFacts } from '../support/assessment-facts.js';

const activity = asker(Activity);

interface Made {
  call: RequestContext;
  media: string;
}

await forEachStore((store) => {
  let platform: Platform;
  let reader: RequestContext;
  let [mallory, bob] = [
    { profile: '', owner: '' },
    { profile: '', owner: '' },
  ];

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    reader = await platform.open();
    mallory = await platform.printOf('fritz', 'fraudster', 'mallory');
    bob = await platform.printOf('bruno', 'person', 'bob');
  });
  afterAll(() => platform?.stop());

  const get = async (path: string): Promise<any> => {
    const { body } = await platform.server.rest(
      'GET',
      `${path}?context.gkScopeId.value=${platform.gkScopeId}`,
    );
    const { status: _status, ...told } = body;
    return told;
  };
  const erasureOf = (gkPersonId: string): Promise<any> => get(`/v1/x/persons/${gkPersonId}/erasure`);

  async function callWith(voice: VoiceName, claimed: string, against: readonly string[]): Promise<Made> {
    const call = await platform.open();
    if (claimed) {
      const details = { claimedGkPersonId: id(claimed), ani: '+15550100' };
      const body = { context: call, details, fieldMask: 'claimedGkPersonId,ani' };
      expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body })).status).toBe(200);
    }
    const media = await platform.upload(call, utterance(voice, 4));
    for (const profile of against) {
      const named = { gkVoiceprintProfileIds: { uniqueIds: [id(profile)] } };
      const asked = { context: call, gkMediaSegmentId: id(media), ...named };
      const { status, body } = await platform.post('/v1/voiceprints/audio-analysis', asked);
      expect(status, JSON.stringify(body)).toBe(200);
    }
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: call } });
    return { call, media };
  }

  const rowsOf = async (more: object): Promise<any[]> => {
    const { body } = await activity(platform, 'REST', 'ListSessions', { page_size: 500, ...more }, reader);
    return (body['sessions'] ?? []) as any[];
  };
  const rowOf = async ({ call }: Made, more: object = {}): Promise<any> =>
    withFacts(
      (await rowsOf(more)).find(({ details }) => details.gkSessionId.value === call.gkSessionId?.value),
    );
  /** Scores of comparisons with a print. */
  const scoresOf = async ({ call }: Made, profile: string): Promise<number[]> => {
    const { events } = await get(`/v1/x/sessions/${call.gkSessionId?.value}/timeline`);
    const checks = events.filter((event: any) => event.gkVoiceprintProfileId?.value === profile);
    return checks.flatMap(({ score }: any) => (score === undefined ? [] : [score]));
  };
  const isThere = async ({ media }: Made): Promise<boolean> =>
    (await platform.server.rest('GET', `/v1/mediasegments/${media}?${platform.query(reader)}`)).status ===
    200;

  const judge = async ({ call }: Made, verdict: string): Promise<void> => {
    const path = `/v1/engagements/verdict`;
    const body = { context: call, gkEngagementId: call.gkEngagementId, verdict };
    expect((await platform.server.rest('PUT', path, { body })).status).toBe(200);
  };
  const hold = async ({ media }: Made, legalHold: boolean): Promise<void> => {
    const body = { context: reader, details: { legalHold }, fieldMask: 'legalHold' };
    expect((await platform.server.rest('PATCH', `/v1/mediasegments/${media}`, { body })).status).toBe(200);
  };

  async function erase(gkPersonId: string): Promise<void> {
    const path = `/v1/persons/${gkPersonId}/personal-data?${platform.query(reader)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    const isOver = async (): Promise<boolean> => {
      const { erasedTime, isRunning } = await erasureOf(gkPersonId);
      return Boolean(erasedTime) && !isRunning;
    };
    await expect.poll(isOver, jobPatience).toBe(true);
  }

  it('leaves calls in which another person or a fraudster was recognized, and takes only the claim', async () => {
    const anna = await platform.printOf('anna', 'person', 'anna');
    const ofBob = [
      await callWith('bruno', anna.owner, [bob.profile]),
      await callWith('bruno', anna.owner, [anna.profile, bob.profile]),
      await callWith('bruno', anna.owner, [bob.profile, anna.profile]),
    ];
    const ofMallory = [
      await callWith('fritz', anna.owner, [mallory.profile]),
      await callWith('fritz', anna.owner, [anna.profile, mallory.profile]),
      // Nobody was claimed, only asked for.
      await callWith('fritz', '', [anna.profile, mallory.profile]),
    ];
    const stay = [...ofBob, ...ofMallory];
    // Hers, and one that may be hers for all that is known.
    const go = [
      await callWith('anna', anna.owner, [anna.profile]),
      await callWith('dora', anna.owner, [anna.profile]),
    ];
    const printIn = (index: number): string => (index < ofBob.length ? bob : mallory).profile;
    const scores = () => Promise.all(stay.map((made, index) => scoresOf(made, printIn(index))));
    const before = await Promise.all(stay.map((made) => rowOf(made)));
    const scored = await scores();
    for (const [score] of scored) expect(score).toEqual(expect.any(Number));
    for (const row of before.slice(3)) expect(row.fraudsters).toMatchObject([{ fraudsterId: 'mallory' }]);
    // Three that she was enrolled with.
    const kept = { keptForOthersCount: 3, keptWithFraudsterCount: 3 };
    expect(await erasureOf(anna.owner)).toEqual({ recordingCount: 5, ...kept });

    await erase(anna.owner);
    for (const made of stay) expect(await isThere(made)).toBe(true);
    for (const made of go) expect(await isThere(made)).toBe(false);
    for (const [index, made] of stay.entries()) {
      const row = await rowOf(made);
      expect(row).not.toHaveProperty('isErased');
      expect(row.details.ani).toBe(before[index].details.ani);
      expect(row.decision).toEqual(before[index].decision);
      expect(JSON.stringify(row)).not.toContain(anna.owner);
      expect(await scoresOf(made, anna.profile)).toEqual([]);
      expect(row.claimedPersonId ?? '').toBe('');
      // That the voice was compared with another than the one claimed is what the call shows.
      expect(row.hasOtherPerson ?? false).toBe(index < ofBob.length);
      const page = withFacts(await get(`/v1/x/sessions/${made.call.gkSessionId?.value}/timeline`));
      expect(page.hasOtherPerson ?? false).toBe(index < ofBob.length);
      expect((await rowOf(made, { caveat: ['SESSION_CAVEAT_OTHER_PERSON'] })) !== undefined).toBe(
        index < ofBob.length,
      );
      if (index >= ofBob.length) expect(row.fraudsters).toEqual(before[index].fraudsters);
    }
    expect(await scores()).toEqual(scored);
    for (const made of ofBob)
      expect(await rowOf(made, { gk_person_id: id(bob.owner) })).toMatchObject({
        // Whoever was erased was compared as well, and has no name.
        persons: expect.arrayContaining([expect.objectContaining({ personId: 'bob', isMatch: true })]),
      });
    for (const made of ofMallory)
      expect(await rowOf(made, { gk_fraudster_id: id(mallory.owner) })).toBeDefined();
    for (const made of go) expect(await rowOf(made)).toMatchObject({ isErased: true });

    // Then they are his to be erased with.
    await erase(bob.owner);
    for (const made of ofBob) expect(await isThere(made)).toBe(false);
    for (const made of ofMallory) expect(await isThere(made)).toBe(true);
  });

  it('leaves evidence of a fraudster who has a print as a person, too, until the call is judged as genuine', async () => {
    const double = await platform.printOf('fritz', 'person', 'double');
    const both = [
      await callWith('fritz', double.owner, [double.profile, mallory.profile]),
      await callWith('fritz', '', [mallory.profile, double.profile]),
    ];
    const own = await callWith('fritz', double.owner, [double.profile]);
    // A false alarm, as somebody has said before.
    const cleared = await callWith('fritz', double.owner, [double.profile, mallory.profile]);
    await judge(cleared, 'ENGAGEMENT_VERDICT_AUTHENTIC');
    const before = await Promise.all(both.map((made) => rowOf(made)));
    // Three that he was enrolled with.
    expect(await erasureOf(double.owner)).toEqual({ recordingCount: 5, keptWithFraudsterCount: 2 });

    await erase(double.owner);
    expect(await erasureOf(double.owner)).toMatchObject({ keptWithFraudsterCount: 2 });
    for (const made of [own, cleared]) {
      expect(await isThere(made)).toBe(false);
      expect(await rowOf(made)).toMatchObject({ isErased: true });
    }
    for (const [index, made] of both.entries()) {
      expect(await isThere(made)).toBe(true);
      const row = await rowOf(made);
      expect(row).not.toHaveProperty('isErased');
      expect(row.details.ani).toBe(before[index].details.ani);
      expect(row.decision).toEqual(before[index].decision);
      expect(row.fraudsters).toMatchObject([{ fraudsterId: 'mallory' }]);
      expect(JSON.stringify(row)).not.toContain(double.owner);
      expect(await scoresOf(made, double.profile)).toEqual([]);
      expect(await scoresOf(made, mallory.profile)).toEqual([expect.any(Number)]);
    }

    // Neither is that the person, nor does it say that the alarm was false.
    const [first, second] = both as [Made, Made];
    await judge(first, 'ENGAGEMENT_VERDICT_UNCERTAIN');
    await judge(second, 'ENGAGEMENT_VERDICT_AUTHENTIC');
    await expect.poll(() => isThere(second), jobPatience).toBe(false);
    await expect.poll(() => rowOf(second), jobPatience).toMatchObject({ isErased: true });
    expect(await isThere(first)).toBe(true);
    expect(await erasureOf(double.owner)).toMatchObject({ keptWithFraudsterCount: 1 });
  });

  it('never makes a call that of somebody who did not match, whoever of them is erased', async () => {
    const [victim, impostor] = [
      await platform.printOf('carl', 'person', 'victim'),
      await platform.printOf('emil', 'person', 'impostor'),
    ];
    const posed = await callWith('emil', victim.owner, [victim.profile, impostor.profile]);
    const own = await callWith('emil', impostor.owner, [victim.profile, impostor.profile]);
    const before = await rowOf(posed);
    expect(before).toMatchObject({ hasOtherPerson: true, claimedPersonId: 'victim' });
    await erase(impostor.owner);
    expect(await isThere(posed)).toBe(false);
    const row = await rowOf(posed);
    expect(row).toMatchObject({ hasOtherPerson: true, claimedPersonId: 'victim' });
    expect(row.claimedResult).toBe(before.claimedResult);
    // Somebody did match, who has no name any more.
    const matched = row.persons.filter(({ isMatch }: any) => isMatch);
    expect(matched.map(({ personId = '' }: any) => personId)).toEqual(['']);
    expect(await rowOf(own)).toMatchObject({ isErased: true });
  });

  it('leaves the call of a customer whose agent is erased', async () => {
    const [agent, customer] = [
      await platform.printOf('dora', 'person', 'agent'),
      await platform.printOf('carl', 'person', 'customer'),
    ];
    const made = await callWith('carl', customer.owner, [customer.profile]);
    const both = await callWith('carl', customer.owner, [customer.profile, agent.profile]);
    const scores = await scoresOf(both, customer.profile);
    await erase(agent.owner);
    for (const call of [made, both]) {
      expect(await isThere(call)).toBe(true);
      expect(await rowOf(call)).toMatchObject({ claimedPersonId: 'customer' });
    }
    expect(await scoresOf(both, customer.profile)).toEqual(scores);
    // The erased comparison is still one of that recording: there is no other.
    const { events } = await get(`/v1/x/sessions/${both.call.gkSessionId?.value}/timeline`);
    const checks = events.filter((event: any) => event.attributes?.factor === 'AUTHENTICATION');
    expect(checks.map((event: any) => event.gkMediaSegmentId?.value)).toEqual([both.media, both.media]);
  });

  it('leaves a recording in which two persons were recognized until both are erased', async () => {
    const [one, two] = [
      await platform.printOf('dora', 'person', 'one'),
      await platform.printOf('dora', 'person', 'two'),
    ];
    const made = await callWith('dora', '', [one.profile, two.profile]);
    const held = await callWith('dora', '', [one.profile, two.profile]);
    await hold(held, true);
    expect(await erasureOf(one.owner)).toMatchObject({ keptForOthersCount: 1, keptOnLegalHoldCount: 1 });
    await erase(one.owner);
    expect(await isThere(made)).toBe(true);
    expect(await scoresOf(made, one.profile)).toEqual([]);
    expect(await scoresOf(made, two.profile)).toEqual([expect.any(Number)]);
    await erase(two.owner);
    expect(await isThere(made)).toBe(false);
    // Nobody else is left who could need it.
    expect(await isThere(held)).toBe(true);
    await hold(held, false);
    await expect.poll(() => isThere(held), jobPatience).toBe(false);
  });

  it('leaves what nobody was recognized in beside another, and takes it beside the person', async () => {
    const [carl, emil] = [
      await platform.printOf('carl', 'person', 'carl'),
      await platform.printOf('emil', 'person', 'emil'),
    ];
    const beside = async (voices: readonly (readonly [VoiceName, string])[]): Promise<Made[]> => {
      const call = await platform.open();
      const body = { context: call, details: { claimedGkPersonId: id(carl.owner) } };
      await platform.server.rest('PATCH', '/v1/sessions/details', {
        body: { ...body, fieldMask: 'claimedGkPersonId' },
      });
      const made: Made[] = [];
      for (const [voice, profile] of voices) {
        const media = await platform.upload(call, utterance(voice, 4));
        const asked = { context: call, gkMediaSegmentId: id(media) };
        const { status } = await platform.post(`/v1/voiceprints/${profile}/verification`, asked);
        expect(status).toBe(200);
        made.push({ call, media });
      }
      return made;
    };
    const withOther = await beside([
      ['emil', emil.profile],
      ['dora', carl.profile],
    ]);
    const withBoth = await beside([
      ['carl', carl.profile],
      ['emil', emil.profile],
      ['dora', carl.profile],
    ]);
    await erase(carl.owner);
    expect(await Promise.all(withOther.map(isThere))).toEqual([true, true]);
    expect(await Promise.all(withBoth.map(isThere))).toEqual([false, true, false]);
    // It is a call of emil's, who was not the one claimed.
    const [first] = withBoth as [Made];
    const left = await rowOf(first);
    expect(left).toMatchObject({ isClaimErased: true });
    expect(left.persons).toContainEqual(expect.objectContaining({ personId: 'emil', isMatch: true }));
    expect(left).not.toHaveProperty('isErased');
  });
});
