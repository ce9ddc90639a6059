// A call that is over means what its session means, as of now: in its last event, in GetCall, and for whoever follows it afterwards.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker } from '../biometrics/asking.js';
import { Platform, type RequestContext } from '../biometrics/support.js';
import { Line, startWith, STOP } from './line.js';
import { muLaw, pieces, twoCallers } from './support.js';
import { watchCall } from './watch.js';

interface Meaning {
  headline: string;
  tone: string;
  caveats?: string[];
}

interface Call {
  context: RequestContext;
  liveCallId: string;
}

const activity = asker(Activity);
let platform: Platform;
let anna: { profile: string; owner: string };
let speech: Buffer[];

beforeAll(async () => {
  platform = await Platform.start({ config: { 'live.resumeMs': 50 } });
  anna = await platform.printOf('anna');
  speech = [...pieces(muLaw((await twoCallers()).own), 160)];
});
afterAll(() => platform.stop());

async function listed({ context }: Call): Promise<Meaning> {
  const asked = { gk_session_ids: [context.gkSessionId?.value] };
  const { body } = await activity(platform, 'gRPC', 'ListSessions', asked, { ...context });
  const [entry] = body['sessions'] as { assessment: object }[];
  const { whoCalled: _who, inheritedFrom: _from, foundLater: _later, ...meaning } = Object(entry?.assessment);
  return meaning as Meaning;
}

async function got({
  liveCallId,
}: Call): Promise<{ ended?: boolean; assessment: Meaning; events: object[] }> {
  return (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call;
}

/** Everywhere the same: returns it. */
async function told(call: Call): Promise<Meaning> {
  await expect.poll(async () => (await got(call)).ended).toBe(true);
  const { assessment, events } = await got(call);
  const since = watchCall(platform, { liveCallId: call.liveCallId });
  await since.ended;
  expect(assessment).toEqual(await listed(call));
  expect(events.at(-1)).toMatchObject({ final: true, assessment });
  expect(since.events()).toEqual(events);
  return assessment;
}

async function call(
  end: (line: Line, liveCallId: string) => unknown,
  { context, said = speech }: { context?: RequestContext; said?: Buffer[] } = {},
): Promise<Call & { last: unknown }> {
  const own = context ?? (await platform.open());
  const line = new Line(platform);
  const { event } = await line.begin(JSON.parse(startWith(own, anna.profile)).start);
  const { liveCallId } = event as unknown as { liveCallId: string };
  const following = watchCall(platform, { liveCallId });
  await following.begun;
  line.send(...said);
  if (said.length > 0) await expect.poll(() => line.events.at(-1)?.state).toBe('AUTHENTIC');
  await end(line, liveCallId);
  await following.ended;
  return { context: own, liveCallId, last: following.events().at(-1) };
}

const stop = (line: Line): void => line.send(STOP);

it('that was cut off, when it is told that it is over', async () => {
  const cut = await call((line) => line.socket.terminate());
  const meaning = await told(cut);
  expect(meaning).toMatchObject({ tone: 'SESSION_TONE_NEUTRAL' });
  expect(meaning.caveats).toContain('SESSION_CAVEAT_CUT_OFF');
  expect(cut.last).toMatchObject({ endReason: 'lost', assessment: meaning });
});

it('that somebody stopped', async () => {
  const stopped = await call(async (_line, liveCallId) => {
    const { body } = await platform.server.rest('POST', `/v1/live/calls/${liveCallId}:end`, { body: {} });
    expect(body.call.assessment.caveats).toContain('SESSION_CAVEAT_CUT_OFF');
  });
  const meaning = await told(stopped);
  expect(meaning.caveats).toContain('SESSION_CAVEAT_CUT_OFF');
  expect(stopped.last).toMatchObject({ endReason: 'ended', assessment: meaning });
});

const endCall = async (_line: Line, liveCallId: string): Promise<void> => {
  const { status } = await platform.server.rest('POST', `/v1/live/calls/${liveCallId}:end`, { body: {} });
  expect(status).toBe(200);
};

it.each([
  ['cut off', 'CutOffCall', (line: Line) => line.socket.terminate()],
  ['stopped', 'EndCall', endCall],
])('that was %s before there was a decision, and in its event', async (_how, operation, end) => {
  const early = await call(end, { said: [] });
  const meaning = await told(early);
  expect(meaning).toMatchObject({ headline: 'SESSION_HEADLINE_NONE', caveats: ['SESSION_CAVEAT_CUT_OFF'] });
  expect(early.last).toMatchObject({ assessment: meaning });
  const scope = `context.gkScopeId.value=${platform.gkScopeId}&types=voxgate.v1.${operation}`;
  const { events } = (await platform.server.rest('GET', `/v1/events?${scope}`)).body;
  type Told = { data: { gkSessionId: string; assessment: object } };
  const own = (events as Told[]).filter(({ data }) => data.gkSessionId === early.context.gkSessionId?.value);
  expect(own.map(({ data }) => data.assessment)).toEqual([meaning]);
});

it('that nobody spoke in, also where its session has the decision from another one', async () => {
  const silent = await call(stop, { said: [] });
  expect(await told(silent)).toMatchObject({ headline: 'SESSION_HEADLINE_NONE' });
  const first = await call(stop);
  const { gkSessionId: _first, ...engagement } = first.context;
  await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: first.context } });
  const { body } = await platform.post('/v1/sessions/start', { context: engagement, sessionType: 2 });
  const second = await call(stop, { context: { ...engagement, gkSessionId: body.gkSessionId }, said: [] });
  await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: second.context } });
  const meaning = await told(second);
  expect(meaning.headline).toBe('SESSION_HEADLINE_AUTHENTIC');
  expect(meaning.caveats).toContain('SESSION_CAVEAT_INHERITED');
});

it('of which the outcome was recorded, and whose caller was erased', async () => {
  const judged = await call(stop);
  expect((await told(judged)).caveats).not.toContain('SESSION_CAVEAT_OUTCOME_DISAGREES');
  const { context } = judged;
  const { gkScopeId } = context;
  const body = { context: { gkScopeId }, verdict: 'ENGAGEMENT_VERDICT_FRAUD' };
  expect(
    (
      await platform.server.rest('PUT', `/v1/x/engagements/${context.gkEngagementId?.value}/outcome`, {
        body,
      })
    ).status,
  ).toBe(200);
  expect((await told(judged)).caveats).toContain('SESSION_CAVEAT_OUTCOME_DISAGREES');
  const genuine = await call(stop);
  const scope = platform.query(await platform.open());
  const erased = await platform.server.rest('DELETE', `/v1/persons/${anna.owner}/personal-data?${scope}`);
  expect(erased.status, JSON.stringify(erased.body)).toBe(200);
  await expect.poll(async () => (await listed(genuine)).caveats).toContain('SESSION_CAVEAT_DATA_ERASED');
  expect((await told(genuine)).tone).toBe('SESSION_TONE_NEUTRAL');
});
