// GetErasureCertificate: what the audit chain proves about the erasure of a person, signed so that somebody outside can check it.
import type { ChainedRecord } from '../../audit/ports.js';
import type { Actors, AuditReader } from '../../audit/ports.js';
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { ErasureProof } from './erasure-plan.js';

/** Compact JWS over these claims, with the current signing key. */
export type SignCertificate = (claims: object) => string;

interface CertifiedErasure {
  /** Absent if it ran by itself, because something came or was released later. */
  requestedBy?: string;
  requestedByName: string;
  requestedAtMs?: number;
  completedAtMs: number;
  deleted: { recordings: number; voiceprints: number; sessions: number };
  kept: { onHold: number; asFraud: number; withFraudster: number; forOthers: number };
  audit: { position: number; hash: string };
}

/** More have never been seen: each needs something that came after the one before. */
const ERASURES_MAX = 100;

export async function getErasureCertificate(
  deps: BiometricsDeps & { audit: AuditReader; actors: Actors; signCertificate: SignCertificate },
  call: Call,
  input: { context: RequestContext; gkPersonId: string },
): Promise<{ certificate: string; erasures: CertifiedErasure[] }> {
  const { gkPersonId } = input;
  const faults = new Faults().required('gk_person_id', gkPersonId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const found = await deps.audit.search({
    chain: gkScopeId,
    recordTypes: ['DELETE_PERSONAL_DATA_EVENT', 'PERSONAL_DATA_DELETED_EVENT'],
    operations: ['DeletePersonalData'],
    subjectId: gkPersonId,
    limit: 2 * ERASURES_MAX,
  });
  const oldestFirst = found.toReversed();
  const requests = oldestFirst.filter(({ record }) => record.recordType === 'DELETE_PERSONAL_DATA_EVENT');
  const proofs = oldestFirst.filter(({ record }) => record.recordType === 'PERSONAL_DATA_DELETED_EVENT');
  if (proofs.length === 0) throw notFound('completed erasure of this person', 'gk_person_id');
  const names = await deps.actors.namesOf(requests.map(({ record }) => record.actor.subject));
  const erasures = proofs.map((proof) => erasureOf(proof, requests, names));
  const certificate = deps.signCertificate({
    sub: gkPersonId,
    gkScopeId,
    erasures: erasures.map(({ requestedAtMs, completedAtMs, ...erasure }) => ({
      ...erasure,
      ...(requestedAtMs !== undefined && { requestTime: new Date(requestedAtMs).toISOString() }),
      completeTime: new Date(completedAtMs).toISOString(),
    })),
  });
  return { certificate, erasures };
}

function erasureOf(
  { record, hash }: ChainedRecord,
  requests: readonly ChainedRecord[],
  names: ReadonlyMap<string, string>,
): CertifiedErasure {
  const proof = record.detail as unknown as ErasureProof & { gkJobId: string };
  const request = requests.find((one) => one.record.detail['gkJobId'] === proof.gkJobId)?.record;
  return {
    ...(request && { requestedBy: request.actor.subject, requestedAtMs: request.atMs }),
    requestedByName: (request && names.get(request.actor.subject)) ?? '',
    completedAtMs: record.atMs,
    deleted: { recordings: proof.media, voiceprints: proof.prints, sessions: proof.sessions },
    kept: {
      onHold: proof.keptOnLegalHold,
      asFraud: proof.keptAsFraud,
      withFraudster: proof.keptWithFraudster ?? 0,
      forOthers: proof.keptForOthers,
    },
    audit: { position: record.seq, hash },
  };
}
