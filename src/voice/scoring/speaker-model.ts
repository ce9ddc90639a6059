// What scoring must know about a speaker model: its cohort, its calibration and its thresholds. The
// numbers come from the model's manifest; nothing here is a property of one particular network.

export type Bandwidth = 'narrow' | 'wide';

/** One stretch of speech as the engine saw it: all that scoring needs, and all that is worth storing. */
export interface VoiceSample {
  /** Length one. */
  embedding: Float32Array;
  netMs: number;
  /** The calibration's signal-to-noise measure, 0 to 30 dB. */
  snrDb: number;
  bandwidth: Bandwidth;
  /** Samples and templates of different revisions must never be compared. */
  modelRevision: string;
}

/** Strangers' embeddings, once as wide-band and once as telephone speech; rows have length one. */
export interface Cohort {
  wide: Float32Array;
  narrow: Float32Array;
  dim: number;
  topN: number;
  minSd: number;
  /** How far apart strangers' normalized scores lie: the slope of their quantiles against a normal distribution's. */
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

/** Lines for plain cosines of a network's voices, where nothing is calibrated; those of another network lie a little higher or lower. */
export interface LikenessLines {
  /** Short windows at least this alike are one speaker's. */
  sameSpeakerMin: number;
  /** Voices before and after a change that are less alike than this are those of two people. */
  secondVoiceMost: number;
}

/** Of the first networks, and of models that do not say. */
export const usualLikeness: LikenessLines = { sameSpeakerMin: 0.25, secondVoiceMost: 0.235 };

export interface SpeakerModel {
  /** `<name>-<revision>` of the model folder. */
  revision: string;
  dim: number;
  cohort?: Cohort;
  /** Changes with thresholds that are set anew for the same embeddings and weights: prints stay comparable. */
  calibrationRevision?: string;
  scoring: ScoringSettings;
  /** Ascending LLR, falling rate. */
  thresholds: readonly Threshold[];
  /** Absent: the usual ones. */
  likeness?: LikenessLines;
}

/** The side conditions of one comparison, as the calibration wants them. */
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
