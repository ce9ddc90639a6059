// Records what was done with a recording in the session that it came in.
import type { Named } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import type { MediaSegment } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { AuditAct } from '../../words/audit/english.js';

export function auditMedia<D extends Named<D>>(
  tx: BiometricsTransaction,
  call: Call,
  { gkScopeId, gkEngagementId, gkSessionId, gkMediaSegmentId, gkPersonId }: MediaSegment,
  operation: AuditAct,
  detail: D,
): Promise<void> {
  const subjects = [gkMediaSegmentId, ...(gkPersonId ? [gkPersonId] : [])];
  return audit(tx, call, {
    type: 'MEDIA_EVENT',
    operation,
    gkScopeId,
    gkEngagementId,
    gkSessionId,
    subjects,
    detail,
  });
}
