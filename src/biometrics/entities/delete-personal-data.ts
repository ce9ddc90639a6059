// DeletePersonalData: requests the erasure of everything about a person, even one who was already deleted, since DeletePerson
// leaves recordings and history. The work is a job; the audit trail keeps the request and the proof of its completion, but no
// personal data.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { erasureJob } from '../call/data-subjects.js';
import { Faults } from '../call/limits.js';
import { partyOrThrow } from './party-rules.js';

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
