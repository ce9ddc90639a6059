// DeletePersonalData: asks for the erasure of everything about a person, also of one who was deleted before: DeletePerson leaves
// recordings and history. The work is a job; the audit trail keeps the request and the proof of its end, but no personal data.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Job } from '../model/jobs.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { Faults } from '../call/limits.js';
import { partyOrThrow } from './party-rules.js';

export interface DeletePersonalDataJobInput {
  gkPersonId: string;
}

export async function requestPersonalDataDeletion(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkPersonId: string },
): Promise<void> {
  const faults = new Faults().required('gk_person_id', input.gkPersonId);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  await deps.store.transaction(async (tx) => {
    if (!(await tx.erasure.hasTraces(gkScopeId, input.gkPersonId)))
      await partyOrThrow(tx.parties, gkScopeId, 'PERSON', input.gkPersonId);
    const job = erasureJob(
      deps,
      { gkJobId: deps.ids.uuid(), gkScopeId, requestedBy: call.caller.subject },
      input,
    );
    await tx.jobs.insert(job);
    await audit(tx, call, {
      type: 'DELETE_PERSONAL_DATA_EVENT',
      operation: 'DeletePersonalData',
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [input.gkPersonId],
      detail: { gkJobId: job.gkJobId },
    });
    tx.afterCommit(() => deps.jobs.wake());
  });
}

function erasureJob(
  { clock }: Pick<BiometricsDeps, 'clock'>,
  job: Pick<Job, 'gkJobId' | 'gkScopeId' | 'requestedBy'>,
  { gkPersonId }: DeletePersonalDataJobInput,
): Job {
  const now = clock.now();
  return {
    ...job,
    kind: 'DELETE_PERSONAL_DATA',
    state: 'PENDING',
    input: JSON.stringify({ gkPersonId } satisfies DeletePersonalDataJobInput),
    result: '',
    error: '',
    attempts: 0,
    createdAtMs: now,
    modifiedAtMs: now,
  };
}

/** Who asks for an erasure again, because a recording of an erased person came late. */
const LATE_REQUESTED_BY = 'voxgate';

/** Erases again what has come of a person who was erased; one job per person, however often that is found out. */
export async function eraseWhatCameLate(
  { clock }: Pick<BiometricsDeps, 'clock'>,
  tx: BiometricsTransaction,
  person: { gkScopeId: string; gkPersonId: string },
): Promise<void> {
  const { gkScopeId, gkPersonId } = person;
  const job = erasureJob(
    { clock },
    { gkJobId: `late-${gkPersonId}`, gkScopeId, requestedBy: LATE_REQUESTED_BY },
    person,
  );
  const known = await tx.jobs.find(gkScopeId, job.gkJobId);
  if (!known) await tx.jobs.insert(job);
  else if (known.state === 'COMPLETED') await tx.jobs.update(job);
}
