// The texts by which persons, fraudsters, sessions and notes are found, and the keys by which lists are
// sorted.
import type { Party } from '../model/entities.js';
import {
  caseNumberOf,
  caseOwnerOf,
  noteOf,
  type Engagement,
  type Session,
  type SessionAbout,
  type SessionType,
} from '../model/sessions.js';
import { digitsOf, searchable } from './match-text.js';
import type { IndexEntry } from './text-index.js';

export interface PartyIndexEntry extends IndexEntry {
  /** The own ID. */
  identifier: string;
  /** The sort key of lists, once requested: the entry is replaced when something changes. */
  nameKey?: string;
}

export interface SessionIndexEntry extends IndexEntry {
  gkEngagementId: string;
  sessionType: SessionType;
  isTest: boolean;
  /** Digits of the caller's number, without leading zeros. */
  number: string;
  /** The claimed person, then those it is about according to what ran in it. */
  gkPersonIds: readonly string[];
  /** Known fraudsters who were recognized or enrolled in it. */
  gkFraudsterIds: readonly string[];
  /** As stored: a session that was idle too long is over nevertheless. */
  isActive: boolean;
  /** What came of it, once requested: the entry is replaced when something changes. */
  headline?: string;
}

/** Notes of analysts on an engagement; its sessions are found by them. */
export interface NotesIndexEntry extends IndexEntry {
  caseNumber: string;
  caseOwner: string;
}

/** The texts by which a person or fraudster is found. */
export function partyTexts({ externalId, details }: Party): string[] {
  const { firstName, lastName, phoneNumbers = [] } = details;
  return [externalId, `${firstName} ${lastName}`, ...phoneNumbers];
}

/** The texts of a session itself; the claimed person has their own. */
export function sessionTexts({ gkSessionId, gkEngagementId, details }: Session): string[] {
  const { sessionId, ani, dnis, agentId } = details;
  return [gkSessionId, gkEngagementId, sessionId, ani, dnis, agentId];
}

/** The case, the note, and the text with the outcome. */
export function engagementTexts(engagement: Engagement): string[] {
  const { verdict } = engagement;
  const amount = verdict?.amount?.toString() ?? '';
  return [caseNumberOf(engagement), noteOf(engagement), verdict?.description ?? '', amount];
}

export function notesIndexEntry(engagement: Engagement): NotesIndexEntry {
  return {
    id: engagement.gkEngagementId,
    createdAtMs: engagement.createdAtMs,
    caseNumber: caseNumberOf(engagement),
    caseOwner: caseOwnerOf(engagement),
    ...searchable(engagementTexts(engagement)),
  };
}

export function partyIndexEntry(party: Party): PartyIndexEntry {
  return {
    id: party.gkId,
    createdAtMs: party.createdAtMs,
    identifier: party.externalId,
    ...searchable(partyTexts(party)),
  };
}

export function sessionIndexEntry(session: Session, about?: SessionAbout): SessionIndexEntry {
  const { claimedGkPersonId } = session;
  const named = about?.persons.map(({ gkPersonId }) => gkPersonId) ?? [];
  return {
    id: session.gkSessionId,
    createdAtMs: session.createdAtMs,
    gkEngagementId: session.gkEngagementId,
    sessionType: session.sessionType,
    isTest: session.isTest,
    isActive: session.isActive,
    number: digitsOf(session.details.ani).replace(/^0+/, ''),
    gkPersonIds: [...new Set([...(claimedGkPersonId === undefined ? [] : [claimedGkPersonId]), ...named])],
    gkFraudsterIds: about ? [...about.gkFraudsterIds, ...about.gkEnrolledFraudsterIds] : [],
    ...searchable(sessionTexts(session)),
  };
}
