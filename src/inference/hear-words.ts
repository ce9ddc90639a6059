// Scores an answer against the words that were asked for, inside the worker. The network is opened with the
// first answer.
import { AudioReader } from '../voice/audio/audio-reader.js';
import type { Check } from '../voice/check.js';
import type { AnswerHeard, HearWordsOptions } from '../voice/engine.js';
import { defaultGates, judgeAudio, judgeInvalid } from '../voice/quality/judge-audio.js';
import { SoundFigures } from '../voice/quality/measure-quality.js';
import { SpeechTrack } from '../voice/speech/speech-track.js';
import type { WordsHeard } from '../voice/words/model.js';
import { scoreWords } from '../voice/words/score-words.js';
import { mediaInfo } from './listening.js';
import type { Models } from './models/models.js';

/** Longer answers are refused; the network has no more positions. */
const ANSWER_MS_MAX = 30_000;
/** A few words are enough. */
const gates = { ...defaultGates.verify, netMsMin: 400 };
/** Sound around the speech that the network hears too: a soft first word may lie in it. */
const AROUND_MS = 1500;
const RATE_PER_MS = 16;
const FRAME_MS = 40;
const FRAMES_MIN = 5;
const FRAME = FRAME_MS * RATE_PER_MS;
const SCALE = 32768;

export class HeardAnswer {
  readonly #models: Models;
  readonly #bytes: Uint8Array;
  readonly #options: HearWordsOptions;
  #track: SpeechTrack | undefined;
  #figures: SoundFigures | undefined;

  constructor(models: Models, bytes: Uint8Array, options: HearWordsOptions) {
    this.#models = models;
    this.#bytes = bytes;
    this.#options = options;
  }

  get heldBytes(): number {
    return this.#bytes.length + (this.#track?.heldBytes ?? 0) + (this.#figures?.heldBytes ?? 0);
  }

  async result(check: Check): Promise<AnswerHeard> {
    const { channel, raw } = this.#options;
    const reader = AudioReader.open(this.#bytes, {
      ...(channel === undefined ? {} : { channel }),
      ...(raw ? { raw } : {}),
      limits: { maxDurationMs: ANSWER_MS_MAX },
    });
    if (!(reader instanceof AudioReader)) return { verdict: judgeInvalid(reader) };
    while (!reader.ended) {
      await check();
      this.#listen(await reader.next(), reader.sampleRateHz);
    }
    const facts = reader.facts();
    if (!facts.ok)
      return { verdict: judgeInvalid(facts), ...(facts.media && { media: mediaInfo(facts.media) }) };
    const [track, figures] = [this.#track, this.#figures];
    if (!track || !figures)
      return { verdict: judgeInvalid({ ok: false, code: 'EMPTY', reason: '' }), media: mediaInfo(facts) };
    track.finish();
    await check();
    const { speech } = track.upTo();
    const verdict = judgeAudio(figures.measure(speech, true), gates);
    const words = await this.#score(track, speech.segments, check);
    return { verdict, media: mediaInfo(facts), ...(words && { words }) };
  }

  async #score(
    track: SpeechTrack,
    speech: readonly { startMs: number; endMs: number }[],
    check: Check,
  ): Promise<WordsHeard | undefined> {
    const { language, expected } = this.#options;
    const { length } = track.samples;
    const from = Math.max(0, ((speech[0]?.startMs ?? 0) - AROUND_MS) * RATE_PER_MS);
    const to = Math.min(length, ((speech.at(-1)?.endMs ?? ANSWER_MS_MAX) + AROUND_MS) * RATE_PER_MS);
    const start = Math.floor(from / FRAME) * FRAME;
    const frames = Math.floor((to - start) / FRAME);
    if (frames < FRAMES_MIN) return undefined;
    const wave = track.samples.subarray(start, start + frames * FRAME).map((sample) => sample * SCALE);
    const recognizer = await this.#models.words();
    await check();
    const data = await recognizer.listen(wave);
    const { vocabulary, calibration } = recognizer;
    const scored = scoreWords({ data, frames, frameMs: FRAME_MS }, { vocabulary, expected }, calibration);
    const startMs = start / RATE_PER_MS;
    const words = scored.words.map((word) => ({
      ...word,
      startMs: word.startMs + startMs,
      endMs: word.endMs + startMs,
    }));
    return { language, ...scored, words };
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
  }
}
