// One audio being listened to inside a worker, from samples to result: speech is found as it comes, embedded as far as the next
// checkpoint, and the rest waits until somebody asks for it. Nothing is computed twice, and the outcome does not depend on the
// pieces in which the audio arrived.
import type { MediaFacts } from '../voice/audio/types.js';
import { CONTEXT_FRAMES, voiceOfWindows, WindowEmbedder } from '../voice/embedding/speech-windows.js';
import type { SpeechSource } from '../voice/embedding/speech-windows.js';
import type {
  CheckpointReached,
  MediaInfo,
  ProcessedAudio,
  ProcessOptions,
  VoiceWindow,
} from '../voice/engine.js';
import { defaultGates, judgeAudio } from '../voice/quality/judge-audio.js';
import { speakerChange } from '../voice/quality/speaker-change.js';
import { measureQuality } from '../voice/quality/measure-quality.js';
import type { AudioQuality, AudioVerdict } from '../voice/quality/types.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { SpeechTrack } from '../voice/speech/speech-track.js';
import { voiceClassScore } from '../voice/voice-class/voice-class-score.js';
import { attackScores } from './attack-scores.js';
import { countSpeakers } from './count-speakers.js';
import type { Features, Models } from './models/models.js';
import type { Check } from './work.js';
import type { Stopwatch } from './stopwatch.js';

const FRAME_MS = 10;
const BINS = 80;
/** Less speech than this is no voice: a click that the detector took for speech must not become a print. */
const MIN_VOICE_MS = 200;

export class Listening {
  readonly #models: Models;
  readonly #options: ProcessOptions;
  readonly #watch: Stopwatch;
  /** A running call must not wait for its end to learn that the voice is a machine's. */
  readonly #attacksAtCheckpoints: boolean;
  readonly #marksMs: number[];
  readonly #embedder: WindowEmbedder;
  #track: SpeechTrack | undefined;
  #reached: CheckpointReached[] = [];

  constructor(models: Models, options: ProcessOptions, watch: Stopwatch, attacksAtCheckpoints = false) {
    this.#models = models;
    this.#options = options;
    this.#watch = watch;
    this.#attacksAtCheckpoints = attacksAtCheckpoints;
    this.#marksMs = [...new Set(options.checkpointsMs ?? [])]
      .filter((mark) => mark <= (options.maxNetSpeechMs ?? Infinity))
      .sort((a, b) => a - b);
    this.#embedder = new WindowEmbedder(models.embed, models.window);
  }

  get netMs(): number {
    return (this.#track?.speechFrames.length ?? 0) * FRAME_MS;
  }

  get grossMs(): number {
    return this.#track?.grossMs ?? 0;
  }

  push(samples: Float32Array, sampleRateHz: number): void {
    if (samples.length === 0) return;
    this.#track ??= new SpeechTrack(sampleRateHz, {
      model: this.#models.speech,
      logmel: this.#models.logmel,
      lap: (stage) => this.#watch.lap(stage),
    });
    this.#track.push(samples);
  }

  finish(): void {
    this.#track?.finish();
  }

  /** Whether the next checkpoint is reached, by speech that no later audio can change. */
  get checkpointDue(): boolean {
    const last = this.#lastFrameOfMark();
    const track = this.#track;
    return (
      last !== undefined && (track?.ended === true || (track?.settledFrames ?? 0) > last + CONTEXT_FRAMES)
    );
  }

  #lastFrameOfMark(): number | undefined {
    const mark = this.#marksMs[this.#reached.length];
    return mark === undefined ? undefined : this.#track?.speechFrames[framesOf(mark) - 1];
  }

  /** What is known at the next checkpoint; only when it is due. */
  async checkpoint(check: Check): Promise<CheckpointReached | undefined> {
    const track = this.#track;
    const last = this.#lastFrameOfMark();
    const checkpointMs = this.#marksMs[this.#reached.length];
    if (!track || last === undefined || checkpointMs === undefined) return undefined;
    const heard = track.upTo(last + 1 + CONTEXT_FRAMES);
    const quality = measureQuality(heard);
    this.#watch.lap('quality');
    const windows = await this.#windows(framesOf(checkpointMs), check);
    const voice = this.#voice(windows, quality);
    const point: CheckpointReached = {
      checkpointMs,
      voice,
      windows,
      ...changeIn(windows),
      verdict: this.#judge(quality),
      quality,
      ...(this.#attacksAtCheckpoints ? { spoof: await this.#attacks(heard, quality, check) } : {}),
    };
    this.#reached.push(point);
    return point;
  }

  /** The result for what was heard; `stopped` where a checkpoint ended it. */
  async result(facts: MediaFacts, stopped: boolean, check: Check): Promise<ProcessedAudio> {
    const track = this.#track;
    if (!track) throw new Error('no audio was heard');
    const allAudioUsed = this.#useAll(track);
    const features = track.upTo();
    // Where a checkpoint ended it, its figures stand: those that were decided by.
    const last = stopped ? this.#reached.at(-1) : undefined;
    const quality = last?.quality ?? measureQuality(features);
    this.#watch.lap('quality');
    check();
    const windows = last?.windows ?? (await this.#finalWindows(check));
    const voice = last?.voice ?? (windows.length > 0 ? this.#voice(windows, quality) : undefined);
    if (this.#options.enableSegmentation && voice) {
      Object.assign(quality, await countSpeakers(this.#models, features, check));
      this.#watch.lap('speakers');
    }
    const voiceClass = voice ? voiceClassScore(features.samples16k, features.speech) : undefined;
    this.#watch.lap('voiceClass');
    const spoof = voice ? await this.#attacks(features, quality, check) : {};
    return {
      verdict: this.#judge(quality),
      media: mediaInfo(facts),
      quality,
      ...(voice ? { voice } : {}),
      checkpoints: this.#reached.map((point) => point.voice),
      windows,
      ...changeIn(windows),
      ...(stopped ? { stoppedAtMs: track.grossMs } : {}),
      ...(voiceClass ? { voiceClassScore: voiceClass.score } : {}),
      spoof,
      speech: features.speech.segments,
      ...(allAudioUsed ? { allAudioUsed } : {}),
      modelRevision: this.#models.revision,
      timingsMs: this.#watch.timings,
    };
  }

  /** For measurements only: where hardly any speech was found, all of the audio counts as speech. */
  #useAll(track: SpeechTrack): boolean {
    if (!this.#options.treatAllAsSpeech || this.netMs >= MIN_VOICE_MS || track.frames === 0) return false;
    track.callAllSpeech();
    return true;
  }

  async #finalWindows(check: Check): Promise<VoiceWindow[]> {
    const heard = this.#track?.speechFrames.length ?? 0;
    const frames = Math.min(heard, framesOf(this.#options.maxNetSpeechMs ?? Infinity));
    const enough = heard * FRAME_MS >= MIN_VOICE_MS || this.#options.treatAllAsSpeech === true;
    return enough ? this.#windows(frames, check) : [];
  }

  async #windows(speechFrames: number, check: Check): Promise<VoiceWindow[]> {
    const track = this.#track;
    if (!track) return [];
    const source: SpeechSource = {
      logmel: track.logmel,
      bins: BINS,
      frames: track.frames,
      speechFrames: track.speechFrames,
    };
    const windows = await this.#embedder.windows(source, speechFrames, check);
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
    const { purpose, gates } = this.#options;
    return judgeAudio(quality, { ...defaultGates(purpose ?? 'verify'), ...gates });
  }

  async #attacks(features: Features, quality: AudioQuality, check: Check): Promise<ProcessedAudio['spoof']> {
    const scores = await attackScores(this.#models, features, quality, this.#options.spoof ?? {}, check);
    this.#watch.lap('spoof');
    return scores;
  }
}

function changeIn(windows: readonly VoiceWindow[]): Pick<ProcessedAudio, 'speakerChange'> {
  const change = speakerChange(windows);
  return change ? { speakerChange: change } : {};
}

const framesOf = (ms: number): number => Math.ceil(ms / FRAME_MS);

export function mediaInfo(facts: MediaFacts): MediaInfo {
  return {
    container: facts.container,
    codec: facts.codec,
    channels: facts.channels,
    sampleRateHz: facts.mediaSampleRateHz,
    selectedChannel: facts.selectedChannel,
    durationMs: facts.durationMs,
    durationKnown: facts.durationKnown,
    truncated: facts.truncated,
    warnings: facts.warnings,
  };
}
