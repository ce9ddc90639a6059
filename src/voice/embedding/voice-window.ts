// A recording as the speaker model sees it: stretches of speech, each with its voice, and the place where the
// voice changes.

/** One stretch of net speech that was embedded on its own. Windows follow one another and do not overlap. */
export interface VoiceWindow {
  /** Times of its first and last speech, in the recording. */
  startMs: number;
  endMs: number;
  netMs: number;
  /** Length one. */
  embedding: Float32Array;
}

/**
 * The place between two windows at which the voices before and after are least alike; even a single person's
 * voice has one.
 */
export interface SpeakerChange {
  /** Start of the first window after it. */
  atMs: number;
  /** Cosine between the voices before and after. */
  likeness: number;
}
