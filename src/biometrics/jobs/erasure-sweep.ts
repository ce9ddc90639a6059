// Finds what is left of persons who were erased: recordings that a call tied to them after the erasure, engagements in which
// they were asked for afterwards, and what was kept for a hold or verdict that no longer exists, or for a batch line that has
// since been processed. This runs from time to time, so that no call has to wait for an erasure.
import { eraseAgain } from '../call/data-subjects.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { personsNoLongerAwaited } from './lines-of-person.js';

const PERSONS_PER_SWEEP = 100;

/** Returns how many persons are erased again. */
export async function sweepErased(deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>): Promise<number> {
  const persons = [
    ...(await deps.store.read.erasure.erasedWithTraces(PERSONS_PER_SWEEP)),
    ...(await personsNoLongerAwaited(deps.store, PERSONS_PER_SWEEP)),
  ];
  for (const person of persons) await deps.store.transaction((tx) => eraseAgain(deps, tx, person));
  if (persons.length > 0) deps.jobs.wake();
  return persons.length;
}
