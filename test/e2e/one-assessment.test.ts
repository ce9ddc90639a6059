/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// @module-tag slow
// Calls of twenty kinds, as lists, pages, decisions, events, live events, batch results and spreadsheets report them: none contradicts another.
// (Webhooks send the events; client/suites/commands.ts compares the command line.)
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionsCsv } from '../../src/console/pages/sessions/sessions-csv.js';
import { text as words } from '../../src/words/english.js';
import { byColumn } from '../console/csv.js';
import { bearer, STOP, visit } from '../live/line.js';
import { callSamples, muLaw, pieces } from '../live/support.js';
import {
  jobPatience,
  Platform,
  utterance,
  type RequestContext,
  type VoiceName,
} from '../biometrics/support.js';

let platform: Platform;
let anna: { profile: string; owner: string };
let watchlist: string;
/** What kind of call a session is. */
const kinds = new Map<string, string>();
/** The events of the calls that came in live. */
const liveEvents = new Map<string, any[]>();

const idOf = ({ gkSessionId }: RequestContext): string => gkSessionId?.value ?? '';
const scope = () => ({ gkScopeId: { value: platform.gkScopeId } });
const get = async (path: string, more = ''): Promise<any> => {
  const { status, body } = await platform.server.rest(
    'GET',
    `${path}?context.gkScopeId.value=${platform.gkScopeId}${more}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
async function post(path: string, body: object): Promise<any> {
  const answer = await platform.post(path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}
const stop = async (context: RequestContext): Promise<void> => {
  const { status, body } = await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
  expect(status, JSON.stringify(body)).toBe(200);
};

async function open(kind: string, more: object = {}, details?: object): Promise<RequestContext> {
  const context = { ...scope(), configsetId: platform.configsetId, ...more };
  const { gkSessionId, gkEngagementId } = await started(context, details);
  kinds.set(gkSessionId.value, kind);
  return { ...context, gkSessionId, gkEngagementId };
}

const started = async (context: object, details?: object): Promise<any> =>
  post('/v1/sessions/start', { context, sessionType: 2, ...(details && { details }) });

const mediaOf = async (context: RequestContext, voice: VoiceName, index = 4) => ({
  gkMediaSegmentId: { value: await platform.upload(context, utterance(voice, index)) },
});

async function verify(context: RequestContext, voice: VoiceName, index = 4, more: object = {}) {
  const media = await mediaOf(context, voice, index);
  await post(`/v1/voiceprints/${anna.profile}/verification`, { context, ...media, ...more });
  return media;
}

const attackChecks = { syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} };
const analyze = async (context: RequestContext, voice: VoiceName, more: object): Promise<any> =>
  post('/v1/voiceprints/audio-analysis', { context, ...(await mediaOf(context, voice)), ...more });

const print = () => ({ gkVoiceprintProfileIds: { uniqueIds: [{ value: anna.profile }] } });
const list = () => ({ watchlist: { uniqueId: { value: watchlist } } });

/** Heard live; what its events say is kept. */
async function live(
  context: RequestContext,
  speech: readonly [VoiceName, number][],
  target: object = { ...print(), syntheticSpeech: true },
): Promise<void> {
  const parts = await Promise.all(speech.map(([voice, index]) => callSamples(voice, [index], 8000)));
  const start = { question: { context, target }, format: { encoding: 'MULAW', sampleRateHz: 8000 } };
  const audio = parts.flatMap((part) => [...pieces(muLaw(part), 1600)]);
  const { events } = await visit(platform, [JSON.stringify({ start }), ...audio, STOP], bearer);
  liveEvents.set(idOf(context), events);
}

beforeAll(async () => {
  platform = await Platform.start();
  await platform.configure('SCOPE', {});
  await platform.configure('alarmed', { attackChecks: { riskHigh: 1, reliabilityMin: 0 } });
  await platform.configure('unsure', { attackChecks: { reliabilityMin: 100 } });
  await platform.configure('unreliable', { authentication: { reliabilityMin: 100 } });
  anna = await platform.printOf('anna');
  const carl = await platform.printOf('carl', 'fraudster');
  const desk = await platform.open();
  watchlist = (await post('/v1/watchlists', { context: desk, watchlistId: 'wanted' })).gkWatchlistId.value;
  await post(`/v1/watchlists/${watchlist}/fraudsters`, {
    context: desk,
    gkFraudsterId: { value: carl.owner },
  });
  await twentyCalls();
});
afterAll(() => platform?.stop());

async function twentyCalls(): Promise<void> {
  const ended = async (kind: string, work: (context: RequestContext) => Promise<unknown>, more = {}) => {
    const context = await open(kind, more);
    await work(context);
    await stop(context);
    return context;
  };
  await ended('a match without attack checks', (context) => verify(context, 'anna'));
  await ended('a match with all checks', (context) =>
    analyze(context, 'anna', { ...print(), ...list(), ...attackChecks }),
  );
  await ended('no match', (context) => verify(context, 'bruno'));
  await ended('a fraudster', (context) => analyze(context, 'carl', list()));
  await ended('an attack', (context) => analyze(context, 'anna', { ...print(), ...attackChecks }), {
    configsetId: 'alarmed',
  });
  await ended(
    'an attack check that cannot tell',
    (context) => analyze(context, 'anna', { ...print(), ...attackChecks }),
    { configsetId: 'unsure' },
  );
  await ended('an unreliable comparison', (context) => verify(context, 'anna'), {
    configsetId: 'unreliable',
  });
  await ended('nothing', async () => undefined);
  await ended('only attack checks', (context) => analyze(context, 'dora', attackChecks));
  await ended('only a watchlist', (context) => analyze(context, 'dora', list()));
  await ended('two who contradict', async (context) => {
    await verify(context, 'anna');
    await verify(context, 'bruno');
  });
  let uploaded: object = {};
  await ended('an upload', async (context) => void (uploaded = await mediaOf(context, 'emil')));
  await ended('a check of what was uploaded', (context) =>
    post(`/v1/voiceprints/${anna.profile}/verification`, { context, ...uploaded }),
  );
  await ended('an enrollment', async (context) => {
    const owner = await platform.createOwner(context, 'person', 'emil');
    const profile = await platform.createProfile(context, 'person', 'emil');
    await platform.enroll(context, profile, utterance('emil', 1));
    return owner;
  });
  const first = await ended('a match that is inherited', (context) => verify(context, 'anna', 5));
  const { gkSessionId: _first, ...engagement } = first;
  await ended('an inherited match', async () => undefined, engagement);
  const judged = await ended('a match that turned out as fraud', (context) => verify(context, 'anna', 5));
  await platform.server.rest('PUT', '/v1/engagements/verdict', {
    body: { context: judged, verdict: 'ENGAGEMENT_VERDICT_FRAUD' },
  });
  let media: object = {};
  await ended('found later', async (context) => void (media = await verify(context, 'anna', 5)));
  const later = { ...(await open('the later check')), configsetId: 'alarmed' };
  await post('/v1/audios/spoofing', { context: later, ...media, syntheticSpeechDetectionParameters: {} });
  await ended('live: a match', (context) =>
    live(context, [
      ['anna', 4],
      ['anna', 5],
    ]),
  );
  await ended('live: no match', (context) =>
    live(context, [
      ['bruno', 4],
      ['bruno', 5],
    ]),
  );
  await ended('live: another voice takes over', (context) =>
    live(context, [
      ['anna', 4],
      ['anna', 5],
      ['bruno', 4],
      ['bruno', 5],
      ['bruno', 4],
    ]),
  );
  await ended('live: too little speech', (context) => live(context, []));
  await open('still open');
}

/** What must be the same everywhere; without `names`, callers are not named. */
const meaningOf = ({ headline, tone, caveats = [], causes = [], unresolvedChecks = [] }: any) => ({
  ...{ headline, tone, caveats, unresolvedChecks },
  causes: causes.map(({ check, reason, measures = [] }: any) => ({ check, reason, measures })),
});

const bare = (name: string): string => name.replace(/^SESSION_(HEADLINE|TONE|CAVEAT)_/, '');

it('has one assessment in list, page, decision, events, live events and spreadsheet', async () => {
  const { sessions } = await get('/v1/x/sessions', '&pageSize=200');
  const { events } = await get('/v1/events', '&page_size=1000');
  const rows = byColumn(sessionsCsv(sessions));
  const listed = sessions.filter(({ details }: any) => kinds.has(details.gkSessionId.value));
  expect(listed).toHaveLength(kinds.size);
  expect(kinds.size).toBeGreaterThanOrEqual(20);
  const seen = new Set<string>();
  for (const { details, assessment } of listed) {
    const id: string = details.gkSessionId.value;
    const kind = kinds.get(id) ?? '';
    const meaning = meaningOf(assessment);
    seen.add(meaning.headline);
    for (const caveat of meaning.caveats) seen.add(caveat);
    const page = await get(`/v1/x/sessions/${id}/timeline`);
    expect([kind, meaningOf(page.assessment)]).toEqual([kind, meaning]);
    const byId = await get('/v1/x/sessions', `&gkSessionIds=${id}`);
    expect([kind, byId.sessions[0].assessment]).toEqual([kind, assessment]);

    const told = events.filter(({ data }: any) => data.gkSessionId === id);
    expect(told.length, kind).toBeGreaterThan(0);
    for (const { data } of told) expect([kind, meaningOf(data.assessment)]).toEqual([kind, meaning]);

    const decided = await platform.decision({
      ...scope(),
      gkSessionId: { value: id },
      gkEngagementId: details.gkEngagementId,
    });
    const [said, ...causes] = decided.status.diagnosticDetails;
    expect([kind, said.extras]).toEqual([
      kind,
      {
        headline: bare(meaning.headline),
        tone: bare(meaning.tone),
        ...(meaning.caveats.length > 0 && { caveats: meaning.caveats.map(bare).join(',') }),
        ...(meaning.unresolvedChecks.length > 0 && { unresolved_checks: meaning.unresolvedChecks.join(',') }),
      },
    ]);
    expect(causes.map(({ extras }: any) => extras.reason)).toEqual(
      meaning.causes.map(({ reason }: any) => reason),
    );

    const row: any = rows.find((one: any) => one.system_identifier === id);
    const caveatWords = meaning.caveats.map((name: string) => words.caveats[bare(name) as 'INHERITED'].word);
    expect([kind, row.caveats]).toEqual([kind, caveatWords.join('; ')]);
    expect([kind, row.tone]).toEqual([kind, bare(meaning.tone).toLowerCase()]);

    const event = liveEvents.get(id)?.at(-1);
    // What happens after the call, such as that its session is stopped, is not in its events.
    if (event) expect([kind, meaningOf(event.assessment)]).toEqual([kind, meaning]);
  }
  const headlines = ['FRAUD', 'NO_MATCH', 'UNCERTAIN', 'AUTHENTIC', 'NO_RISK_DETECTED', 'ENROLLMENT', 'NONE'];
  const caveats = ['FOUND_LATER', 'OUTCOME_DISAGREES', 'CONTRADICTION', 'ATTACK_CHECK_MISSING', 'INHERITED'];
  const wanted = [
    ...headlines.map((name) => `SESSION_HEADLINE_${name}`),
    ...caveats.map((name) => `SESSION_CAVEAT_${name}`),
  ];
  expect(wanted.filter((name) => !seen.has(name))).toEqual([]);
});

const said = async (context: RequestContext): Promise<object> =>
  meaningOf((await get('/v1/x/sessions', `&gkSessionIds=${idOf(context)}`)).sessions[0].assessment);

/** From its first decision on. */
function expectEvents(context: RequestContext, meaning: object): void {
  const [, ...decided] = liveEvents.get(idOf(context)) ?? [];
  expect(decided.length).toBeGreaterThan(1);
  for (const { assessment } of decided) expect(meaningOf(assessment)).toEqual(meaning);
}

it('has one assessment of a call at a locked print and of its recording', async () => {
  const bruno = await platform.createOwner(await platform.open(), 'person', 'bruno');
  const lock = `/v1/voiceprints/profiles/${anna.profile}/attributes/lock`;
  const context = await platform.open();
  const locked = await platform.server.rest('PUT', lock, { body: { context, reason: 'lost telephone' } });
  expect(locked.status).toBe(200);
  for (const [claimed, caveats] of [
    [anna.owner, []],
    [bruno, ['SESSION_CAVEAT_OTHER_PERSON']],
  ] as const) {
    const details = { claimedGkPersonId: { value: claimed } };
    const file = await open('a locked print', {}, details);
    const request = { context: file, ...(await mediaOf(file, 'bruno')) };
    const refused = await platform.post(`/v1/voiceprints/${anna.profile}/verification`, request);
    expect(refused.status).toBe(403);
    const call = await open('live: a locked print', {}, details);
    await live(call, [['bruno', 4]], print());
    const meaning = await said(file);
    expect(meaning).toMatchObject({ headline: 'SESSION_HEADLINE_REFUSED', caveats });
    expect(await said(call)).toEqual(meaning);
    expectEvents(call, meaning);
  }
  const unlocked = await platform.server.rest('DELETE', `${lock}?${platform.query(context)}`);
  expect(unlocked.status).toBe(200);
});

it('has one assessment of a call and of what was checked before it', async () => {
  const afterFraud = await open('live: after a fraudster');
  await analyze(afterFraud, 'carl', list());
  await live(afterFraud, [['anna', 4]], print());
  const afterMatch = await open('live: a watchlist after a match');
  await verify(afterMatch, 'anna');
  await live(afterMatch, [['anna', 5]], list());
  const first = await open('a match before a call');
  await verify(first, 'anna');
  await stop(first);
  const { gkSessionId: _first, ...engagement } = first;
  const inherited = await open('live: a watchlist after an earlier match', engagement);
  await live(inherited, [['anna', 5]], list());
  for (const [context, headline, isInherited] of [
    [afterFraud, 'FRAUD', false],
    [afterMatch, 'AUTHENTIC', false],
    [inherited, 'AUTHENTIC', true],
  ] as const) {
    const meaning: any = await said(context);
    expect(bare(meaning.headline)).toBe(headline);
    expect(meaning.caveats.includes('SESSION_CAVEAT_INHERITED')).toBe(isInherited);
    expectEvents(context, meaning);
  }
});

it('has one assessment in the results of a batch and in the sessions of its lines', async () => {
  const context = { ...scope(), configsetId: platform.configsetId };
  const desk = await platform.open();
  const media = await Promise.all(
    (['anna', 'bruno', 'carl'] as const).map((voice) => platform.upload(desk, utterance(voice, 5))),
  );
  const manifest = ['media,person_id', ...media.map((one) => `${one},anna`)].join('\n');
  const { gkJobId } = await post('/v1/batches:check', {
    ...{ context, manifest, gkWatchlistId: { value: watchlist } },
  });
  await expect
    .poll(async () => (await get(`/v1/batches/${gkJobId}`)).batch.state, jobPatience)
    .toBe('BATCH_STATE_COMPLETED');
  const { results } = await get(`/v1/batches/${gkJobId}/results`);
  expect(results).toHaveLength(3);
  for (const { gkSessionId, decision, assessment } of results) {
    const { sessions } = await get('/v1/x/sessions', `&gkSessionIds=${gkSessionId}`);
    expect(assessment).toEqual(sessions[0].assessment);
    expect(bare(assessment.headline)).toBe(decision);
  }
});
