// What persons, fraudsters and sessions are found by, and what their lists can be ordered by.
import type { Party } from '../model/entities.js';
import type { Decision } from '../model/outcome.js';
import type { Session, SessionType } from '../model/sessions.js';
import { digitsOf, searchable } from './match-text.js';
import type { IndexEntry } from './text-index.js';

export interface PartyIndexEntry extends IndexEntry {
  /** The own ID. */
  identifier: string;
}

export interface SessionIndexEntry extends IndexEntry {
  sessionType: SessionType;
  /** Digits of the caller's number, without zeros in front. */
  number: string;
  claimedGkPersonId?: string;
  /** Of sessions that are over. */
  decision?: Decision;
}

/** What a person or fraudster is known by. */
export function partyTexts({ externalId, details }: Party): string[] {
  const { firstName, lastName, phoneNumbers = [] } = details;
  return [externalId, `${firstName} ${lastName}`, ...phoneNumbers];
}

/** What a session itself is known by; the person it claims to be has texts of its own. */
export function sessionTexts({ gkSessionId, gkEngagementId, details }: Session): string[] {
  const { sessionId, ani, dnis, agentId } = details;
  return [gkSessionId, gkEngagementId, sessionId, ani, dnis, agentId];
}

export function partyIndexEntry(party: Party): PartyIndexEntry {
  return {
    id: party.gkId,
    createdAtMs: party.createdAtMs,
    identifier: party.externalId,
    ...searchable(partyTexts(party)),
  };
}

export function sessionIndexEntry(session: Session): SessionIndexEntry {
  const { claimedGkPersonId, decision } = session;
  return {
    id: session.gkSessionId,
    createdAtMs: session.createdAtMs,
    sessionType: session.sessionType,
    number: digitsOf(session.details.ani).replace(/^0+/, ''),
    ...(claimedGkPersonId !== undefined && { claimedGkPersonId }),
    ...(decision && { decision: decision.decision }),
    ...searchable(sessionTexts(session)),
  };
}
