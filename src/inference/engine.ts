// The voice engine: finds and checks the models and offers files and streams to the service. Workers, which
// hold the models in memory, start with the first audio; if so configured, they end when there has been none
// for a while. The main thread only copies bytes and scores; everything that takes time happens in the
// workers.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { AppError } from '../errors.js';
import type { Clock, Log } from '../platform.js';
import type {
  AnswerHeard,
  AtCheckpoint,
  EngineStats,
  EngineStream,
  HearWordsOptions,
  InspectedAudio,
  InspectOptions,
  PlayableAudio,
  PlayOptions,
  ProcessedAudio,
  ProcessOptions,
  StreamOptions,
  VoiceEngine,
} from '../voice/engine.js';
import type { SpeakerModel } from '../voice/scoring/speaker-model.js';
import type { DetectorKind } from '../voice/spoof/detector.js';
import { promptWords } from '../voice/words/model.js';
import { jobOptions, openEngineStream, processInSteps } from './engine-jobs.js';
import { FilePieces, ownBytes, type AudioInput } from './file-pieces.js';
import type { EngineRequest } from './pool/engine-worker.js';
import type { ModelFolders } from './models/load-models.js';
import { checkSpeechDetector, defaultModel, readDetector, readSpeakerModel } from './models/manifest.js';
import { WorkerPool } from './pool/pool.js';
import type { JobOptions } from './pool/job.js';
import { inEnglish } from '../words/server/say.js';

interface EngineConfig {
  /** Empty: the folder shipped with the program. */
  modelsDir: string;
  /** Folder names; absent: the default of its kind. Null switches a detector off. */
  speakerModel?: string;
  syntheticModel?: string | null;
  playbackModel?: string | null;
  workers: number;
  queueLimit: number;
  jobTimeoutMs: number;
  /** A worker that is idle for this long frees its memory; 0: never. */
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
  kind: 'speaker' | 'vad' | 'words' | DetectorKind,
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
  const words =
    modelFolder(modelsDir, 'words', undefined) ?? modelFolder(bundledModelsDir(), 'words', undefined);
  return {
    speaker,
    vad,
    ...(words && { words }),
    ...(synthetic ? { synthetic } : {}),
    ...(playback ? { playback } : {}),
  };
}

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
  const pool = startPool(config, settings, deps);
  const offered = { model, detectors, hasWords: settings.words !== undefined };
  return new PooledEngine(pool, offered, config.streamLimit);
}

function startPool(
  config: EngineConfig,
  settings: ModelFolders,
  deps: { log: Log; clock: Clock },
): WorkerPool {
  const entry = new URL(
    import.meta.url.endsWith('.ts') ? './pool/engine-worker.ts' : './pool/engine-worker.js',
    import.meta.url,
  );
  const { workers, queueLimit, jobTimeoutMs } = config;
  return new WorkerPool({
    entry,
    workerData: settings,
    workers,
    idleMs: config.idleMs ?? 0,
    queueLimit,
    jobTimeoutMs,
    graceMs: GRACE_MS,
    ...deps,
  });
}

class PooledEngine implements VoiceEngine {
  readonly model: SpeakerModel;
  readonly detectors: VoiceEngine['detectors'];
  readonly #pool: WorkerPool;
  readonly #hasWords: boolean;
  readonly #streamLimit: number;
  readonly #streams = new Set<number>();
  #nextId = 1;

  constructor(
    pool: WorkerPool,
    offered: { model: SpeakerModel; detectors: VoiceEngine['detectors']; hasWords: boolean },
    streamLimit = STREAM_LIMIT,
  ) {
    this.#pool = pool;
    this.model = offered.model;
    this.detectors = offered.detectors;
    this.#hasWords = offered.hasWords;
    this.#streamLimit = streamLimit;
  }

  async processAudio(
    input: AudioInput,
    options: ProcessOptions = {},
    signal?: AbortSignal,
    atCheckpoint?: AtCheckpoint,
  ): Promise<ProcessedAudio> {
    const job = jobOptions(options, signal);
    if (atCheckpoint && (options.checkpointsMs?.length ?? 0) > 0) {
      const file = await FilePieces.open(input, options);
      return processInSteps(this.#pool, this.#nextId++, { file, options, job }, atCheckpoint);
    }
    const bytes = await ownBytes(input);
    return this.#ask({ do: 'process', bytes, options }, { ...job, transfer: [bytes.buffer] });
  }

  async inspectAudio(
    input: AudioInput,
    options: InspectOptions,
    signal?: AbortSignal,
  ): Promise<InspectedAudio> {
    const bytes = await ownBytes(input);
    const job = { ...jobOptions(options, signal), transfer: [bytes.buffer] };
    return this.#ask({ do: 'inspect', bytes, options }, job);
  }

  async toWav(input: AudioInput, options: PlayOptions, signal?: AbortSignal): Promise<PlayableAudio> {
    const bytes = await ownBytes(input);
    return this.#ask(
      { do: 'play', bytes, options },
      { ...jobOptions(options, signal), transfer: [bytes.buffer] },
    );
  }

  async hearWords(input: AudioInput, options: HearWordsOptions, signal?: AbortSignal): Promise<AnswerHeard> {
    const { digits } = promptWords[options.language];
    if (options.expected.length === 0 || !options.expected.every((word) => digits.includes(word)))
      throw new AppError('INVALID_REQUEST', inEnglish(`the words must be among ${digits.join(', ')}`));
    if (!this.#hasWords)
      throw new AppError('NOT_IMPLEMENTED', inEnglish('there is no model for prompted words'));
    const bytes = await ownBytes(input);
    const job = { ...jobOptions(options, signal), transfer: [bytes.buffer] };
    return this.#ask({ do: 'words', bytes, options }, job);
  }

  async openStream(options: StreamOptions, signal?: AbortSignal): Promise<EngineStream> {
    if (this.#streams.size >= this.#streamLimit)
      throw new AppError('BUSY', 'too many audio streams are open', { retryAfterMs: 1000 });
    const id = this.#nextId++;
    this.#streams.add(id);
    const job = jobOptions(options, signal);
    return openEngineStream(this.#pool, id, { options, job }, () => this.#streams.delete(id));
  }

  stats(): EngineStats {
    return { ...this.#pool.stats(), streams: this.#streams.size };
  }

  healthy(): boolean {
    return this.#pool.healthy();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask<T>(request: EngineRequest, job: JobOptions): Promise<T> {
    return (await this.#pool.run<T>(request, job)).value;
  }
}
