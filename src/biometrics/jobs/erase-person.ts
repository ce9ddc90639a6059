// The erasure job behind DeletePersonalData: prints, audio, details, and the personal part of the audit trail.
// Audio on legal hold and audio of engagements judged fraud stays; the proof says how much was kept and why.
import { systemActor } from '../../audit/model.js';
import type { DeletePersonalDataJobInput } from '../entities/delete-personal-data.js';
import { deletePrintsOf } from '../entities/change-party.js';
import type { MediaDeps } from '../media/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { Job } from '../model/jobs.js';

export interface ErasureProof {
  gkPersonId: string;
  prints: number;
  media: number;
  keptOnLegalHold: number;
  keptAsFraud: number;
  auditRecords: number;
}

export async function erasePerson(deps: MediaDeps, job: Job): Promise<{ result: ErasureProof }> {
  const { gkPersonId } = JSON.parse(job.input) as DeletePersonalDataJobInput;
  const { gkScopeId } = job;
  const blobs: string[] = [];
  const proof = await deps.store.transaction(async (tx) => {
    blobs.length = 0;
    const prints = await deletePrintsOf(tx, gkScopeId, gkPersonId);
    const kept = { keptOnLegalHold: 0, keptAsFraud: 0 };
    let media = 0;
    for (const segment of await tx.media.listByPerson(gkScopeId, gkPersonId)) {
      if (segment.legalHold) kept.keptOnLegalHold += 1;
      else if (await isJudgedFraud(tx, gkScopeId, segment.gkEngagementId)) kept.keptAsFraud += 1;
      else {
        await tx.processedAudios.deleteByMedia(gkScopeId, segment.gkMediaSegmentId);
        await tx.media.delete(gkScopeId, segment.gkMediaSegmentId);
        if (segment.blob) blobs.push(segment.blob.blobId);
        media += 1;
      }
    }
    await tx.parties.delete(gkScopeId, 'PERSON', gkPersonId);
    const auditRecords = await tx.eraseAuditedPersonalData(gkScopeId, gkPersonId);
    const result: ErasureProof = { gkPersonId, prints: prints.length, media, ...kept, auditRecords };
    await tx.audit.append({
      chain: gkScopeId,
      recordType: 'PERSONAL_DATA_DELETED_EVENT',
      operation: 'DeletePersonalData',
      actor: systemActor,
      context: { gkScopeId },
      subjectIds: [gkPersonId],
      detail: { ...result, gkJobId: job.gkJobId, requestedBy: job.requestedBy },
    });
    return result;
  });
  for (const blobId of blobs) await deps.blobs.delete(gkScopeId, blobId);
  return { result: proof };
}

async function isJudgedFraud(
  tx: BiometricsTransaction,
  gkScopeId: string,
  gkEngagementId: string,
): Promise<boolean> {
  return (await tx.engagements.find(gkScopeId, gkEngagementId))?.verdict?.verdict === 'FRAUD';
}
