// @module-tag slow
// The engine's queue is bounded: what does not fit is answered BUSY with the time to come again, what fits is
// answered right, and a caller who goes away gives its place back.
import { status as GrpcStatus } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { wavFile } from '../support/sounds.js';
import { joined } from '../support/speech.js';
import { TEST_TOKEN, type RestAnswer } from '../support/server.js';
import { voiceSamples } from '../support/voice-samples.js';
import { Platform, utterance, type RequestContext } from './support.js';

let platform: Platform;
let context: RequestContext;
let longMedia: string;
let probeMedia: string;

/** Takes the engine long enough for everything below to happen meanwhile. */
async function minutes(sentence: number): Promise<Uint8Array> {
  const speech = await voiceSamples('anna', sentence);
  return wavFile([joined(...Array<Float32Array>(20).fill(speech))], 16_000);
}

beforeAll(async () => {
  platform = await Platform.start({ ownEngine: true, config: { 'engine.queueLength': 1 } });
  context = await platform.open();
  longMedia = await platform.upload(context, await minutes(1));
  probeMedia = await platform.upload(context, new TextEncoder().encode('no audio, done at once'));
});
afterAll(() => platform.stop());

const bodyFor = (media: string) => ({ context, gkMediaSegmentId: { value: media } });
const isBusy = (answer: RestAnswer) => answer.body.status.statusCode === 'BUSY';

interface Processing {
  answer: Promise<Response>;
  giveUp(): void;
  done(): boolean;
}

/** ProcessAudio by a caller who comes again when refused, and who can give up. */
function processing(media: string): Processing {
  const controller = new AbortController();
  let done = false;
  const ask = async (): Promise<Response> => {
    for (;;) {
      const answer = await fetch(`${platform.server.httpUrl}/v1/audios/process`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify(bodyFor(media)),
        signal: controller.signal,
      });
      if (answer.status !== 503) return answer;
      await pause(5);
    }
  };
  const answer = ask().finally(() => (done = true));
  answer.catch(() => {});
  return { answer, giveUp: () => controller.abort(), done: () => done };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A job that needs no time: `waited` when the worker is taken, `busy` when the queue is full as well. */
async function probe(): Promise<'served' | 'waited' | 'busy'> {
  const call = platform.server
    .grpc(VoiceprintsProcessor)
    .processAudio(
      { context: { ...context }, input: { case: 'gkMediaSegmentId', value: { value: probeMedia } } },
      { deadlineMs: 400 },
    );
  return call.then(
    (answer) => (answer.status?.statusCode === StatusCode.BUSY ? 'busy' : 'served'),
    () => 'waited',
  );
}

/** False where the job ended first: on a busy machine a probe may take as long as the job. */
async function until(state: 'waited' | 'busy', running: Processing): Promise<boolean> {
  while (!running.done()) {
    if ((await probe()) === state) return true;
    await pause(50);
  }
  return false;
}

interface Filled {
  running: Processing;
  waiting: Processing;
  runs: string;
  waits: string;
}

/** One job runs and one waits: every further one is refused. Tried again, with new media, until both are there at once. */
async function fill(recordings: { runs: Uint8Array; waits: Uint8Array }): Promise<Filled> {
  for (;;) {
    const runs = await platform.upload(context, recordings.runs);
    const waits = await platform.upload(context, recordings.waits);
    const running = processing(runs);
    await until('waited', running);
    const waiting = processing(waits);
    if (await until('busy', running)) return { running, waiting, runs, waits };
    await waiting.answer;
  }
}

/** Asks until the engine takes the job; tells whether `other` was still being served when it did. */
async function takenWhile(
  other: { done(): boolean },
  media: string,
): Promise<{ answer: RestAnswer; early: boolean }> {
  for (;;) {
    const early = !other.done();
    const answer = await platform.post('/v1/audios/process', bodyFor(media));
    if (!isBusy(answer)) return { answer, early };
    await pause(20);
  }
}

async function processedMedia(): Promise<string[]> {
  const query = new URLSearchParams({
    'context.gkScopeId.value': platform.gkScopeId,
    recordType: 'RECORD_TYPE_AUDIO_EVENT',
    pageSize: '1000',
  });
  const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
  return body.records.flatMap(
    (record: { recordAsJson: string }) => JSON.parse(record.recordAsJson).subjectIds as string[],
  );
}

describe('a full queue', { timeout: 180_000 }, () => {
  it('answers BUSY with retry_info and Retry-After, and serves the rest as if alone', async () => {
    const media = await Promise.all(
      [1, 2, 3, 4, 5].map((index) => platform.upload(context, utterance('bruno', index))),
    );
    const alone: string[] = [];
    for (const one of media)
      alone.push((await platform.post('/v1/audios/process', bodyFor(one))).body.result.audioDetails.netAudio);

    const blocker = processing(longMedia);
    await until('waited', blocker);
    const answers = await Promise.all(media.map((one) => platform.post('/v1/audios/process', bodyFor(one))));
    const refused = answers.filter(isBusy);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(media.length);
    for (const answer of refused) {
      expect(answer.status).toBe(503);
      expect(answer.body.status.retryInfo.retryDelayMs).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.body.result).toBeUndefined();
    }
    answers.forEach((answer, index) => {
      if (isBusy(answer)) return;
      expect(answer.status).toBe(200);
      expect(answer.body.result).toMatchObject({
        validity: 'REASON_AUDIO_OK',
        gkMediaSegmentId: { value: media[index] },
        audioDetails: { netAudio: alone[index] },
      });
    });
    expect((await blocker.answer).status).toBe(200);

    // Coming again is all that a refused caller has to do.
    const again = await platform.post('/v1/audios/process', bodyFor(media[4] ?? ''));
    expect(again.body.result.audioDetails.netAudio).toBe(alone[4]);
  });

  it('says the same over gRPC, inside an answer', async () => {
    const media = await platform.upload(context, utterance('bruno', 1));
    // At once: one runs and one waits, whatever else there is, so some are refused.
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        platform.server.grpc(VoiceprintsProcessor).processAudio({
          context: { ...context },
          input: { case: 'gkMediaSegmentId', value: { value: media } },
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status?.statusCode === StatusCode.BUSY);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status } of refused) expect(status?.retryInfo?.retryDelayMs).toBeGreaterThan(0);
  });
});

describe('a caller who goes away', { timeout: 180_000 }, () => {
  it('frees its place in the queue', async () => {
    const media = await platform.upload(context, utterance('bruno', 2));
    const recordings = { runs: await minutes(1), waits: utterance('bruno', 3) };
    for (let isShown = false; !isShown;) {
      const { running, waiting, waits } = await fill(recordings);
      waiting.giveUp();
      const left = await waiting.answer.catch(() => undefined);
      const { answer, early } = await takenWhile(running, media);
      expect(answer.body.result.validity).toBe('REASON_AUDIO_OK');
      await running.answer;
      // Where the first job was over by then, the place was free anyway.
      isShown = !left && early;
      if (isShown) expect(await processedMedia()).not.toContain(waits);
    }
  });

  it('frees the worker, and nothing of its call is kept', async () => {
    const recordings = { runs: await minutes(2), waits: utterance('bruno', 4) };
    for (let isShown = false; !isShown;) {
      const { running, waiting, runs } = await fill(recordings);
      running.giveUp();
      isShown = await running.answer.then(
        () => false,
        () => true,
      );
      expect((await waiting.answer).status).toBe(200);
      if (isShown) expect(await processedMedia()).not.toContain(runs);
    }
  });

  it('need not say so: a deadline does the same', async () => {
    const late = platform.server.grpc(VoiceprintsProcessor).processAudio(
      {
        context: { ...context },
        input: { case: 'gkMediaSegmentId', value: { value: longMedia } },
      },
      { deadlineMs: 300 },
    );
    await expect(late).rejects.toMatchObject({ code: GrpcStatus.DEADLINE_EXCEEDED });
    const media = await platform.upload(context, utterance('bruno', 5));
    const { answer } = await takenWhile({ done: () => true }, media);
    expect(answer.body.result.validity).toBe('REASON_AUDIO_OK');
  });
});
