// Tables that every installation has: tenants, the keys that seal their content, the audit chains,
// and settings of the installation itself.

export interface ScopesTable {
  gk_scope_id: string;
  scope_id: string;
  customer_name: string;
  description: string;
  is_billable: number;
  state: string;
  profile: string;
  type: string;
  expected_persons_number: number;
  go_live_at: number | null;
  /** Set from the first time the tenant is ACTIVE: its deletion is then delayed. */
  activated_at: number | null;
  delete_after: number | null;
  created_at: number;
  modified_at: number;
}

interface SealingKeysTable {
  scope_key: string;
  version: number;
  /** The data key under the master key; null once it was destroyed. See src/storage/sealing/keyring.ts. */
  wrapped_key: Uint8Array | null;
  master_key_id: string;
  created_at: number;
  destroyed_at: number | null;
}

interface AuditHeadsTable {
  scope_key: string;
  seq: number;
  hash: string;
}

export interface AuditRecordsTable {
  scope_key: string;
  seq: number;
  time: number;
  record_type: string;
  operation: string;
  actor_subject: string;
  actor_issuer: string;
  context: string;
  subject_ids: string;
  detail: string;
  /** Sealed; null if there was none, and after erasure. */
  personal: Uint8Array | null;
  personal_digest: string | null;
  prev_hash: string;
  hash: string;
}

/** Which records name which subject, so that the personal part of a subject's records can be erased. */
interface AuditSubjectsTable {
  scope_key: string;
  subject_id: string;
  seq: number;
}

interface SettingsTable {
  name: string;
  value: string;
}

export interface CoreTables {
  scopes: ScopesTable;
  sealing_keys: SealingKeysTable;
  audit_heads: AuditHeadsTable;
  audit_records: AuditRecordsTable;
  audit_subjects: AuditSubjectsTable;
  settings: SettingsTable;
}
