// What arrives after a person was erased, or was kept and may be kept no longer, is erased by a job of its own.
import { newJob, type Job } from '../model/jobs.js';
import type { Profile } from '../model/profiles.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';

export interface DeletePersonalDataJobInput {
  gkPersonId: string;
}

/** A person who is, or may have been, erased. */
export interface Erasable {
  gkScopeId: string;
  gkPersonId: string;
}

export function erasureJob(
  { clock }: Pick<BiometricsDeps, 'clock'>,
  job: Pick<Job, 'gkJobId' | 'gkScopeId' | 'requestedBy'>,
  { gkPersonId }: DeletePersonalDataJobInput,
): Job {
  const input: DeletePersonalDataJobInput = { gkPersonId };
  return newJob({ ...job, kind: 'DELETE_PERSONAL_DATA' }, input, clock.now());
}

/** The requester of a repeated erasure, because a recording of an erased person came late. */
const LATE_REQUESTED_BY = 'voxgate';

export const isLateErasure = ({ requestedBy }: Job): boolean => requestedBy === LATE_REQUESTED_BY;

/**
 * Erases again what has arrived for an erased person; one job per person, repeated if it may have looked
 * already.
 */
export async function eraseWhatCameLate(
  { clock }: Pick<BiometricsDeps, 'clock'>,
  tx: BiometricsTransaction,
  person: Erasable,
): Promise<void> {
  const { gkScopeId, gkPersonId } = person;
  const late = { gkJobId: `late-${gkPersonId}`, gkScopeId, requestedBy: LATE_REQUESTED_BY };
  await tx.jobs.ask(erasureJob({ clock }, late, person));
}

/**
 * The reason for keeping recordings of erased persons, a hold or an outcome, may be gone: those that nothing
 * else keeps are erased at once, even if this node stops now. Returns for how many persons.
 */
export async function eraseWhatWasKept(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  gkScopeId: string,
  kept: { gkMediaSegmentId: string } | { gkEngagementId: string },
): Promise<number> {
  const persons = await tx.erasure.reconsider(gkScopeId, kept);
  for (const person of persons) await eraseWhatCameLate(deps, tx, person);
  if (persons.length > 0) tx.afterCommit(() => deps.jobs.wake());
  return persons.length;
}

/**
 * The print of a fraudster is deleted: recordings of erased persons that were kept only for it are deleted
 * too.
 */
export async function eraseWhatPrintKept(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  { gkScopeId, gkVoiceprintProfileId, ownerType }: Profile,
): Promise<void> {
  if (ownerType !== 'FRAUDSTER') return;
  for (const { gkMediaSegmentId } of await tx.enrollment.list(gkVoiceprintProfileId))
    if (gkMediaSegmentId) await eraseWhatWasKept(deps, tx, gkScopeId, { gkMediaSegmentId });
}

/** If a person was erased while the call ran, what the call has stored must be erased too. */
export async function eraseIfErased(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  person: Erasable,
): Promise<void> {
  if (!(await tx.erasure.isErased(person.gkPersonId))) return;
  await eraseWhatCameLate(deps, tx, person);
  tx.afterCommit(() => deps.jobs.wake());
}

/** The person whose print this was, if both print and person are gone for good. */
export async function erasedOwnerOf(
  { erasure }: Pick<BiometricsTransaction, 'erasure'>,
  gkScopeId: string,
  gkVoiceprintProfileId: string,
): Promise<string | undefined> {
  const owner = (await erasure.formerOwners(gkScopeId, [gkVoiceprintProfileId])).get(gkVoiceprintProfileId);
  return owner !== undefined && (await erasure.isErased(owner)) ? owner : undefined;
}
