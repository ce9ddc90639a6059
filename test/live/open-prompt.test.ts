// A prompt while its answer is heard: how often it is judged, and what the recognizer gets.
import { expect, it } from 'vitest';
import { anonymousCaller } from '../../src/live/call-starter.js';
import type { RecordedAnswer } from '../../src/live/answer-sound.js';
import type { PromptHandover } from '../../src/live/call-handover.js';
import { OpenPrompt } from '../../src/live/open-prompt.js';
import type { StreamFormat } from '../../src/voice/audio/types.js';

const SECOND = 8000;

function promptIn(format: StreamFormat = { encoding: 'mulaw', sampleRateHz: SECOND, channels: 1 }) {
  const told: string[] = [];
  const judged: { sound: RecordedAnswer; over: string | undefined }[] = [];
  const looks: ((isDone: boolean) => void)[] = [];
  const open = (answer?: PromptHandover['answer']): OpenPrompt =>
    new OpenPrompt(
      {
        caller: anonymousCaller,
        prompt: {
          promptId: 'p',
          gkScopeId: 's',
          language: 'en',
          words: 'one two',
          issuedAtMs: 0,
          expiresAtMs: 20_000,
        },
        format,
        clock: { now: () => 0 },
        tell: async ({ state }) => void told.push(state),
        judge: async (sound, _reference, over) => {
          judged.push({ sound, over });
          const isDone = over !== undefined || (await new Promise<boolean>((resolve) => looks.push(resolve)));
          return isDone ? { state: 'PASSED' } : undefined;
        },
        failed: () => ({ state: 'UNCERTAIN' }),
      },
      answer,
    );
  return { open, told, judged, looks };
}

const overs = (judged: readonly { over: string | undefined }[]) => judged.map(({ over }) => over);

it.each([
  ['has passed', true, [undefined]],
  ['has not', false, [undefined, 'NO_MORE']],
])('waits at the end of the call for a look that goes on: it %s', async (_how, isDone, looksMade) => {
  const { open, told, judged, looks } = promptIn();
  const prompt = open();
  await prompt.begin(undefined, 0);
  prompt.hear(new Uint8Array(2 * SECOND));
  // Enough for the next look.
  prompt.hear(new Uint8Array(2 * SECOND));
  const ended = prompt.end();
  looks.shift()?.(isDone);
  await ended;
  expect(overs(judged)).toEqual(looksMade);
  expect(told).toEqual(['ENDED', 'PASSED']);
  // Asked twice, it ends once.
  await prompt.end();
  expect(told).toHaveLength(2);
});

it('is over when the caller has had the time that there is', async () => {
  const { open, told, judged } = promptIn();
  const prompt = open();
  await prompt.begin(undefined, 0);
  prompt.hear(new Uint8Array(20 * SECOND));
  await expect.poll(() => told).toEqual(['ENDED', 'PASSED']);
  expect(overs(judged)).toEqual(['TIME_IS_UP']);
});

it('goes on elsewhere with whole samples, and only until it is answered', async () => {
  const { open, judged } = promptIn({ encoding: 's16le', sampleRateHz: SECOND, channels: 2 });
  const prompt = open();
  expect(await prompt.leave()).toMatchObject({ prompt: { words: 'one two' } });
  const answered = open();
  // In the middle of a sample.
  await answered.begin(undefined, 4 * SECOND + 3);
  answered.hear(Uint8Array.from([9, 1, 2, 3, 4, 5]));
  const handover = await answered.leave();
  expect(handover?.answer?.chunks.map((chunk) => [...chunk])).toEqual([[1, 2, 3, 4]]);
  const there = open(handover?.answer);
  there.hear(Uint8Array.from([5, 6, 7, 8]));
  await there.end();
  expect([...(judged[0]?.sound.bytes ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await there.leave()).toBeUndefined();
});
