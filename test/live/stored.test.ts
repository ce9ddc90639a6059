// @module-tag slow
// What live calls leave in the database, on both of them: prints from calls, the agent's word, and calls that move to another node.
import { create, fromJson } from '@bufbuild/protobuf';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  LiveAudio,
  ListenRequestSchema,
  ListenResponseSchema,
  type ListenResponse,
} from '../../src/gen/voxgate/live/v1/live_pb.js';
import { forEachStore, Platform, utterance } from '../biometrics/support.js';
import { callMetadata, deserializerFor, serializerFor } from '../support/server.js';
import { bearer, format, Line, startWith, STOP, targetOf, visit } from './line.js';
import { callSamples, interleaved, muLaw, pieces, prepareCall, twoCallers } from './support.js';

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-live-'));
  let config: Record<string, unknown>;
  let platform: Platform;
  let anna: { profile: string; owner: string };
  let agent: { profile: string; owner: string };
  let own: Int16Array;
  let stranger: Int16Array;

  beforeAll(async () => {
    config = { home, ...(await store.settings()) };
    platform = await Platform.start({ config });
    anna = await platform.printOf('anna');
    agent = await platform.printOf('bruno');
    ({ own, stranger } = await twoCallers());
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(home, { recursive: true });
  });

  describe('what happened in a tenant', () => {
    const toldOf = async (liveCallId: string) => {
      const parameters = { types: 'voxgate.v1.LiveAudio', page_size: '1000' };
      const query = new URLSearchParams({ 'context.gk_scope_id.value': platform.gkScopeId, ...parameters });
      const { body } = await platform.server.rest('GET', `/v1/events?${query}`);
      const details = (body.events as { data: { detail: Record<string, string> } }[]).map(
        ({ data }) => data.detail,
      );
      return details
        .filter((detail) => detail['liveCallId'] === liveCallId)
        .map(({ factor, check, decision, final }) => [factor ?? check, decision, final]);
    };

    it('tells of which live call each result is, and which one is that of the whole call', async () => {
      const target = { ...targetOf(anna.profile), playback: true };
      const { body } = await platform.post('/v1/live/calls', { context: await platform.open(), target });
      const { liveCallId, streamToken } = body;
      const line = new Line(platform);
      await line.begin({ streamToken, format });
      line.send(muLaw(own), muLaw(stranger), STOP);
      await line.closed;
      const told = await toldOf(liveCallId);
      const of = (kind: string) => told.filter(([name]) => name === kind).map(([, ...rest]) => rest);
      expect(of('AUTHENTICATION')[0]).toEqual(['AUTHENTIC', 'false']);
      expect(of('AUTHENTICATION').map(([, final]) => final)).toEqual(
        of('AUTHENTICATION').map((_, at, all) => String(at === all.length - 1)),
      );
      expect(of('playback').at(-1)?.[1]).toBe('true');
      expect(of('playback')[0]?.[1]).toBe('false');
    });
  });

  describe('agent and customer on one channel', () => {
    it('are told apart by the print of the agent', async () => {
      const both = muLaw(Int16Array.from([...stranger, ...own]));
      const listen = async (target: object) => {
        const start = { question: { context: await platform.open(), target }, format };
        return (await visit(platform, [JSON.stringify({ start }), both, STOP], bearer)).events;
      };
      expect((await listen(targetOf(anna.profile))).at(-1)?.state).not.toBe('AUTHENTIC');
      const apart = await listen({ ...targetOf(anna.profile), agent: { value: agent.profile } });
      // While only the agent has spoken, nothing is decided.
      expect(apart[0]).toMatchObject({ state: 'LISTENING' });
      expect(apart.at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true });
      // As soon as the customer has said enough, however much the agent has said.
      expect(apart[1]).toMatchObject({ state: 'AUTHENTIC', netSpeech: '3s' });
      expect(apart[1]).not.toHaveProperty('final', true);
      // The agent alone is nobody.
      const alone = JSON.stringify({
        start: {
          question: {
            context: await platform.open(),
            target: { ...targetOf(anna.profile), agent: { value: agent.profile } },
          },
          format,
        },
      });
      const { events } = await visit(platform, [alone, muLaw(stranger), STOP], bearer);
      expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'LISTENING']);
    });

    it('are told apart by who speaks first, where the policy says that this is the agent', async () => {
      await platform.configure('agent-first', { authentication: { firstSpeakerIsAgent: true } });
      const listen = async (samples: readonly number[], audio: object = format) => {
        const context = await platform.open('agent-first');
        const start = startWith(context, anna.profile, audio);
        return (await visit(platform, [start, muLaw(Int16Array.from(samples)), STOP], bearer)).events;
      };
      expect((await listen([...stranger, ...own])).at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true });
      // Whoever speaks first and alone is the agent; on a channel of their own it is the customer.
      expect((await listen([...own])).map(({ state }) => state)).toEqual(['LISTENING', 'LISTENING']);
      const alone = { ...format, channels: 2, customerChannel: 1 };
      const twoChannels = [...interleaved(own, new Int16Array(own.length))];
      expect((await listen(twoChannels, alone)).at(-1)).toMatchObject({ state: 'AUTHENTIC' });
    });

    it('need a print of the agent that can be compared', async () => {
      const context = await platform.open();
      const untrained = await platform.createProfile(context, 'person', `agent-${crypto.randomUUID()}`);
      const start = {
        question: { context, target: { ...targetOf(anna.profile), agent: { value: untrained } } },
      };
      const { closed } = await visit(platform, [JSON.stringify({ start: { ...start, format } })], bearer);
      expect(closed.reason).toContain('print of the agent is not trained');
    });
  });

  describe('speech that is collected for a print', () => {
    /** A call of anna that collects for a print; gives its ID once it has ended. */
    const collected = async (
      gkVoiceprintProfileId: string,
      utterances: readonly number[],
      checks: object = targetOf(anna.profile),
    ): Promise<string> => {
      const target = { ...checks, enrollInto: { value: gkVoiceprintProfileId } };
      const { body } = await platform.post('/v1/live/calls', { context: await platform.open(), target });
      const audio = muLaw(await callSamples('anna', utterances, 8000));
      await visit(platform, [
        JSON.stringify({ start: { streamToken: body.streamToken, format } }),
        audio,
        STOP,
      ]);
      return body.liveCallId;
    };
    const confirm = async (id: string, consent: boolean) =>
      (await platform.post(`/v1/live/calls/${id}:enroll`, { consent })).body;

    it('becomes a print over several calls, with consent, and verifies', async () => {
      const context = await platform.open();
      const profile = await platform.createProfile(context, 'person', `passive-${crypto.randomUUID()}`);
      const first = await collected(profile, [1]);
      expect(JSON.stringify((await confirm(first, false)).status)).toContain('has not agreed');
      expect(await confirm(first, true)).toMatchObject({
        enrolled: true,
        reason: 'ENROLL_OK',
        enrollStatus: 'TRAIN_NOT_POSSIBLE',
      });
      expect(JSON.stringify((await confirm(first, true)).status)).toContain('no speech from this call');
      // Consent lasts; the same speech counts once.
      expect(await confirm(await collected(profile, [1]), false)).toMatchObject({ reason: 'ALREADY_ADDED' });
      expect(await confirm(await collected(profile, [2]), false)).toMatchObject({ enrolled: true });
      expect(await confirm(await collected(profile, [3]), false)).toMatchObject({
        enrolled: true,
        trained: true,
      });
      const { events } = await visit(
        platform,
        [startWith(await platform.open(), profile), muLaw(own), STOP],
        bearer,
      );
      expect(events.at(-1)).toMatchObject({ state: 'AUTHENTIC' });
    });

    it('makes a print that is not compared before its cooling-off time is over', async () => {
      await platform.configure('cooling', { enrollment: { coolingOffMinutes: 60 } });
      const context = { ...(await platform.open()), configsetId: 'cooling' };
      const { events } = await visit(platform, [startWith(context, anna.profile), muLaw(own), STOP], bearer);
      expect(events.at(-1)).toMatchObject({ state: 'UNCERTAIN', reason: 'PROFILE_COOLING_OFF' });
      const timeline = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
      expect((await platform.server.rest('GET', timeline)).body.events).toContainEqual(
        expect.objectContaining({ operation: 'LiveAudio', reason: 'PROFILE_COOLING_OFF' }),
      );
      const { body } = await platform.verify(context, anna.profile, utterance('anna', 5));
      expect(body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_NO_SCORES',
      });
      const extras = {
        gk_voiceprint_profile_id: anna.profile,
        compared_from_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      };
      expect(body.status.diagnosticDetails).toMatchObject([{ code: 'PROFILE_COOLING_OFF', extras }]);
    });

    it('is gone when it is not the customer', async () => {
      const id = await collected(anna.profile, [5]);
      expect((await platform.post(`/v1/live/calls/${id}:forget`, {})).body.status.statusCode).toBe('OK');
      expect(JSON.stringify((await confirm(id, true)).status)).toContain('no speech from this call');
      const again = (await platform.post(`/v1/live/calls/${id}:forget`, {})).body.status;
      expect(again.statusCode).toBe('INVALID_REQUEST');
      expect(JSON.stringify(again)).toContain('no speech from this call to forget');
    });

    it('is not taken from a voice that was found to be synthetic, as all test voices are', async () => {
      const id = await collected(anna.profile, [4, 5], { syntheticSpeech: true });
      expect((await confirm(id, true)).status.statusCode).toBe('PERMISSION_DENIED');
    });

    it('is the speech of the customer alone where the agent is heard too', async () => {
      const context = await platform.open();
      const profile = await platform.createProfile(context, 'person', `apart-${crypto.randomUUID()}`);
      const target = { ...targetOf(anna.profile), enrollInto: { value: profile } };
      const enrolled = async (question: object) => {
        const line = new Line(platform);
        const { event } = await line.begin({ question, format });
        line.send(muLaw(Int16Array.from([...stranger, ...own])), STOP);
        await line.closed;
        return confirm((event as unknown as { liveCallId: string }).liveCallId, true);
      };
      expect(JSON.stringify((await enrolled({ context, target })).status)).toContain('more than one person');
      expect(
        await enrolled({ context, target: { ...target, agent: { value: agent.profile } } }),
      ).toMatchObject({ enrolled: true });
    });

    it('is not taken from somebody who was found not to be its owner', async () => {
      const collects = async (enrollInto: string) => {
        const target = { ...targetOf(anna.profile), enrollInto: { value: enrollInto } };
        const { body } = await platform.post('/v1/live/calls', { context: await platform.open(), target });
        const start = JSON.stringify({ start: { streamToken: body.streamToken, format } });
        const { events } = await visit(platform, [start, muLaw(stranger), STOP]);
        expect(events.at(-1)).toMatchObject({ state: 'NO_MATCH' });
        return confirm(body.liveCallId, true);
      };
      expect((await collects(anna.profile)).status.statusCode).toBe('PERMISSION_DENIED');
      // Who is not that person may well be another.
      const context = await platform.open();
      const another = await platform.createProfile(context, 'person', `another-${crypto.randomUUID()}`);
      expect(await collects(another)).toMatchObject({ enrolled: true });
    });

    it('is not taken from somebody who is not its owner among the persons of a group', async () => {
      const context = await platform.open();
      const groupOf = async (...owners: string[]) => {
        const groupId = `group-${crypto.randomUUID()}`;
        const { gkGroupId } = (await platform.post('/v1/groups', { context, groupId })).body;
        for (const value of owners)
          await platform.post(`/v1/groups/${gkGroupId.value}/persons`, { context, gkPersonId: { value } });
        return { group: { uniqueId: gkGroupId } };
      };
      const collects = async (checks: object, samples: Int16Array) => {
        const target = { ...checks, enrollInto: { value: anna.profile } };
        const { body } = await platform.post('/v1/live/calls', { context: await platform.open(), target });
        const start = JSON.stringify({ start: { streamToken: body.streamToken, format } });
        const { events } = await visit(platform, [start, muLaw(samples), STOP]);
        return { state: events.at(-1)?.state, ...(await confirm(body.liveCallId, true)) };
      };
      const refused = { status: { statusCode: 'PERMISSION_DENIED' } };
      const withAnna = await groupOf(anna.owner);
      expect(await collects(withAnna, stranger)).toMatchObject({ state: 'NO_MATCH', ...refused });
      // Somebody else of the group.
      const both = await groupOf(anna.owner, agent.owner);
      expect(await collects(both, stranger)).toMatchObject({ state: 'AUTHENTIC', ...refused });
      // Who is nobody of a group that the owner is not in may well be the owner.
      const withoutAnna = await groupOf(agent.owner);
      expect(await collects(withoutAnna, own)).toMatchObject({ state: 'NO_MATCH', reason: 'ENROLL_OK' });
    });

    it('is refused before it is collected where it could never be enrolled', async () => {
      const context = await platform.open();
      const fraudster = await platform.printOf('fritz', 'fraudster');
      const refusal = async (more: object) => {
        const target = { ...targetOf(anna.profile), ...more };
        const { body } = await platform.post('/v1/live/calls', { context, target });
        return JSON.stringify(body.status);
      };
      for (const enrollInto of [fraudster.profile, crypto.randomUUID()])
        expect(await refusal({ enrollInto: { value: enrollInto } })).toContain('target.enroll_into');
      expect(await refusal({ agent: { value: anna.profile } })).toContain('target.agent');
    });

    it('is told from a call that collects nothing', async () => {
      const { liveCallId, streamToken } = await prepareCall(platform, anna.profile);
      await visit(platform, [JSON.stringify({ start: { streamToken, format } }), muLaw(own), STOP]);
      expect(JSON.stringify((await confirm(liveCallId, true)).status)).toContain('collects no speech');
    });
  });

  describe('the word of the agent', () => {
    const tokenFor = async (liveCallId: string, more: object = {}) =>
      (await platform.post(`/v1/live/calls/${liveCallId}:agent-token`, more)).body;
    const say = async (liveCallId: string, word: string, token: string, body: object = {}) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const url = `${platform.server.httpUrl}/v1/live/${liveCallId}/${word}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const wordOf = async (liveCallId: string) =>
      (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call.agentWord;
    const enrollmentOf = async (liveCallId: string) =>
      (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call.enrollment;

    it('enrolls what the call has collected, when it is over', async () => {
      const context = await platform.open();
      const profile = await platform.createProfile(context, 'person', `word-${crypto.randomUUID()}`);
      const target = { ...targetOf(anna.profile), enrollInto: { value: profile } };
      const line = new Line(platform);
      const { event } = await line.begin({ question: { context, target }, format });
      const { liveCallId } = event as unknown as { liveCallId: string };
      const { agentToken } = await tokenFor(liveCallId);
      for (const consent of ['yes', 1, null])
        expect(await say(liveCallId, 'confirm', agentToken, { consent })).toMatchObject({
          status: 400,
          body: { field: 'consent' },
        });
      // Nobody has asked the person yet: that is told while it can be done.
      const unasked = await say(liveCallId, 'confirm', agentToken);
      expect(unasked.status).toBe(400);
      expect(unasked.body['error_message']).toContain('has not agreed');
      expect(await wordOf(liveCallId)).toBeUndefined();
      expect(await say(liveCallId, 'confirm', agentToken, { consent: true })).toEqual({
        status: 200,
        body: { agentWord: 'CONFIRMED' },
      });
      line.send(muLaw(await callSamples('anna', [1], 8000)), STOP);
      await line.closed;
      const segments = async () =>
        (
          await platform.server.rest(
            'GET',
            `/v1/voiceprints/profiles/${profile}/enrollment-segments?${platform.query(context)}`,
          )
        ).body.enrollmentSegmentsDetails?.length;
      await expect.poll(segments).toBe(1);
      expect(await wordOf(liveCallId)).toBe('CONFIRMED');
      expect((await say(liveCallId, 'deny', agentToken)).body['error_message']).toContain('call is over');
      const outcome = { enrolled: true, reason: 'ENROLL_OK' };
      expect((await say(liveCallId, 'confirm', agentToken)).body).toMatchObject(outcome);
      expect(await enrollmentOf(liveCallId)).toEqual(outcome);
    });

    it('is answered with why speech was not enrolled, whoever asks when the call is over', async () => {
      const context = await platform.open();
      const profile = await platform.createProfile(context, 'person', `two-${crypto.randomUUID()}`);
      const target = { ...targetOf(anna.profile), enrollInto: { value: profile } };
      const line = new Line(platform);
      const { event } = await line.begin({ question: { context, target }, format });
      const { liveCallId } = event as unknown as { liveCallId: string };
      const { agentToken } = await tokenFor(liveCallId);
      expect((await say(liveCallId, 'confirm', agentToken, { consent: true })).status).toBe(200);
      line.send(muLaw(Int16Array.from([...own, ...stranger])), STOP);
      await line.closed;
      const why = {
        reason: 'INVALID_REQUEST',
        message: 'more than one person spoke in this call',
      };
      expect((await say(liveCallId, 'confirm', agentToken)).body).toMatchObject({ enrolled: false, ...why });
      expect(await enrollmentOf(liveCallId)).toEqual(why);
    });

    it('may be taken back while the call runs, and then nothing is enrolled', async () => {
      const context = await platform.open();
      const target = { ...targetOf(anna.profile), enrollInto: { value: anna.profile } };
      const line = new Line(platform);
      const { event } = await line.begin({ question: { context, target }, format });
      const { liveCallId } = event as unknown as { liveCallId: string };
      const { agentToken } = await tokenFor(liveCallId);
      expect((await say(liveCallId, 'confirm', agentToken, { consent: true })).status).toBe(200);
      expect((await say(liveCallId, 'deny', agentToken)).body).toEqual({ agentWord: 'DENIED' });
      expect((await say(liveCallId, 'confirm', agentToken)).body['error_message']).toContain(
        'not the customer',
      );
      line.send(muLaw(await callSamples('anna', [5], 8000)), STOP);
      await line.closed;
      const enrolled = await platform.post(`/v1/live/calls/${liveCallId}:enroll`, { consent: true });
      expect(JSON.stringify(enrolled.body.status)).toContain('no speech from this call');
    });

    it('drops what the call has collected, and is in the audit trail', async () => {
      const context = await platform.open();
      const target = { ...targetOf(anna.profile), enrollInto: { value: anna.profile } };
      const { body: prepared } = await platform.post('/v1/live/calls', { context, target });
      const { liveCallId, streamToken } = prepared;
      const { agentToken } = await tokenFor(liveCallId);
      expect((await say(liveCallId, 'deny', agentToken)).body['error_message']).toContain('not begun');
      const line = new Line(platform);
      await line.begin({ streamToken, format });
      expect((await say(liveCallId, 'deny', agentToken)).status).toBe(200);
      line.send(muLaw(own), STOP);
      await line.closed;
      const enrolled = await platform.post(`/v1/live/calls/${liveCallId}:enroll`, { consent: true });
      expect(JSON.stringify(enrolled.body.status)).toContain('no speech from this call');
      expect(await wordOf(liveCallId)).toBe('DENIED');
    });

    it('needs a token of this call that is not out of date', async () => {
      const { liveCallId } = await prepareCall(platform, anna.profile);
      const other = await prepareCall(platform, anna.profile);
      const { agentToken } = await tokenFor(other.liveCallId, { validFor: '60s' });
      expect((await say(liveCallId, 'confirm', agentToken)).status).toBe(401);
      expect((await say(liveCallId, 'confirm', 'vxagent_guessed')).status).toBe(401);
      expect(JSON.stringify((await tokenFor(liveCallId, { validFor: '90000s' })).status)).toContain(
        'valid_for',
      );
      const short = await tokenFor(liveCallId, { validFor: '0.001s' });
      await expect.poll(async () => (await say(liveCallId, 'deny', short.agentToken)).status).toBe(401);
      // It opens nothing else.
      const read = await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`, { token: agentToken });
      expect(read.status).toBe(401);
    });
  });

  // Last: it stops the server that the others use.
  describe('a node that goes down', () => {
    const overGrpc = (on: Platform, start: object) => {
      const client = new Client(on.server.grpcAddress, credentials.createInsecure());
      const stream = client.makeBidiStreamRequest(
        `/${LiveAudio.typeName}/Listen`,
        serializerFor(ListenRequestSchema),
        deserializerFor(ListenResponseSchema),
        callMetadata({}),
      );
      stream.write(fromJson(ListenRequestSchema, { start } as never));
      const failed = new Promise<ServiceError>((resolve) => stream.once('error', resolve));
      const first = new Promise<ListenResponse>((resolve, reject) => {
        stream.once('data', resolve);
        void failed.then(reject);
      });
      first.catch(() => undefined);
      return { client, stream, first, failed };
    };

    it('hands its calls over: they go on at another, with all that was said', async () => {
      const audio = muLaw(own);
      const question = async () => ({
        question: { context: await platform.open(), target: targetOf(anna.profile) },
        format,
      });
      const sent = new Line(platform);
      const { resume, event } = await sent.begin(await question());
      const sentBytes = 48_000;
      sent.send(...pieces(audio.subarray(0, sentBytes), 1600));
      const { liveCallId } = event as unknown as { liveCallId: string };
      const grpc = overGrpc(platform, await question());
      const { resume: other } = await grpc.first;
      grpc.stream.write(
        create(ListenRequestSchema, { message: { case: 'audio', value: audio.subarray(0, 800) } }),
      );
      // Too little to decide on: it stays undecided when the server goes.
      const brief = new Line(platform);
      const { resume: briefly } = await brief.begin(await question());
      brief.send(audio.subarray(0, 12_000));
      const { body: gone } = await platform.post('/v1/live/calls', {
        context: await platform.open(),
        target: targetOf(anna.profile),
      });
      await visit(platform, [
        JSON.stringify({ start: { streamToken: gone.streamToken, format } }),
        audio,
        STOP,
      ]);
      const waiting = await prepareCall(platform, anna.profile);
      const { agentToken } = (await platform.post(`/v1/live/calls/${waiting.liveCallId}:agent-token`, {}))
        .body;
      const follow = (id: string) =>
        fetch(`${platform.server.httpUrl}/v1/live/${id}/events`, { headers: bearer });
      const followed = await follow(liveCallId);
      // Decided, so that nothing is left on its way.
      await expect.poll(() => sent.events.at(-1)?.state).toBe('AUTHENTIC');
      await platform.stop();
      expect(await sent.closed).toBe('1012 draining: resume with the token');
      expect((await grpc.failed).code).toBe(14);
      grpc.client.close();
      expect(sent.events.every(({ final }) => !final)).toBe(true);
      expect(await brief.closed).toBe('1012 draining: resume with the token');
      expect(brief.events.map(({ state }) => state)).toEqual(['LISTENING']);
      expect(await followed.text()).toMatch(/"AUTHENTIC"[^]*event: draining\nretry: \d+\ndata: \{\}\n\n$/);

      platform = await Platform.restarted(platform, { config });
      const again = new Line(platform);
      const { resume: going } = await again.begin({ resumeToken: resume?.resumeToken, afterSequence: '2' });
      expect(going).toMatchObject({ resumeToken: resume?.resumeToken, receivedBytes: String(sentBytes) });
      again.send(audio.subarray(sentBytes), STOP);
      expect(await again.closed).toBe('1000 stopped');
      const last = again.events.at(-1) as unknown as Record<string, string>;
      expect(last).toMatchObject({ liveCallId, sequence: '3', state: 'AUTHENTIC', final: true });
      // More than was left to say.
      expect(Number.parseFloat(last['position'] as string)).toBeCloseTo(audio.length / 8000, 1);
      const call = (await platform.server.rest('GET', `/v1/live/calls/${liveCallId}`)).body.call;
      expect(Number.parseFloat(call.netSpeech)).toBeGreaterThan((0.8 * audio.length) / 8000);
      // What has ended before the restart can still be asked for.
      const past = (await platform.server.rest('GET', `/v1/live/calls/${gone.liveCallId}`)).body.call;
      expect(past).toMatchObject({ ended: true, protocol: 'websocket' });
      expect(past.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true, endReason: 'stopped' });
      expect(await (await follow(gone.liveCallId)).text()).toContain('"AUTHENTIC"');
      // What was prepared before the restart still may come, with the token of its agent.
      const prepared = new Line(platform);
      await prepared.begin({ streamToken: waiting.streamToken, format });
      const said = await fetch(`${platform.server.httpUrl}/v1/live/${waiting.liveCallId}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(await said.json()).toEqual({ agentWord: 'CONFIRMED' });
      prepared.send(STOP);
      expect(await prepared.closed).toBe('1000 stopped');
      // The first seconds of a call, here and there, make one decision.
      const rest = new Line(platform);
      await rest.begin({ resumeToken: briefly?.resumeToken, afterSequence: '1' });
      rest.send(audio.subarray(12_000), STOP);
      expect(await rest.closed).toBe('1000 stopped');
      expect(rest.events.map(({ state }) => state)).toContain('AUTHENTIC');
      // Each is taken once; the other one waits for its own.
      const late = new Line(platform);
      await new Promise((resolve) => late.socket.once('open', resolve));
      late.send(JSON.stringify({ start: { resumeToken: resume?.resumeToken } }));
      expect(await late.closed).toContain('resume token is unknown');
      const second = new Line(platform);
      expect(await second.begin({ resumeToken: other?.resumeToken })).toHaveProperty('resume');
      second.send(STOP);
      expect(await second.closed).toBe('1000 stopped');
    });
  });
});
