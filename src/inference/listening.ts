// One audio being processed inside a worker, from samples to result: speech is detected as it comes and
// embedded up to the next checkpoint; the rest waits until it is requested. Nothing is computed twice, and
// the outcome does not depend on the pieces in which the audio arrived. A call, which may last for hours, is
// embedded as it goes, and its sound is discarded.
import type { Check } from '../voice/check.js';
import type { MediaFacts } from '../voice/audio/types.js';
import { lastWindowFrom, voiceOfWindows, WindowEmbedder } from '../voice/embedding/speech-windows.js';
import type { SpeechSource } from '../voice/embedding/speech-windows.js';
import type { VoiceWindow } from '../voice/embedding/voice-window.js';
import type { CheckpointReached, MediaInfo, ProcessedAudio, ProcessOptions } from '../voice/engine.js';
import { FingerprintMaker, type Fingerprint } from '../voice/fingerprint/fingerprint.js';
import { WIDE_RATE_HZ_MIN } from '../voice/quality/bandwidth.js';
import { defaultGates, judgeAudio } from '../voice/quality/judge-audio.js';
import { speakerChange } from '../voice/quality/speaker-change.js';
import { SoundFigures } from '../voice/quality/measure-quality.js';
import type { AudioQuality, AudioVerdict } from '../voice/quality/types.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import type { SpeechFrames } from '../voice/speech/speech-frames.js';
import { isLookaheadMark } from '../voice/speech/speech-finder.js';
import { SpeechTrack } from '../voice/speech/speech-track.js';
import { CONTEXT_FRAMES, type Speech } from '../voice/speech/types.js';
import { voiceClassScore } from '../voice/voice-class/voice-class-score.js';
import type { Range } from '../voice/float-buffers.js';
import { AttackScores, type HeardSpeech } from './attack-scores.js';
import { countSpeakers } from './count-speakers.js';
import type { Models } from './models/models.js';
import type { Stopwatch } from './stopwatch.js';

const FRAME_MS = 10;
const BINS = 80;
/** Less speech than this is not a voice: a click that was detected as speech must not become a print. */
const MIN_VOICE_MS = 200;

export class Listening {
  readonly #models: Models;
  readonly #options: ProcessOptions;
  readonly #watch: Stopwatch;
  /** A running call must reveal a synthetic voice before its end, and must not fill the memory. */
  readonly #isCall: boolean;
  readonly #marksMs: number[];
  readonly #embedder: WindowEmbedder;
  readonly #attacks: AttackScores;
  readonly #shape = new FingerprintMaker();
  #track: SpeechTrack | undefined;
  #figures: SoundFigures | undefined;
  #firstSpeech: number | undefined;
  #voices: VoiceSample[] = [];
  #last: CheckpointReached | undefined;

  constructor(models: Models, options: ProcessOptions, watch: Stopwatch, isCall = false) {
    this.#models = models;
    this.#options = options;
    this.#watch = watch;
    this.#isCall = isCall;
    this.#marksMs = [...new Set(options.checkpointsMs ?? [])]
      .filter((mark) => mark <= (options.maxNetSpeechMs ?? Infinity))
      .sort((a, b) => a - b);
    this.#embedder = new WindowEmbedder(models.embed, models.window);
    this.#attacks = new AttackScores(models, options.spoof ?? {}, isCall);
  }

  get netMs(): number {
    return (this.#track?.speechFrames.length ?? 0) * FRAME_MS;
  }

  get grossMs(): number {
    return this.#track?.grossMs ?? 0;
  }

  /** Memory that this audio occupies. */
  get heldBytes(): number {
    const voices = this.#voices.reduce((sum, { embedding }) => sum + embedding.byteLength, 0);
    const held = [this.#track, this.#figures, this.#embedder, this.#shape];
    return held.reduce((sum, part) => sum + (part?.heldBytes ?? 0), voices);
  }

  push(samples: Float32Array, sampleRateHz: number): void {
    if (samples.length === 0) return;
    if (!this.#figures && sampleRateHz < WIDE_RATE_HZ_MIN) this.#attacks.leaveOutThoseForWide();
    const figures = (this.#figures ??= new SoundFigures(sampleRateHz));
    this.#track ??= new SpeechTrack(sampleRateHz, {
      model: this.#models.speech,
      logmel: this.#models.logmel,
      observers: [figures, this.#shape],
      forgets: this.#isCall,
      lap: (stage) => this.#watch.lap(stage),
    });
    this.#track.push(samples);
  }

  finish(): void {
    this.#track?.finish();
  }

  /** For a call: embeds and scores the audio that will not change any more. */
  async settle(check: Check): Promise<void> {
    const track = this.#track;
    if (!track) return;
    this.#firstSpeech ??= track.speechFrames.at(0);
    if (this.#firstSpeech === undefined) return;
    const count = Math.min(track.speechFrames.length, this.#maxFrames);
    await this.#embedder.settle(this.#source(track), count, track.settledFrames, check);
    this.#watch.lap('embedding');
    await this.#attacks.settle(track.samples, this.#firstSpeech, check);
    this.#watch.lap('spoof');
  }

  /**
   * Discards the sound that neither the next checkpoint nor the end will need. Call only when no checkpoint
   * is due.
   */
  forget(): void {
    const track = this.#track;
    if (!track) return;
    const { speechFrames, settledFrames: open } = track;
    const from = this.#windowsFrom(speechFrames.length);
    const last = speechFrames.length > 0 ? speechFrames.at(speechFrames.length - 1) : undefined;
    track.keepOnly(this.#attacks.needed(last, open), [
      ...rangesAround(speechFrames, from),
      [open - CONTEXT_FRAMES, Infinity],
    ]);
    // A window also reads the speech frame before it.
    speechFrames.forgetBefore(from - 1);
    this.#figures?.forgetBefore(open);
  }

  /** The first speech frame that future windows may begin with. */
  #windowsFrom(heard: number): number {
    const mark = this.#marksMs[this.#voices.length];
    const atEnd = lastWindowFrom(Math.min(heard, this.#maxFrames));
    return mark !== undefined && framesOf(mark) <= heard
      ? Math.min(atEnd, lastWindowFrom(framesOf(mark)))
      : atEnd;
  }

  get #maxFrames(): number {
    return framesOf(this.#options.maxNetSpeechMs ?? Infinity);
  }

  /** Whether the next checkpoint is reached, by speech that no later audio can change. */
  get checkpointDue(): boolean {
    const last = this.#lastFrameOfMark();
    return last !== undefined && (this.#track?.ended === true || this.#isSettled(last + CONTEXT_FRAMES));
  }

  /**
   * How much more audio must arrive before a checkpoint can be reached: until the detector's next look or, if
   * it does not look at all, until there could be enough speech even if all undecided and all future audio
   * were speech.
   */
  get spareMs(): number {
    const mark = this.#marksMs[this.#voices.length];
    const track = this.#track;
    if (mark === undefined) return Infinity;
    if (!track) return 0;
    const missing = framesOf(mark) - track.speechFrames.length;
    if (missing > 0 && isLookaheadMark(framesOf(mark))) return track.untilLookMs;
    return Math.max(0, track.settledFrames + missing + CONTEXT_FRAMES - track.judgedFrames) * FRAME_MS;
  }

  #isSettled(frame: number): boolean {
    return (this.#track?.settledFrames ?? 0) > frame;
  }

  #lastFrameOfMark(): number | undefined {
    const mark = this.#marksMs[this.#voices.length];
    return mark === undefined ? undefined : this.#track?.speechFrames.at(framesOf(mark) - 1);
  }

  /** The findings at the next checkpoint. Call only when it is due. */
  async checkpoint(check: Check): Promise<CheckpointReached | undefined> {
    const track = this.#track;
    const last = this.#lastFrameOfMark();
    const checkpointMs = this.#marksMs[this.#voices.length];
    if (!track || !this.#figures || last === undefined || checkpointMs === undefined) return undefined;
    const heard = track.upTo(last + 1 + CONTEXT_FRAMES);
    const quality = this.#figures.measure(heard.speech, heard.all);
    this.#watch.lap('quality');
    const windows = await this.#windows(track, framesOf(checkpointMs), check);
    const voice = this.#voice(windows, quality);
    this.#voices.push(voice);
    this.#last = {
      checkpointMs,
      voice,
      windows,
      ...changeIn(windows),
      verdict: this.#judge(quality),
      quality,
      ...(this.#isCall ? { spoof: await this.#spoof(track, heard, quality, check) } : {}),
    };
    return this.#last;
  }

  /** The result for the audio so far; `stopped` if a checkpoint ended it. */
  async result(facts: MediaFacts, stopped: boolean, check: Check): Promise<ProcessedAudio> {
    const track = this.#track;
    if (!track || !this.#figures) throw new Error('no audio was heard');
    const allAudioUsed = this.#useAll(track);
    const heard = track.upTo();
    // If a checkpoint ended it, that checkpoint's figures stand, because the decision was based on them.
    const last = stopped ? this.#last : undefined;
    const quality = last?.quality ?? this.#figures.measure(heard.speech, heard.all);
    this.#watch.lap('quality');
    await check();
    const windows = last?.windows ?? (await this.#finalWindows(track, check));
    const voice = last?.voice ?? (windows.length > 0 ? this.#voice(windows, quality) : undefined);
    const described = voice && !this.#isCall ? await this.#describe(track, heard.speech, check) : undefined;
    Object.assign(quality, described?.speakers);
    const spoof = voice ? await this.#spoof(track, heard, quality, check) : {};
    return {
      verdict: this.#judge(quality),
      media: mediaInfo(facts),
      quality,
      ...(voice ? { voice } : {}),
      checkpoints: this.#voices,
      windows,
      ...changeIn(windows),
      ...(voice ? { fingerprint: this.#fingerprint(heard.speech, windows) } : {}),
      ...(stopped ? { stoppedAtMs: track.grossMs } : {}),
      ...(described?.voiceClass ? { voiceClassScore: described.voiceClass.score } : {}),
      spoof,
      speech: heard.speech.segments,
      ...(allAudioUsed ? { allAudioUsed } : {}),
      modelRevision: this.#models.revision,
      timingsMs: this.#watch.timings,
    };
  }

  #fingerprint({ mask }: Speech, windows: readonly VoiceWindow[]): Fingerprint {
    return this.#shape.fingerprint(mask.subarray(0, framesOf(windows.at(-1)?.endMs ?? 0)));
  }

  /** Measures that need all of the sound again, and so exist for files only. */
  async #describe(track: SpeechTrack, speech: Speech, check: Check) {
    const logmel = track.logmel.subarray(0, track.frames * BINS);
    const speakers = this.#options.enableSegmentation
      ? await countSpeakers(this.#models, { logmel, speech }, check)
      : undefined;
    this.#watch.lap('speakers');
    const voiceClass = voiceClassScore(track.samples.subarray(0, track.samples.length), speech);
    this.#watch.lap('voiceClass');
    return { speakers, voiceClass };
  }

  /** For measurements only: if hardly any speech was found, all of the audio counts as speech. */
  #useAll(track: SpeechTrack): boolean {
    if (!this.#options.treatAllAsSpeech || this.netMs >= MIN_VOICE_MS || track.frames === 0) return false;
    track.callAllSpeech();
    return true;
  }

  async #finalWindows(track: SpeechTrack, check: Check): Promise<VoiceWindow[]> {
    const heard = track.speechFrames.length;
    const enough = heard * FRAME_MS >= MIN_VOICE_MS || this.#options.treatAllAsSpeech === true;
    return enough ? this.#windows(track, Math.min(heard, this.#maxFrames), check) : [];
  }

  #source({ logmel, frames, speechFrames }: SpeechTrack): SpeechSource {
    return { logmel, bins: BINS, frames, speechFrames };
  }

  async #windows(track: SpeechTrack, speechFrames: number, check: Check): Promise<VoiceWindow[]> {
    const windows = await this.#embedder.windows(this.#source(track), speechFrames, check);
    this.#watch.lap('embedding');
    return windows;
  }

  #voice(windows: readonly VoiceWindow[], quality: AudioQuality): VoiceSample {
    return {
      embedding: voiceOfWindows(windows),
      netMs: windows.reduce((sum, window) => sum + window.netMs, 0),
      snrDb: quality.calibrationSnrDb,
      bandwidth: quality.bandwidth,
      modelRevision: this.#models.revision,
    };
  }

  #judge(quality: AudioQuality): AudioVerdict {
    return judgeAudio(quality, this.#options.gates ?? defaultGates.verify);
  }

  async #spoof(track: SpeechTrack, heard: HeardSpeech, quality: AudioQuality, check: Check) {
    const scores = await this.#attacks.of(track.samples, heard, quality, check);
    this.#watch.lap('spoof');
    return scores;
  }
}

/**
 * The speech from one of its frames on, with the context that the speaker network hears around it; adjacent
 * stretches are merged.
 */
function rangesAround(speechFrames: SpeechFrames, from: number): Range[] {
  const ranges: [number, number][] = [];
  let last: [number, number] | undefined;
  for (let i = from; i < speechFrames.length; i++) {
    const frame = speechFrames.at(i) as number;
    if (last && frame - CONTEXT_FRAMES <= last[1]) last[1] = frame + CONTEXT_FRAMES + 1;
    else ranges.push((last = [frame - CONTEXT_FRAMES, frame + CONTEXT_FRAMES + 1]));
  }
  return ranges;
}

function changeIn(windows: readonly VoiceWindow[]): Pick<ProcessedAudio, 'speakerChange'> {
  const change = speakerChange(windows);
  return change ? { speakerChange: change } : {};
}

const framesOf = (ms: number): number => Math.ceil(ms / FRAME_MS);

export function mediaInfo(facts: Omit<MediaFacts, 'ok'>): MediaInfo {
  return {
    container: facts.container,
    codec: facts.codec,
    channels: facts.channels,
    sampleRateHz: facts.mediaSampleRateHz,
    selectedChannel: facts.selectedChannel,
    ...(facts.isOneSound && { isOneSound: true }),
    durationMs: facts.durationMs,
    durationKnown: facts.durationKnown,
    truncated: facts.truncated,
    warnings: facts.warnings,
  };
}
