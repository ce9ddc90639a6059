/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Prompted words from outside, with digits said in one go by the voices of anna, bruno and carl: a prompt is answered once,
// in its session and in time, by the voice of the caller and with the right words; everything else fails and says why.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AudioProcessor } from '../../src/gen/vendor/biosec/v1/audio/processor_pb.js';
import { Decision } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import { systemIds } from '../../src/platform.js';
import { drawDigits, readExpected } from '../../src/biometrics/rules/prompted-words.js';
import { promptWords } from '../../src/voice/words/model.js';
import { silence, wavFile } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import type { RestAnswer } from '../support/server.js';
import { fixture, forEachStore, Platform, utterance, type RequestContext } from './support.js';

const MINUTE_MS = 60_000;
const answers = {
  anna: { file: 'slt-7391.wav', figures: '7391', words: 'seven three nine one' },
  bruno: { file: 'rms-0528.wav', figures: '0528', words: 'zero five two eight' },
  carl: { file: 'awb-6410.wav', figures: '6410', words: 'six four one zero' },
} as const;
type Speaker = keyof typeof answers;

/** The files have mu-law at 8 kHz behind their header. */
function samplesOf(who: Speaker): Float32Array {
  const file = Buffer.from(fixture('words', answers[who].file));
  return Float32Array.from(file.subarray(file.indexOf('data') + 8), (byte) => {
    const bits = ~byte & 0xff;
    const size = (((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7);
    return ((bits & 0x80 ? -1 : 1) * (size - 0x84)) / 32_768;
  });
}

await forEachStore((store) => {
  let platform: Platform;
  let laterMs = 0;
  /** What is drawn next; otherwise chance decides. */
  let next: string | undefined;

  beforeAll(async () => {
    const token = (bytes: number): string => {
      if (next === undefined || bytes !== next.length) return systemIds.token(bytes);
      const drawn = Buffer.from([...next].map(Number)).toString('base64url');
      next = undefined;
      return drawn;
    };
    platform = await Platform.start({
      config: await store.settings(),
      overrides: { ids: { ...systemIds, token }, clock: { now: () => Date.now() + laterMs } },
    });
    await platform.configure('discreet', { promptedWords: { tellDetectedText: false, digits: 6 } });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    laterMs = 0;
    next = undefined;
  });

  const answerOf = (who: Speaker): Uint8Array => fixture('words', answers[who].file);

  async function ask(context: Partial<RequestContext>, figures?: string): Promise<RestAnswer> {
    next = figures;
    return platform.server.rest('GET', `/v1/prompts/liveness?${platform.query(context as RequestContext)}`);
  }

  const said = async (context: RequestContext, bytes: Uint8Array, expectedText: string) => ({
    gkMediaSegmentId: { value: await platform.upload(context, bytes) },
    expectedText,
  });

  /** The reference is what the caller has said before. */
  async function answer(
    context: RequestContext,
    reference: Uint8Array,
    randomAudioSet: object[],
    more: object = {},
  ): Promise<RestAnswer> {
    return answerWith(context, await platform.upload(context, reference), randomAudioSet, more);
  }

  const answerWith = (
    context: RequestContext,
    reference: string,
    randomAudioSet: object[],
    more: object = {},
  ): Promise<RestAnswer> =>
    platform.post('/v1/audios/liveness', {
      context,
      gkMediaSegmentId: { value: reference },
      randomAudioSet,
      ...more,
    });

  const codes = ({ body }: RestAnswer): string[] =>
    (body.status.diagnosticDetails ?? []).map(({ code }: { code: string }) => code);

  const timeline = async (context: RequestContext): Promise<any[]> => {
    const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
    return (await platform.server.rest('GET', path)).body.events;
  };

  describe('a prompt', () => {
    it('is drawn at random, as words and as figures, with a limit for the answer', async () => {
      const context = await platform.open();
      const seen = new Set<string>();
      for (let round = 0; round < 5; round++) {
        const { body } = await ask(context);
        expect(body.expectedText.split(' ')).toHaveLength(4);
        expect(readExpected(body.ivrInfo, 'x')).toEqual({ words: body.expectedText.split(' ') });
        const [{ code, extras }] = body.status.diagnosticDetails;
        expect([code, extras.language]).toEqual(['LIVENESS_PROMPT', 'en']);
        expect(Date.parse(extras.answer_until_timestamp)).toBeGreaterThan(Date.now());
        seen.add(body.expectedText);
      }
      expect(seen.size).toBeGreaterThan(1);
      const { body } = await ask({ gkScopeId: context.gkScopeId, configsetId: 'discreet' });
      expect(body.expectedText.split(' ')).toHaveLength(6);
      const legacy = await platform.server.rest(
        'GET',
        `/vendor/biosec/v1/prompts/liveness?${platform.query(context)}`,
      );
      expect(legacy.body.expectedText).toEqual(expect.any(String));
    });

    it('is not written to the audit trail before it is answered', async () => {
      const context = await platform.open();
      const { body } = await ask(context);
      const issued = (await timeline(context)).find(({ operation }) => operation === 'GetLivenessPrompt');
      expect(issued.recordType).toBe('RECORD_TYPE_TEXT_EVENT');
      expect(JSON.stringify(issued)).not.toContain(body.expectedText);
    });
  });

  describe('ValidateText', () => {
    it.each(['anna', 'bruno', 'carl'] as const)(
      'accepts the digits that %s said, and no others',
      async (who) => {
        const context = await platform.open();
        const { words, figures } = answers[who];
        const gkMediaSegmentId = { value: await platform.upload(context, answerOf(who)) };
        const right = await platform.post('/v1/audios/text-validation', {
          context,
          gkMediaSegmentId,
          expectedText: figures,
        });
        expect(right.body.result).toMatchObject({
          decision: 'DECISION_AUTHENTIC',
          reason: 'DECISION_REASON_AUDIO_OK',
          detectedText: words,
          score: expect.any(Number),
          result: { risk: expect.any(Number), reliability: 100 },
        });
        const { gkProcessedAudioId } = right.body.result;
        const [first = '', ...rest] = words.split(' ');
        for (const wrong of [[...rest, first], rest, [...rest, rest[0]], ['two', ...rest]]) {
          const expectedText = wrong.join(' ');
          const refused = await platform.post('/vendor/biosec/v1/audio/validate-text', {
            context,
            gkProcessedAudioId,
            expectedText,
          });
          expect(refused.body.result, expectedText).toMatchObject({ decision: 'DECISION_NO_MATCH' });
          expect(codes(refused)).toEqual(['WORDS_NO_MATCH']);
        }
      },
    );

    it('over gRPC, with silence, and without telling what was heard', async () => {
      const context = { ...(await platform.open()), configsetId: 'discreet' };
      const { validateText } = platform.server.grpc(AudioProcessor);
      const request = { context: context as never, expectedText: answers.anna.words };
      const heard = await validateText({
        ...request,
        audio: {
          case: 'gkMediaSegmentId',
          value: { value: await platform.upload(context, answerOf('anna')) },
        },
      });
      expect(heard.result).toMatchObject({ decision: Decision.AUTHENTIC, detectedText: '' });
      const quiet = await validateText({
        ...request,
        audio: {
          case: 'gkMediaSegmentId',
          value: { value: await platform.upload(context, wavFile([silence(3)], 16_000)) },
        },
      });
      expect(quiet.result).toMatchObject({ decision: Decision.UNCERTAIN });
      expect(quiet.result?.score).toBeUndefined();
    });

    it.each([
      ['other words', 'open sesame', 'INVALID_FORMAT'],
      ['another language', 'sieben drei neun eins', 'INVALID_FORMAT'],
      ['too many digits', '12345678901234567', 'TOO_LONG'],
      ['nothing', '', 'MANDATORY_FIELD_MISSING'],
    ])('refuses %s', async (_what, expectedText, type) => {
      const context = await platform.open();
      const gkMediaSegmentId = { value: await platform.upload(context, answerOf('anna')) };
      const refused = await platform.post('/v1/audios/text-validation', {
        context,
        gkMediaSegmentId,
        expectedText,
      });
      expect(refused.status).toBe(400);
      expect(refused.body.status.fieldViolations).toEqual([
        expect.objectContaining({
          field: expect.stringMatching(/\.expected_text$/),
          violation: type,
        }),
      ]);
    });

    it('is the answer to a prompt of its session, and of no other', async () => {
      const [own, other] = [await platform.open(), await platform.open()];
      const { body } = await ask(own, answers.anna.figures);
      const validate = async (context: RequestContext): Promise<RestAnswer> =>
        platform.post('/v1/audios/text-validation', {
          context,
          ...(await said(context, answerOf('anna'), body.expectedText)),
        });
      expect((await validate(other)).body.result.decision).toBe('DECISION_AUTHENTIC');
      expect((await validate(own)).body.result.decision).toBe('DECISION_AUTHENTIC');
      const again = await validate(own);
      expect([again.status, codes(again)]).toEqual([400, ['PROMPT_USED']]);
    });
  });

  describe('DetectLiveness', () => {
    it('passes the caller who repeats the digits, once', async () => {
      const context = await platform.open();
      const { body } = await ask(context, answers.anna.figures);
      const given = await said(context, answerOf('anna'), body.expectedText);
      const passed = await answer(context, utterance('anna', 1), [given]);
      expect(passed.body.result).toMatchObject({
        decision: 'DECISION_AUTHENTIC',
        reason: 'DECISION_REASON_AUDIO_OK',
        livenessDetectionScore: expect.any(Number),
        riskEngineResult: { risk: expect.any(Number), reliability: expect.any(Number) },
        details: [
          {
            gkMediaSegmentId: given.gkMediaSegmentId,
            validity: 'REASON_AUDIO_OK',
            biometricScore: expect.any(Number),
            textValidationScore: expect.any(Number),
          },
        ],
        gkReferenceProcessedAudioId: { value: expect.any(String) },
      });
      expect(passed.body.result.livenessDetectionScore).toBeGreaterThan(0);
      const told = (await timeline(context)).find(({ operation }) => operation === 'DetectLiveness');
      expect(told).toMatchObject({
        isFactor: true,
        decision: 'DECISION_AUTHENTIC',
        reason: 'PROMPT_PASSED',
        gkMediaSegmentId: given.gkMediaSegmentId,
        attributes: { factor: 'LIVENESS', expected: answers.anna.words, detected: answers.anna.words },
      });
      expect(Number(told.attributes.answerMs)).toBeGreaterThan(0);
      const again = await answer(context, utterance('anna', 1), [given]);
      expect([again.status, codes(again)]).toEqual([400, ['PROMPT_USED']]);
      expect(again.body.status.fieldViolations[0].field).toMatch(/random_audio_set\[0\]\.expected_text$/);
      const twice = await ask(context, answers.anna.figures);
      const both = await answer(context, utterance('anna', 1), [
        { ...given, expectedText: twice.body.expectedText },
        { ...given, expectedText: twice.body.ivrInfo },
      ]);
      expect(codes(both)).toEqual(['PROMPT_USED']);
    });

    it('over gRPC on the first path and REST on the other, without a session in the prompt', async () => {
      const context = await platform.open();
      const tenant = { gkScopeId: context.gkScopeId, configsetId: platform.configsetId };
      const { body } = await ask(tenant, answers.bruno.figures);
      const { detectLiveness, getLivenessPrompt } = platform.server.grpc(AudioProcessor);
      const passed = await detectLiveness({
        context: context as never,
        audio: {
          case: 'gkMediaSegmentId',
          value: { value: await platform.upload(context, utterance('bruno', 1)) },
        },
        randomAudioSet: [
          {
            audio: {
              case: 'gkMediaSegmentId',
              value: { value: await platform.upload(context, answerOf('bruno')) },
            },
            expectedText: body.expectedText,
          },
        ],
      });
      expect(passed.result).toMatchObject({ decision: Decision.AUTHENTIC });
      next = answers.bruno.figures;
      const { expectedText } = await getLivenessPrompt({ context: context as never });
      expect(expectedText).toBe(answers.bruno.words);
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('bruno', 2)) };
      const rest = await platform.post('/vendor/biosec/v1/audio/detect-liveness', {
        context,
        gkMediaSegmentId,
        randomAudioSet: [await said(context, answerOf('bruno'), expectedText)],
      });
      expect(rest.body.result.decision).toBe('DECISION_AUTHENTIC');
    });

    const attacks: [string, Speaker, Speaker, string, string[]][] = [
      ['other digits by the caller', 'anna', 'anna', '7381', ['WORDS_NO_MATCH']],
      ['the right digits by somebody else', 'anna', 'bruno', '0528', ['VOICE_NO_MATCH']],
      ['other digits by somebody else', 'anna', 'carl', '7391', ['WORDS_NO_MATCH', 'VOICE_NO_MATCH']],
    ];
    it.each(attacks)('fails for %s', async (_what, caller, speaker, figures, failed) => {
      const context = await platform.open();
      const { body } = await ask(context, figures);
      const refused = await answer(context, utterance(caller, 1), [
        await said(context, answerOf(speaker), body.expectedText),
      ]);
      expect(refused.body.result).toMatchObject({ decision: 'DECISION_NO_MATCH' });
      expect(refused.body.result.livenessDetectionScore).toBeLessThan(0);
      expect(codes(refused)).toEqual(failed);
    });

    it('fails if somebody else goes on speaking digits, and hears the caller through a quiet background', async () => {
      const [own, other] = [samplesOf('anna'), samplesOf('bruno')];
      const context = await platform.open();
      const prompt = async (figures: string, samples: Float32Array): Promise<RestAnswer> => {
        const { body } = await ask(context, figures);
        const given = await said(context, wavFile([samples], 8000), body.expectedText);
        return answer(context, utterance('anna', 1), [given]);
      };
      // One after the other.
      expect(codes(await prompt('7391', joined(own, other)))).toContain('WORDS_NO_MATCH');
      const behind = own.map((value, at) => value + 0.05 * (other[at] ?? 0));
      expect((await prompt('7391', behind)).body.result.decision).toBe('DECISION_AUTHENTIC');
    });

    it('cannot decide on silence, and the prompt is used', async () => {
      const context = await platform.open();
      const { body } = await ask(context, answers.anna.figures);
      const given = [await said(context, wavFile([silence(3)], 16_000), body.expectedText)];
      const open = await answer(context, utterance('anna', 1), given);
      expect(open.body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_AUDIO_TOO_SOFT',
      });
      expect(codes(await answer(context, utterance('anna', 1), given))).toEqual(['PROMPT_USED']);
    });

    it('fails for an answer that comes too late, and says so in the session', async () => {
      const context = await platform.open();
      const { body } = await ask(context, answers.anna.figures);
      const given = [await said(context, answerOf('anna'), body.expectedText)];
      laterMs = MINUTE_MS;
      const late = await answer(context, utterance('anna', 1), given);
      expect(late.body.result.decision).toBe('DECISION_NO_MATCH');
      expect(codes(late)).toEqual(['PROMPT_EXPIRED']);
      expect((await timeline(context)).map(({ reason }) => reason)).toContain('PROMPT_EXPIRED');
    });

    it('refuses prompts of other sessions and persons, and texts that are none', async () => {
      const [own, other] = [await platform.open(), await platform.open()];
      const [anna, bruno] = [
        await platform.createOwner(own, 'person', `anna-${store.dialect}`),
        await platform.createOwner(own, 'person', `bruno-${store.dialect}`),
      ];
      await platform.server.rest('PATCH', '/v1/sessions/details', {
        body: {
          context: own,
          details: { claimedGkPersonId: { value: anna } },
          fieldMask: 'claimedGkPersonId',
        },
      });
      const { body } = await ask(own, '6028');
      const refusal = async (context: RequestContext, expectedText: string, more = {}) =>
        codes(
          await answer(
            context,
            utterance('anna', 1),
            [await said(context, answerOf('anna'), expectedText)],
            more,
          ),
        );
      expect(await refusal(other, body.expectedText)).toEqual(['PROMPT_OF_OTHER_SESSION']);
      expect(await refusal(own, '9999999')).toEqual(['PROMPT_UNKNOWN']);
      expect(await refusal(own, body.expectedText, { gkPersonId: { value: bruno } })).toEqual([
        'PROMPT_OF_OTHER_PERSON',
      ]);
      // None of that has used it up.
      expect(await refusal(own, body.expectedText, { gkPersonId: { value: anna } })).toContain(
        'WORDS_NO_MATCH',
      );
    });

    it('makes all of its recordings personal data of the named person', async () => {
      const context = await platform.open();
      const person = await platform.createOwner(context, 'person', `said-${store.dialect}`);
      const { body } = await ask(context, answers.carl.figures);
      const given = await said(context, answerOf('carl'), body.expectedText);
      const passed = await answer(context, utterance('carl', 1), [given], { gkPersonId: { value: person } });
      expect(passed.body.result.decision).toBe('DECISION_AUTHENTIC');
      const media = await platform.server.rest(
        'GET',
        `/v1/mediasegments/${given.gkMediaSegmentId.value}?${platform.query(context)}`,
      );
      expect(media.body.details.gkPersonId.value).toBe(person);
    });

    it('resolves what an attack check could not tell, where the config set asks for it', async () => {
      await platform.configure('asking', {
        attackChecks: { reliabilityMin: 100 },
        promptedWords: { whenUnresolved: true },
      });
      const context = { ...(await platform.open()), configsetId: 'asking' };
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('anna', 4)) };
      const check = { context, gkMediaSegmentId, syntheticSpeechDetectionParameters: {} };
      expect(codes(await platform.post('/v1/audios/spoofing', check))).toContain('PROMPT_WANTED');
      const assessment = async () => {
        const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
        const { caveats = [] } = (await platform.server.rest('GET', path)).body.assessment;
        return caveats.map((name: string) => name.replace('SESSION_CAVEAT_', ''));
      };
      const open = ['PROMPT_WANTED', 'ATTACK_CHECK_UNRESOLVED'];
      expect(await assessment()).toEqual(expect.arrayContaining(open));
      const wrong = await ask(context, '7391');
      const verified = gkMediaSegmentId.value;
      await answerWith(context, verified, [await said(context, answerOf('bruno'), wrong.body.expectedText)]);
      expect(await assessment()).toContain('PROMPT_FAILED');
      const right = await ask(context, '7391');
      await answerWith(context, verified, [await said(context, answerOf('anna'), right.body.expectedText)]);
      // Nor is the check for playback missing, which was not made.
      expect(await assessment()).toEqual([]);
      expect(codes(await platform.post('/v1/audios/spoofing', check))).not.toContain('PROMPT_WANTED');
    });

    it('does not let one voice answer for the recording of another', async () => {
      const context = { ...(await platform.open()), configsetId: 'asking' };
      const gkMediaSegmentId = { value: await platform.upload(context, utterance('anna', 4)) };
      const check = { context, gkMediaSegmentId, syntheticSpeechDetectionParameters: {} };
      expect(codes(await platform.post('/v1/audios/spoofing', check))).toContain('PROMPT_WANTED');
      const { body } = await ask(context, '0528');
      const passed = await answer(context, utterance('bruno', 1), [
        await said(context, answerOf('bruno'), body.expectedText),
      ]);
      expect(passed.body.result.decision).toBe('DECISION_AUTHENTIC');
      expect(codes(await platform.post('/v1/audios/spoofing', check))).toContain('PROMPT_WANTED');
    });

    it('fails as a whole if one of several answers fails, whichever comes last', async () => {
      const context = await platform.open();
      const [own, other] = [await ask(context, '7391'), await ask(context, '0528')];
      const failed = await answer(context, utterance('anna', 1), [
        await said(context, answerOf('bruno'), other.body.expectedText),
        await said(context, answerOf('anna'), own.body.expectedText),
      ]);
      expect(failed.body.result.decision).toBe('DECISION_NO_MATCH');
      const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
      const { assessment, events } = (await platform.server.rest('GET', path)).body;
      expect(assessment.caveats).toContain('SESSION_CAVEAT_PROMPT_FAILED');
      // Each answer is there; one of them decided.
      const heard = events.filter(({ operation }: any) => operation === 'DetectLiveness');
      expect(heard).toHaveLength(2);
      expect(heard.filter(({ isFactor }: any) => isFactor)).toHaveLength(1);
    });

    it('is no change in the audit trail, and neither is a prompt or a comparison of words', async () => {
      const context = await platform.open();
      const { body } = await ask(context, answers.anna.figures);
      const given = await said(context, answerOf('anna'), body.expectedText);
      await answer(context, utterance('anna', 1), [given]);
      await platform.post('/v1/audios/text-validation', { context, ...given, expectedText: '6028' });
      const recorded = async (more: object): Promise<string[] | undefined> => {
        const query = platform.query({ gkScopeId: context.gkScopeId }, { pageSize: '200', ...more });
        const path = `/v1/x/audit/records?${query}&gkSessionId.value=${context.gkSessionId?.value}`;
        return (await platform.server.rest('GET', path)).body.records?.map(({ operation }: any) => operation);
      };
      const all = ['DetectLiveness', 'GetLivenessPrompt', 'ValidateText'];
      expect(await recorded({})).toEqual(expect.arrayContaining(all));
      expect(await recorded({ changesOnly: 'true' })).toBeUndefined();
    });

    it('names everything that an answer lacks', async () => {
      const context = await platform.open();
      const refused = await platform.post('/v1/audios/liveness', { context, randomAudioSet: [{}] });
      const fields = refused.body.status.fieldViolations.map(({ field }: any) =>
        field.replace(/^.*Request\./, ''),
      );
      expect(fields.sort()).toEqual([
        'gk_media_segment_id',
        'gk_processed_audio_id',
        'random_audio_set[0].expected_text',
        'random_audio_set[0].gk_media_segment_id',
        'random_audio_set[0].gk_processed_audio_id',
      ]);
    });
  });
});

describe('drawing digits', () => {
  const from = (...bytes: number[]) => {
    let at = 0;
    return (count: number) => Uint8Array.from({ length: count }, () => bytes[at++ % bytes.length] ?? 0);
  };

  it('never steps regularly', () => {
    const { digits } = promptWords.en;
    expect(drawDigits(4, from(1, 2, 3, 4, 7, 7, 7, 7, 2, 4, 6, 8, 9, 8, 7, 6, 4, 1, 1, 5))).toEqual(
      [4, 1, 1, 5].map((digit) => digits[digit]),
    );
  });

  it('favors no digit: bytes that would are left out', () => {
    expect(drawDigits(3, from(250, 251, 255, 10, 23, 31))).toEqual(['zero', 'three', 'one']);
  });
});
