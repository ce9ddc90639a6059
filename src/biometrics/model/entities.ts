// People (customers and known fraudsters) and the sets they are gathered in (groups and watchlists).
import type { CustomData } from './outcome.js';

export type Gender = 'MALE' | 'FEMALE' | 'UNKNOWN' | 'NON_BINARY';

export type PartyKind = 'PERSON' | 'FRAUDSTER';

export interface Consent {
  status: 'OPTED_IN' | 'OPTED_OUT';
  agentId: string;
  reason: string;
  atMs: number;
  /** When the opt-in may be offered again. */
  optInAtMs?: number;
}

/** Personal details; stored sealed. */
export interface PartyDetails {
  firstName: string;
  lastName: string;
  gender?: Gender;
  preferredLanguage: string;
  phoneNumbers: readonly string[];
  customData: CustomData;
}

export interface Party {
  kind: PartyKind;
  gkId: string;
  gkScopeId: string;
  /** The caller's own ID, unique inside the tenant and kind. */
  externalId: string;
  details: PartyDetails;
  consent?: Consent;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** A group holds persons, a watchlist holds fraudsters. */
export type CollectionKind = 'GROUP' | 'WATCHLIST';

export interface Collection {
  kind: CollectionKind;
  gkId: string;
  gkScopeId: string;
  externalId: string;
  customData: CustomData;
  createdAtMs: number;
  modifiedAtMs: number;
}
