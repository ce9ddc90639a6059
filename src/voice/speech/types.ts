/** The speech detector's result for a recording. */

export interface SpeechSegment {
  startMs: number;
  endMs: number;
}

export interface Speech {
  segments: SpeechSegment[];
  /** Speech only. */
  netMs: number;
  grossMs: number;
  /** One entry per 10 ms log-mel frame: 1 is speech. */
  mask: Uint8Array;
  /**
   * The net's answer per 10 ms frame, before segments are formed; for a call, zero where it was discarded.
   */
  probability: Float32Array;
}

/**
 * Noise, level and doubt are measured on this many frames, the last five minutes: older audio says little
 * about the line now, and a call that lasts for hours must not fill the memory.
 */
export const MEASURED_FRAMES_MAX = 30_000;

export interface SpeechParams {
  /** Speech begins when the probability reaches this... */
  onset: number;
  /** ...and ends when it stays below this. */
  offset: number;
  /** Shorter bursts are not speech. */
  speechMsMin: number;
  /** Shorter pauses belong to the speech around them. */
  silenceMsMin: number;
  /** Added on both sides, since soft first and last sounds score low. */
  padMs: number;
  /**
   * Speech has moments of certainty; animals, machines and music keep the net in doubt throughout. So a segment counts if its best
   * stretch of `certainMs` reaches `certainMin` on average...
   */
  certainMin: number;
  certainMs: number;
  /**
   * ...or if it reaches this much within `certainReachMs` of a segment that counts: there is a voice, and
   * noise hides it now and then.
   */
  doubtfulMin: number;
  certainReachMs: number;
  /** A segment without certainty for this long is judged in parts. */
  doubtMsMax: number;
}

export const FRAME_MS = 10;
/**
 * The speaker network also hears a little before and after each stretch of speech: soft beginnings and
 * endings carry voice that the speech detector rightly does not count.
 */
export const CONTEXT_FRAMES = 15;
/** A frame is 25 ms long, 15 ms more than the hop. */
export const FRAME_TAIL_MS = 15;

export const defaultSpeechParams: Readonly<SpeechParams> = Object.freeze({
  onset: 0.5,
  offset: 0.4,
  speechMsMin: 160,
  silenceMsMin: 200,
  padMs: 40,
  certainMin: 0.91,
  certainMs: 250,
  doubtfulMin: 0.5,
  certainReachMs: 10_000,
  doubtMsMax: 5000,
});
