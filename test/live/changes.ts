// What a call is found to be while it runs, and when it is found to be something else: who takes over the telephone, known fraudsters,
// voices of machines; and the same call in every encoding.
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { utterance, type Platform } from '../biometrics/support.js';
import { wavFile } from '../support/sounds.js';
import { bearer, format, Line, STOP, targetOf, visit, type ToldEvent } from './line.js';
import { callSamples, interleaved, linear16, muLaw, opusPackets, pieces, replayed } from './support.js';

export function liveChanges(platform: () => Platform, anna: () => { profile: string; owner: string }): void {
  const print = (): string => anna().profile;
  const listen = async (target: object, messages: readonly Buffer[], audio: object = format) => {
    const context = await platform().open();
    const start = JSON.stringify({ start: { question: { context, target }, format: audio } });
    return { context, ...(await visit(platform(), [start, ...messages, STOP], bearer)) };
  };

  describe('a decision', () => {
    let watchlist: { value: string };
    let fritz: string;
    let own: Int16Array;
    let fraudster: Int16Array;

    beforeAll(async () => {
      const { owner } = await platform().printOf('fritz', 'fraudster');
      fritz = owner;
      const context = await platform().open();
      watchlist = (await platform().post('/v1/watchlists', { context, watchlistId: 'known' })).body
        .gkWatchlistId;
      const entry = { context, gkFraudsterId: { value: owner } };
      await platform().post(`/v1/watchlists/${watchlist.value}/fraudsters`, entry);
      own = await callSamples('anna', [4, 5], 8000);
      fraudster = await callSamples('fritz', [4, 5], 8000);
    });

    const verifications = async (): Promise<number> => {
      const path = `/v1/x/activity?context.gkScopeId.value=${platform().gkScopeId}`;
      const { buckets } = (await platform().server.rest('GET', path)).body;
      return buckets.at(-1).verifications ?? 0;
    };

    it('is taken back when somebody else takes over the telephone, in the session too', async () => {
      const other = await callSamples('bruno', [4, 5], 8000);
      const before = await verifications();
      const { context, events } = await listen(targetOf(print()), [
        muLaw(Int16Array.from([...own, ...other])),
      ]);
      const states = events.map(({ state }) => state);
      expect(states.slice(0, 2)).toEqual(['LISTENING', 'AUTHENTIC']);
      expect(states.at(-1)).not.toBe('AUTHENTIC');
      const change = events.find(({ state }, at) => at > 1 && state !== 'AUTHENTIC');
      // Told at once, not only at the end.
      expect(change?.final ?? false).toBe(false);
      expect(change).toMatchObject({ state: 'UNCERTAIN', reason: 'SPEAKER_CHANGED' });
      for (const member of ['netSpeech', 'position']) expect(change).toHaveProperty(member);
      // Not a stranger all along, and no bad audio: the session, its timeline and the lists say the same as the events.
      expect(states.at(-1)).toBe('UNCERTAIN');
      expect(await platform().decision(context)).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        decisionReason: 'DECISION_REASON_LOW_RELIABILITY',
      });
      const of = platform().query(context);
      const id = context.gkSessionId?.value;
      const { body } = await platform().server.rest('GET', `/v1/x/sessions/${id}/timeline?${of}`);
      type Step = { reason: string; attributes: Record<string, string> };
      const steps: Step[] = body.events.filter(({ isFactor }: { isFactor: boolean }) => isFactor);
      expect(steps.map(({ reason }) => reason)).toEqual([
        'VOICEPRINT_MATCH',
        'SPEAKER_CHANGED',
        'SPEAKER_CHANGED',
      ]);
      // About where the other one began.
      const begins = (1000 * own.length) / 8000;
      expect(Math.abs(Number(steps[1]?.attributes['stretchFromMs']) - begins)).toBeLessThan(4000);
      const listed = await platform().server.rest(
        'GET',
        `/v1/x/sessions?context.gkScopeId.value=${platform().gkScopeId}`,
      );
      type Entry = { details: { gkSessionId: { value: string } }; assessment: { caveats?: string[] } };
      const withSecondVoice = (listed.body.sessions as Entry[]).filter(({ assessment }) =>
        assessment.caveats?.includes('SESSION_CAVEAT_SECOND_VOICE'),
      );
      expect(withSecondVoice.map(({ details }) => details.gkSessionId.value)).toEqual([id]);
      // However often it was decided anew, it is one call.
      expect(await verifications()).toBe(before + 1);
    });

    it('is listed with who is said to call, and the fraudster who is recognized', async () => {
      const context = await platform().open();
      const target = { ...targetOf(print()), watchlist: { uniqueId: watchlist } };
      const line = new Line(platform());
      await line.begin({ question: { context, target }, format });
      line.send(muLaw(fraudster));
      await expect.poll(() => line.events.at(-1)?.state).toBe('FRAUD');
      const path = `/v1/live/calls?gk_scope_id.value=${platform().gkScopeId}`;
      const { calls } = (await platform().server.rest('GET', path)).body;
      expect(
        calls.filter((one: { gkSessionId: object }) =>
          isDeepStrictEqual(one.gkSessionId, context.gkSessionId),
        ),
      ).toMatchObject([{ gkPersonId: { value: anna().owner }, gkFraudsterIds: [{ value: fritz }] }]);
      line.send(STOP);
      await line.closed;
    });

    it('becomes fraud when a known fraudster is heard beside the verification', async () => {
      const target = { ...targetOf(print()), watchlist: { uniqueId: watchlist } };
      const { context, events } = await listen(target, [muLaw(fraudster)]);
      expect(events.at(-1)).toMatchObject({ state: 'FRAUD', final: true });
      expect(await platform().decision(context)).toMatchObject({ decision: 'DECISION_FRAUD' });
      expect((await listen(target, [muLaw(own)])).events.at(-1)).toMatchObject({ state: 'AUTHENTIC' });
    });

    it('is taken back when a known fraudster takes over the telephone from the owner', async () => {
      const target = { ...targetOf(print()), watchlist: { uniqueId: watchlist } };
      const { context, events } = await listen(target, [muLaw(Int16Array.from([...own, ...fraudster]))]);
      expectRevoked(events, 'FRAUD', 'FRAUDSTER_INDICATION');
      expect(await platform().decision(context)).toMatchObject({ decision: 'DECISION_FRAUD' });
    });

    it('is taken back when the voice of the owner comes out of a loudspeaker', async () => {
      // Not in the band of a telephone, where the detector does not trust itself.
      const live = (await callSamples('anna', [4], 16_000)).subarray(0, 3.7 * 16_000);
      const recorded = replayed(await callSamples('anna', [5, 1, 2, 3], 16_000), 16_000);
      const { context, events } = await listen(
        { ...targetOf(print()), playback: true },
        [...pieces(linear16(Int16Array.from([...live, ...recorded])), 32_000)],
        { encoding: 'LINEAR16', sampleRateHz: 16_000 },
      );
      expectRevoked(events, 'FRAUD', 'PLAYBACK_INDICATION');
      expect(await platform().decision(context)).toMatchObject({ decision: 'DECISION_FRAUD' });
    });

    it('is not taken back once an attack check has raised the alarm, whatever is said after it', async () => {
      const recorded = replayed(await callSamples('anna', [1, 2], 16_000), 16_000);
      const live = await callSamples('anna', [3, 4, 5, 1, 2, 3, 4, 5], 16_000);
      const { context, events } = await listen(
        { ...targetOf(print()), playback: true },
        [...pieces(linear16(Int16Array.from([...recorded, ...live])), 32_000)],
        { encoding: 'LINEAR16', sampleRateHz: 16_000 },
      );
      const alarm = events.findIndex(({ state }) => state === 'FRAUD');
      expect(events[alarm]).toMatchObject({ reason: 'PLAYBACK_INDICATION' });
      expect(events.slice(alarm).map(({ state }) => state)).toEqual(['FRAUD', 'FRAUD']);
      expect(events.at(-1)).toMatchObject({ reason: 'PLAYBACK_INDICATION', final: true });
      expect(await platform().decision(context)).toMatchObject({ decision: 'DECISION_FRAUD' });
    });

    it('says that the voiceprint is locked, and the session remembers that somebody was turned away', async () => {
      const { profile } = await platform().printOf('bruno', 'person', 'bruno-locked');
      const locked = await platform().server.rest(
        'PUT',
        `/v1/voiceprints/profiles/${profile}/attributes/lock`,
        {
          body: { context: await platform().open(), reason: 'stolen' },
        },
      );
      expect(locked.status, JSON.stringify(locked.body)).toBe(200);
      const { context, events } = await listen(targetOf(profile), [muLaw(own)]);
      expect(events.at(-1)).toMatchObject({ state: 'UNCERTAIN', reason: 'PROFILE_LOCKED', final: true });
      const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform().query(context)}`;
      const { body } = await platform().server.rest('GET', path);
      expect(body.events).toContainEqual(
        expect.objectContaining({
          operation: 'LiveAudio',
          reason: 'PROFILE_LOCKED',
          gkVoiceprintProfileId: { value: profile },
        }),
      );
    });

    it('is that no risk was found, where only a watchlist is asked', async () => {
      const { events } = await listen({ watchlist: { uniqueId: watchlist } }, [muLaw(own)]);
      expect(events.at(-1)).toMatchObject({ state: 'NO_RISK_DETECTED', final: true });
    });

    it('is fraud where the voice is a machine, whoever it belongs to', async () => {
      const { events } = await listen({ ...targetOf(print()), syntheticSpeech: true }, [muLaw(own)]);
      expect(events.at(-1)).toMatchObject({
        state: 'FRAUD',
        reason: 'SYNTHETIC_SPEECH_DETECTED',
        final: true,
      });
    });

    it('names who it is in a group', async () => {
      const context = await platform().open();
      const group = (await platform().post('/v1/groups', { context, groupId: 'family' })).body.gkGroupId;
      await platform().post(`/v1/groups/${group.value}/persons`, {
        context,
        gkPersonId: { value: anna().owner },
      });
      const { events } = await listen({ group: { uniqueId: group } }, [muLaw(own)]);
      expect(events.at(-1)).toMatchObject({
        state: 'AUTHENTIC',
        gkVoiceprintProfileId: { value: print() },
      });
    });
  });

  describe('the same call', () => {
    it('as a file is judged as at its end, bit by bit', async () => {
      const spoken = await callSamples('anna', [4, 5], 8000);
      const file = wavFile([Float32Array.from(spoken, (value) => value / 32_767)], 8000);
      const { context, events } = await listen(targetOf(print()), [Buffer.from(file).subarray(44)], {
        encoding: 'LINEAR16',
        sampleRateHz: 8000,
      });
      const all = { ignoreCheckpoints: true };
      const { result } = (await platform().verify(await platform().open(), print(), file, all)).body;
      const last: { risk?: number; score?: number; netSpeech?: string } | undefined = events.at(-1);
      const { risk, reliability } = result.riskEngineResult;
      expect(last).toMatchObject({ state: 'AUTHENTIC', final: true, reliability });
      // Who is looked at more than once needs a higher score.
      expect(last?.risk).toBeGreaterThan(risk);
      expect(Math.fround(last?.score ?? NaN)).toBe(Math.fround(result.authenticationScore.biometricScore));
      // The session knows what all of it came to, and not only what the first three seconds did.
      expect(await platform().decision(context)).toMatchObject({ risk: last?.risk, reliability });
      // By all of it, although nothing has changed since the first three seconds.
      expect(events[1]).toMatchObject({ state: 'AUTHENTIC', netSpeech: '3s' });
      expect(parseFloat(last?.netSpeech ?? '')).toBeGreaterThan(6);
    });

    it('as an Opus file is judged as its packets are, where these begin with its header', async () => {
      const audio = { encoding: 'OPUS', sampleRateHz: 48_000 };
      const file = utterance('anna', 4);
      const { events } = await listen(targetOf(print()), opusPackets(file, 0), audio);
      const all = { ignoreCheckpoints: true };
      const { result } = (await platform().verify(await platform().open(), print(), file, all)).body;
      const { biometricScore } = result.authenticationScore;
      expect(Math.fround(events.at(-1)?.score ?? NaN)).toBe(Math.fround(biometricScore));
      // Nobody can tell from the packets alone how much of the beginning is not meant to be heard.
      const bare = await listen(targetOf(print()), opusPackets(file), audio);
      expect(bare.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true });
    });

    it.each<[string, () => Promise<{ audio: object; messages: Buffer[] }>]>([
      [
        'A-law',
        async () => ({
          audio: { encoding: 'ALAW', sampleRateHz: 8000 },
          messages: [aLaw(await callSamples('anna', [4, 5], 8000))],
        }),
      ],
      [
        'Opus, a packet a message',
        async () => ({
          audio: { encoding: 'OPUS', sampleRateHz: 48_000 },
          messages: [4, 5].flatMap((index) => opusPackets(utterance('anna', index))),
        }),
      ],
      [
        '16 bits at 48 kHz',
        async () => ({
          audio: { encoding: 'LINEAR16', sampleRateHz: 48_000 },
          messages: [...pieces(linear16(await callSamples('anna', [4, 5], 48_000)), 96_000)],
        }),
      ],
      [
        'two channels with names',
        async () => {
          const own = await callSamples('anna', [4, 5], 8000);
          const other = await callSamples('bruno', [4, 5], 8000);
          const names = { channelNames: ['agent', 'customer'], customerChannelName: 'customer' };
          return {
            audio: { encoding: 'LINEAR16', sampleRateHz: 8000, channels: 2, ...names },
            messages: [...pieces(linear16(interleaved(other, own)), 32_000)],
          };
        },
      ],
    ])('is accepted as %s', async (_name, make) => {
      const { audio, messages } = await make();
      const { events, closed } = await listen(targetOf(print()), messages, audio);
      expect(closed).toEqual({ code: 1000, reason: 'stopped' });
      expect(events.at(-1)).toMatchObject({ state: 'AUTHENTIC', final: true });
    });

    it('that is no Opus, although its start says so, ends with the reason', async () => {
      let seed = 1;
      const junk = Array.from({ length: 200 }, () =>
        Buffer.from(Array.from({ length: 61 }, () => (seed = (seed * 48_271) % 2_147_483_647) & 255)),
      );
      const audio = { encoding: 'OPUS', sampleRateHz: 48_000 };
      const { events, closed } = await listen(targetOf(print()), junk, audio);
      expect(events.at(-1)).toMatchObject({ final: true, endReason: 'failed', reason: 'INVALID_AUDIO' });
      expect(closed).toEqual({ code: 1000, reason: 'failed' });
      // Also where it is over before anybody could be sure.
      for (const few of [junk.slice(0, 9), [Buffer.concat(junk)]]) {
        const { events: heard } = await listen(targetOf(print()), few, audio);
        expect(heard.at(-1)).toMatchObject({ final: true, endReason: 'failed', reason: 'INVALID_AUDIO' });
      }
      // Some damaged packets among good ones do no harm.
      const good = [4, 5].flatMap((index) => opusPackets(utterance('anna', index)));
      const mixed = good.flatMap((packet, at) => (at % 10 === 9 ? [packet, Buffer.from([3])] : [packet]));
      const { events: told } = await listen(targetOf(print()), mixed, audio);
      expect(told.at(-1)).toMatchObject({ state: 'AUTHENTIC', endReason: 'stopped' });
    });
  });
}

/** First accepted, then not: told while the call runs, and for good. */
function expectRevoked(events: readonly ToldEvent[], state: string, reason: string): void {
  expect(events.slice(0, 2).map((event) => event.state)).toEqual(['LISTENING', 'AUTHENTIC']);
  const change = events.find((event, at) => at > 1 && event.state !== 'AUTHENTIC');
  expect(change).toMatchObject({ state, reason });
  expect(change?.final ?? false).toBe(false);
  expect(events.at(-1)).toMatchObject({ state, reason, final: true });
}

/** ITU-T G.711 A-law. */
function aLaw(samples: Int16Array): Buffer {
  return Buffer.from(
    Array.from(samples, (sample) => {
      const sign = sample < 0 ? 0 : 0x80;
      const magnitude = (sample < 0 ? -sample - 1 : sample) >> 3;
      const exponent = Math.max(0, 27 - Math.clz32(magnitude));
      const code = exponent === 0 ? magnitude >> 1 : (exponent << 4) | ((magnitude >> exponent) & 0x0f);
      return (sign | code) ^ 0x55;
    }),
  );
}
