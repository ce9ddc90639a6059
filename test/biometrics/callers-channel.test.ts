// Whose channel is heard, from outside: an agent who is enrolled speaks on the left, and a caller who claims to be that agent on the right.
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { id } from './asking.js';
import { Platform, type RequestContext } from './support.js';
import { wavFile } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';

const RATE = 16_000;
const agent = { channelIndex: 1, partyType: 'PARTY_TYPE_AGENT' };
const person = { channelIndex: 2, partyType: 'PARTY_TYPE_PERSON' };
const left = (party: object) => ({ ...party, channelIndex: 1 });
const right = (party: object) => ({ ...party, channelIndex: 2 });
const attacks = { syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} };

let platform: Platform;
let call: Uint8Array;
let bruno: Awaited<ReturnType<Platform['printOf']>>;
let watchlist: { value: string };
let group: { value: string };

beforeAll(async () => {
  platform = await Platform.start();
  const context = await platform.open();
  bruno = await platform.printOf('bruno');
  const carl = await platform.printOf('carl', 'fraudster');
  watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'ring' })).body.gkWatchlistId;
  const member = { context, gkFraudsterId: id(carl.owner) };
  await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, member);
  group = (await platform.post('/v1/groups', { context, groupId: 'staff' })).body.gkGroupId;
  await platform.post(`/v1/groups/${group.value}/persons`, { context, gkPersonId: id(bruno.owner) });
  // One after the other, as people speak.
  const spoken = joined(await voiceSamples('bruno', 4), await voiceSamples('bruno', 5));
  const caller = await voiceSamples('anna', 4);
  call = wavFile(
    [joined(spoken, new Float32Array(caller.length)), joined(new Float32Array(spoken.length), caller)],
    RATE,
  );
});
afterAll(() => platform.stop());

async function claimingBruno(): Promise<RequestContext> {
  const context = await platform.open();
  const body = { context, details: { claimedGkPersonId: id(bruno.owner) }, fieldMask: 'claimedGkPersonId' };
  await platform.server.rest('PATCH', '/v1/sessions/details', { body });
  return context;
}

interface Asked {
  parties?: readonly object[];
  selector?: number;
  file?: Uint8Array;
}

async function audioOf(context: RequestContext, { parties = [], selector, file = call }: Asked) {
  return {
    context,
    gkMediaSegmentId: id(
      await platform.upload(context, file, { container: 'CONTAINER_WAV', callParties: parties }),
    ),
    ...(selector !== undefined && { channelSelector: { channel: selector } }),
  };
}

const verify = async (context: RequestContext, asked: Asked) =>
  (await platform.post(`/v1/voiceprints/${bruno.profile}/verification`, await audioOf(context, asked))).body
    .result;

const channelOf = (result: { audioDetails: { selectedChannel?: { channel?: number } } }) =>
  result.audioDetails.selectedChannel?.channel ?? 'none';

interface Row {
  details: { gkSessionId: { value: string } };
  assessment?: { caveats?: string[] };
}

/** The caller was not heard alone. */
const isMixed = (row: Row | undefined): boolean =>
  row?.assessment?.caveats?.includes('SESSION_CAVEAT_CALLER_NOT_ISOLATED') === true;

async function rowOf(context: RequestContext, filter = ''): Promise<Row | undefined> {
  const path = `/v1/x/sessions?${platform.query(context)}&page_size=100${filter}`;
  const { sessions = [] } = (await platform.server.rest('GET', path)).body as { sessions?: Row[] };
  return sessions.find(({ details }) => details.gkSessionId.value === context.gkSessionId?.value);
}

describe('without a selector', () => {
  it('hears the caller, and not the agent, in every operation', { tags: 'slow' }, async () => {
    const parties = [agent, person];
    const context = await claimingBruno();
    const verified = await verify(context, { parties });
    expect(verified).toMatchObject({ decision: 'DECISION_NO_MATCH' });
    expect(channelOf(verified)).toBe(2);
    const prints = { gkVoiceprintProfileIds: { uniqueIds: [id(bruno.profile)] } };
    for (const [path, body] of [
      ['/v1/voiceprints/audio-analysis', { ...prints, ...attacks }],
      ['/v1/voiceprints/identification', { group: { uniqueId: group } }],
      ['/v1/voiceprints/known-fraudsters-detection', { watchlist: { uniqueId: watchlist } }],
      ['/v1/audios/process', { isForEnrollment: true }],
    ] as const) {
      const answer = await platform.post(path, { ...(await audioOf(context, { parties })), ...body });
      expect(channelOf(answer.body.result), path).toBe(2);
    }
    const audio = await audioOf(context, { parties });
    expect(channelOf((await platform.post('/v1/audios/spoofing', { ...audio, ...attacks })).body)).toBe(2);
    expect(isMixed(await rowOf(context))).toBe(false);
  });

  it.each([
    ['the agent is on the right', [left(person), right(agent)], 1],
    ['only the agent is named', [agent], 2],
    ['a machine speaks on the other', [{ ...agent, partyType: 'PARTY_TYPE_IVR' }, person], 2],
    ['nobody has said whose the channels are', [], 0],
    ['both are callers', [left(person), right(person)], 0],
    ['only a caller is named', [left(person)], 0],
    [
      'the caller is on a channel that is not there',
      [agent, right(agent), { ...person, channelIndex: 3 }],
      0,
    ],
  ])('where %s', async (_name, parties, channel) => {
    expect(channelOf(await verify(await platform.open(), { parties }))).toBe(channel);
  });

  it('does what the selector says where there is one', async () => {
    const context = await platform.open();
    for (const selector of [0, 1, 2])
      expect(channelOf(await verify(context, { parties: [agent, person], selector }))).toBe(selector);
  });
});

describe('all channels as one', () => {
  it.each([
    ['with an agent', [agent, person], 0, 'MIXED'],
    ['and nobody said whose they are', [], undefined, 'TOGETHER'],
    ['and nobody said whose one of them is', [left(person)], undefined, 'TOGETHER'],
    ['of which each is said to be a caller’s', [left(person), right(person)], undefined, ''],
  ] as const)('%s', async (_name, parties, selector, mark) => {
    const context = await claimingBruno();
    await verify(context, { parties, ...(selector !== undefined && { selector }) });
    expect(isMixed(await rowOf(context))).toBe(mark !== '');
    const found = await rowOf(context, '&caveat=SESSION_CAVEAT_CALLER_NOT_ISOLATED');
    expect(found !== undefined).toBe(mark !== '');
  });

  it.each([
    ['that is there twice', [], ''],
    ['that is there twice, and an agent is said to be on it', [agent, person], 'MIXED'],
    ['that is there twice, and nobody said whose one of them is', [left(person)], 'TOGETHER'],
  ] as const)('of one channel %s', async (_name, parties, mark) => {
    const spoken = joined(await voiceSamples('bruno', 4), await voiceSamples('bruno', 5));
    const context = await claimingBruno();
    const file = wavFile([spoken, spoken], RATE);
    expect(await verify(context, { parties, selector: 0, file })).toMatchObject({
      decision: 'DECISION_AUTHENTIC',
    });
    expect(isMixed(await rowOf(context))).toBe(mark !== '');
  });

  it('says nothing certain of known fraudsters either', async () => {
    const context = await platform.open();
    const audio = await audioOf(context, { parties: [agent, person], selector: 0 });
    const detect = (selector: number) =>
      platform.post('/v1/voiceprints/known-fraudsters-detection', {
        ...{ ...audio, watchlist: { uniqueId: watchlist } },
        channelSelector: { channel: selector },
      });
    await detect(0);
    expect(isMixed(await rowOf(context))).toBe(true);
    // Once the caller was heard alone, it does.
    await detect(2);
    expect(isMixed(await rowOf(context))).toBe(false);
  });
});

it('exports nothing of a caller to the agent who was recognized in the call', async () => {
  const context = await claimingBruno();
  const asked = await audioOf(context, { parties: [agent, person], selector: 1 });
  const { body } = await platform.post(`/v1/voiceprints/${bruno.profile}/verification`, asked);
  expect(body.result.decision).toBe('DECISION_AUTHENTIC');
  const own = await claimingBruno();
  const mono = await audioOf(own, { file: wavFile([await voiceSamples('bruno', 4)], RATE) });
  await platform.post(`/v1/voiceprints/${bruno.profile}/verification`, mono);
  const exported = await platform.post(`/v1/x/persons/${bruno.owner}/export`, {
    context: { gkScopeId: context.gkScopeId },
  });
  const files = unzipSync(
    new Uint8Array(await (await fetch(exported.body.downloadUrl as string)).arrayBuffer()),
  );
  const read = (name: string) =>
    JSON.parse(Buffer.from(files[name] ?? []).toString()) as Record<string, unknown>[];
  const recordings = read('recordings.json');
  const groundOf = ({ gkMediaSegmentId }: typeof asked) =>
    recordings.find((one) => one['gkMediaSegmentId'] === gkMediaSegmentId.value)?.['withheld'];
  expect([groundOf(asked), groundOf(mono)]).toEqual(['ALSO_ANOTHER_PERSON', undefined]);
  const others = read('sessions.json').filter(({ isOfOther }) => isOfOther);
  expect(others.map(({ gkSessionId }) => gkSessionId)).toContain(context.gkSessionId?.value);
  expect(others.map(({ gkSessionId }) => gkSessionId)).not.toContain(own.gkSessionId?.value);
});
