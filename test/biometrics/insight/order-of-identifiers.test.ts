// Lists by identifier come as people look names up: capitals and accents put nobody first or last, in pages, with a search and without,
// on both databases. And sessions in which the voice of a fraudster was enrolled say whose.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { Directory, ListOrder } from '../../../src/gen/voxgate/biosec/v1/directory_pb.js';
import { Platform, forEachStore, utterance, type RequestContext } from '../support.js';

/** As they should come; they are made in another order. */
const identifiers = ['anna a', 'Änne a', 'ara', 'Ara', 'Bea', 'caa', 'Zoë a'];
const made = ['Zoë a', 'caa', 'Ara', 'Änne a', 'ara', 'Bea', 'anna a'];

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    context = await platform.open();
    for (const id of made) {
      await platform.createOwner(context, 'person', id);
      await platform.post('/v1/groups', { context, groupId: id });
    }
  });
  afterAll(() => platform?.stop());

  const client = () => platform.server.grpc(Directory);
  const paged = async (
    ask: (pageToken: string) => Promise<{ ids: (string | undefined)[]; nextPageToken: string }>,
  ) => {
    const seen: (string | undefined)[] = [];
    let pageToken = '';
    do {
      const page = await ask(pageToken);
      seen.push(...page.ids);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return seen;
  };
  const persons = (query: string, order: ListOrder) =>
    paged(async (pageToken) => {
      const page = await client().listPersons({ context, pageSize: 2, pageToken, query, order });
      return { ...page, ids: page.persons.map(({ details }) => details?.personId) };
    });
  const groups = (query: string, order: ListOrder) =>
    paged(async (pageToken) => {
      const page = await client().listGroups({ context, pageSize: 2, pageToken, query, order });
      return { ...page, ids: page.groups.map(({ details }) => details?.groupId) };
    });

  it.each(['', 'a'])(
    'orders persons and groups without capitals and accents, searched for "%s"',
    async (query) => {
      const backwards = [...identifiers].reverse();
      // `ara` and `Ara` are the same to look up: which comes first is left to the database, but it is the same backwards.
      const plain = (ids: readonly (string | undefined)[]) => ids.map((id) => (id === 'Ara' ? 'ara' : id));
      for (const list of [persons, groups]) {
        const forwards = await list(query, ListOrder.IDENTIFIER);
        expect(plain(forwards)).toEqual(plain(identifiers));
        expect(new Set(forwards).size).toBe(identifiers.length);
        const reversed = await list(query, ListOrder.IDENTIFIER_REVERSED);
        expect(plain(reversed)).toEqual(plain(backwards));
        expect(new Set(reversed).size).toBe(identifiers.length);
      }
    },
  );

  it('names the fraudster whose voice a session has enrolled, and finds the session by the name', async () => {
    const enrolling = await platform.open();
    const owner = await platform.createOwner(enrolling, 'fraudster', 'Kowalski');
    const profile = await platform.createProfile(enrolling, 'fraudster', 'Kowalski');
    await platform.enroll(enrolling, profile, utterance('bruno', 1));
    const activity = platform.server.grpc(Activity);
    const named = [{ fraudsterId: 'Kowalski', gkFraudsterId: { value: owner } }];
    const { sessions } = await activity.listSessions({ context, query: 'kowalski' });
    expect(sessions.map(({ details }) => details?.gkSessionId?.value)).toEqual([
      enrolling.gkSessionId?.value,
    ]);
    expect(sessions[0]?.enrolledFraudsters).toMatchObject(named);
    expect([sessions[0]?.fraudsters, sessions[0]?.persons]).toEqual([[], []]);
    const timeline = await activity.getSessionTimeline({ context, gkSessionId: enrolling.gkSessionId });
    expect(timeline.enrolledFraudsters).toMatchObject(named);
    expect(timeline.fraudsters).toEqual([]);
  });
});
