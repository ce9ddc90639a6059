/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Answers kept for repeated calls about somebody who is erased: cases for the suite of erasure, which has the server.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { systemClock } from '../../src/platform.js';
import { keptAnswers } from '../../src/storage/idempotency/kept-answers.js';
import type { RestAnswer } from '../support/server.js';
import { tracesOf } from '../support/traces.js';
import { storageOf, type Scene } from './erasure-sweeps.js';
import { underKey } from './repeats.js';
import { utterance } from './support.js';

const listOf = (...profiles: string[]) => ({ uniqueIds: profiles.map((value) => ({ value })) });

export function answerErasures(scene: () => Scene): void {
  it('takes away the answers that are kept for repeated calls, and does none of them again', async () => {
    const { platform, erase } = scene();
    const { gkScopeId } = platform;
    const keyed: (() => Promise<RestAnswer>)[] = [];
    /** Sent under a key of its own, now and whenever it is repeated. */
    const send = async (path: string, body: object): Promise<any> => {
      const key = randomUUID();
      const again = () => underKey(platform.server, key).rest('POST', path, { body });
      keyed.push(again);
      const first = await again();
      expect(first.status, JSON.stringify(first.body)).toBe(200);
      return first.body;
    };
    const context = await platform.open();
    const made = await send('/v1/persons', { context, personId: 'zq-kept-answer-xq' });
    const owner = made.gkPersonId.value as string;
    const profile = await platform.createProfile(context, 'person', 'zq-kept-answer-xq');
    for (const index of [1, 2, 3]) await platform.enroll(context, profile, utterance('emil', index));
    await platform.train(context, profile);
    const other = await platform.printOf('carl', 'person', 'kept-answer-of-other');
    // In an engagement in which somebody else was recognized too: only the print says whose answer it is.
    const shared = await platform.open();
    const heard = { value: await platform.upload(shared, utterance('emil', 4)) };
    await send(`/v1/voiceprints/${profile}/verification`, { context: shared, gkMediaSegmentId: heard });
    await send('/v1/voiceprints/identification', {
      context: shared,
      gkMediaSegmentId: { value: await platform.upload(shared, utterance('emil', 5)) },
      gkVoiceprintProfileIds: listOf(profile, other.profile),
    });
    // And one that names only what was processed from a recording of theirs.
    const { result } = await send('/v1/audios/process', { context: shared, gkMediaSegmentId: heard });
    const elsewhere = await platform.open();
    await send('/v1/audios/spoofing', {
      context: elsewhere,
      gkProcessedAudioId: result.gkProcessedAudioId,
      syntheticSpeechDetectionParameters: {},
    });
    const theirs = keyed.length;
    const ofOther = { context: shared, gkMediaSegmentId: { value: '' } };
    ofOther.gkMediaSegmentId.value = await platform.upload(shared, utterance('carl', 4));
    await send(`/v1/voiceprints/${other.profile}/verification`, ofOther);
    for (const again of keyed) expect((await again()).headers.get('idempotency-replayed')).toBe('true');

    const storage = await storageOf(scene());
    const kept = async (): Promise<string[]> => {
      const words = [owner, profile, heard.value, result.gkProcessedAudioId.value];
      const { found } = await tracesOf(storage, gkScopeId, words);
      return found.filter((each) => each.startsWith('kept_'));
    };
    expect((await kept()).length).toBeGreaterThan(0);
    const proof = await erase(await platform.open(), owner);
    expect(proof).toMatchObject({ answers: theirs });
    expect(await kept()).toEqual([]);
    for (const again of keyed.slice(0, theirs)) {
      const { status, body, headers } = await again();
      expect([status, headers.get('idempotency-replayed')]).toEqual([404, null]);
      expect(JSON.stringify(body)).toContain('IDEMPOTENCY_ANSWER_ERASED');
      expect(JSON.stringify(body)).toContain('PERSONAL_DATA_DELETED');
    }
    // Nobody of that name was made anew.
    const found = await platform.server.rest(
      'GET',
      `/v1/persons/zq-kept-answer-xq/gkid?context.gk_scope_id.value=${gkScopeId}`,
    );
    expect(found.body.gkPersonId).toBeUndefined();
    expect((await keyed[theirs]?.())?.headers.get('idempotency-replayed')).toBe('true');
    await erase(await platform.open(), other.owner);
  });

  it('gives no answer about an erased person that was kept when the erasure had looked', async () => {
    const { platform, erase } = scene();
    const context = await platform.open();
    const owner = await platform.createOwner(context, 'person', 'kept-late');
    const profile = await platform.createProfile(context, 'person', 'kept-late');
    const claim = {
      context,
      details: { claimedGkPersonId: { value: owner } },
      fieldMask: 'claimedGkPersonId',
    };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body: claim })).status).toBe(200);
    await erase(await platform.open(), owner);
    const { database, keyring } = await storageOf(scene());
    const answers = keptAnswers({ database, keyring, clock: systemClock });
    const keep = async (...names: string[]): Promise<string> => {
      const [id, answer] = [randomUUID(), Buffer.from(`about ${names.join()}`)];
      await answers.keep(id, new Uint8Array(32).fill(1), async () => ({ answer, names: new Set(names) }));
      return id;
    };
    const ofErased = [await keep(owner), await keep(profile), await keep(context.gkSessionId?.value ?? '')];
    const ofNobody = await keep(randomUUID());
    for (const id of ofErased) expect(await answers.find(id)).toBe('erased');
    expect(await answers.find(ofNobody)).toMatchObject({ answer: expect.anything() });
    await answers.sweep();
    const names = await database.db.selectFrom('kept_answer_names').select('named_id').execute();
    const left = names.map((row) => row.named_id);
    expect(left).not.toContain(owner);
    expect(left).not.toContain(profile);
    for (const id of ofErased) expect(await answers.find(id)).toBe('erased');
  });

  it('refuses the repetition over the other transport, too', async () => {
    const { platform, erase } = scene();
    const { profile, owner } = await platform.printOf('dora', 'person', 'kept-for-grpc');
    const context = await platform.open();
    const request = {
      context: { ...context } as never,
      audio: {
        case: 'gkMediaSegmentId' as const,
        value: { value: await platform.upload(context, utterance('dora', 4)) },
      },
      gkVoiceprintProfileId: { value: profile },
    };
    const key = randomUUID();
    const verify = () =>
      underKey(platform.server, key)
        .grpc(VoiceprintsProcessor)
        .verify(request as never) as Promise<any>;
    expect((await verify()).result?.decision).toBeDefined();
    await erase(await platform.open(), owner);
    const refused = await verify();
    expect(refused.result).toBeUndefined();
    expect(
      JSON.stringify(refused.status, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).toContain('IDEMPOTENCY_ANSWER_ERASED');
  });
}
