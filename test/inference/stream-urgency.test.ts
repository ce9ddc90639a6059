// How long the audio of a call may wait for a worker, as the pool is told.
import { describe, expect, it } from 'vitest';
import { openEngineStream } from '../../src/inference/engine-jobs.js';
import type { JobOptions } from '../../src/inference/pool/job.js';
import type { StreamProgress } from '../../src/voice/engine.js';

const SECOND_BYTES = 8000;

/** A stream whose engine answers so, one answer after another; gives what each job was allowed to wait. */
async function waits(answers: readonly Partial<StreamProgress>[]): Promise<(number | undefined)[]> {
  const slacks: (number | undefined)[] = [];
  const left = [...answers];
  const pool = {
    run: async (request: unknown, { slackMs }: JobOptions = {}) => {
      const isOpening = (request as { do: string }).do === 'openStream';
      if (!isOpening) slacks.push(slackMs);
      const answer = isOpening ? undefined : left.shift();
      const value = { netMs: 0, grossMs: 0, heldBytes: 0, spareMs: 0, checkpoints: [], ...answer };
      return { value: value as never, pin: { slot: 0, generation: 1 } };
    },
    keep: () => undefined,
    release: () => undefined,
  };
  const format = { encoding: 'mulaw', sampleRateHz: 8000, channels: 1 } as const;
  const stream = await openEngineStream(pool, 1, { options: { format }, job: {} }, () => undefined);
  for (const _ of answers) await stream.push(new Uint8Array(SECOND_BYTES));
  await stream.finish();
  return slacks;
}

const reached = [{}] as unknown as StreamProgress['checkpoints'];

describe('audio of a call', () => {
  it('waits for nobody where it may complete a decision, and else until more may', async () => {
    const [first, urgent, idle, endless] = await waits([
      { spareMs: 1000 },
      { spareMs: 2500 },
      { spareMs: Infinity },
      {},
    ]);
    expect([first, urgent, idle, endless]).toEqual([0, 0, 1500, 2000]);
  });

  it('lets first decisions of others go first once its own is there, and so does the end of a call', async () => {
    const slacks = await waits([{ checkpoints: reached }, { spareMs: 1500 }, {}]);
    expect(slacks).toEqual([0, 1000, 1500, 500]);
  });
});
