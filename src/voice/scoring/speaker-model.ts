// What scoring needs to know about a speaker model: its cohort, its calibration and its thresholds. The
// numbers come from the model's manifest; nothing here is a property of one particular network.

export type Bandwidth = 'narrow' | 'wide';

/** One stretch of speech as the engine saw it: everything that scoring needs, and that is worth storing. */
export interface VoiceSample {
  /** Of unit length. */
  embedding: Float32Array;
  netMs: number;
  /** The calibration's signal-to-noise measure, 0 to 30 dB. */
  snrDb: number;
  bandwidth: Bandwidth;
  /** Samples and templates of different revisions must never be compared. */
  modelRevision: string;
}

/** Strangers' embeddings, once as wide-band and once as telephone speech; rows have unit length. */
export interface Cohort {
  wide: Float32Array;
  narrow: Float32Array;
  dim: number;
  topN: number;
  minSd: number;
  /**
   * The spread of strangers' normalized scores: the slope of their quantiles against those of a normal
   * distribution.
   */
  strangerSpread?: number;
}

export type Range = readonly [low: number, high: number];

export interface ScoringSettings {
  /** Weights of the 13 terms in calibrate.ts. */
  coefficients: readonly number[];
  netTestClampS: Range;
  netEnrolClampS: Range;
  snrClampDb: Range;
  llrClamp: Range;
}

/** Accepting at `llr` or above lets in strangers at the rate `far`. */
export interface Threshold {
  far: number;
  llr: number;
}

/**
 * Thresholds for plain, uncalibrated cosines between a network's voices; those of another network are a
 * little higher or lower.
 */
export interface LikenessLines {
  /** Short windows that are at least this alike are one speaker's. */
  sameSpeakerMin: number;
  /** If the voices before and after a change are less alike than this, they are two people's. */
  secondVoiceMost: number;
}

/** The values of the first networks, also for models that do not state any. */
export const usualLikeness: LikenessLines = { sameSpeakerMin: 0.25, secondVoiceMost: 0.235 };

export interface SpeakerModel {
  /** `<name>-<revision>` of the model folder. */
  revision: string;
  dim: number;
  cohort?: Cohort;
  /** Changes when thresholds are set again for the same embeddings and weights: prints stay comparable. */
  calibrationRevision?: string;
  scoring: ScoringSettings;
  /** Ascending LLR, falling rate. */
  thresholds: readonly Threshold[];
  /** Absent: the usual ones. */
  likeness?: LikenessLines;
}

/** The side conditions of one comparison, as the calibration needs them. */
export interface Conditions {
  netTestMs: number;
  netEnrolMs: number;
  snrDb: number;
  narrowSides: 0 | 1 | 2;
}

export function clamp(value: number, [low, high]: Range): number {
  return value < low ? low : value > high ? high : value;
}

export function sameModel(a: { modelRevision: string }, b: { modelRevision: string }): boolean {
  return a.modelRevision === b.modelRevision;
}
