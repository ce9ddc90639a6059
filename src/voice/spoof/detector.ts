// A trained attack detector's answer for one audio: a log-likelihood ratio (above zero: an attack is more
// likely), how far it can be trusted under these conditions, and the resulting risk. The two detectors,
// synthetic speech and channel playback, share this; their manifests differ.
import type { Bandwidth } from '../scoring/speaker-model.js';
import { spansAbove, unfamiliarity } from './evidence.js';
import type { AttackSpan, Doubt, Familiarity, FamiliarityLimit } from './evidence.js';

export type DetectorKind = 'synthetic' | 'playback';

interface ReliabilityRow {
  bandwidth: Bandwidth | 'any';
  minSnrDb: number;
  minNetSpeechS: number;
  value: number;
}

export interface DetectorInfo {
  kind: DetectorKind;
  /** `<name>-<revision>`. */
  revision: string;
  window: { samples: number; hop: number; minRest: number; max: number };
  calibration: Record<Bandwidth, { a: number; b: number }>;
  /** LLR at and above which the shipped decision is an alarm. */
  alarmLlr: Record<Bandwidth, number>;
  /**
   * LLR at and below which it may give the all-clear; between this and the alarm it abstains. Absent: it
   * always answers.
   */
  clearLlr?: Record<Bandwidth, number>;
  /** The first row whose conditions all hold applies. */
  reliability: readonly ReliabilityRow[];
  /** Below it the answer is "low reliability" and not a risk. */
  reliabilityFloor: number;
  /** Beyond any of these limits the audio is unlike the training data, and the detector cannot know. */
  unfamiliar: readonly FamiliarityLimit[];
  /** Its answer is only a hint: it has not been proved on attacks that its makers had no hand in. */
  experimental: boolean;
}

export interface SpoofConditions {
  bandwidth: Bandwidth;
  snrDb: number;
  netMs: number;
}

/** The network's output for one window. */
export interface WindowScore extends Familiarity {
  /** Raw, before calibration. */
  score: number;
}

/** The same, with its position in the recording. */
export interface HeardWindow extends WindowScore {
  startMs: number;
  endMs: number;
}

/** A window in which somebody speaks, with the amount of speech. */
export interface SpokenWindow extends HeardWindow {
  netMs: number;
}

/** The first and the last windows of a part of a call. */
export interface SpokenEdges {
  first: readonly SpokenWindow[];
  last: readonly SpokenWindow[];
}

export interface SpoofScore {
  kind: DetectorKind;
  llr: number;
  /** The bandwidth of the audio: a tenant may set a threshold for each. */
  bandwidth: Bandwidth;
  /** The threshold for this bandwidth. */
  alarmLlr: number;
  /** 0 to 1000; 700 at the alarm threshold. */
  risk: number;
  reliability: number;
  /** The reliability of an alarm: by bandwidth, noise and length alone, whatever the score. */
  alarmReliability: number;
  /**
   * False if the detector cannot be trusted under these conditions, or if the score is one that attacks and
   * people share; then decide LOW_RELIABILITY.
   */
  reliable: boolean;
  alarm: boolean;
  revision: string;
  experimental: boolean;
  /** The audio is unlike the training data: not even an all-clear of another check makes up for that. */
  unfamiliar: boolean;
  /** Why it is not reliable; empty if it is. */
  doubts: Doubt[];
  /** The stretches that sound like an attack by themselves, alarm or not. */
  spans: AttackSpan[];
  /** The windows that represent all of the audio. */
  heard: readonly HeardWindow[];
  /**
   * For a call whose stretches are judged too: one may have begun before this audio, or continue after it.
   */
  spoken?: SpokenEdges;
}

/** The risk at the alarm threshold. */
export const ALARM_RISK = 700;
/** The maximum reliability of a score that attacks and people share. */
export const UNDECIDED_RELIABILITY = 10;

export function detectorReliability(rows: readonly ReliabilityRow[], at: SpoofConditions): number {
  const row = rows.find(
    (r) =>
      (r.bandwidth === 'any' || r.bandwidth === at.bandwidth) &&
      at.snrDb >= r.minSnrDb &&
      at.netMs >= 1000 * r.minNetSpeechS,
  );
  return row?.value ?? 0;
}

/** Whether it answers at all on such audio, however long and clear that is. */
export const canAnswerOn = (
  { reliability, reliabilityFloor }: Pick<DetectorInfo, 'reliability' | 'reliabilityFloor'>,
  bandwidth: Bandwidth,
): boolean =>
  reliability.some((row) => row.value >= reliabilityFloor && [bandwidth, 'any'].includes(row.bandwidth));

/**
 * Turns the scores of the windows into an answer; their mean decides. `named` are the stretches of everything
 * heard that reach the alarm threshold by themselves. They raise no alarm, but rule out an all-clear.
 */
export function spoofScore(
  detector: DetectorInfo,
  heard: readonly HeardWindow[],
  at: SpoofConditions,
  named: readonly AttackSpan[] = [],
): SpoofScore {
  const { a, b } = detector.calibration[at.bandwidth];
  const llr = a * meanOf(heard, ({ score }) => score) + b;
  const alarmLlr = detector.alarmLlr[at.bandwidth];
  const alarm = llr >= alarmLlr;
  const calibrated = heard.map(({ startMs, endMs, score }) => ({ startMs, endMs, llr: a * score + b }));
  const spans = spansAbove([...calibrated, ...named], alarmLlr);
  const { reliability, alarmReliability, unfamiliar, doubts } = trustIn(detector, heard, {
    ...at,
    llr,
    alarm,
    spans,
  });
  return {
    kind: detector.kind,
    llr,
    bandwidth: at.bandwidth,
    alarmLlr,
    risk: attackRisk(llr - alarmLlr),
    reliability,
    alarmReliability,
    reliable: doubts.length === 0,
    alarm,
    revision: detector.revision,
    experimental: detector.experimental,
    unfamiliar,
    doubts,
    spans,
    heard,
  };
}

const oddsAt = (risk: number): number => Math.log(risk / (1000 - risk));

/** 0 to 1000, by how far the score is above the alarm threshold. */
function attackRisk(above: number): number {
  return Math.round(1000 / (1 + Math.exp(-(oddsAt(ALARM_RISK) + above))));
}

/** Risks are rounded to integers: one that is lower by no more than this is rounded up to the line. */
const ROUNDING = 0.5;

/**
 * The stretches that drove a score over a tenant's own threshold, given as a risk: those that reach it by
 * themselves.
 */
export function spansAtRisk(
  { heard, spans, alarmLlr, bandwidth }: SpoofScore,
  { calibration }: Pick<DetectorInfo, 'calibration'>,
  risk: number,
): AttackSpan[] {
  const { a, b } = calibration[bandwidth];
  const windows = heard.map(({ startMs, endMs, score }) => ({ startMs, endMs, llr: a * score + b }));
  const lineLlr = alarmLlr + oddsAt(risk - ROUNDING) - oddsAt(ALARM_RISK);
  return spansAbove([...windows, ...spans], lineLlr);
}

/** Whether an answer can be trusted and, if not, why. */
function trustIn(
  detector: DetectorInfo,
  heard: readonly HeardWindow[],
  at: SpoofConditions & Pick<SpoofScore, 'llr' | 'alarm' | 'spans'>,
): Pick<SpoofScore, 'reliability' | 'alarmReliability' | 'unfamiliar' | 'doubts'> {
  const familiarity: Familiarity = { net_speech_s: at.netMs / 1000, snr_db: at.snrDb };
  for (const measure of ['spread', 'distance'] as const) {
    const mean = meanOf(heard, (window) => window[measure] ?? NaN);
    if (Number.isFinite(mean)) familiarity[measure] = mean;
  }
  const beyond = unfamiliarity(detector.unfamiliar, familiarity, at);
  const clearLlr = detector.clearLlr?.[at.bandwidth] ?? Infinity;
  const shared = at.alarm ? undefined : sharedScore(detector, at, clearLlr);
  const table = detectorReliability(detector.reliability, at);
  const unfamiliar = beyond.length > 0;
  const doubts: Doubt[] = [
    ...beyond,
    ...(shared ? [shared] : []),
    ...(table < detector.reliabilityFloor
      ? [{ measure: 'reliability', value: table, limit: detector.reliabilityFloor } as const]
      : []),
  ];
  const reliability = shared ? Math.min(table, UNDECIDED_RELIABILITY) : table;
  const known = (value: number): number => (unfamiliar ? 0 : value);
  return { reliability: known(reliability), alarmReliability: known(table), unfamiliar, doubts };
}

/** The score, of the whole or else of a part, that attacks and people share. */
function sharedScore(
  { alarmLlr }: DetectorInfo,
  { llr, spans, bandwidth }: SpoofConditions & Pick<SpoofScore, 'llr' | 'spans'>,
  clearLlr: number,
): Doubt | undefined {
  if (llr > clearLlr) return { measure: 'score', value: llr, limit: clearLlr };
  if (spans.length === 0) return undefined;
  const strongest = Math.max(...spans.map((span) => span.llr));
  return { measure: 'score', value: strongest, limit: alarmLlr[bandwidth] };
}

function meanOf<T>(values: readonly T[], measure: (value: T) => number): number {
  return values.reduce((sum, value) => sum + measure(value), 0) / values.length;
}

/**
 * The windows of one audio, in samples; `undefined` means "repeat the audio to fill one window". Long audio
 * uses those at every second, fourth, eighth... position and the last, so that a window that is left out now
 * is never needed when there is more audio.
 */
export function detectorWindows(window: DetectorInfo['window'], length: number): number[] | undefined {
  if (length < window.samples) return undefined;
  const starts: number[] = [];
  for (let start = 0; start + window.samples <= length; start += window.hop) starts.push(start);
  const covered = (starts[starts.length - 1] ?? 0) + window.samples;
  if (length - covered >= window.minRest) starts.push(length - window.samples);
  const stride = windowStride(window, starts.length);
  return starts.filter((_, place) => place % stride === 0 || place === starts.length - 1);
}

/** A power of two, so that the positions of a larger stride are among those of a smaller one. */
function windowStride({ max }: DetectorInfo['window'], count: number): number {
  let stride = 1;
  while (Math.ceil(count / stride) + ((count - 1) % stride === 0 ? 0 : 1) > max) stride *= 2;
  return stride;
}

/** Whether the window at this position of the grid may be needed once it is no longer the last. */
export const isLastingWindow = (window: DetectorInfo['window'], place: number): boolean =>
  place % windowStride(window, place + 1) === 0;

/** One window on the int16 scale; shorter audio is repeated to fill it. */
export function detectorInput(window: DetectorInfo['window'], samples: Float32Array): Float32Array {
  const data = new Float32Array(window.samples);
  for (let i = 0; i < data.length; i++) data[i] = (samples[i % samples.length] ?? 0) * 32768;
  return data;
}
