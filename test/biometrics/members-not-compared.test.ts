// A watchlist or group of which some members have no voiceprint is no full all-clear: the answer and the session say how many were not
// compared. Over both transports, by turns on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Outcome, Transport } from './calls.js';
import type { Json } from './requests.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const ask = asker(VoiceprintsProcessor);

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  let watchlist: { value: string };
  let group: { value: string };
  let untrained: { value: string };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    context = await platform.open();
    const made = async (path: string, body: Json) => (await platform.post(path, { context, ...body })).body;
    watchlist = (await made('/v1/watchlists', { watchlistId: 'known' })).gkWatchlistId;
    group = (await made('/v1/groups', { groupId: 'vip' })).gkGroupId;
    const carl = await platform.printOf('carl', 'fraudster');
    untrained = (await made('/v1/fraudsters', { fraudsterId: 'untrained' })).gkFraudsterId;
    for (const gkFraudsterId of [id(carl.owner), untrained])
      await made(`/v1/watchlists/${watchlist.value}/fraudsters`, { gkFraudsterId });
    const anna = await platform.printOf('anna');
    const [newcomer, second] = [
      (await made('/v1/persons', { personId: 'newcomer' })).gkPersonId,
      (await made('/v1/persons', { personId: 'second' })).gkPersonId,
    ];
    for (const gkPersonId of [id(anna.owner), newcomer, second])
      await made(`/v1/groups/${group.value}/persons`, { gkPersonId });
  });
  afterAll(() => platform.stop());

  const call = async (transport: Transport, name: string, request: Json, own = context) =>
    ask(
      platform,
      transport,
      name,
      { gk_media_segment_id: id(await platform.upload(own, utterance('bruno', 4))), ...request },
      own,
    );
  const diagnosticsOf = ({ body }: Outcome) =>
    ((body['status'] as Json | undefined)?.['diagnosticDetails'] ?? []) as { code: string; extras: Json }[];
  const told = (answer: Outcome) =>
    diagnosticsOf(answer)
      .filter(({ code }) => code === 'MEMBERS_NOT_COMPARED')
      .map(({ extras }) => extras);
  const ofWatchlist = { list: 'watchlist', not_compared: '1', members: '2' };
  const ofGroup = { list: 'group', not_compared: '2', members: '3' };

  it.each(transports)('every check of a list tells it over %s', async (transport) => {
    const fraud = await call(transport, 'DetectKnownFraudsters', { watchlist: { unique_id: watchlist } });
    expect(resultOf(fraud)).toMatchObject({ decision: 'DECISION_NO_RISK_DETECTED', numberOfPrints: 1 });
    expect(told(fraud)).toEqual([ofWatchlist]);
    expect(told(await call(transport, 'Identify', { group: { unique_id: group } }))).toEqual([ofGroup]);
    const both = await call(transport, 'AnalyzeAudio', {
      watchlist: { unique_id: watchlist },
      group: { unique_id: group },
    });
    expect(told(both)).toEqual([ofGroup, ofWatchlist]);
  });

  it.each(transports)('a tag that no print has is told over %s', async (transport) => {
    const asked = { watchlist: { unique_id: watchlist, tag: 'mian' } };
    for (const answer of [
      await call(transport, 'DetectKnownFraudsters', asked),
      await ask(platform, transport, 'CheckWatchlistConsistency', asked, context),
    ])
      expect(diagnosticsOf(answer)).toEqual([{ code: 'TAG_NOT_FOUND', extras: { list: 'watchlist' } }]);
    const identified = await call(transport, 'Identify', { group: { unique_id: group, tag: 'mian' } });
    expect(diagnosticsOf(identified)).toEqual([{ code: 'TAG_NOT_FOUND', extras: { list: 'group' } }]);
  });

  it('no print compared is said as a number', async () => {
    const own = await platform.open();
    const answer = await platform.post('/v1/voiceprints/audio-analysis', {
      context: own,
      gkMediaSegmentId: id(await platform.upload(own, utterance('bruno', 4))),
      watchlist: { uniqueId: watchlist, tag: 'mian' },
      group: { uniqueId: group, tag: 'mian' },
    });
    expect(answer.body.result).toMatchObject({
      authenticationResult: { numberOfPersonsPrints: 0 },
      fraudDetectionResult: { numberOfFraudstersPrints: 0 },
    });
  });

  it('the session remembers it as it was, and the next check counts again', async () => {
    const own = await platform.open();
    await call('REST', 'DetectKnownFraudsters', { watchlist: { unique_id: watchlist } }, own);
    await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters:batchDelete`, {
      context,
      gkFraudsterIds: [untrained],
    });
    const after = await call('REST', 'DetectKnownFraudsters', { watchlist: { unique_id: watchlist } }, own);
    expect(resultOf(after)).toMatchObject({ decision: 'DECISION_NO_RISK_DETECTED', numberOfPrints: 1 });
    expect(told(after)).toEqual([]);
    const path = `/v1/x/sessions/${own.gkSessionId?.value}/timeline?${platform.query(own)}`;
    const { events } = (await platform.server.rest('GET', path)).body;
    const remembered = (events as { attributes?: Record<string, string> }[])
      .map(({ attributes = {} }) => attributes)
      .filter(({ factor }) => factor === 'FRAUD_DETECTION')
      .map(({ notCompared, ofMembers }) => [notCompared, ofMembers]);
    expect(remembered).toEqual([
      ['1', '2'],
      [undefined, undefined],
    ]);
  });
});
