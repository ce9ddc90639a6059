// A job of the pool: what its caller asked for, and how far it is.
import { AppError } from '../../errors.js';
import type { WorkPriority } from '../../voice/engine.js';
import type { Begun } from './begun-work.js';
import type { Waiting } from './fair-queue.js';

/** Ties jobs to the worker that holds their state; void once that worker is gone. */
export interface Pin {
  slot: number;
  generation: number;
}

export interface JobOptions {
  transfer?: ArrayBuffer[];
  deadlineAtMs?: number;
  signal?: AbortSignal;
  pin?: Pin;
  /** Whose job it is; clients take turns. */
  client?: string;
  priority?: WorkPriority;
  /** How long it may wait before somebody notices; jobs of one priority go in the order in which they are due. */
  slackMs?: number;
}

export interface Job extends Waiting {
  request: unknown;
  transfer: ArrayBuffer[];
  deadlineAtMs: number;
  /** The worker that holds its state: that of its caller, or the one in which it gave way. */
  pin?: Pin;
  /** It has begun and waits to be taken up again, or was. */
  gaveWay: boolean;
  /** It gave way without being bound to a worker before, and is counted so among what that worker has begun. */
  counted?: Begun;
  /** When it last got a worker, and how long it had one before. */
  sliceFromMs: number;
  usedMs: number;
  settled: boolean;
  resolve(value: unknown, pin: Pin): void;
  reject(error: AppError): void;
  release(): void;
}

/** A job that has run for longer than one of these lets those of its client go first that have not. */
const levelsMs = [1000, 2000, 4000, 8000] as const;

/** Counts the time that the job had a worker; now it has none. */
export function countSlice(job: Job, nowMs: number): void {
  job.usedMs += nowMs - job.sliceFromMs;
  job.level = levelsMs.filter((ms) => job.usedMs >= ms).length;
}

export const cancelled = (): AppError => new AppError('CANCELLED_CLIENT', 'the call was cancelled');
export const deadlineExceeded = (): AppError =>
  new AppError('DEADLINE_EXCEEDED', 'the deadline passed before the audio was processed');
export const streamLost = (): AppError => new AppError('INTERNAL_ERROR', 'the audio stream was lost');
