// How many checks there were and how they ended, in equal intervals: for the first page of the console.
import { invalidFields } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { isAboutAudio } from '../model/outcome.js';
import { isRefused } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { CountedFactors } from '../ports/sessions.js';
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
export async function activityOverview(
  deps: BiometricsDeps,
  call: Call,
  input: OverviewInput,
): Promise<ActivityBucket[]> {
  const toMs = input.toMs ?? deps.clock.now();
  const fromMs = input.fromMs ?? toMs - SPAN_DEFAULT_MS;
  const stepMs = input.stepMs ?? DAY_MS;
  checkSpan(fromMs, toMs, stepMs);
  const gkScopeId = await openTenant(deps, call, input.context);
  const buckets = Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, index) =>
    emptyBucket(fromMs + index * stepMs),
  );
  const counted = await deps.store.read.factors.countInIntervals(gkScopeId, { fromMs, toMs, stepMs });
  for (const alike of counted) {
    const bucket = buckets[alike.place];
    if (bucket) countIn(bucket, alike);
  }
  return buckets;
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

/** Adds outcomes that are alike to their interval. */
function countIn(bucket: ActivityBucket, alike: CountedFactors): void {
  const { kind, decision, reason, netSpeechMs, count } = alike;
  if (alike.isTest) {
    bucket.trials += count;
    return;
  }
  if (isRefused(alike)) {
    bucket.refused += count;
    return;
  }
  bucket.netSpeechMs += netSpeechMs;
  bucket.checks += count;
  if (isAboutAudio(reason)) bucket.unusableAudio += count;
  const isOpen = decision === 'UNCERTAIN' || decision === 'FAILED';
  switch (kind) {
    case 'AUTHENTICATION':
      bucket.verifications += count;
      if (decision === 'AUTHENTIC') bucket.matches += count;
      if (isOpen) bucket.undecided += count;
      return;
    case 'FRAUD_DETECTION':
      bucket.watchlistChecks += count;
      if (decision === 'FRAUD') bucket.fraudsters += count;
      if (isOpen) bucket.undecidedWatchlistChecks += count;
      return;
    case 'SYNTHETIC_SPEECH':
    case 'CHANNEL_PLAYBACK':
      bucket.attackChecks += count;
      if (decision === 'FRAUD') bucket.attacks += count;
      if (isOpen) bucket.undecidedAttackChecks += count;
      return;
    case 'ENROLLMENT':
      bucket.enrollments += count;
      return;
    case 'LIVENESS':
    case 'TEXT_VALIDATION':
    case 'AUDIO':
      // Heard, and nothing decided about who it was.
      return;
  }
}
