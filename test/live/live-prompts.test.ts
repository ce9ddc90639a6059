/* eslint-disable @typescript-eslint/no-explicit-any -- events are read as plain JSON, as a foreign client would */
// Prompts in running calls, from outside: a caller is asked to repeat digits, and the answer is heard in the call after the prompt.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiveAudio } from '../../src/gen/voxgate/live/v1/live_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { systemIds } from '../../src/platform.js';
import { runVoxgate } from '../cli/run-voxgate.js';
import { TEST_TOKEN } from '../support/server.js';
import { fixture, Platform, utterance, type RequestContext } from '../biometrics/support.js';
import { GrpcLine } from './grpc-line.js';
import { format, Line, STOP, targetOf } from './line.js';
import { callSamples, muLaw, opusPackets, pieces } from './support.js';

const RATE_HZ = 8000;
const MULAW_SILENCE = 0xff;
const WAV_DATA = 'data';
const PIECE = 1600;

/** The bytes after the header: mu-law at 8 kHz, like the calls here. */
function said(name: string): Buffer {
  const file = Buffer.from(fixture('words', name));
  return file.subarray(file.indexOf(WAV_DATA) + 8);
}

const silence = (seconds: number): Buffer => Buffer.alloc(seconds * RATE_HZ, MULAW_SILENCE);

let platform: Platform;
let profile: string;
let speech: Buffer;
let next: string | undefined;
const token = (bytes: number): string => {
  if (next === undefined || bytes !== next.length) return systemIds.token(bytes);
  const drawn = Buffer.from([...next].map(Number)).toString('base64url');
  next = undefined;
  return drawn;
};
const overrides = { ids: { ...systemIds, token } };
const HOME = mkdtempSync(join(tmpdir(), 'voxgate-prompts-'));
const config = { home: HOME };

beforeAll(async () => {
  const promptedWords = { always: true, answerSeconds: 12 };
  platform = await Platform.start({ config, overrides, parameters: { promptedWords } });
  await platform.configure('brief', { promptedWords: { answerSeconds: 5 } });
  ({ profile } = await platform.printOf('anna'));
  speech = muLaw(await callSamples('anna', [4, 5], RATE_HZ));
});
afterAll(async () => {
  await platform.stop();
  rmSync(HOME, { recursive: true });
});

type Sender = Pick<Line, 'events'> & { send(sound: Buffer): void; stop(): Promise<unknown> };

class PromptedCall {
  readonly context: RequestContext;
  readonly id: string;
  readonly resumeToken: string;
  sender: Sender;

  private constructor(context: RequestContext, begun: any, sender: Sender) {
    this.context = context;
    this.id = begun.event.liveCallId;
    this.resumeToken = begun.resume.resumeToken;
    this.sender = sender;
  }

  /** A call in which the caller was verified. */
  static async verified({
    configsetId = 'calls',
    audio = format as object,
    target = {} as object,
    said = [...pieces(speech, PIECE)],
  } = {}): Promise<PromptedCall> {
    const context = await platform.open(configsetId);
    const line = new Line(platform);
    const question = { context, target: { ...targetOf(profile), ...target } };
    const begun = await line.begin({ question, format: audio });
    line.send(...said);
    const call = new PromptedCall(context, begun, senderOver(line));
    await expect.poll(() => call.events.map(({ state }) => state)).toContain('AUTHENTIC');
    return call;
  }

  /** The same over gRPC. */
  static async verifiedOverGrpc(): Promise<PromptedCall> {
    const context = await platform.open();
    const question = { context, target: targetOf(profile) };
    const stream = new GrpcLine(platform.server.grpcAddress, { question, format });
    const begun = await stream.begun();
    stream.send(speech);
    const sender = {
      get events() {
        return stream.events;
      },
      send: (sound: Buffer) => stream.send(sound),
      stop: () => (stream.stop(), stream.over),
    };
    const call = new PromptedCall(context, begun, sender);
    await expect.poll(() => call.events.map(({ state }) => state)).toContain('AUTHENTIC');
    return call;
  }

  send(...sounds: Buffer[]): void {
    for (const sound of sounds) this.sender.send(sound);
  }

  get events(): any[] {
    return this.sender.events;
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

  /** The server goes down, and another one goes on with the call; returns how much of its audio has arrived. */
  async moved(): Promise<number> {
    await platform.stop();
    platform = await Platform.restarted(platform, { config, overrides });
    const line = new Line(platform);
    const begun = await line.begin({ resumeToken: this.resumeToken });
    this.sender = senderOver(line);
    return Number(begun.resume?.receivedBytes);
  }

  async stop(): Promise<void> {
    await this.sender.stop();
  }
}

const senderOver = (line: Line): Sender => ({
  get events() {
    return line.events;
  },
  send: (sound) => line.send(...pieces(sound, PIECE)),
  stop: () => (line.send(STOP), line.closed),
});

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
    call.send(Buffer.concat([silence(1), said('slt-7391.wav'), silence(2)]));
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
    // The check for synthetic speech, which was not made, is answered too.
    expect([caveatsIn(event), event.assessment.tone]).toEqual([[], 'SESSION_TONE_GOOD']);
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
      call.send(Buffer.concat([silence(1), said(file), silence(3)]));
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
    silent.send(silence(13));
    expect((await silent.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_FAILED',
      reason: 'PROMPT_EXPIRED',
    });
    await silent.stop();
    const short = await PromptedCall.verified();
    await short.ask('7391');
    await short.end();
    short.send(silence(1));
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

describe('an agent with a token', () => {
  const agentSays = async (id: string, path: string, agentToken: string) => {
    const headers = { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' };
    const url = `${platform.server.httpUrl}/v1/live/${id}/${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };
  const tokenFor = async (id: string): Promise<string> =>
    (await platform.post(`/v1/live/calls/${id}:agent-token`, {})).body.agentToken;

  it('asks the caller of its own call, from a page of any origin', async () => {
    const call = await PromptedCall.verified();
    const agentToken = await tokenFor(call.id);
    next = '7391';
    const asked = await agentSays(call.id, 'ask', agentToken);
    expect(asked).toMatchObject({
      status: 200,
      body: { expectedText: 'seven three nine one', ivrInfo: '7391' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect((await agentSays(call.id, 'asked', agentToken)).status).toBe(200);
    call.send(Buffer.concat([silence(1), said('slt-7391.wav'), silence(1)]));
    expect((await call.judged()).prompt.state).toBe('LIVE_PROMPT_STATE_PASSED');
    expect((await agentSays(call.id, 'asked', agentToken)).status).toBe(400);
    const url = `${platform.server.httpUrl}/v1/live/${call.id}/ask`;
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
    await call.stop();
  }, 60_000);

  it('asks no other caller, in no other way', async () => {
    const [own, other] = await Promise.all([PromptedCall.verified(), PromptedCall.verified()]);
    const agentToken = await tokenFor(own.id);
    for (const [id, path] of [
      [other.id, 'ask'],
      [other.id, 'asked'],
      [own.id, 'prompt'],
    ] as const)
      expect((await agentSays(id, path, agentToken)).status).toBe(401);
    expect((await agentSays(own.id, 'ask', 'vxagent_wrong')).status).toBe(401);
    await Promise.all([own.stop(), other.stop()]);
    for (const { events } of [own, other]) expect(events.some(({ prompt }) => prompt)).toBe(false);
  }, 60_000);

  it('asks twenty times in a call, and no more', async () => {
    const call = await PromptedCall.verified();
    const agentToken = await tokenFor(call.id);
    for (let asked = 0; asked < 20; asked++)
      expect((await agentSays(call.id, 'ask', agentToken)).status).toBe(200);
    const more = await agentSays(call.id, 'ask', agentToken);
    expect(more).toMatchObject({ status: 400, body: { error_message: 'a call has at most 20 prompts' } });
    await call.stop();
  }, 60_000);
});

describe('an answer', () => {
  it('is heard in Opus', async () => {
    const said = [4, 5].flatMap((sentence) => opusPackets(utterance('anna', sentence)));
    const call = await PromptedCall.verified({ audio: { encoding: 'OPUS', sampleRateHz: 16_000 }, said });
    await call.ask('7391');
    await call.end();
    for (const packet of opusPackets(fixture('words', 'slt-7391.opus'))) call.send(packet);
    expect((await call.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_PASSED',
      detectedText: 'seven three nine one',
    });
    await call.stop();
  }, 60_000);

  it('is heard over gRPC, and each event has its number', async () => {
    const call = await PromptedCall.verifiedOverGrpc();
    await call.ask('7391');
    await call.end();
    call.send(Buffer.concat([silence(1), said('slt-7391.wav'), silence(2), speech]));
    expect((await call.judged()).prompt.state).toBe('LIVE_PROMPT_STATE_PASSED');
    await call.stop();
    const numbers = call.events.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    const { body } = await platform.server.rest('GET', `/v1/live/calls/${call.id}`);
    expect(body.call.events).toEqual(call.events);
  }, 60_000);

  it('is told to whoever watches the call from the command line', async () => {
    const call = await PromptedCall.verified();
    const server = ['--server', platform.server.httpUrl, '--token', TEST_TOKEN];
    const watched = runVoxgate(['live', 'watch', call.id, ...server]);
    await call.ask('7391');
    await call.end();
    call.send(Buffer.concat([silence(1), said('slt-7391.wav'), silence(2)]));
    await call.judged();
    await call.stop();
    const { out, err } = await watched;
    expect(err).toBe('');
    const prompts = out.split('\n').flatMap((line) => /, (prompt .*)$/.exec(line)?.[1] ?? []);
    const open = '; Ask to repeat digits; Not checked for attacks (Synthetic speech)';
    expect(prompts.slice(0, 2)).toEqual([
      `prompt asked: "seven three nine one"${open}`,
      `prompt ended: "seven three nine one"${open}`,
    ]);
    expect(prompts[2]).toMatch(
      /^prompt passed: "seven three nine one", prompt_passed, heard "seven three nine one", after [\d.]+s$/,
    );
  }, 60_000);

  it('is judged once, if the call ends behind it', async () => {
    const call = await PromptedCall.verified();
    await call.ask('7391');
    await call.end();
    call.send(Buffer.concat([silence(1), said('slt-7391.wav'), silence(1)]));
    await call.stop();
    expect((await call.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_PASSED',
      reason: 'PROMPT_PASSED',
    });
    expect(call.events.at(-1)).toMatchObject({ final: true });
  }, 60_000);

  it('is heard to its last digit, although the rest sounds like it', async () => {
    const call = await PromptedCall.verified();
    await call.ask('7391');
    await call.end();
    const sound = Buffer.concat([silence(1.2), said('slt-7391.wav'), silence(2)]);
    const begun = 3 * RATE_HZ;
    call.send(sound.subarray(0, begun));
    await pause(1500);
    expect(call.events.at(-1).prompt.state).toBe('LIVE_PROMPT_STATE_ENDED');
    call.send(sound.subarray(begun));
    expect((await call.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_PASSED',
      detectedText: 'seven three nine one',
    });
    await call.stop();
  }, 60_000);

  it('that does not come, because no audio comes, ends by itself, and so does a prompt that is not read out', async () => {
    const [silent, unread] = await Promise.all([
      PromptedCall.verified({ configsetId: 'brief' }),
      PromptedCall.verified({ configsetId: 'brief' }),
    ]);
    await silent.ask('7391');
    await silent.end();
    silent.send(silence(1));
    await unread.ask('7391');
    expect((await unread.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_UNCERTAIN',
      reason: 'PROMPT_EXPIRED',
    });
    const late = await unread.end();
    expect(late.status).toBe(400);
    expect(JSON.stringify(late.body)).toContain('PROMPT_EXPIRED');
    expect((await silent.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_UNCERTAIN',
      reason: 'AUDIO_TOO_SHORT',
    });
    // Another one can be asked for.
    expect((await unread.ask('7391')).status).toBe(200);
    await Promise.all([silent.stop(), unread.stop()]);
  }, 60_000);

  it('has to be in the voice of the caller, not in that of the agent who is heard beside', async () => {
    const { profile: agent } = await platform.printOf('bruno', 'person', 'agent');
    const beside = [4, 5, 4, 5].map((sentence) => callSamples('bruno', [sentence], RATE_HZ));
    const agents = Buffer.concat((await Promise.all(beside)).map(muLaw));
    const both = [...pieces(Buffer.concat([agents, speech]), PIECE)];
    const call = await PromptedCall.verified({ target: { agent: { value: agent } }, said: both });
    await call.ask('0528');
    await call.end();
    call.send(Buffer.concat([silence(1), said('rms-0528.wav'), silence(3)]));
    expect((await call.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_FAILED',
      reason: 'VOICE_NO_MATCH',
    });
    await call.stop();
  }, 60_000);

  it('has to be in the voice that was verified, not in that of somebody who takes over', async () => {
    const call = await PromptedCall.verified();
    call.send(muLaw(await callSamples('bruno', [4, 5, 4, 5], RATE_HZ)));
    await expect.poll(() => call.events.at(-1).state, { timeout: 10_000 }).toBe('NO_MATCH');
    await call.ask('0528');
    await call.end();
    call.send(Buffer.concat([silence(1), said('rms-0528.wav'), silence(3)]));
    expect((await call.judged()).prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_FAILED',
      reason: 'VOICE_NO_MATCH',
    });
    await call.stop();
  }, 60_000);
});

describe('a call that goes on at another node', () => {
  const answer = (): Buffer => Buffer.concat([silence(1), said('slt-7391.wav'), silence(2)]);

  it('was asked before, and is answered there', async () => {
    const call = await PromptedCall.verified();
    await call.ask('7391');
    await call.moved();
    expect((await call.end()).status).toBe(200);
    call.send(answer());
    const event = await call.judged();
    expect(event.prompt.state).toBe('LIVE_PROMPT_STATE_PASSED');
    expect(event).toMatchObject({
      state: 'AUTHENTIC',
      assessment: { headline: 'SESSION_HEADLINE_AUTHENTIC' },
    });
    expect(caveatsIn(call.events.at(1))).toContain(WANTED);
    expect(caveatsIn(event)).not.toContain(WANTED);
    await call.stop();
  }, 60_000);

  it('has heard one half of the answer before, and the other there', async () => {
    const call = await PromptedCall.verified();
    await call.ask('7391');
    await call.end();
    const sound = answer();
    const half = RATE_HZ + said('slt-7391.wav').length / 2;
    call.send(sound.subarray(0, half));
    const received = await call.moved();
    call.send(sound.subarray(received - speech.length));
    const { prompt } = await call.judged();
    expect(prompt).toMatchObject({
      state: 'LIVE_PROMPT_STATE_PASSED',
      detectedText: 'seven three nine one',
    });
    await call.stop();
  }, 60_000);
});
