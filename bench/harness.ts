// What every bench has in common: how it is called, what it reports, and how that is printed. A bench is a
// file in this folder that exports `run`; `npm run bench -- NAME` finds it by its name.

import { readFileSync } from 'node:fs';

/** A server that answers nothing for this long is not slow but broken. */
const SLICE_MS_MAX = 30_000;

export interface BenchOptions {
  /** Measuring time in all; a bench divides it among what it compares. */
  seconds: number;
  /** Smallest input that still runs every line: how the tests keep benches from rotting. */
  tiny: boolean;
  /** For benches whose course follows from a seed. */
  seed?: number;
  /** On PostgreSQL instead of SQLite, where a bench knows both. */
  postgres?: boolean;
  /** Of `live`: how many at once, and the share of the time in which a caller speaks. */
  calls?: number;
  talking?: number;
  /** Of `rolling`: a built checkout of the version that is upgraded. */
  earlier?: string;
}

export interface BenchLine {
  /** What was measured. */
  subject: string;
  /** What it was held against, in the same run. */
  peer: string;
  unit: string;
  value: number;
  peerValue: number;
  /** value / peerValue, or its inverse where less is better: above 1 is better than the peer. */
  ratio: number;
  /** The least ratio we want, where there is one. */
  target?: number;
}

export interface BenchReport {
  name: string;
  /** What was compared and how, in a sentence. */
  compared: string;
  lines: BenchLine[];
  /** Anything else worth keeping with the figures. */
  details?: Record<string, unknown>;
}

export type Bench = (options: BenchOptions) => Promise<BenchReport>;

export function printReport(report: BenchReport, jsonOnly: boolean, out: (text: string) => void): void {
  if (!jsonOnly) {
    out(`${report.name}: ${report.compared}`);
    for (const line of report.lines) {
      const wanted =
        line.target === undefined
          ? ''
          : ` (wanted: at least ${line.target}${line.ratio >= line.target ? '' : ', MISSED'})`;
      out(
        `  ${line.subject}: ${round(line.value)} ${line.unit}; ${line.peer}: ${round(line.peerValue)} ${line.unit}; ratio ${round(line.ratio)}${wanted}`,
      );
    }
  }
  out(JSON.stringify(report));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

/** Waits for a slice of time, and on a busy machine longer: until `count` has grown, so that a rate exists. */
export async function slice(milliseconds: number, count: () => number): Promise<void> {
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const until = performance.now() + SLICE_MS_MAX;
  while (count() === before && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Resident memory of a process in MiB; 0 where the system does not say. */
export function residentMiBOf(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A figure beside the most that we want it to be. */
export function wanted(subject: string, value: number, most: number, unit: string): BenchLine {
  return { subject, peer: 'wanted at most', unit, value, peerValue: most, ratio: most / value, target: 1 };
}
