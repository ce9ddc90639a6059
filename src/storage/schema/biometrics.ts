// Tables of the voiceprint service. Values that queries search have columns; the rest of an entity is one
// JSON document. Documents with personal or biometric data are sealed (bytes), the others are text.
import type { CallFindingsTable } from './call-findings.js';
import type {
  LiveAgentTokensTable,
  LiveCallsTable,
  LiveHandoversTable,
  LiveOutcomesTable,
  LiveRequestsTable,
} from './live-calls.js';
import type { SessionAssessmentsTable, SessionCaveatsTable, UnassessedSessionsTable } from './assessments.js';
import type { EvidenceHoldsTable } from './holds.js';
import type { LivenessPromptsTable } from './prompts.js';
import type { SamePersonsTable } from './same-persons.js';
import type { Generated } from 'kysely';

export interface EngagementsTable {
  gk_engagement_id: string;
  gk_scope_id: string;
  engagement_id: string;
  correlation_id: string;
  is_active: number;
  document: string;
  created_at: number;
  modified_at: number;
  last_activity_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

export interface SessionsTable {
  gk_session_id: string;
  gk_scope_id: string;
  gk_engagement_id: string;
  session_type: string;
  is_active: number;
  claimed_gk_person_id: string | null;
  document: string;
  /** Sealed: caller numbers and free text. */
  details: Uint8Array;
  created_at: number;
  modified_at: number;
  last_activity_at: number;
  /** Written separately from the rest of the session. */
  cut_off_at: number | null;
}

export interface FactorsTable {
  factor_id: string;
  gk_scope_id: string;
  gk_engagement_id: string;
  gk_session_id: string;
  kind: string;
  document: string;
  /** These are in the document as well; nodes of 0.2.0 write only that. */
  operation: string | null;
  decision: string | null;
  gk_voiceprint_profile_id: string | null;
  gk_processed_audio_id: string | null;
  created_at: number;
}

export interface PartiesTable {
  gk_id: string;
  gk_scope_id: string;
  kind: string;
  external_id: string;
  /** The sort key of lists, if it differs from the own ID. */
  sort_key: string | null;
  consent: string | null;
  /** Sealed: names, numbers, custom data. */
  details: Uint8Array;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

export interface CollectionsTable {
  gk_id: string;
  gk_scope_id: string;
  kind: string;
  external_id: string;
  /** The sort key of lists, if it differs from the own ID. */
  sort_key: string | null;
  custom_data: string;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

interface CollectionMembersTable {
  collection_gk_id: string;
  member_gk_id: string;
  gk_scope_id: string;
  added_at: number;
}

export interface VoiceprintProfilesTable {
  gk_voiceprint_profile_id: string;
  gk_scope_id: string;
  gk_owner_id: string;
  owner_type: string;
  tag: string;
  status: string;
  version: number;
  lock: string;
  near_term_adaptation: number;
  custom_data: string;
  calibration_revision_id: string | null;
  configset_id: string | null;
  /** Sealed. */
  template: Uint8Array | null;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

export interface EnrollmentSegmentsTable {
  gk_voiceprint_profile_id: string;
  gk_processed_audio_id: string;
  gk_media_segment_id: string;
  gk_engagement_id: string;
  consistency: string | null;
  consistency_score: number | null;
  used_for_train: number;
  position: number;
  added_at: number;
}

export interface MediaSegmentsTable {
  gk_media_segment_id: string;
  gk_scope_id: string;
  gk_engagement_id: string;
  gk_session_id: string;
  gk_person_id: string | null;
  legal_hold: number;
  blob_id: string | null;
  document: string;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

/** Whose voice a recording holds; see src/storage/biometrics/voice-links.ts. */
interface VoiceTiesTable {
  gk_person_id: string;
  gk_media_segment_id: string;
  gk_scope_id: string;
  /** Nothing is known about the recording itself: the person was recognized in its session. */
  by_session: Generated<number>;
  /** The person's voice was recognized in it or enrolled from it: the session is theirs. */
  is_speaker: Generated<number>;
  /** It was not erased with the person, because of a hold or a verdict. */
  is_kept: Generated<number>;
}

/** A call in the session has asked for this person alone. */
interface AskedPersonsTable {
  gk_person_id: string;
  gk_session_id: string;
  gk_engagement_id: string;
  gk_scope_id: string;
  /** The session was not emptied with the person, because of a hold or a verdict. */
  is_kept: number;
}

/** Erased persons, by nothing but the ID that they had here. */
interface ErasedPersonsTable {
  gk_person_id: string;
  gk_scope_id: string;
  erased_at: number;
}

/**
 * Deleted prints of persons, by bare IDs: they say whose recording it is that still arrives for one of them.
 */
interface FormerPrintsTable {
  gk_voiceprint_profile_id: string;
  gk_scope_id: string;
  gk_person_id: string;
}

/** Deleted prints of fraudsters, by bare IDs: checks that recognized somebody name only the print. */
interface FormerFraudsterPrintsTable {
  gk_voiceprint_profile_id: string;
  gk_scope_id: string;
  gk_fraudster_id: string;
}

export interface ProcessedAudiosTable {
  gk_processed_audio_id: string;
  gk_scope_id: string;
  gk_media_segment_id: string;
  document: string;
  /** Sealed embeddings; null when there was no usable speech. */
  model: Uint8Array | null;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
  /** Sealed; null if there is no usable speech, and in rows from before fingerprints. */
  fingerprint: Uint8Array | null;
}

/** The voice of processed audio; see src/storage/biometrics/call-voices.ts. */
export interface CallVoicesTable {
  gk_processed_audio_id: string;
  gk_scope_id: string;
  gk_media_segment_id: string;
  gk_session_id: string;
  created_at: number;
  /** Sealed. */
  voice: Uint8Array;
  /** The block that also contains it. */
  block_id: string | null;
  /** The group of recordings of the same voice; see src/storage/biometrics/voice-groups.ts. */
  group_id: string | null;
  /** The score with which it joined the group; null for the first. */
  group_llr: number | null;
  is_group_sample: number | null;
}

/** Voices of many recordings together; see src/storage/biometrics/voice-blocks.ts. */
interface VoiceBlocksTable {
  block_id: string;
  gk_scope_id: string;
  /** How many recordings are in it. */
  calls: number;
  /** Of the newest recording in it. */
  newest_at: number;
  /** Sealed. */
  voices: Uint8Array;
}

/** The middle (centroid) of a group of recordings of one voice. */
interface VoiceGroupsTable {
  group_id: string;
  gk_scope_id: string;
  /** How many recordings it is made of. */
  samples: number;
  /** Sealed. */
  middle: Uint8Array;
}

/** The basis of a tenant's groups. */
interface VoiceGroupingsTable {
  gk_scope_id: string;
  basis: string;
  version: number;
}

export interface ConfigsetRevisionsTable {
  gk_configset_revision_id: string;
  gk_scope_id: string;
  config_class: string;
  /** Lower case, for comparison. */
  configset_key: string;
  state: string;
  document: string;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

export interface CalibrationRevisionsTable {
  gk_calibration_model_revision_id: string;
  gk_scope_id: string;
  calibration_model_id: string;
  type: string;
  state: string;
  document: string;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

export interface JobsTable {
  gk_job_id: string;
  gk_scope_id: string;
  kind: string;
  state: string;
  lease_until: number | null;
  expires_at: number | null;
  document: string;
  created_at: number;
  modified_at: number;
  /** Sealed; see src/storage/biometrics/texts.ts. */
  texts: Uint8Array | null;
}

interface ShadowRunsTable {
  gk_scope_id: string;
  /** Lower case, for comparison. */
  configset_key: string;
  gk_configset_revision_id: string;
  since: number;
  /** Null while it runs. */
  ended: number | null;
}

/** The number of the last change, per tenant. */
interface PrintStampsTable {
  gk_scope_id: string;
  seq: number;
}

export interface PrintChangesTable {
  gk_scope_id: string;
  seq: number;
  kind: string;
  gk_id: string;
  member_gk_id: string;
}

export interface GallerySnapshotsTable {
  snapshot_id: string;
  gk_scope_id: string;
  collection_gk_id: string;
  made_for: string;
  seq: number;
  prints: number;
  /** JSON. */
  blob_ids: string;
  created_at: number;
}

/** A line of a batch; without an outcome it has not been processed yet. */
export interface BatchItemsTable {
  item_id: string;
  gk_job_id: string;
  gk_scope_id: string;
  line: number;
  outcome: string | null;
  /** Null in lines that ended before this column existed. */
  reason: string | null;
  sealed: Uint8Array;
  result: Uint8Array | null;
}

export interface BiometricsTables {
  batch_items: BatchItemsTable;
  engagements: EngagementsTable;
  sessions: SessionsTable;
  factors: FactorsTable;
  parties: PartiesTable;
  collections: CollectionsTable;
  collection_members: CollectionMembersTable;
  voiceprint_profiles: VoiceprintProfilesTable;
  enrollment_segments: EnrollmentSegmentsTable;
  media_segments: MediaSegmentsTable;
  voice_ties: VoiceTiesTable;
  asked_persons: AskedPersonsTable;
  erased_persons: ErasedPersonsTable;
  former_prints: FormerPrintsTable;
  former_fraudster_prints: FormerFraudsterPrintsTable;
  processed_audios: ProcessedAudiosTable;
  call_voices: CallVoicesTable;
  call_findings: CallFindingsTable;
  voice_blocks: VoiceBlocksTable;
  voice_groups: VoiceGroupsTable;
  voice_groupings: VoiceGroupingsTable;
  configset_revisions: ConfigsetRevisionsTable;
  calibration_revisions: CalibrationRevisionsTable;
  jobs: JobsTable;
  shadow_runs: ShadowRunsTable;
  live_handovers: LiveHandoversTable;
  live_outcomes: LiveOutcomesTable;
  live_calls: LiveCallsTable;
  live_requests: LiveRequestsTable;
  live_agent_tokens: LiveAgentTokensTable;
  print_stamps: PrintStampsTable;
  print_changes: PrintChangesTable;
  gallery_snapshots: GallerySnapshotsTable;
  same_persons: SamePersonsTable;
  evidence_holds: EvidenceHoldsTable;
  liveness_prompts: LivenessPromptsTable;
  session_assessments: SessionAssessmentsTable;
  session_caveats: SessionCaveatsTable;
  unassessed_sessions: UnassessedSessionsTable;
}
