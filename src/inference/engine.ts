// The voice engine: finds and checks the models and offers files and streams to the service. Workers, with the
// models in memory, come with the first audio; where the settings say so, they go when there is none for a while.
// The main thread only copies bytes and scores; everything that takes time happens in the workers.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { AppError } from '../errors.js';
import type { Clock, Log } from '../platform.js';
import { defaultDecodeLimits } from '../voice/audio/types.js';
import type {
  EngineStream,
  InspectedAudio,
  PlayableAudio,
  ProcessedAudio,
  ProcessOptions,
  StreamProgress,
  VoiceEngine,
} from '../voice/engine.js';
import type { DetectorKind } from '../voice/spoof/detector.js';
import type { EngineRequest } from './pool/engine-worker.js';
import type { ModelFolders } from './models/load-models.js';
import { checkSpeechDetector, defaultModel, readDetector, readSpeakerModel } from './models/manifest.js';
import { WorkerPool } from './pool/pool.js';
import type { JobOptions, Pin } from './pool/pool.js';

export interface EngineConfig {
  /** Empty: the folder shipped with the program. */
  modelsDir: string;
  /** Folder names; absent: the default of its kind. Null switches a detector off. */
  speakerModel?: string;
  syntheticModel?: string | null;
  playbackModel?: string | null;
  workers: number;
  queueLimit: number;
  jobTimeoutMs: number;
  /** A worker without work for so long gives its memory back; 0: never. */
  idleMs?: number;
  /** Streams that may be open at once; each holds its audio in memory. */
  streamLimit?: number;
}

const GRACE_MS = 3000;
const STREAM_LIMIT = 256;

export function bundledModelsDir(): string {
  return fileURLToPath(new URL('../../models', import.meta.url));
}

function modelFolder(
  modelsDir: string,
  kind: 'speaker' | 'vad' | DetectorKind,
  named: string | null | undefined,
): string | undefined {
  if (named === null) return undefined;
  const name = named ?? defaultModel(modelsDir, kind);
  if (name === undefined) return undefined;
  const folder = join(modelsDir, name);
  if (!existsSync(folder)) throw new Error(`there is no model ${folder}`);
  return folder;
}

export function findModels(
  config: Pick<EngineConfig, 'modelsDir' | 'speakerModel' | 'syntheticModel' | 'playbackModel'>,
): ModelFolders {
  const modelsDir = config.modelsDir || bundledModelsDir();
  const speaker = modelFolder(modelsDir, 'speaker', config.speakerModel);
  const vad = modelFolder(modelsDir, 'vad', undefined) ?? modelFolder(bundledModelsDir(), 'vad', undefined);
  if (!speaker || !vad)
    throw new Error(`no ${speaker ? 'speech detection' : 'speaker'} model in ${modelsDir}`);
  const synthetic = modelFolder(modelsDir, 'synthetic', config.syntheticModel);
  const playback = modelFolder(modelsDir, 'playback', config.playbackModel);
  return { speaker, vad, ...(synthetic ? { synthetic } : {}), ...(playback ? { playback } : {}) };
}

async function gather(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    // One byte over the limit is enough for the decoder to say so.
    if (length > defaultDecodeLimits.maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** A copy that can be handed to a worker: the caller keeps its own bytes. */
const handOver = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

export async function createEngine(
  config: EngineConfig,
  deps: { log: Log; clock: Clock },
): Promise<VoiceEngine> {
  const settings = findModels(config);
  const model = readSpeakerModel(settings.speaker).model;
  checkSpeechDetector(settings.vad);
  const detectors = {
    ...(settings.synthetic ? { synthetic: readDetector(settings.synthetic).info } : {}),
    ...(settings.playback ? { playback: readDetector(settings.playback).info } : {}),
  };
  const entry = new URL(
    import.meta.url.endsWith('.ts') ? './pool/engine-worker.ts' : './pool/engine-worker.js',
    import.meta.url,
  );
  const { workers, queueLimit, jobTimeoutMs } = config;
  const pool = new WorkerPool({
    entry,
    workerData: settings,
    workers,
    idleMs: config.idleMs ?? 0,
    queueLimit,
    jobTimeoutMs,
    graceMs: GRACE_MS,
    ...deps,
  });
  const streamLimit = config.streamLimit ?? STREAM_LIMIT;
  const streams = new Set<number>();
  let nextStream = 1;
  const ask = <T>(request: EngineRequest, job: JobOptions) => pool.run<T>(request, job);

  const openStream = async (
    options: ProcessOptions,
    signal: AbortSignal | undefined,
  ): Promise<EngineStream> => {
    if (streams.size >= streamLimit)
      throw new AppError('BUSY', 'too many audio streams are open', { retryAfterMs: 1000 });
    const stream = nextStream++;
    streams.add(stream);
    const job: JobOptions = {
      ...(signal ? { signal } : {}),
      ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    };
    let pin: Pin;
    try {
      ({ pin } = await ask({ do: 'open', stream, options }, job));
    } catch (error) {
      streams.delete(stream);
      throw error;
    }
    // The audio so far lives in that worker.
    pool.keep(pin);
    const ended = (): boolean => {
      const first = streams.delete(stream);
      if (first) pool.release(pin);
      return first;
    };
    const forget = (): void => {
      if (ended()) void ask({ do: 'forget', stream }, { pin }).catch(() => undefined);
    };
    signal?.addEventListener('abort', forget, { once: true });
    // A stream that failed once has a gap in its audio; it is of no further use.
    const orForget = async <T>(work: Promise<{ value: T }>): Promise<T> => {
      try {
        return (await work).value;
      } catch (error) {
        forget();
        throw error;
      }
    };
    return {
      push: (chunk) => {
        const own = handOver(chunk);
        return orForget(
          ask<StreamProgress>({ do: 'push', stream, chunk: own }, { ...job, pin, transfer: [own.buffer] }),
        );
      },
      finish: async () => {
        const result = await orForget(ask<ProcessedAudio>({ do: 'finish', stream }, { ...job, pin }));
        ended();
        return result;
      },
      cancel: forget,
    };
  };

  return {
    model,
    detectors,
    processAudio: async (input, options = {}, signal) => {
      const bytes = handOver(input instanceof Uint8Array ? input : await gather(input));
      const job: JobOptions = {
        transfer: [bytes.buffer],
        ...(signal ? { signal } : {}),
        ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
      };
      return (await ask<ProcessedAudio>({ do: 'process', bytes, options }, job)).value;
    },
    inspectAudio: async (input, options, signal) => {
      const bytes = handOver(input instanceof Uint8Array ? input : await gather(input));
      const job: JobOptions = {
        transfer: [bytes.buffer],
        ...(signal ? { signal } : {}),
        ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
      };
      return (await ask<InspectedAudio>({ do: 'inspect', bytes, options }, job)).value;
    },
    toWav: async (input, options, signal) => {
      const bytes = handOver(input instanceof Uint8Array ? input : await gather(input));
      const job: JobOptions = { transfer: [bytes.buffer], ...(signal ? { signal } : {}) };
      return (await ask<PlayableAudio>({ do: 'play', bytes, options }, job)).value;
    },
    openStream: (options = {}, signal) => openStream(options, signal),
    stats: () => ({ ...pool.stats(), streams: streams.size }),
    healthy: () => pool.healthy(),
    close: () => pool.close(),
  };
}
