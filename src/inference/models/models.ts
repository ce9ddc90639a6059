// The models of one worker, ready to use.
import type { EmbedWindow, WindowLimits } from '../../voice/embedding/embed-speech.js';
import type { LogMelExtractor } from '../../voice/features/log-mel.js';
import type { SpeechModel } from '../../voice/speech/speech-model.js';
import type { DetectorInfo } from '../../voice/spoof/detector.js';

export interface Detector {
  info: DetectorInfo;
  /** Scores of so many windows laid one after another. */
  score(data: Float32Array, windows: number): Promise<Float32Array>;
}

export interface Models {
  revision: string;
  /** Why the speaker network runs as its file has it, and so more slowly. */
  fallback?: string;
  logmel: LogMelExtractor;
  speech: SpeechModel;
  embed: EmbedWindow;
  window: WindowLimits;
  detectors: { synthetic?: Detector; playback?: Detector };
}
