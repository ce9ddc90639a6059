// Sessions ordered by decision: those that were stopped, those that run, and those that ended because nothing happened in them
// any more stand among each other. On both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker } from './asking.js';
import type { Json } from './requests.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { silence } from '../support/sounds.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const activity = asker(Activity);
const NO_MATCH = 'DECISION_NO_MATCH';
const AUTHENTIC = 'DECISION_AUTHENTIC';

await forEachStore((store) => {
  let platform: Platform;
  let anna: { profile: string };
  let now = Date.now();

  beforeAll(async () => {
    platform = await Platform.start({
      config: await store.settings(),
      overrides: { clock: { now: () => now } },
    });
    anna = await platform.printOf('anna');
  });
  afterAll(() => platform.stop());

  const call = async (voice: 'anna' | 'emil'): Promise<RequestContext> => {
    now += 1000;
    const context = await platform.open();
    await platform.verify(context, anna.profile, utterance(voice, 5));
    return context;
  };
  const stopped = async (context: RequestContext): Promise<void> => {
    const { status } = await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
    expect(status).toBe(200);
  };
  const list = async (request: Json = {}) => {
    const asked = { pageSize: 2, ...request };
    const found: { id: string; decision: string }[] = [];
    let pageToken = '';
    // One for all pages: each would otherwise make the list longer that it reads.
    const context = await reader();
    do {
      const { body } = await activity(platform, 'gRPC', 'ListSessions', { ...asked, pageToken }, context);
      const rows = (body['sessions'] ?? []) as { details: { gkSessionId: Json; riskInfo?: Json } }[];
      for (const { details } of rows)
        found.push({
          id: details.gkSessionId['value'] as string,
          decision: (details.riskInfo?.['decision'] as string | undefined) ?? '',
        });
      pageToken = (body['nextPageToken'] as string | undefined) ?? '';
    } while (pageToken);
    return found;
  };
  const reader = () => platform.open();

  it('has what is worst first, whether it is over or not', async () => {
    const first = await call('anna');
    await stopped(first);
    const second = await call('emil');
    await stopped(second);
    const open = { yes: await call('anna'), no: await call('emil') };
    const idOf = ({ gkSessionId }: RequestContext) => gkSessionId?.value;
    const decided = async (request: Json = {}) =>
      // Without the enrollment, and those that were opened to read.
      (await list({ order: 'LIST_ORDER_DECISION', ...request })).filter(({ decision }) =>
        [NO_MATCH, AUTHENTIC].includes(decision),
      );
    const expected = [
      { id: idOf(open.no), decision: NO_MATCH },
      { id: idOf(second), decision: NO_MATCH },
      { id: idOf(open.yes), decision: AUTHENTIC },
      { id: idOf(first), decision: AUTHENTIC },
    ];
    expect(await decided()).toEqual(expected);
    expect(
      (await decided({ order: 'LIST_ORDER_DECISION_REVERSED' })).map(({ decision }) => decision),
    ).toEqual([AUTHENTIC, AUTHENTIC, NO_MATCH, NO_MATCH]);

    // A check changes what an open one has come to.
    await platform.verify(open.yes, anna.profile, utterance('emil', 4));
    await platform.verify(open.yes, anna.profile, utterance('emil', 5));
    const changed = await decided();
    expect(changed.map(({ decision }) => decision)).toEqual([NO_MATCH, NO_MATCH, NO_MATCH, AUTHENTIC]);

    // One that was found idle stores no decision, and has it all the same.
    now += 24 * 3_600_000;
    const path = `/v1/sessions/details?${platform.query(open.no)}`;
    const { status, body } = await platform.server.rest('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await decided()).toEqual(changed);
    const unmatched = (await list({ decision: [NO_MATCH] })).map(({ id }) => id);
    expect(unmatched).toContain(idOf(open.no));
    expect((await list({ headline: ['SESSION_HEADLINE_NO_MATCH'] })).map(({ id }) => id)).toEqual(unmatched);
  });

  it('tells apart what is uncertain, what was refused, what was only enrolled, and what came to nothing', async () => {
    const carl = await platform.printOf('carl');
    const made = async (work: (context: RequestContext) => Promise<unknown>): Promise<string> => {
      now += 1000;
      const context = await platform.open();
      await work(context);
      return context.gkSessionId?.value ?? '';
    };
    const nothing = await made(() => Promise.resolve());
    const uncertain = await made((context) =>
      platform.verify(context, carl.profile, encodeWav(silence(2), 16_000)),
    );
    const enrolled = await made((context) => platform.enroll(context, carl.profile, utterance('carl', 4)));
    const refused = await made(async (context) => {
      const path = `/v1/voiceprints/profiles/${carl.profile}/attributes/lock`;
      const locked = await platform.server.rest('PUT', path, { body: { context, reason: 'OTHER' } });
      expect(locked.status, JSON.stringify(locked.body)).toBe(200);
      await platform.verify(context, carl.profile, utterance('carl', 5));
    });
    const headed = async (name: string) =>
      (await list({ headline: [`SESSION_HEADLINE_${name}`] })).map(({ id }) => id);
    expect(await headed('UNCERTAIN')).toEqual([uncertain]);
    expect(await headed('REFUSED')).toEqual([refused]);
    expect(await headed('ENROLLMENT')).toContain(enrolled);
    expect(await headed('NONE')).toContain(nothing);
    const order = (await list({ order: 'LIST_ORDER_DECISION' })).map(({ id }) => id);
    const places = [refused, uncertain, enrolled, nothing].map((id) => order.indexOf(id));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // Those of a kind stand together.
    const ofNone = new Set(await headed('NONE'));
    expect(order.slice(order.indexOf(nothing)).filter((id) => !ofNone.has(id))).toEqual([]);
    expect(order.findIndex((id) => ofNone.has(id))).toBeGreaterThan(order.indexOf(enrolled));
  });
});
