// How many checks there were and how they ended, in equal intervals: for the first page of the console.
import { invalidFields } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { isAboutAudio } from '../model/outcome.js';
import { isRefused, LIVE_OPERATION, type Factor } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { say } from '../../words/server/say.js';

interface OverviewInput {
  context: RequestContext;
  fromMs?: number;
  toMs?: number;
  stepMs?: number;
}

interface ActivityBucket {
  fromMs: number;
  verifications: number;
  matches: number;
  undecided: number;
  watchlistChecks: number;
  fraudsters: number;
  attackChecks: number;
  attacks: number;
  /** Watchlist checks, and attack checks, that were inconclusive. */
  undecidedWatchlistChecks: number;
  undecidedAttackChecks: number;
  enrollments: number;
  netSpeechMs: number;
  checks: number;
  /** Checks that were refused because of their audio. */
  unusableAudio: number;
  /** Refused because of a lock; counted nowhere else. */
  refused: number;
  /** Checks made as trials; counted nowhere else. */
  trials: number;
}

const SPAN_DEFAULT_MS = 7 * DAY_MS;
const STEP_MIN_MS = 60_000;
const BUCKETS_MAX = 400;
/** Outcomes are inside the rows, so each is read: for a busy tenant only the newest are counted. */
const FACTORS_MAX = 50_000;
const PAGE_SIZE = 1000;

export async function activityOverview(
  deps: BiometricsDeps,
  call: Call,
  input: OverviewInput,
): Promise<{ buckets: ActivityBucket[]; isPartial: boolean }> {
  const toMs = input.toMs ?? deps.clock.now();
  const fromMs = input.fromMs ?? toMs - SPAN_DEFAULT_MS;
  const stepMs = input.stepMs ?? DAY_MS;
  checkSpan(fromMs, toMs, stepMs);
  const gkScopeId = await openTenant(deps, call, input.context);
  const buckets = Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, index) =>
    emptyBucket(fromMs + index * stepMs),
  );
  let read = 0;
  let after: string | undefined;
  const isCounted = lastOfEachCall();
  do {
    const page = { limit: PAGE_SIZE, ...(after && { after }) };
    const { factors, next } = await deps.store.read.factors.list(gkScopeId, { fromMs, toMs }, page);
    for (const factor of factors) {
      const bucket = buckets[Math.floor((factor.createdAtMs - fromMs) / stepMs)];
      if (bucket && isCounted(factor)) countIn(bucket, factor);
    }
    read += factors.length;
    after = next;
    call.signal.throwIfAborted();
  } while (after !== undefined && read < FACTORS_MAX);
  return { buckets, isPartial: after !== undefined };
}

function checkSpan(fromMs: number, toMs: number, stepMs: number): void {
  if (fromMs >= toMs)
    throw invalidFields([{ field: 'start_time', violation: 'OUT_OF_RANGE', ...say('NOT_BEFORE_END') }]);
  if (stepMs < STEP_MIN_MS || (toMs - fromMs) / stepMs > BUCKETS_MAX)
    throw invalidFields([
      {
        field: 'step',
        violation: 'OUT_OF_RANGE',
        ...say('INTERVAL_TOO_SHORT', { max: BUCKETS_MAX }),
      },
    ]);
}

const emptyBucket = (fromMs: number): ActivityBucket => ({
  fromMs,
  verifications: 0,
  matches: 0,
  undecided: 0,
  watchlistChecks: 0,
  fraudsters: 0,
  attackChecks: 0,
  attacks: 0,
  undecidedWatchlistChecks: 0,
  undecidedAttackChecks: 0,
  enrollments: 0,
  netSpeechMs: 0,
  checks: 0,
  unusableAudio: 0,
  refused: 0,
  trials: 0,
});

/** A live call counts once, by its last result: factors come newest first. */
function lastOfEachCall(): (factor: Factor) => boolean {
  const counted = new Set<string>();
  return ({ operation, gkSessionId, kind }) => {
    if (operation !== LIVE_OPERATION) return true;
    const call = `${gkSessionId}/${kind}`;
    const isLast = !counted.has(call);
    counted.add(call);
    return isLast;
  };
}

/** Adds one outcome to its interval. */
function countIn(bucket: ActivityBucket, factor: Factor): void {
  const { kind, decision, reason, netSpeechMs } = factor;
  if (factor.isTest) {
    bucket.trials++;
    return;
  }
  if (isRefused(factor)) {
    bucket.refused++;
    return;
  }
  bucket.netSpeechMs += netSpeechMs;
  bucket.checks++;
  if (isAboutAudio(reason)) bucket.unusableAudio++;
  const isOpen = decision === 'UNCERTAIN' || decision === 'FAILED';
  switch (kind) {
    case 'AUTHENTICATION':
      bucket.verifications++;
      if (decision === 'AUTHENTIC') bucket.matches++;
      if (isOpen) bucket.undecided++;
      return;
    case 'FRAUD_DETECTION':
      bucket.watchlistChecks++;
      if (decision === 'FRAUD') bucket.fraudsters++;
      if (isOpen) bucket.undecidedWatchlistChecks++;
      return;
    case 'SYNTHETIC_SPEECH':
    case 'CHANNEL_PLAYBACK':
      bucket.attackChecks++;
      if (decision === 'FRAUD') bucket.attacks++;
      if (isOpen) bucket.undecidedAttackChecks++;
      return;
    case 'ENROLLMENT':
      bucket.enrollments++;
      return;
    case 'LIVENESS':
    case 'TEXT_VALIDATION':
    case 'AUDIO':
      // Heard, and nothing decided about who it was.
      return;
  }
}
