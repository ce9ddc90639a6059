// Rows of sessions: searchable values have columns, details that callers gave about themselves are sealed.
import type {
  FactorKind,
  RetainedCaveats,
  Session,
  SessionDetails,
  SessionError,
} from '../../biometrics/model/sessions.js';
import { flag, fromJson, isSet, optional, orNull, readTimes, storedTimes, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { SessionsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { openJson, sealJson } from '../sealing/sealed-json.js';

export type SessionDocument = Pick<
  Session,
  | 'isTest'
  | 'intent'
  | 'configsetId'
  | 'decision'
  | 'completedAtMs'
  | 'isErased'
  | 'retained'
  | 'hadOtherPerson'
  | 'hadOtherClaimed'
  | 'claimEnd'
  | 'wasClaimOpen'
  | 'isClaimErased'
>;

function storedDetails({ error, ...details }: SessionDetails): object {
  return { ...details, ...(error && { error: storedTimes(error, 'at') }) };
}

function readDetails({ error, ...details }: SessionDetails): SessionDetails {
  return { ...details, ...(error && { error: readTimes<SessionError>(error, 'at') }) };
}

/** Retained caveats, as 0.2.0 names them; also that no attack check was made, and that a list had members that were not compared. */
interface StoredCaveats {
  undecidedChecks?: readonly FactorKind[];
  missingChecks?: readonly FactorKind[];
  isUnchecked?: true;
  isListOpen?: true;
  hasLeftOutMembers?: true;
  leftOutCaller?: string;
  carried?: StoredCaveats & { gkSessionId: string };
}

function storedCaveats({
  unresolvedChecks: undecidedChecks,
  isCallerMixed,
  inheritedFrom,
  ...rest
}: RetainedCaveats): StoredCaveats {
  return {
    ...rest,
    ...(undecidedChecks && { undecidedChecks }),
    ...(isCallerMixed && { leftOutCaller: 'CALLER' }),
    ...(inheritedFrom && {
      carried: { ...storedCaveats(inheritedFrom), gkSessionId: inheritedFrom.gkSessionId },
    }),
  };
}

function readCaveats({
  undecidedChecks: unresolvedChecks,
  missingChecks,
  isUnchecked,
  isListOpen,
  hasLeftOutMembers,
  leftOutCaller,
  carried,
}: StoredCaveats): RetainedCaveats {
  const missing: FactorKind[] = [
    ...(isUnchecked ? (['SYNTHETIC_SPEECH'] as const) : []),
    ...(missingChecks ?? []),
  ];
  return {
    ...(unresolvedChecks && { unresolvedChecks }),
    ...(missing.length > 0 && { missingChecks: missing }),
    ...((isListOpen ?? hasLeftOutMembers) && { isListOpen: true as const }),
    ...(leftOutCaller !== undefined && { isCallerMixed: true as const }),
    ...(carried && { inheritedFrom: { ...readCaveats(carried), gkSessionId: carried.gkSessionId } }),
  };
}

function readDocument(document: string): SessionDocument {
  const { marks, ...rest } = readTimes<SessionDocument & { marks?: StoredCaveats }>(
    fromJson(document),
    'completedAt',
  );
  return { ...rest, ...(marks && { retained: readCaveats(marks) }) };
}

const placeOf = (gkSessionId: string) => `sessions/details/${gkSessionId}`;

export async function toRow(
  db: Db,
  keyring: Keyring,
  session: Session,
): Promise<Omit<SessionsTable, 'cut_off_at'>> {
  const {
    isTest,
    intent,
    configsetId,
    decision,
    completedAtMs,
    isErased,
    retained,
    hadOtherPerson,
    hadOtherClaimed,
    claimEnd,
    wasClaimOpen,
    isClaimErased,
  } = session;
  return {
    gk_session_id: session.gkSessionId,
    gk_scope_id: session.gkScopeId,
    gk_engagement_id: session.gkEngagementId,
    session_type: session.sessionType,
    is_active: flag(session.isActive),
    claimed_gk_person_id: orNull(session.claimedGkPersonId),
    document: toJson({
      isTest,
      intent,
      configsetId,
      decision,
      completedAt: completedAtMs,
      isErased,
      marks: retained && storedCaveats(retained),
      hadOtherPerson,
      hadOtherClaimed,
      claimEnd,
      wasClaimOpen,
      isClaimErased,
    }),
    details: sealJson(
      await keyring.forTenant(db, session.gkScopeId),
      placeOf(session.gkSessionId),
      storedDetails(session.details),
    ),
    created_at: session.createdAtMs,
    modified_at: session.modifiedAtMs,
    last_activity_at: session.lastActivityAtMs,
  };
}

export function fromRow(row: SessionsTable, sealer: TenantSealer): Session {
  return {
    gkSessionId: row.gk_session_id,
    gkScopeId: row.gk_scope_id,
    gkEngagementId: row.gk_engagement_id,
    sessionType: row.session_type as Session['sessionType'],
    isActive: isSet(row.is_active),
    ...optional('claimedGkPersonId', row.claimed_gk_person_id),
    ...readDocument(row.document),
    details: readDetails(openJson(sealer, placeOf(row.gk_session_id), row.details)),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
    lastActivityAtMs: row.last_activity_at,
  };
}
