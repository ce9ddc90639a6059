/* eslint-disable @typescript-eslint/no-explicit-any -- events are read as plain JSON, as a foreign client would */
// Prompts in running calls, from outside: a caller is asked to repeat digits, and the answer is heard in the call after the prompt.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiveAudio } from '../../src/gen/voxgate/live/v1/live_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { systemIds } from '../../src/platform.js';
import { fixture, Platform, type RequestContext } from '../biometrics/support.js';
import { format, Line, STOP, targetOf } from './line.js';
import { callSamples, muLaw, pieces } from './support.js';

const RATE_HZ = 8000;
const MULAW_SILENCE = 0xff;
const WAV_DATA = 'data';

/** The bytes after the header: mu-law at 8 kHz, like the calls here. */
function said(name: string): Buffer {
  const file = Buffer.from(fixture('words', name));
  return file.subarray(file.indexOf(WAV_DATA) + 8);
}

const pause = (seconds: number): Buffer => Buffer.alloc(seconds * RATE_HZ, MULAW_SILENCE);

let platform: Platform;
let profile: string;
let speech: Buffer;
let next: string | undefined;
beforeAll(async () => {
  const token = (bytes: number): string => {
    if (next === undefined || bytes !== next.length) return systemIds.token(bytes);
    const drawn = Buffer.from([...next].map(Number)).toString('base64url');
    next = undefined;
    return drawn;
  };
  platform = await Platform.start({
    overrides: { ids: { ...systemIds, token } },
    parameters: { promptedWords: { always: true, answerSeconds: 12 } },
  });
  ({ profile } = await platform.printOf('anna'));
  speech = muLaw(await callSamples('anna', [4, 5], RATE_HZ));
});
afterAll(() => platform.stop());

class PromptedCall {
  readonly line = new Line(platform);
  readonly context: RequestContext;
  id = '';

  constructor(context: RequestContext) {
    this.context = context;
  }

  /** A call in which the caller was verified. */
  static async verified(audio: object = format): Promise<PromptedCall> {
    const call = new PromptedCall(await platform.open());
    const target = targetOf(profile);
    const begun: any = await call.line.begin({ question: { context: call.context, target }, format: audio });
    call.id = begun.event.liveCallId;
    call.send(speech);
    await expect.poll(() => call.events.map(({ state }) => state)).toContain('AUTHENTIC');
    return call;
  }

  send(sound: Buffer): void {
    this.line.send(...pieces(sound, 1600));
  }

  get events(): any[] {
    return this.line.events;
  }

  ask(figures: string) {
    next = figures;
    return platform.post(`/v1/live/${this.id}/prompt`, {});
  }

  end() {
    return platform.post(`/v1/live/${this.id}/prompt/end`, {});
  }

  /** What is told of it when its answer has been judged. */
  async judged(): Promise<any> {
    const isJudged = ({ prompt }: any): boolean => /PASSED|FAILED|UNCERTAIN/.test(prompt?.state ?? '');
    await expect.poll(() => this.events.some(isJudged), { timeout: 30_000 }).toBe(true);
    return this.events.find(isJudged);
  }

  async stop(): Promise<void> {
    this.line.send(STOP);
    await this.line.closed;
  }
}

const caveatsIn = ({ assessment }: any): string[] => assessment.caveats ?? [];
const WANTED = 'SESSION_CAVEAT_PROMPT_WANTED';

describe('a prompt in a call', () => {
  it('passes if the caller repeats it, and says after which delay', async () => {
    const call = await PromptedCall.verified();
    expect(caveatsIn(call.events.at(-1))).toContain(WANTED);
    const { body } = await call.ask('7391');
    expect(body).toMatchObject({ expectedText: 'seven three nine one', ivrInfo: '7391' });
    await expect.poll(() => call.events.at(-1).prompt?.state).toBe('LIVE_PROMPT_STATE_ASKED');
    expect((await call.end()).status).toBe(200);
    // What was said before does not count.
    call.send(Buffer.concat([pause(1), said('slt-7391.wav'), pause(2)]));
    const event = await call.judged();
    expect(event).toMatchObject({
      state: 'AUTHENTIC',
      prompt: {
        state: 'LIVE_PROMPT_STATE_PASSED',
        expectedText: 'seven three nine one',
        detectedText: 'seven three nine one',
        reason: 'PROMPT_PASSED',
      },
    });
    expect(parseFloat(event.prompt.answerDelay)).toBeGreaterThan(0.9);
    expect(parseFloat(event.prompt.answerDelay)).toBeLessThan(2);
    expect(caveatsIn(event)).not.toContain(WANTED);
    await call.stop();
    const path = `/v1/x/sessions/${call.context.gkSessionId?.value}/timeline?${platform.query(call.context)}`;
    const timeline = (await platform.server.rest('GET', path)).body;
    const made = timeline.events.find(({ operation }: any) => operation === 'DetectLiveness');
    expect(made).toMatchObject({ isFactor: true, reason: 'PROMPT_PASSED', decision: 'DECISION_AUTHENTIC' });
    expect(made.attributes).toMatchObject({ liveCallId: call.id, detected: 'seven three nine one' });
    expect(Number(made.attributes.delayMs)).toBeGreaterThan(900);
  }, 60_000);

  it.each([
    ['other digits', '7381', 'slt-7391.wav', 'WORDS_NO_MATCH'],
    ['another voice', '0528', 'rms-0528.wav', 'VOICE_NO_MATCH'],
  ])(
    'fails for %s',
    async (_what, asked, file, reason) => {
      const call = await PromptedCall.verified();
      await call.ask(asked);
      await call.end();
      call.send(Buffer.concat([pause(1), said(file), pause(3)]));
      const event = await call.judged();
      expect(event.prompt).toMatchObject({ state: 'LIVE_PROMPT_STATE_FAILED', reason });
      expect(caveatsIn(event)).toContain('SESSION_CAVEAT_PROMPT_FAILED');
      expect(event.assessment.tone).not.toBe('SESSION_TONE_GOOD');
      await call.stop();
    },
    60_000,
  );

  it('fails if nothing is said in time, and cannot be judged if the call ends before', async () => {
    const silent = await PromptedCall.verified();
    await silent.ask('7391');
    await silent.end();
    silent.send(pause(13));
    expect((await silent.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_FAILED',
      reason: 'PROMPT_EXPIRED',
    });
    await silent.stop();
    const short = await PromptedCall.verified();
    await short.ask('7391');
    await short.end();
    short.send(pause(1));
    await short.stop();
    expect((await short.judged()).prompt.state).toBe('LIVE_PROMPT_STATE_UNCERTAIN');
    expect(short.events.at(-1)).toMatchObject({ final: true, state: 'AUTHENTIC' });
  }, 60_000);

  it('is refused where it cannot be heard', async () => {
    const call = await PromptedCall.verified();
    expect((await call.end()).status).toBe(400);
    const { endPrompt, promptCaller } = platform.server.grpc(LiveAudio);
    await call.ask('7391');
    expect((await endPrompt({ liveCallId: call.id })).status?.statusCode).toBe(StatusCode.OK);
    const again = await endPrompt({ liveCallId: call.id });
    expect(again.status?.statusMessage?.message).toContain('not asked');
    await call.stop();
    const over = await promptCaller({ liveCallId: call.id });
    expect(over.status?.statusMessage?.message).toContain('over');
    expect((await platform.post('/v1/live/unknown/prompt', {})).status).toBe(404);
  }, 60_000);
});
