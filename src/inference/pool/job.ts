// A job of the pool: its request, and its progress.
import { AppError } from '../../errors.js';
import type { WorkPriority } from '../../voice/engine.js';
import type { Begun } from './begun-work.js';
import type { Waiting } from './fair-queue.js';

/** Ties jobs to the worker that holds their state; invalid once that worker is gone. */
export interface Pin {
  slot: number;
  generation: number;
}

export interface JobOptions {
  transfer?: ArrayBuffer[];
  deadlineAtMs?: number;
  signal?: AbortSignal;
  pin?: Pin;
  /** The client that the job belongs to; clients take turns. */
  client?: string;
  priority?: WorkPriority;
  /**
   * How long it may wait without anybody noticing; jobs of one priority run in the order in which they are
   * due.
   */
  slackMs?: number;
}

export interface Job extends Waiting {
  request: unknown;
  transfer: ArrayBuffer[];
  deadlineAtMs: number;
  /** The worker that holds its state: named by its caller, or the one in which it yielded. */
  pin?: Pin;
  /** It has begun and yielded, and either waits to be resumed or has been. */
  gaveWay: boolean;
  /**
   * Set if it yielded without being bound to a worker before: how it is counted among that worker's begun
   * work.
   */
  counted?: Begun;
  /** When it last got a worker, and for how long it had one before. */
  sliceFromMs: number;
  usedMs: number;
  settled: boolean;
  resolve(value: unknown, pin: Pin): void;
  reject(error: AppError): void;
  release(): void;
}

/** A job that has run for longer than one of these lets jobs of the same client that have not go first. */
const levelsMs = [1000, 2000, 4000, 8000] as const;

/** Adds the time for which the job had a worker, now that it has left it. */
export function countSlice(job: Job, nowMs: number): void {
  job.usedMs += nowMs - job.sliceFromMs;
  job.level = levelsMs.filter((ms) => job.usedMs >= ms).length;
}

export const canceled = (): AppError => new AppError('CANCELLED_CLIENT', 'the call was canceled');
export const deadlineExceeded = (): AppError =>
  new AppError('DEADLINE_EXCEEDED', 'the deadline passed before the audio was processed');
export const streamLost = (): AppError => new AppError('INTERNAL_ERROR', 'the audio stream was lost');
