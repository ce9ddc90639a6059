// The engine's side of files and streams that a worker holds from one job to the next.
import { AppError } from '../errors.js';
import type {
  AtCheckpoint,
  EngineStream,
  ProcessedAudio,
  ProcessOptions,
  StreamOptions,
  StreamProgress,
} from '../voice/engine.js';
import { rawWidth } from '../voice/audio/codecs/pcm.js';
import type { StreamFormat } from '../voice/audio/types.js';
import type { EngineRequest } from './pool/engine-worker.js';
import type { Begun } from './pool/begun-work.js';
import type { JobOptions, Pin } from './pool/job.js';
import type { WorkerPool } from './pool/pool.js';
import { handOver, joined, type FilePieces } from './file-pieces.js';
import type { FileStep } from './process-audio.js';
import { inEnglish } from '../words/server/say.js';

export function jobOptions(
  options: Pick<ProcessOptions, 'deadlineAtMs' | 'client' | 'priority'>,
  signal: AbortSignal | undefined,
): JobOptions {
  const { deadlineAtMs, client, priority } = options;
  return {
    ...(signal ? { signal } : {}),
    ...(deadlineAtMs === undefined ? {} : { deadlineAtMs }),
    ...(client === undefined ? {} : { client }),
    ...(priority === undefined ? {} : { priority }),
  };
}

type JobRunner = Pick<WorkerPool, 'run' | 'keep' | 'release'>;

/** State in a worker, kept there until it is released or the worker is gone. */
class WorkerState {
  readonly #pool: JobRunner;
  readonly id: number;
  /** For files only: who began it and with which priority. Streams are counted elsewhere. */
  readonly #file: Begun | undefined;
  #pin: Pin | undefined;

  constructor(pool: JobRunner, id: number, file?: Begun) {
    this.#pool = pool;
    this.id = id;
    this.#file = file;
  }

  async begin<T>(request: EngineRequest, job: JobOptions): Promise<T> {
    const { value, pin } = await this.#pool.run<T>(request, job);
    this.#pin = pin;
    this.#pool.keep(pin, this.#file);
    return value;
  }

  async go<T>(request: EngineRequest, job: JobOptions): Promise<T> {
    if (!this.#pin) throw new AppError('INTERNAL_ERROR', 'this audio is no longer being processed');
    return (await this.#pool.run<T>(request, { ...job, pin: this.#pin })).value;
  }

  /** True the first time only. */
  release(): boolean {
    if (!this.#pin) return false;
    this.#pool.release(this.#pin, this.#file);
    this.#pin = undefined;
    return true;
  }

  forget(): void {
    const [pin, priority] = [this.#pin, this.#file?.priority];
    if (pin && this.release())
      void this.#pool
        .run({ do: 'forget', id: this.id }, { pin, ...(priority && { priority }) })
        .catch(() => undefined);
  }
}

/**
 * Processes a file step by step: after each checkpoint the worker is free for others while the caller
 * decides, and no more of the file is read than is needed.
 */
export async function processInSteps(
  pool: WorkerPool,
  id: number,
  asked: { file: FilePieces; options: ProcessOptions; job: JobOptions },
  atCheckpoint: AtCheckpoint,
): Promise<ProcessedAudio> {
  const { file, options, job } = asked;
  const state = new WorkerState(pool, id, job);
  try {
    const head = await file.next();
    const begin: EngineRequest = { do: 'beginFile', id, head, totalBytes: file.totalBytes, options };
    let step = await state.begin<FileStep>(begin, { ...job, transfer: [head.buffer] });
    while (!('result' in step)) {
      if ('starved' in step) {
        const piece = await file.next();
        const feed: EngineRequest = { do: 'feedFile', id, piece };
        step = await state.go<FileStep>(feed, { ...job, transfer: [piece.buffer] });
      } else if (await atCheckpoint(step.reached)) {
        const result = await state.go<ProcessedAudio>({ do: 'stopFile', id }, job);
        state.release();
        return result;
      } else step = await state.go<FileStep>({ do: 'continueFile', id }, job);
    }
    state.release();
    await file.checkEnd();
    return step.result;
  } catch (error) {
    state.forget();
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Audio that cannot lead to a decision yet may wait for audio that can, but not for long: more of it is on
 * its way.
 */
const SLACK_MS_MAX = 2000;
/**
 * A first decision is more urgent than a later one, which mostly confirms it, and than the final result of a
 * call that has ended.
 */
const LATER_SLACK_MS = 1000;
const END_SLACK_MS = 500;

/** How long the next audio of a stream may wait for the worker, judged by the stream's progress. */
class Urgency {
  readonly #bytesPerMs: number;
  #spareMs = 0;
  #isDecided = false;

  constructor(format: StreamFormat) {
    // The length of a packet's audio is not known, so such audio never waits.
    const width = format.encoding === 'opus' ? 0 : rawWidth(format);
    this.#bytesPerMs = (format.sampleRateHz * format.channels * width) / 1000;
  }

  slackMs(chunks: readonly Uint8Array[]): number {
    const ms = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / this.#bytesPerMs;
    const spareMs = Math.max(0, Math.min(SLACK_MS_MAX, this.#spareMs - ms));
    return spareMs + (this.#isDecided ? LATER_SLACK_MS : 0);
  }

  learn({ spareMs, checkpoints }: StreamProgress): void {
    this.#spareMs = spareMs;
    this.#isDecided ||= checkpoints.length > 0;
  }
}

export async function openEngineStream(
  pool: JobRunner,
  id: number,
  stream: { options: StreamOptions; job: JobOptions },
  ended: () => void,
): Promise<EngineStream> {
  const { options, job } = stream;
  const state = new WorkerState(pool, id);
  const forget = (): void => {
    state.forget();
    ended();
  };
  try {
    await state.begin({ do: 'openStream', id, options }, job);
  } catch (error) {
    forget();
    throw error;
  }
  job.signal?.addEventListener('abort', forget, { once: true });
  // A stream that failed once has a gap in its audio and is of no further use.
  const endOnFailure = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      forget();
      throw error;
    }
  };
  // One after another: a job that yields must not be overtaken by the next one of its stream.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return endOnFailure(next);
  };
  const urgency = new Urgency(options.format);
  return {
    push: async (...chunks) => {
      // One buffer for all: handing one over costs as much as copying a second of audio. Packets stay
      // separate.
      const own = options.format.encoding === 'opus' ? chunks.map(handOver) : [joined(chunks)];
      const transfer = own.map((chunk) => chunk.buffer);
      return inOrder(async () => {
        const slackMs = urgency.slackMs(own);
        const push: EngineRequest = { do: 'push', id, chunks: own };
        const progress = await state.go<StreamProgress>(push, { ...job, transfer, slackMs });
        if (progress.fault !== undefined)
          throw new AppError('INVALID_REQUEST', inEnglish(progress.fault), {
            diagnostics: [{ code: 'INVALID_AUDIO' }],
          });
        urgency.learn(progress);
        return progress;
      });
    },
    finish: async () => {
      const ending = { ...job, slackMs: END_SLACK_MS };
      const result = await inOrder(() => state.go<ProcessedAudio>({ do: 'finish', id }, ending));
      state.release();
      ended();
      return result;
    },
    cancel: forget,
  };
}
