// What a trained attack detector says about one audio: a log-likelihood ratio (above zero: an attack is
// more likely), how far it may be trusted under these conditions, and the risk that follows. The two
// detectors, synthetic speech and channel playback, share this; their manifests differ.
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
  /** LLR at and below which it may give the all-clear; between this and the alarm it does not know. Absent: it always answers. */
  clearLlr?: Record<Bandwidth, number>;
  /** The first row whose conditions all hold. */
  reliability: readonly ReliabilityRow[];
  /** Below it the answer is "low reliability" and not a risk. */
  reliabilityFloor: number;
  /** Beyond any of these lines the audio is unlike what the detector was trained on, and it cannot know. */
  unfamiliar: readonly FamiliarityLimit[];
  /** Its word is a hint: it has not stood up to attacks that its makers had no hand in. */
  experimental: boolean;
}

export interface SpoofConditions {
  bandwidth: Bandwidth;
  snrDb: number;
  netMs: number;
}

/** What the network said about one window. */
export interface WindowScore extends Familiarity {
  /** Raw, before calibration. */
  score: number;
}

/** The same in the time of the recording. */
export interface HeardWindow extends WindowScore {
  startMs: number;
  endMs: number;
}

/** One in which somebody speaks, for so long. */
export interface SpokenWindow extends HeardWindow {
  netMs: number;
}

/** The first and the last of a part of a call. */
export interface SpokenEdges {
  first: readonly SpokenWindow[];
  last: readonly SpokenWindow[];
}

export interface SpoofScore {
  kind: DetectorKind;
  llr: number;
  /** Of the audio: a tenant may draw a line for each. */
  bandwidth: Bandwidth;
  /** The threshold that belongs to it. */
  alarmLlr: number;
  /** 0 to 1000; 700 at the alarm threshold. */
  risk: number;
  reliability: number;
  /** The same of an alarm: by band, noise and length alone, wherever the score lies. */
  alarmReliability: number;
  /** False: the detector cannot be trusted under these conditions, or the score lies where attacks and people mix; decide LOW_RELIABILITY. */
  reliable: boolean;
  alarm: boolean;
  revision: string;
  experimental: boolean;
  /** The audio is unlike what the detector was trained on: not even an all-clear of another check makes up for that. */
  unfamiliar: boolean;
  /** Why it is not reliable; empty where it is. */
  doubts: Doubt[];
  /** The stretches that sound like an attack by themselves, alarm or not. */
  spans: AttackSpan[];
  /** The windows that stand for all of the audio. */
  heard: readonly HeardWindow[];
  /** Of a call whose stretches are judged, too: one may have begun before this audio, or go on behind it. */
  spoken?: SpokenEdges;
}

/** The risk at the alarm line. */
export const ALARM_RISK = 700;
/** Reliability at most, where the score is one that attacks and people share. */
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

/**
 * Turns the scores of the windows into an answer; their mean decides. `named`: stretches among all that was heard that reach the alarm line by
 * themselves. They raise no alarm, but beside one of them there is no all-clear.
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

/** 0 to 1000, by how far above the alarm line. */
function attackRisk(above: number): number {
  return Math.round(1000 / (1 + Math.exp(-(oddsAt(ALARM_RISK) + above))));
}

/** Where the risk of a whole begins to be rounded up to that. */
const ROUNDING = 0.5;

/** The stretches that drove a score over a line of the tenant's own, which lies at this risk: those that reach it by themselves. */
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

/** How far an answer may be trusted, and if not, why. */
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

/** The score that people and attacks share, of the whole or else of a part of it. */
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
 * The windows of one audio, in samples; `undefined` stands for "repeat the audio to fill one window". Of long audio those at
 * every second, fourth, eighth... place and the last: so a window that is left out now is never asked for when there is more.
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

/** A power of two, so that the places of a larger one are among those of a smaller one. */
function windowStride({ max }: DetectorInfo['window'], count: number): number {
  let stride = 1;
  while (Math.ceil(count / stride) + ((count - 1) % stride === 0 ? 0 : 1) > max) stride *= 2;
  return stride;
}

/** Whether the window at this place of the grid may be asked for once it is no longer the last. */
export const isLastingWindow = (window: DetectorInfo['window'], place: number): boolean =>
  place % windowStride(window, place + 1) === 0;

/** One window on the int16 scale; what is shorter is repeated to fill it. */
export function detectorInput(window: DetectorInfo['window'], samples: Float32Array): Float32Array {
  const data = new Float32Array(window.samples);
  for (let i = 0; i < data.length; i++) data[i] = (samples[i % samples.length] ?? 0) * 32768;
  return data;
}
