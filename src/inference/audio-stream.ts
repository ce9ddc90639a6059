// Audio that arrives in chunks, inside a worker. Headerless audio is decoded as it comes; a container is
// decoded again from its beginning whenever it has grown enough, which costs little and needs no second
// set of decoders. The final result is made from the whole, so a stream and a file give the same answer.
import { decodeAudio } from '../voice/audio/decode-audio.js';
import { defaultDecodeLimits } from '../voice/audio/types.js';
import type { ProcessedAudio, ProcessOptions, StreamProgress } from '../voice/engine.js';
import { measureQuality } from '../voice/quality/measure-quality.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { SpeechStream } from '../voice/speech/speech-stream.js';
import type { Checkpoint } from '../voice/speech/speech-stream.js';
import { MIN_VOICE_MS, processAudio, voiceOf } from './pipeline.js';
import type { Models } from './models/models.js';
import type { Check } from './pool/worker-host.js';

const GROWTH = 1.1;
const FIRST_LOOK_BYTES = 4096;

export class AudioStream {
  readonly #models: Models;
  readonly #options: ProcessOptions;
  #bytes = new Uint8Array(65536);
  #length = 0;
  #decodedAt = 0;
  #taken = 0;
  #speech: SpeechStream | undefined;
  #netMs = 0;
  #grossMs = 0;

  constructor(models: Models, options: ProcessOptions) {
    this.#models = models;
    this.#options = options;
  }

  async push(chunk: Uint8Array, check: Check): Promise<StreamProgress> {
    this.#append(chunk);
    const checkpoints: VoiceSample[] = [];
    if (this.#length >= Math.max(FIRST_LOOK_BYTES, this.#decodedAt * (this.#options.raw ? 1 : GROWTH))) {
      for (const point of await this.#listen()) {
        check();
        const sample = await this.#sample(point, check);
        if (sample) checkpoints.push(sample);
      }
    }
    return { netMs: this.#netMs, grossMs: this.#grossMs, checkpoints };
  }

  async finish(check: Check): Promise<ProcessedAudio> {
    return processAudio(this.#models, this.#bytes.subarray(0, this.#length), this.#options, check);
  }

  /** Keeps one byte more than allowed, so that the decoder reports the size and memory stays bounded. */
  #append(chunk: Uint8Array): void {
    const fit = chunk.subarray(0, Math.max(0, defaultDecodeLimits.maxBytes + 1 - this.#length));
    if (this.#length + fit.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length + fit.length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(fit, this.#length);
    this.#length += fit.length;
  }

  /** Decodes what is new and feeds it to the speech detector. */
  async #listen(): Promise<Checkpoint[]> {
    const { raw, channel } = this.#options;
    const from = raw ? this.#decodedAt : 0;
    const frameBytes = raw ? raw.channels * (raw.encoding === 's16le' ? 2 : 1) : 1;
    const to = from + Math.floor((this.#length - from) / frameBytes) * frameBytes;
    const decoded = await decodeAudio(this.#bytes.subarray(from, to), {
      ...(channel === undefined ? {} : { channel }),
      ...(raw ? { raw } : {}),
    });
    this.#decodedAt = to;
    if (!decoded.ok) return [];
    this.#speech ??= new SpeechStream({
      sampleRateHz: decoded.sampleRateHz,
      model: this.#models.speech,
      logmel: this.#models.logmel,
      checkpointsNetMs: this.#options.checkpointsMs ?? [],
    });
    const fresh = raw ? decoded.samples : decoded.samples.subarray(this.#taken);
    this.#taken += fresh.length;
    const points = this.#speech.push(fresh);
    this.#grossMs = this.#speech.grossMs;
    this.#netMs = Math.max(this.#netMs, ...points.map((point) => point.speech.netMs));
    return points;
  }

  async #sample(point: Checkpoint, check: Check): Promise<VoiceSample | undefined> {
    const { samples16k, logmel, frames, speech } = point;
    if (speech.netMs < MIN_VOICE_MS) return undefined;
    const quality = measureQuality({
      samples16k,
      logmel,
      frames,
      speech,
      source: { samples: samples16k, sampleRateHz: 16000 },
    });
    return voiceOf(this.#models, { samples16k, logmel, frames, speech }, quality, point.netMs, check);
  }
}
