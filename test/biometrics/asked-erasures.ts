/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Persons who were only asked for: calls that listen for them or were to, and sessions in which nobody else was meant. Cases for the suite
// of erasure, which has the server.
import { expect, it } from 'vitest';
import { sweepErased } from '../../src/biometrics/jobs/erasure-sweep.js';
import { LiveAudio } from '../../src/gen/voxgate/live/v1/live_pb.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { bearer, format, Line, targetOf, visit } from '../live/line.js';
import { callSamples, muLaw } from '../live/support.js';
import { tracesOf } from '../support/traces.js';
import { storageOf, type Scene } from './erasure-sweeps.js';
import { utterance, type RequestContext } from './support.js';

const listOf = (...profiles: string[]) => ({ uniqueIds: profiles.map((value) => ({ value })) });

export function askedErasures(scene: () => Scene): void {
  it('ends a call that listens for the person, and takes back the one that waits', async () => {
    const { platform, erase } = scene();
    const storage = await storageOf(scene());
    const { profile, owner } = await platform.printOf('emil', 'person', 'listened-for');
    const other = await platform.printOf('carl', 'person', 'listened-for-too');
    const begin = async (...prints: string[]): Promise<Line> => {
      const line = new Line(platform);
      const target = { gkVoiceprintProfileIds: listOf(...prints) };
      await line.begin({ question: { context: await platform.open(), target }, format });
      return line;
    };
    const [alone, both, elsewhere] = [
      await begin(profile),
      await begin(profile, other.profile),
      await begin(other.profile),
    ];
    const prepare = async (print: string): Promise<any> => {
      const question = { context: await platform.open(), target: targetOf(print) };
      return (await platform.post('/v1/live/calls', question)).body;
    };
    const [waiting, staying] = [await prepare(profile), await prepare(other.profile)];
    const running = async (): Promise<string[]> => {
      const path = `/v1/live/calls?gk_scope_id.value=${platform.gkScopeId}`;
      return (await platform.server.rest('GET', path)).body.calls?.map((call: any) => call.liveCallId) ?? [];
    };
    expect(await running()).toHaveLength(3);

    // The calls that name the print: two that run, one that waits. Their sessions, of which one names somebody else too, and the one of
    // enrollment.
    const proof = await erase(await platform.open(), owner);
    expect(proof).toMatchObject({ liveCalls: 3, engagements: 3, sessions: 3 });
    // Whether more is said or somebody asks first.
    alone.send(muLaw(await callSamples('emil', [4, 5], 8000)));
    expect(await running()).toHaveLength(1);
    for (const line of [alone, both]) {
      await line.closed;
      expect(line.events.at(-1)).toMatchObject({ final: true, reason: 'PERSONAL_DATA_DELETED' });
    }
    const { call } = await platform.server
      .grpc(LiveAudio)
      .getCall({ liveCallId: waiting.liveCallId } as never);
    expect(call).toMatchObject({
      ended: true,
      events: [{ final: true, endReason: 'failed', reason: 'PERSONAL_DATA_DELETED' }],
    });
    const start = (streamToken: string) => JSON.stringify({ start: { streamToken, format } });
    expect((await visit(platform, [start(waiting.streamToken)], bearer)).events).toEqual([]);

    // What is for somebody else goes on.
    expect(elsewhere.events).toHaveLength(1);
    elsewhere.send(JSON.stringify({ stop: {} }));
    await elsewhere.closed;
    expect(elsewhere.events.at(-1)).toMatchObject({ endReason: 'stopped' });
    const path = `/v1/live/calls/${staying.liveCallId}`;
    expect((await platform.server.rest('GET', path)).body.call.ended ?? false).toBe(false);
    expect((await platform.post(`${path}:end`, {})).status).toBe(200);
    await erase(await platform.open(), other.owner);
    const { read } = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    for (const erased of [owner, other.owner])
      expect(await read.erasure.engagementsAskingFor(platform.gkScopeId, erased)).toEqual([]);
  });

  /** A session that tells words about its customer. */
  async function sessionTelling(word: string): Promise<RequestContext> {
    const { platform } = scene();
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const { body } = await platform.server.rest('PUT', '/v1/engagements/start', {
      body: { context, details: { engagementId: word, customData: { about: word } } },
    });
    const opened = { ...context, gkEngagementId: body.gkEngagementId };
    const session = await platform.post('/v1/sessions/start', {
      context: opened,
      sessionType: 'SESSION_TYPE_CALL_CENTER',
      details: { ani: word, customData: { about: word } },
    });
    return { ...opened, gkSessionId: session.body.gkSessionId };
  }

  it('empties sessions in which nobody but the person was asked for, whatever came out', async () => {
    const { platform, blobs, erase } = scene();
    const storage = await storageOf(scene());
    const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const sweep = () => sweepErased({ store, clock: systemClock, jobs: { wake: () => undefined } });
    const { profile, owner } = await platform.printOf('emil', 'person', 'asked-about');
    const other = await platform.printOf('carl', 'person', 'asked-about-too');
    const untrained = await platform.createProfile(await platform.open(), 'person', 'asked-about', 'second');
    const words: string[] = [];
    const left = async (): Promise<string[]> => {
      const { found } = await tracesOf(storage, platform.gkScopeId, words);
      return words.filter((word) => found.some((where) => where.endsWith(word)));
    };
    const told = async (about: string, status: number, work: (context: RequestContext) => Promise<any>) => {
      const word = `zq-${about}-xq`;
      words.push(word);
      const context = await sessionTelling(word);
      expect((await work(context)).status, word).toBe(status);
      return context;
    };
    const ofNobody: string[] = [];
    const identify = async (context: RequestContext, ...prints: string[]) => {
      const value = await platform.upload(context, utterance('dora', 4));
      if (prints.includes(other.profile)) ofNobody.push(value);
      return platform.post('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId: { value },
        gkVoiceprintProfileIds: listOf(...prints),
      });
    };
    const verify = (print: string) => (context: RequestContext) =>
      platform.verify(context, print, utterance('dora', 4));
    await told('refused', 400, verify(untrained));
    await told('no-match', 200, verify(profile));
    await told('identified', 200, (at) => identify(at, profile, untrained));
    await told('several', 200, (at) => identify(at, profile, other.profile));
    const mixed = await told('mixed', 200, verify(profile));
    expect((await verify(other.profile)(mixed)).status).toBe(200);
    await told('prepared', 200, (at) =>
      platform.post('/v1/live/calls', { context: at, target: targetOf(profile) }),
    );
    // Refused before anything is looked for: what was asked is said all the same.
    const faulty = (path: string, fault: object) => async (context: RequestContext) => {
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('dora', 4)) };
      return platform.post(path, { context, gkMediaSegmentId, ...fault });
    };
    const verification = `/v1/voiceprints/${profile}/verification`;
    await told('no-configset', 400, async (context) => {
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('dora', 4)) };
      return platform.post(verification, { context: { ...context, configsetId: 'nope' }, gkMediaSegmentId });
    });
    await told('no-channel', 400, faulty(verification, { channelSelector: { channel: 9 } }));
    const footprint = { footprintPlaybackDetectionParameters: { gkVoiceprintProfileId: { value: profile } } };
    await told('footprint', 400, faulty('/v1/audios/spoofing', footprint));
    await told('collecting', 200, (at) =>
      platform.post('/v1/live/calls', {
        context: at,
        target: { syntheticSpeech: true, enrollInto: { value: profile } },
      }),
    );
    // Nobody asks: a recording is given to the person, or was uploaded as theirs.
    await told('given', 200, async (context) => {
      const media = await platform.upload(context, utterance('dora', 4));
      const details = { gkPersonId: { value: owner } };
      const body = { context, details, fieldMask: 'gkPersonId' };
      return platform.server.rest('PATCH', `/v1/mediasegments/${media}`, { body });
    });
    await told('party', 200, async (context) => {
      const party = { channelIndex: 1, partyType: 'PARTY_TYPE_PERSON', gkPartyId: { value: owner } };
      await platform.upload(context, utterance('dora', 4), {
        container: 'CONTAINER_WAV',
        callParties: [party],
      });
      return { status: 200 };
    });
    // One of its recordings is evidence in another matter: then nothing of the engagement is touched.
    const held = await told('held', 200, verify(profile));
    const evidence = await platform.upload(held, utterance('dora', 5));
    const hold = (legalHold: boolean) =>
      platform.server.rest('PATCH', `/v1/mediasegments/${evidence}`, {
        body: { context: held, details: { legalHold }, fieldMask: 'legalHold' },
      });
    expect((await hold(true)).status).toBe(200);
    expect(await left()).toEqual(words);

    // Those above but three, and the one of enrollment.
    expect(await erase(await platform.open(), owner)).toMatchObject({
      engagements: 11,
      sessions: 11,
      liveCalls: 2,
    });
    expect(await left()).toEqual(['zq-several-xq', 'zq-mixed-xq', 'zq-held-xq']);

    // Somebody who still has the old print asks for it. They may go on with somebody else; when they have not, it was about the person.
    const late = await told('late', 404, verify(profile));
    const instead = await told('instead', 404, verify(profile));
    expect((await verify(other.profile)(instead)).status).toBe(200);
    expect((await hold(false)).status).toBe(200);
    for (const context of [held, late, instead]) {
      expect((await platform.post('/v1/sessions/stop', { context })).status).toBe(200);
      const stopped = await platform.server.rest('PUT', '/v1/engagements/stop', { body: { context } });
      expect(stopped.status).toBe(200);
    }
    await sweep();
    await expect.poll(left).toEqual(['zq-several-xq', 'zq-mixed-xq', 'zq-instead-xq']);
    // Nothing is looked at again and again.
    await expect.poll(sweep).toBe(0);
    await erase(await platform.open(), other.owner);
    for (const media of [evidence, ...ofNobody]) {
      const path = `/v1/mediasegments/${media}?${platform.query(await platform.open())}`;
      expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    }
    expect(blobs()).toEqual([]);
  });

  it('leaves the recording alone that was said to be theirs by mistake, and put right', async () => {
    const { platform, blobs, erase } = scene();
    const { profile, owner } = await platform.printOf('emil', 'person', 'mistaken-for');
    const meant = await platform.createOwner(await platform.open(), 'person', 'meant');
    const change = async (path: string, details: object, context: RequestContext): Promise<void> => {
      const body = { context, details, fieldMask: Object.keys(details).join() };
      expect((await platform.server.rest('PATCH', path, { body })).status).toBe(200);
    };
    const giveTo = async (person: string, media: string) =>
      change(`/v1/mediasegments/${media}`, { gkPersonId: { value: person } }, await platform.open());
    const claim = (person: string, context: RequestContext) =>
      change('/v1/sessions/details', { claimedGkPersonId: { value: person } }, context);

    const given = await platform.upload(await platform.open(), utterance('dora', 4));
    await giveTo(owner, given);
    const processed = await platform.post('/v1/audios/process', {
      context: await platform.open(),
      gkMediaSegmentId: { value: given },
    });
    expect(processed.status).toBe(200);
    await giveTo(meant, given);
    const call = await platform.open();
    const type = { sessionType: 'SESSION_TYPE_IVR' };
    const { body: more } = await platform.post('/v1/sessions/start', { context: call, ...type });
    await platform.upload({ ...call, gkSessionId: more.gkSessionId }, utterance('dora', 5));
    await claim(owner, call);
    await platform.upload(call, utterance('dora', 4));
    await claim(meant, call);
    // What was compared with the person is theirs by more than a name.
    const compared = await platform.open();
    const media = await platform.upload(compared, utterance('dora', 4));
    const asked = { context: compared, gkMediaSegmentId: { value: media } };
    expect((await platform.post(`/v1/voiceprints/${profile}/verification`, asked)).status).toBe(200);
    await giveTo(owner, media);
    await giveTo(meant, media);

    expect(await erase(await platform.open(), owner)).toMatchObject({ media: 4, keptForOthers: 0 });
    expect(blobs()).toHaveLength(3);
    const { found } = await tracesOf(await storageOf(scene()), platform.gkScopeId, [owner]);
    expect(found.filter((where) => /^(media|processed|voice_ties)/.test(where))).toEqual([]);
    const path = `/v1/mediasegments/${given}?${platform.query(await platform.open())}`;
    expect(JSON.stringify((await platform.server.rest('GET', path)).body)).toContain(meant);
    expect(await erase(await platform.open(), meant)).toMatchObject({ media: 3 });
    expect(blobs()).toEqual([]);
  });
}
