// What follows from delivery attempts: when a delivery is retried and when it is given up, when a receiver that accepts
// nothing gets a pause, and when its webhook is switched off. Pure: time and randomness are passed in.
import { DAY_MS } from '../../platform.js';
import type { Delivery, Progress, Webhook } from './model.js';
import type { RoundResult } from './ports.js';

const waitsMs = [5, 30, 120, 600, 1800, 3600, 2 * 3600, 4 * 3600].map((seconds) => seconds * 1000);
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
const SWITCHED_OFF_AFTER_MS = 7 * DAY_MS;
const PAUSE_MS = 5000;
const PAUSE_MAX_MS = 600_000;
/** Fewer in a row may be about the events; what waits then keeps its own times. */
const FAILURES_OF_AN_OUTAGE = 3;
const FAULT_LENGTH_MAX = 200;
const GONE = 410;

/** One attempt and how it ended: without a fault it was taken. */
export interface Attempt {
  seq: number;
  eventAtMs: number;
  /** Where the event was in the queue. */
  queued?: Delivery;
  fault?: string;
  status?: number;
  retryAfterMs?: number;
}

interface RoundTime {
  nowMs: number;
  /** From 0 to 1: spreads attempts, so that what failed together does not come back together. */
  chance: number;
}

/** No sooner than the receiver asks for. */
export function afterFailure(
  delivery: Delivery,
  { fault = '', retryAfterMs = 0 }: Pick<Attempt, 'fault' | 'retryAfterMs'>,
  { nowMs, chance }: RoundTime,
): Delivery {
  const waitMs = waitsMs[Math.min(delivery.attempts, waitsMs.length - 1)] ?? 0;
  const nextAtMs = nowMs + Math.max(Math.round(waitMs * (0.9 + 0.2 * chance)), retryAfterMs);
  return {
    ...delivery,
    attempts: delivery.attempts + 1,
    lastAtMs: nowMs,
    nextAtMs,
    isDead: nextAtMs - delivery.firstAtMs > GIVEN_UP_AFTER_MS,
    lastFault: fault.slice(0, FAULT_LENGTH_MAX),
  };
}

/** `afterSeq` is how far the round has looked. */
export function resultOf(
  webhook: Webhook,
  afterSeq: number,
  attempts: readonly Attempt[],
  time: RoundTime,
): RoundResult {
  const { webhookId, progress } = webhook;
  const taken = attempts.filter(({ fault }) => fault === undefined);
  const askedMs = taken.length > 0 ? 0 : Math.max(0, ...attempts.map(({ retryAfterMs = 0 }) => retryAfterMs));
  return {
    progress: { ...healthAfter(progress, attempts, { nowMs: time.nowMs, askedMs }), afterSeq },
    delivered: taken.flatMap(({ queued }) => queued ?? []),
    failed: attempts.flatMap((attempt) => {
      const { queued: before } = attempt;
      if (attempt.fault === undefined) return [];
      return [
        { before, now: afterFailure(before ?? firstOf(webhookId, attempt, time.nowMs), attempt, time) },
      ];
    }),
    isBack: taken.length > 0 && progress.failures >= FAILURES_OF_AN_OUTAGE,
    ...(askedMs > 0 && { quietUntilMs: time.nowMs + askedMs }),
  };
}

/** A receiver is judged by new events: one that refuses a certain event, however often, is well. */
function healthAfter(
  progress: Progress,
  attempts: readonly Attempt[],
  { nowMs, askedMs }: { nowMs: number; askedMs: number },
): Omit<Progress, 'afterSeq'> {
  if (attempts.some(({ fault }) => fault === undefined)) return { failures: 0, pausedUntilMs: 0 };
  if (!attempts.some(({ queued }) => queued === undefined))
    return askedMs === 0
      ? progress
      : { ...progress, pausedUntilMs: Math.max(progress.pausedUntilMs, nowMs + askedMs) };
  const failures = progress.failures + 1;
  const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** Math.min(progress.failures, 20));
  return {
    failures,
    failingSinceMs: progress.failingSinceMs ?? nowMs,
    pausedUntilMs: nowMs + Math.max(pauseMs, askedMs),
  };
}

function firstOf(webhookId: string, { seq, eventAtMs }: Attempt, nowMs: number): Delivery {
  const times = { firstAtMs: nowMs, lastAtMs: nowMs, nextAtMs: nowMs };
  return { webhookId, seq, eventAtMs, attempts: 0, ...times, isDead: false, lastFault: '' };
}

/** Why the webhook is to be switched off after this round; undefined where it goes on. */
export function endReason(
  attempts: readonly Attempt[],
  { failingSinceMs }: Progress,
  nowMs: number,
): string | undefined {
  if (attempts.some(({ status }) => status === GONE)) return 'the receiver answered 410 Gone';
  if (failingSinceMs !== undefined && nowMs - failingSinceMs > SWITCHED_OFF_AFTER_MS)
    return 'the receiver accepted no event for seven days';
  return undefined;
}
