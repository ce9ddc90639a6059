// A file inside a worker: read up to the next checkpoint, and no further than it is processed.
import type { Check } from '../voice/check.js';
import { ArrivingBytes } from '../voice/audio/arriving-bytes.js';
import { AudioReader } from '../voice/audio/audio-reader.js';
import type { InvalidAudio } from '../voice/audio/types.js';
import type { CheckpointReached, ProcessedAudio, ProcessOptions } from '../voice/engine.js';
import { judgeInvalid } from '../voice/quality/judge-audio.js';
import { Listening, mediaInfo } from './listening.js';
import type { Models } from './models/models.js';
import { Stopwatch } from './stopwatch.js';

/** A checkpoint, the end, or a point at which more of the file has to arrive first. */
export type FileStep = { reached: CheckpointReached } | { result: ProcessedAudio } | { starved: true };

export class FileListening {
  readonly #models: Models;
  readonly #listening: Listening;
  readonly #watch: Stopwatch;
  readonly #reader: AudioReader | InvalidAudio;
  readonly #fileBytes: () => number;

  constructor(models: Models, file: Uint8Array | ArrivingBytes, options: ProcessOptions, now?: () => number) {
    this.#models = models;
    this.#watch = new Stopwatch(now);
    this.#fileBytes = () => (file instanceof ArrivingBytes ? file.all : file).length;
    this.#listening = new Listening(models, options, this.#watch);
    this.#reader = AudioReader.open(file, {
      ...(options.channel === undefined ? {} : { channel: options.channel }),
      ...(options.raw ? { raw: options.raw } : {}),
      ...(options.maxDurationMs === undefined ? {} : { limits: { maxDurationMs: options.maxDurationMs } }),
    });
  }

  /** Memory occupied by the file and the data made from it. */
  get heldBytes(): number {
    return this.#fileBytes() + this.#listening.heldBytes;
  }

  /** Goes on to the next checkpoint, to the end, or to the end of what has arrived, whichever comes first. */
  async advance(whenAsked: Check): Promise<FileStep> {
    this.#watch.resume();
    const check = this.#watch.stoppingFor(whenAsked);
    const reader = this.#reader;
    if (!(reader instanceof AudioReader)) return { result: this.#invalid(reader) };
    while (!this.#listening.checkpointDue && !reader.ended) {
      await check();
      const samples = await reader.next();
      this.#watch.lap('decode');
      this.#listening.push(samples, reader.sampleRateHz);
      if (reader.ended) this.#listening.finish();
      if (reader.waitsForBytes && !this.#listening.checkpointDue) return { starved: true };
    }
    const facts = reader.facts();
    // A file that is broken after a checkpoint is still a broken file.
    if (!facts.ok) return { result: this.#invalid(facts) };
    const reached = this.#listening.checkpointDue ? await this.#listening.checkpoint(check) : undefined;
    return reached ? { reached } : { result: await this.#listening.result(facts, false, check) };
  }

  /** The result as of the last checkpoint; the rest of the file is ignored. */
  async stop(whenAsked: Check): Promise<ProcessedAudio> {
    this.#watch.resume();
    const check = this.#watch.stoppingFor(whenAsked);
    const reader = this.#reader;
    if (!(reader instanceof AudioReader)) return this.#invalid(reader);
    await reader.close();
    const facts = reader.facts();
    return facts.ok ? this.#listening.result(facts, true, check) : this.#invalid(facts);
  }

  /** Frees the decoder's memory without a result. */
  async forget(): Promise<void> {
    if (this.#reader instanceof AudioReader) await this.#reader.close();
  }

  #invalid(invalid: InvalidAudio): ProcessedAudio {
    return {
      verdict: judgeInvalid(invalid),
      ...(invalid.media && { media: mediaInfo(invalid.media) }),
      checkpoints: [],
      windows: [],
      spoof: {},
      speech: [],
      modelRevision: this.#models.revision,
      timingsMs: this.#watch.timings,
    };
  }
}

/** Processes all of it, with the checkpoints on the way. */
export async function processAudio(file: FileListening, check: Check): Promise<ProcessedAudio> {
  for (;;) {
    const step = await file.advance(check);
    if ('result' in step) return step.result;
    if ('starved' in step) throw new Error('a whole file cannot starve');
  }
}
