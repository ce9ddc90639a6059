// A file inside a worker: read as far as the next checkpoint, and no further than it is listened to.
import type { Check } from '../voice/check.js';
import { ArrivingBytes } from '../voice/audio/arriving-bytes.js';
import { AudioReader } from '../voice/audio/audio-reader.js';
import type { InvalidAudio } from '../voice/audio/types.js';
import type { CheckpointReached, ProcessedAudio, ProcessOptions } from '../voice/engine.js';
import { judgeInvalid } from '../voice/quality/judge-audio.js';
import { Listening } from './listening.js';
import type { Models } from './models/models.js';
import { Stopwatch } from './stopwatch.js';

/** A checkpoint, the end, or a place at which no more of the file is there yet. */
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
    });
  }

  /** Memory that the file and what was made of it occupy. */
  get heldBytes(): number {
    return this.#fileBytes() + this.#listening.heldBytes;
  }

  /** On to the next checkpoint, to the end, or as far as the file is there, whichever comes first. */
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
    // A file that breaks behind a checkpoint is a broken file.
    if (!facts.ok) return { result: this.#invalid(facts) };
    const reached = this.#listening.checkpointDue ? await this.#listening.checkpoint(check) : undefined;
    return reached ? { reached } : { result: await this.#listening.result(facts, false, check) };
  }

  /** The result as it stands at the last checkpoint; what lies behind it is left alone. */
  async stop(whenAsked: Check): Promise<ProcessedAudio> {
    this.#watch.resume();
    const check = this.#watch.stoppingFor(whenAsked);
    const reader = this.#reader;
    if (!(reader instanceof AudioReader)) return this.#invalid(reader);
    await reader.close();
    const facts = reader.facts();
    return facts.ok ? this.#listening.result(facts, true, check) : this.#invalid(facts);
  }

  /** Gives the decoder's memory back without a result. */
  async forget(): Promise<void> {
    if (this.#reader instanceof AudioReader) await this.#reader.close();
  }

  #invalid(invalid: InvalidAudio): ProcessedAudio {
    return {
      verdict: judgeInvalid(invalid),
      checkpoints: [],
      windows: [],
      spoof: {},
      speech: [],
      modelRevision: this.#models.revision,
      timingsMs: this.#watch.timings,
    };
  }
}

/** All of it, with the checkpoints on the way. */
export async function processAudio(file: FileListening, check: Check): Promise<ProcessedAudio> {
  for (;;) {
    const step = await file.advance(check);
    if ('result' in step) return step.result;
    if ('starved' in step) throw new Error('a whole file cannot starve');
  }
}
