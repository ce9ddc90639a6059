// The models of one worker, ready to use.
import type { EmbedWindow, WindowLimits } from '../../voice/embedding/embed-speech.js';
import type { LogMelExtractor } from '../../voice/features/log-mel.js';
import type { LikenessLines } from '../../voice/scoring/speaker-model.js';
import type { SpeechModel } from '../../voice/speech/speech-model.js';
import type { WordCalibration } from '../../voice/words/score-words.js';
import type { DetectorInfo, WindowScore } from '../../voice/spoof/detector.js';

export interface Detector {
  info: DetectorInfo;
  /** The score of one window, and the network's own measure of how familiar such audio is. */
  score(window: Float32Array): Promise<WindowScore>;
}

export interface WordRecognizer {
  /** In the order of the network's classes. */
  vocabulary: readonly string[];
  calibration: WordCalibration;
  /** 16 kHz at the scale of 16-bit samples, whole frames of 40 ms; a row of logits per frame. */
  listen(wave: Float32Array): Promise<Float32Array>;
}

export interface Models {
  revision: string;
  /**
   * Why a network does not run from the file that was packed for this processor: it runs, or starts, more
   * slowly.
   */
  fallback?: string;
  logmel: LogMelExtractor;
  speech: SpeechModel;
  embed: EmbedWindow;
  window: WindowLimits;
  likeness: LikenessLines;
  detectors: { synthetic?: Detector; playback?: Detector };
  /** Opened when first asked for. */
  words: () => Promise<WordRecognizer>;
}
