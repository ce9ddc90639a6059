// Audio that is processed while it arrives, inside a worker. The final result equals that of the same audio
// as a file.
import type { Check } from '../voice/check.js';
import { StreamDecoder } from '../voice/audio/stream-decoder.js';
import { DecodeFault } from '../voice/audio/types.js';
import type { ProcessedAudio, StreamOptions, StreamProgress } from '../voice/engine.js';
import { joinedFloats } from '../voice/float-buffers.js';
import { Listening } from './listening.js';
import type { Models } from './models/models.js';
import { Stopwatch } from './stopwatch.js';

export class AudioStream {
  readonly #decoder: StreamDecoder;
  readonly #listening: Listening;

  private constructor(decoder: StreamDecoder, listening: Listening) {
    this.#decoder = decoder;
    this.#listening = listening;
  }

  static async open(models: Models, options: StreamOptions): Promise<AudioStream> {
    const decoder = await StreamDecoder.open(options.format, options.channel ?? 0);
    return new AudioStream(decoder, new Listening(models, options, new Stopwatch(), true));
  }

  async push(chunks: readonly Uint8Array[], check: Check): Promise<StreamProgress> {
    try {
      const pieces = chunks.map((chunk) => this.#decoder.push(chunk));
      return await this.#listen(pieces, check);
    } catch (thrown) {
      if (!(thrown instanceof DecodeFault)) throw thrown;
      const { netMs, grossMs, heldBytes } = this.#listening;
      return { netMs, grossMs, heldBytes, spareMs: Infinity, checkpoints: [], fault: thrown.message };
    }
  }

  async #listen(pieces: readonly Float32Array[], check: Check): Promise<StreamProgress> {
    const samples = pieces.length === 1 ? (pieces[0] as Float32Array) : joinedFloats(pieces);
    const rateHz = this.#decoder.sampleRateHz;
    // In pieces of a second: features and speech detection cost several times as much in pieces of 20 ms, and
    // their working memory for larger pieces would stay with the call.
    for (let at = 0; at < samples.length; at += rateHz) {
      await check();
      this.#listening.push(samples.subarray(at, at + rateHz), rateHz);
    }
    await this.#listening.settle(check);
    const checkpoints: StreamProgress['checkpoints'] = [];
    while (this.#listening.checkpointDue) {
      await check();
      const point = await this.#listening.checkpoint(check);
      if (point) checkpoints.push(point);
    }
    this.#listening.forget();
    const { netMs, grossMs, heldBytes, spareMs } = this.#listening;
    const { doubt } = this.#decoder;
    return { netMs, grossMs, heldBytes, spareMs, checkpoints, ...(doubt !== undefined && { doubt }) };
  }

  async finish(check: Check): Promise<ProcessedAudio> {
    this.#listening.finish();
    this.#decoder.free();
    while (this.#listening.checkpointDue) await this.#listening.checkpoint(check);
    return this.#listening.result(this.#decoder.facts(), false, check);
  }

  forget(): void {
    this.#decoder.free();
  }
}
