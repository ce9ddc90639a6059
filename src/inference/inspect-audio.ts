// Inspects a recording inside the worker: outline, speech, quality and spectrogram, but no voice.
import { AudioReader } from '../voice/audio/audio-reader.js';
import type { Check } from '../voice/check.js';
import type { InspectedAudio, InspectOptions } from '../voice/engine.js';
import { envelopeOf } from '../voice/inspect/envelope.js';
import { spectrogramOf } from '../voice/inspect/spectrogram.js';
import { joinedFloats } from '../voice/float-buffers.js';
import { defaultGates, judgeAudio, judgeInvalid } from '../voice/quality/judge-audio.js';
import { SoundFigures } from '../voice/quality/measure-quality.js';
import { SpeechTrack } from '../voice/speech/speech-track.js';
import { mediaInfo } from './listening.js';
import type { Models } from './models/models.js';

const BINS = 80;

export class AudioInspection {
  readonly #models: Models;
  readonly #bytes: Uint8Array;
  readonly #options: InspectOptions;
  /** As decoded; only for the outline. */
  readonly #parts: Float32Array[] = [];
  #figures: SoundFigures | undefined;
  #track: SpeechTrack | undefined;

  constructor(models: Models, bytes: Uint8Array, options: InspectOptions) {
    this.#models = models;
    this.#bytes = bytes;
    this.#options = options;
  }

  get heldBytes(): number {
    const parts = this.#parts.reduce((sum, part) => sum + part.byteLength, this.#bytes.length);
    return parts + (this.#track?.heldBytes ?? 0) + (this.#figures?.heldBytes ?? 0);
  }

  async result(check: Check): Promise<InspectedAudio> {
    const { channel, raw, mediaOnly } = this.#options;
    const reader = AudioReader.open(this.#bytes, {
      ...(channel === undefined ? {} : { channel }),
      ...(raw ? { raw } : {}),
    });
    if (!(reader instanceof AudioReader)) return { verdict: judgeInvalid(reader), speech: [] };
    while (!reader.ended) {
      await check();
      const samples = await reader.next();
      if (!mediaOnly) this.#listen(samples, reader.sampleRateHz);
    }
    const facts = reader.facts();
    if (!facts.ok)
      return {
        verdict: judgeInvalid(facts),
        ...(facts.media && { media: mediaInfo(facts.media) }),
        speech: [],
      };
    const media = mediaInfo(facts);
    const [track, figures] = [this.#track, this.#figures];
    if (!track || !figures)
      return {
        verdict: { validity: 'AUDIO_OK', explanation: '', advice: '', failed: [] },
        media,
        speech: [],
      };
    track.finish();
    await check();
    return { media, ...(await this.#describe(track, figures, check)) };
  }

  #listen(samples: Float32Array, sampleRateHz: number): void {
    if (samples.length === 0) return;
    this.#figures ??= new SoundFigures(sampleRateHz);
    this.#track ??= new SpeechTrack(sampleRateHz, {
      model: this.#models.speech,
      logmel: this.#models.logmel,
      observers: [this.#figures],
    });
    this.#track.push(samples);
    if (this.#options.envelopePoints > 0) this.#parts.push(samples);
  }

  async #describe(
    track: SpeechTrack,
    figures: SoundFigures,
    check: Check,
  ): Promise<Omit<InspectedAudio, 'media'>> {
    const { envelopePoints, spectrogramColumns, gates } = this.#options;
    const { speech } = track.upTo();
    const quality = figures.measure(speech, true);
    await check();
    const envelope = envelopePoints > 0 ? envelopeOf(joinedFloats(this.#parts), envelopePoints) : undefined;
    await check();
    const { frames } = track;
    const logmel = track.logmel.subarray(0, frames * BINS);
    return {
      verdict: judgeAudio(quality, gates ?? defaultGates.verify),
      quality,
      speech: speech.segments,
      ...(envelope && { envelope }),
      ...(spectrogramColumns > 0 && { spectrogram: spectrogramOf(logmel, frames, BINS, spectrogramColumns) }),
    };
  }
}
