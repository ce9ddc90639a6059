// What a session took over from another of its engagement stays that when a person is erased: it does not become a decision of its own,
// nor one about the person who is claimed, and nothing that was open is closed. On both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker } from './asking.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';
import { withFacts } from '../support/assessment-facts.js';

interface Entry {
  details: { gkSessionId: { value: string }; riskInfo?: { decision?: string } };
  isErased?: boolean;
  isClaimErased?: boolean;
  hasOtherPerson?: boolean;
  withoutAttackChecks?: boolean;
  inherited?: { gkSessionId?: { value: string } };
}

const activity = asker(Activity);

await forEachStore((store) => {
  let platform: Platform;
  let reader: RequestContext;

  const listed = async (request: Record<string, unknown>): Promise<Entry[]> => {
    const { body, code } = await activity(platform, 'gRPC', 'ListSessions', request, reader);
    expect(code, JSON.stringify(body)).toBe('OK');
    return ((body['sessions'] ?? []) as unknown[]).map(withFacts) as Entry[];
  };
  const idOf = ({ gkSessionId }: RequestContext): string => gkSessionId?.value ?? '';
  const entryOf = async (of: RequestContext): Promise<Entry | undefined> =>
    (await listed({ gk_session_ids: [idOf(of)] }))[0];
  const foundBy = async (filter: string): Promise<string[]> =>
    (await listed({ caveat: [`SESSION_CAVEAT_${filter}`], page_size: 100 })).map(
      ({ details }) => details.gkSessionId.value,
    );
  const pageOf = async (of: RequestContext): Promise<unknown> => {
    const asked = { gk_session_id: of.gkSessionId };
    return withFacts((await activity(platform, 'gRPC', 'GetSessionTimeline', asked, of)).body);
  };

  const put = async (path: string, body: object): Promise<void> => {
    expect((await platform.server.rest('PUT', path, { body })).status).toBe(200);
  };
  const claim = async (context: RequestContext, gkPersonId: string): Promise<void> => {
    const body = {
      context,
      details: { claimedGkPersonId: { value: gkPersonId } },
      fieldMask: 'claimedGkPersonId',
    };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body })).status).toBe(200);
  };

  /** The first session compares the voice; the second one only claims somebody. */
  async function call(
    compared: { profile: string; owner: string },
    { claims, configsetId }: { claims: string; configsetId?: string },
  ): Promise<{ first: RequestContext; second: RequestContext }> {
    const first = await platform.open();
    await claim(first, compared.owner);
    const gkMediaSegmentId = { value: await platform.upload(first, utterance('anna', 4)) };
    const verification = { context: first, gkMediaSegmentId };
    expect(
      (await platform.post(`/v1/voiceprints/${compared.profile}/verification`, verification)).status,
    ).toBe(200);
    if (configsetId) {
      const attack = {
        ...verification,
        context: { ...first, configsetId },
        syntheticSpeechDetectionParameters: {},
      };
      expect((await platform.post('/v1/audios/spoofing', attack)).status).toBe(200);
    }
    await put('/v1/sessions/stop', { context: first });
    const { gkSessionId: _first, ...engagement } = first;
    const { body } = await platform.post('/v1/sessions/start', { context: engagement, sessionType: 2 });
    const second = { ...engagement, gkSessionId: body.gkSessionId };
    await claim(second, claims);
    await put('/v1/sessions/stop', { context: second });
    return { first, second };
  }

  async function erase(owner: string, session: RequestContext): Promise<void> {
    const path = `/v1/persons/${owner}/personal-data?${platform.query(await platform.open())}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    await expect
      .poll(async () => {
        const entry = await entryOf(session);
        return entry?.isErased === true || entry?.isClaimErased === true;
      })
      .toBe(true);
  }

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('alarmed', { attackChecks: { riskHigh: 1, reliabilityMin: 0 } });
    reader = await platform.open();
  });
  afterAll(() => platform?.stop());

  it.each([
    ['a match', undefined, 'DECISION_AUTHENTIC'],
    ['an alarm', 'alarmed', 'DECISION_FRAUD'],
  ])(
    'keeps %s that of the earlier session, with what was open there',
    async (name, configsetId, decision) => {
      const anna = await platform.printOf('anna', 'person', `anna for ${name}`);
      const { first, second } = await call(anna, { claims: anna.owner, ...(configsetId && { configsetId }) });
      const before = await entryOf(second);
      expect(before).toMatchObject({
        details: { riskInfo: { decision } },
        inherited: { gkSessionId: first.gkSessionId },
      });
      const isOpen = before?.withoutAttackChecks;
      expect(isOpen).toBe(configsetId ? undefined : true);
      await erase(anna.owner, second);
      const after = await entryOf(second);
      expect(after).toMatchObject({ isErased: true, details: { riskInfo: { decision } } });
      expect(after?.inherited).toMatchObject({ gkSessionId: first.gkSessionId });
      expect(after?.withoutAttackChecks).toBe(isOpen);
      expect(await pageOf(second)).toMatchObject({ inherited: { gkSessionId: first.gkSessionId } });
      const unchecked = await foundBy('ATTACK_CHECK_MISSING');
      for (const session of [first, second]) expect(unchecked.includes(idOf(session))).toBe(isOpen === true);
    },
  );

  it('keeps that another person is claimed, whoever of the two is erased first', async () => {
    for (const order of ['compared first', 'claimed first']) {
      const anna = await platform.printOf('anna', 'person', `anna, ${order}`);
      const dora = await platform.createOwner(reader, 'person', `dora, ${order}`);
      const { first, second } = await call(anna, { claims: dora });
      const isOther = async (): Promise<void> => {
        const told = { inherited: { gkSessionId: first.gkSessionId }, hasOtherPerson: true };
        expect([order, await entryOf(second)]).toMatchObject([order, told]);
        expect(await pageOf(second)).toMatchObject(told);
        expect(await foundBy('OTHER_PERSON')).toContain(idOf(second));
      };
      await isOther();
      const steps = [() => erase(anna.owner, first), () => erase(dora, second)];
      for (const step of order === 'compared first' ? steps : steps.toReversed()) {
        await step();
        await isOther();
      }
    }
  });
});
