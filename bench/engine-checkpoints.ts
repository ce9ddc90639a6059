// What checkpoints cost: a match at 3 s of a long recording beside a recording of 3 s, and all checkpoints of a
// long recording beside the same in one pass. Processor time, in turns. Part of `npm run bench -- engine`.
import type { Models } from '../src/inference/models/models.js';
import { FileListening, processAudio } from '../src/inference/process-audio.js';
import { median } from './harness.js';

const EARLY_MS = 3000;
export const usualCheckpointsMs = [3000, 6000, 10_000, 20_000, 30_000, 40_000, 50_000] as const;

export interface CheckpointFigures {
  /** A match at 3 s of net speech, and a recording that holds just that. */
  earlyMs: number;
  shortFileMs: number;
  /** All checkpoints without a match, and none at all. */
  allCheckpointsMs: number;
  onePassMs: number;
}

export interface CheckpointMaterial {
  long: Uint8Array;
  /** As much of it as the match at the first checkpoint needs. */
  short: Uint8Array;
}

export async function measureCheckpoints(
  models: Models,
  { long, short }: CheckpointMaterial,
  repeats: number,
  processorMs: () => number,
): Promise<CheckpointFigures> {
  const check = (): void => undefined;
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = processorMs();
    await work();
    return processorMs() - start;
  };
  const early = async (): Promise<void> => {
    const file = new FileListening(models, long, { checkpointsMs: [EARLY_MS] });
    const step = await file.advance(check);
    if (!('reached' in step)) throw new Error('the checkpoint was not reached');
    await file.stop(check);
  };
  const turns: CheckpointFigures[] = [];
  for (let i = -2; i < repeats; i++) {
    const turn = {
      earlyMs: await timed(early),
      shortFileMs: await timed(() => processAudio(new FileListening(models, short, {}), check)),
      allCheckpointsMs: await timed(() =>
        processAudio(new FileListening(models, long, { checkpointsMs: usualCheckpointsMs }), check),
      ),
      onePassMs: await timed(() => processAudio(new FileListening(models, long, {}), check)),
    };
    if (i >= 0) turns.push(turn);
  }
  const of = (name: keyof CheckpointFigures): number => median(turns.map((turn) => turn[name]));
  return {
    earlyMs: of('earlyMs'),
    shortFileMs: of('shortFileMs'),
    allCheckpointsMs: of('allCheckpointsMs'),
    onePassMs: of('onePassMs'),
  };
}
