// Privacy: everything held about a person, evidence holds, certificates of erasure.
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { AuditReader } from '../../../audit/ports.js';
import { getErasureCertificate, type SignCertificate } from '../../../biometrics/jobs/erasure-certificate.js';
import { exportPersonalData } from '../../../biometrics/jobs/export-person.js';
import type { MediaDeps } from '../../../biometrics/media/deps.js';
import {
  liftHold,
  listHolds,
  placeHold,
  type NamedHold,
  type PlacingDeps,
} from '../../../biometrics/media/holds.js';
import { Privacy } from '../../../gen/voxgate/biosec/v1/privacy_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { biosecAccess, contextOf, present, timestampOf, unique, valueOf } from './shared.js';

type PrivacyDeps = MediaDeps & PlacingDeps & { audit: AuditReader; signCertificate: SignCertificate };

export function privacyService(deps: PrivacyDeps): ServiceBinding {
  return bindService(Privacy, biosecAccess, {
    exportPersonalData: async (call, request) => {
      const gkPersonId = valueOf(request.gkPersonId);
      const { url, expiresAtMs } = await exportPersonalData(deps, call, {
        context: contextOf(request),
        gkPersonId,
      });
      return { downloadUrl: url, expireTime: timestampOf(expiresAtMs) };
    },
    placeHold: async (call, request) => {
      const hold = await placeHold(deps, call, {
        context: contextOf(request),
        gkPersonId: request.held.case === 'gkPersonId' ? valueOf(request.held.value) : '',
        gkMediaSegmentId: request.held.case === 'gkMediaSegmentId' ? valueOf(request.held.value) : '',
        reason: request.reason,
        ...present('endsAtMs', request.endTime, timestampMs),
      });
      return { hold: holdOf(hold) };
    },
    liftHold: async (call, request) => {
      const { reason } = request;
      await liftHold(deps, call, {
        context: contextOf(request),
        gkHoldId: valueOf(request.gkHoldId),
        reason,
      });
      return {};
    },
    listHolds: async (call, request) => {
      const holds = await listHolds(deps, call, {
        context: contextOf(request),
        ...present('gkPersonId', request.gkPersonId?.value, String),
      });
      return { holds: holds.map(holdOf) };
    },
    getErasureCertificate: async (call, request) => {
      const { certificate, erasures } = await getErasureCertificate(deps, call, {
        context: contextOf(request),
        gkPersonId: valueOf(request.gkPersonId),
      });
      return {
        certificate,
        erasures: erasures.map(({ deleted, kept, audit, ...erasure }) => ({
          requestedBy: erasure.requestedBy ?? '',
          requestedByName: erasure.requestedByName,
          ...present('requestTime', erasure.requestedAtMs, timestampOf),
          completeTime: timestampOf(erasure.completedAtMs),
          deletedRecordingCount: deleted.recordings,
          deletedVoiceprintCount: deleted.voiceprints,
          emptiedSessionCount: deleted.sessions,
          keptRecordingCount: kept.onHold + kept.asFraud + kept.withFraudster + kept.forOthers,
          keptOnHoldCount: kept.onHold,
          keptAsFraudCount: kept.asFraud,
          keptWithFraudsterCount: kept.withFraudster,
          keptForOthersCount: kept.forOthers,
          auditPosition: BigInt(audit.position),
          auditHash: audit.hash,
        })),
      };
    },
  });
}

const holdOf = (hold: NamedHold) => ({
  gkHoldId: unique(hold.gkHoldId),
  ...present('gkPersonId', hold.gkPersonId, unique),
  ...present('gkMediaSegmentId', hold.gkMediaSegmentId, unique),
  reason: hold.reason,
  ...present('endTime', hold.endsAtMs, timestampOf),
  placeTime: timestampOf(hold.placedAtMs),
  placedBy: hold.actor.subject,
  placedByName: hold.actorName,
});
