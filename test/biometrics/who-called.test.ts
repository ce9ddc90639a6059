// Who called, from outside: a group without the person claimed says nothing of that person, their own print does, and everybody who is
// recognized is told. Over REST, with the filters that find it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { id } from './asking.js';
import { Platform, utterance, type RequestContext, type VoiceName } from './support.js';
import { withFacts } from '../support/assessment-facts.js';

let platform: Platform;
let group: { value: string };
let prints: Record<'anna' | 'bruno' | 'carl', Awaited<ReturnType<Platform['printOf']>>>;

beforeAll(async () => {
  platform = await Platform.start();
  const context = await platform.open();
  prints = {
    anna: await platform.printOf('anna'),
    bruno: await platform.printOf('bruno'),
    carl: await platform.printOf('carl'),
  };
  group = (await platform.post('/v1/groups', { context, groupId: 'vip' })).body.gkGroupId;
  const newcomer = (await platform.post('/v1/persons', { context, personId: 'newcomer' })).body.gkPersonId;
  for (const gkPersonId of [id(prints.bruno.owner), id(prints.carl.owner), newcomer])
    await platform.post(`/v1/groups/${group.value}/persons`, { context, gkPersonId });
});
afterAll(() => platform.stop());

async function claiming(person: string | undefined): Promise<RequestContext> {
  const context = await platform.open();
  if (person === undefined) return context;
  const details = { claimedGkPersonId: id(person) };
  const body = { context, details, fieldMask: 'claimedGkPersonId' };
  await platform.server.rest('PATCH', '/v1/sessions/details', { body });
  return context;
}

const identify = async (context: RequestContext, voice: VoiceName, index = 4) =>
  platform.post('/v1/voiceprints/identification', {
    context,
    gkMediaSegmentId: id(await platform.upload(context, utterance(voice, index))),
    group: { uniqueId: group },
  });

interface Row {
  details: { gkSessionId: { value: string } };
  claimedResult?: string;
  hasOtherPerson?: boolean;
  hasSeveralPersons?: boolean;
  withoutWatchlist?: boolean;
  withoutClaimed?: boolean;
  persons?: { personId: string; isMatch?: boolean }[];
}

async function rowOf(context: RequestContext, filter = ''): Promise<Row | undefined> {
  const path = `/v1/x/sessions?${platform.query(context)}&page_size=100${filter}`;
  const { sessions = [] } = (await platform.server.rest('GET', path)).body as { sessions?: Row[] };
  return withFacts(
    sessions.find(({ details }) => details.gkSessionId.value === context.gkSessionId?.value),
  ) as Row | undefined;
}

it('says of a person who is not in the group that they were not compared, and of one who is that they do not match', async () => {
  const [anna, bruno] = [await claiming(prints.anna.owner), await claiming(prints.bruno.owner)];
  for (const context of [anna, bruno]) await identify(context, 'anna');
  expect(await rowOf(anna)).toMatchObject({
    ...{ claimedResult: 'NOT_COMPARED', hasOtherPerson: true, withoutWatchlist: true },
  });
  const row = await rowOf(bruno, '&caveat=SESSION_CAVEAT_LIST_NOT_FULLY_COMPARED');
  expect(row).toMatchObject({ claimedResult: 'NO_MATCH' });
  expect(row?.hasOtherPerson ?? false).toBe(false);
});

it('says that the person claimed matches, whatever the group says before or after', async () => {
  for (const isGroupFirst of [true, false]) {
    const context = await claiming(prints.anna.owner);
    if (isGroupFirst) await identify(context, 'anna');
    await platform.verify(context, prints.anna.profile, utterance('anna', 5));
    if (!isGroupFirst) await identify(context, 'anna');
    expect(await rowOf(context)).toMatchObject({ claimedResult: 'MATCHED' });
  }
});

it('tells everybody who is recognized, and finds it by its mark', async () => {
  const two = await claiming(undefined);
  await identify(two, 'bruno');
  await identify(two, 'carl');
  const row = await rowOf(two, '&caveat=SESSION_CAVEAT_CONTRADICTION');
  expect(row?.persons?.filter(({ isMatch }) => isMatch).map(({ personId }) => personId)).toHaveLength(2);
  const one = await claiming(undefined);
  await identify(one, 'bruno');
  expect(await rowOf(one, '&caveat=SESSION_CAVEAT_CONTRADICTION')).toBeUndefined();
  expect(await rowOf(one, '&caveat=SESSION_CAVEAT_CALLER_NOT_ISOLATED')).toBeUndefined();
});

interface Id {
  value: string;
}

/** With dora on it. */
async function listOf(watchlistId: string): Promise<Id> {
  const context = await platform.open();
  const { body } = await platform.post('/v1/watchlists', { context, watchlistId });
  const fraudster = await platform.printOf('dora', 'fraudster', `dora on ${watchlistId}`);
  const member = { context, gkFraudsterId: id(fraudster.owner) };
  await platform.post(`/v1/watchlists/${body.gkWatchlistId.value}/fraudsters`, member);
  return body.gkWatchlistId;
}

const detect = async (context: RequestContext, watchlist: Id, voice: VoiceName): Promise<string> => {
  const { body } = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
    ...{ context, watchlist: { uniqueId: watchlist } },
    gkMediaSegmentId: id(await platform.upload(context, utterance(voice, 4))),
  });
  return body.result.decision;
};

it('says that the person claimed was not compared where only fraudsters were looked for, and finds it by its mark', async () => {
  const context = await claiming(prints.bruno.owner);
  const watchlist = await listOf('ring');
  await detect(context, watchlist, 'anna');
  expect(await rowOf(context, '&caveat=SESSION_CAVEAT_CLAIM_NOT_CONFIRMED')).toMatchObject({
    claimedResult: 'NOT_COMPARED',
  });
  const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
  expect(withFacts((await platform.server.rest('GET', path)).body)).toMatchObject({ withoutClaimed: true });

  await platform.verify(context, prints.bruno.profile, utterance('bruno', 4));
  expect(await rowOf(context, '&caveat=SESSION_CAVEAT_CLAIM_NOT_CONFIRMED')).toBeUndefined();
  // Nobody was claimed, or it is their voice that is enrolled.
  const [nobody, enrolled] = [await claiming(undefined), await claiming(prints.anna.owner)];
  await platform.enroll(enrolled, prints.anna.profile, utterance('anna', 5));
  for (const other of [nobody, enrolled]) {
    await detect(other, watchlist, 'anna');
    expect(await rowOf(other)).toBeDefined();
    expect(await rowOf(other, '&caveat=SESSION_CAVEAT_CLAIM_NOT_CONFIRMED')).toBeUndefined();
  }
});

it('says it beside an alarm, an uncertain decision and none at all, in lists and on pages', async () => {
  const watchlist = await listOf('second ring');
  const isOpen = async (context: RequestContext): Promise<boolean> => {
    const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
    const page = withFacts((await platform.server.rest('GET', path)).body) as Row;
    const row = await rowOf(context);
    expect(row?.claimedResult).toBe(page.claimedResult);
    return row?.claimedResult === 'NOT_COMPARED';
  };
  const [alarm, unlike, empty] = [
    await claiming(prints.bruno.owner),
    await claiming(prints.bruno.owner),
    await claiming(prints.bruno.owner),
  ];
  expect(await detect(alarm, watchlist, 'dora')).toBe('DECISION_FRAUD');
  expect(await isOpen(alarm)).toBe(true);
  // Nothing was checked yet, nor when it is over.
  expect(await isOpen(empty)).toBe(true);
  await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: empty } });
  expect(await isOpen(empty)).toBe(true);
  const uncertain = await claiming(prints.bruno.owner);
  const { body } = await platform.post('/v1/watchlists', { context: uncertain, watchlistId: 'nobody' });
  expect(await detect(uncertain, body.gkWatchlistId, 'anna')).toBe('DECISION_UNCERTAIN');
  expect(await isOpen(uncertain)).toBe(true);

  // One comparison with the person claimed is enough, whatever comes of it.
  await platform.verify(unlike, prints.bruno.profile, utterance('anna', 4));
  expect(await isOpen(unlike)).toBe(false);
  await platform.verify(alarm, prints.bruno.profile, utterance('dora', 4));
  expect(await isOpen(alarm)).toBe(false);
  expect(await isOpen(await claiming(undefined))).toBe(false);
});
