// What persons, fraudsters, sessions and notes about them are found by, and what lists can be sorted by.
import type { Party } from '../model/entities.js';
import type { Decision } from '../model/outcome.js';
import {
  caseNumberOf,
  noteOf,
  type Engagement,
  type Session,
  type SessionAbout,
  type SessionType,
} from '../model/sessions.js';
import type { SessionStanding } from '../rules/session-standing.js';
import { digitsOf, searchable } from './match-text.js';
import type { IndexEntry } from './text-index.js';

export interface PartyIndexEntry extends IndexEntry {
  /** The own ID. */
  identifier: string;
  /** What lists are ordered by, once somebody has asked for it: the entry is made anew when something changes. */
  nameKey?: string;
}

export interface SessionIndexEntry extends IndexEntry {
  gkEngagementId: string;
  sessionType: SessionType;
  /** Digits of the caller's number, without zeros in front. */
  number: string;
  /** Whom it claims to be with, then whom it is about by what ran in it. */
  gkPersonIds: readonly string[];
  /** Known fraudsters who were recognized or enrolled in it. */
  gkFraudsterIds: readonly string[];
  /** As stored: one that was idle too long is over all the same. */
  isActive: boolean;
  /** Of sessions that were stopped. */
  decision?: Decision;
  /** Of the others, once somebody has asked for it: the entry is made anew when something changes. */
  decisionSoFar?: Decision | 'none';
  /** What lists say that it came to, known at once or as soon as somebody has asked for it. */
  standing?: SessionStanding;
  /** A lock has refused verifications in it. */
  isRefused: boolean;
}

/** What analysts wrote down about an engagement; its sessions are found by it. */
export interface NotesIndexEntry extends IndexEntry {
  caseNumber: string;
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

/** The case, the note, and what was said about the outcome. */
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
  const { claimedGkPersonId, decision } = session;
  const named = about?.persons.map(({ gkPersonId }) => gkPersonId) ?? [];
  return {
    id: session.gkSessionId,
    createdAtMs: session.createdAtMs,
    gkEngagementId: session.gkEngagementId,
    sessionType: session.sessionType,
    isActive: session.isActive,
    number: digitsOf(session.details.ani).replace(/^0+/, ''),
    gkPersonIds: [...new Set([...(claimedGkPersonId === undefined ? [] : [claimedGkPersonId]), ...named])],
    gkFraudsterIds: about ? [...about.gkFraudsterIds, ...about.gkEnrolledFraudsterIds] : [],
    ...(decision && { decision: decision.decision }),
    ...(decision && decision.decision !== 'UNCERTAIN' && { standing: decision.decision }),
    isRefused: (about?.refused ?? 0) > 0,
    ...searchable(sessionTexts(session)),
  };
}
