// What the audit domain asks of its store, and what other domains get from it: a way to append inside
// their own transaction.
import type { AuditEntry, AuditRecord, RecordType } from './model.js';

/** Bound to a transaction by the store: the record is committed with the change that it describes. */
export interface AuditAppender {
  append(entry: AuditEntry): Promise<void>;
}

export interface AuditQuery {
  chain: string;
  recordType?: RecordType;
  /** Only records after this position. */
  afterSeq: number;
  /** Inclusive. */
  fromMs?: number;
  toMs?: number;
  limit: number;
}

export interface AuditSearch {
  chain: string;
  /** Any of these; empty means all. */
  recordTypes?: readonly RecordType[];
  /** Only records before this position. */
  beforeSeq?: number;
  /** The end is exclusive. */
  fromMs?: number;
  toMs?: number;
  gkSessionId?: string;
  gkEngagementId?: string;
  /** Any of these, such as `client.create`; empty means all. */
  operations?: readonly string[];
  /** Who acted: the ID of a user or client. */
  actor?: string;
  /** What it was done to. */
  subjectId?: string;
  /** Without `passing` operations. */
  changesOnly?: boolean;
  /** Text inside the record, without regard to case. Personal parts are sealed and not searched. */
  text?: string;
  /** The people and things whose name is this text: records about these are found as well. */
  named?: { actors: readonly string[]; subjects: readonly string[] };
  limit: number;
}

/** Names of those who act; whoever is gone has none any more. */
export interface Actors {
  namesOf(subjects: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those whose name has the text in it. */
  called(text: string): Promise<readonly string[]>;
  /** The user with this ID or user name. */
  userNamed(name: string): Promise<NamedUser | undefined>;
}

interface NamedUser {
  userId: string;
  isLocked: boolean;
  reaches(tenantId: string): boolean;
}

/** A record with the links that prove its place. */
export interface ChainedRecord {
  record: AuditRecord;
  prevHash: string;
  hash: string;
  /** The hash that its stored content gives now. */
  computedHash: string;
}

export interface ChainHead {
  seq: number;
  hash: string;
}

export interface AuditReader {
  chains(): Promise<string[]>;
  head(chain: string): Promise<ChainHead | undefined>;
  read(query: AuditQuery): Promise<AuditRecord[]>;
  /** Newest first. */
  search(query: AuditSearch): Promise<ChainedRecord[]>;
  readChained(chain: string, afterSeq: number, limit: number): Promise<ChainedRecord[]>;
  /** Opens sealed personal parts; one that was erased or whose key is gone gives undefined. */
  openPersonal(record: AuditRecord): Promise<Record<string, unknown> | undefined>;
  /** What records of these operations say of the subjects in their personal parts, oldest first; nothing of what was erased. */
  personalAbout(
    chain: string,
    subjectIds: readonly string[],
    operations: readonly string[],
  ): Promise<PersonalSaid[]>;
}

export interface PersonalSaid {
  subjectId: string;
  /** All that the record is about. */
  subjectIds: readonly string[];
  personal: Record<string, unknown>;
}
