// What a session was for, derived from what ran in it (docs/reference/voiceprint-management.md#session-intent), unless the
// caller has stated it.
import type { Factor, Session, SessionIntent } from '../model/sessions.js';

export function deriveIntent(session: Session, engagementFactors: readonly Factor[]): SessionIntent {
  const kinds = new Set(
    engagementFactors
      .filter((factor) => factor.gkSessionId === session.gkSessionId)
      .map((factor) => factor.kind),
  );
  if (kinds.has('ENROLLMENT')) return 'ENROLLMENT';
  if (kinds.has('AUTHENTICATION')) return 'VERIFICATION';
  if (kinds.has('FRAUD_DETECTION')) return 'FRAUD_DETECTION';
  return 'OTHER';
}
