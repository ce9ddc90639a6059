// What the voiceprint service needs from outside: its repositories, either for reading or for changes in one transaction with
// the audit trail; the tenants that exist; and a place for media bytes.
import type { AuditAppender } from '../../audit/ports.js';
import type { AssessmentRepository } from './assessments.js';
import type { ShadowRepository } from './shadows.js';
import type { CallVoiceRepository } from './call-voices.js';
import type { CalibrationRepository } from './calibrations.js';
import type { ConfigsetRepository } from './configsets.js';
import type { BatchRepository } from './batches.js';
import type { CollectionRepository, PartyRepository } from './entities.js';
import type { GallerySnapshotRepository } from './gallery-snapshots.js';
import type { HandoverRepository } from './handovers.js';
import type { ErasureRepository } from './erasure.js';
import type { FindingRepository } from './findings.js';
import type { HoldRepository } from './holds.js';
import type { JobRepository } from './jobs.js';
import type { AgentTokenRepository, LiveCallRepository, LiveRequestRepository } from './live-calls.js';
import type { LiveOutcomeRepository } from './live-outcomes.js';
import type { MediaRepository, ProcessedAudioRepository } from './media.js';
import type { EnrollmentRepository, PrintChangeRepository, ProfileRepository } from './profiles.js';
import type { PromptRepository } from './prompts.js';
import type { SamePersonRepository } from './same-persons.js';
import type { EngagementRepository, FactorRepository, SessionRepository } from './sessions.js';
import type { NamingRecord } from '../rules/names-of-person.js';
import type { VoiceGroupRepository } from './voice-groups.js';

export interface Repositories {
  engagements: EngagementRepository;
  sessions: SessionRepository;
  factors: FactorRepository;
  assessments: AssessmentRepository;
  parties: PartyRepository;
  collections: CollectionRepository;
  profiles: ProfileRepository;
  printChanges: PrintChangeRepository;
  gallerySnapshots: GallerySnapshotRepository;
  enrollment: EnrollmentRepository;
  media: MediaRepository;
  holds: HoldRepository;
  prompts: PromptRepository;
  processedAudios: ProcessedAudioRepository;
  callVoices: CallVoiceRepository;
  voiceGroups: VoiceGroupRepository;
  configsets: ConfigsetRepository;
  calibrations: CalibrationRepository;
  findings: FindingRepository;
  jobs: JobRepository;
  batches: BatchRepository;
  erasure: ErasureRepository;
  shadows: ShadowRepository;
  samePersons: SamePersonRepository;
  handovers: HandoverRepository;
  liveOutcomes: LiveOutcomeRepository;
  liveCalls: LiveCallRepository;
  liveRequests: LiveRequestRepository;
  agentTokens: AgentTokenRepository;
}

export interface BiometricsTransaction extends Repositories {
  /** Written when everything else in the transaction is done, so that nobody locks the trail while waiting for something else. */
  audit: AuditAppender;
  auditAtOnce: AuditAppender;
  /** Shreds the personal part of every audit record that names the subject; returns how many had one. */
  eraseAuditedPersonalData(gkScopeId: string, subjectId: string): Promise<number>;
  /** The personal parts of the audit records of these operations that name the subject, oldest first. */
  auditedPersonalData(
    gkScopeId: string,
    subjectId: string,
    operations: readonly string[],
  ): Promise<NamingRecord[]>;
  /** Runs once the transaction is durable; for caches and wake-ups, never for state. */
  afterCommit(hook: () => void): void;
}

export interface BiometricsStore {
  /** For reads that need no transaction. */
  read: Repositories;
  /** May run `work` more than once; it must change nothing outside the store. */
  transaction<T>(work: (tx: BiometricsTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs several operations, each with its own transactions, and then `last`, as one: durable together, or not at all if
   * `last` throws. If `work` throws, what it had done is kept.
   */
  asOne<T>(work: () => Promise<T>, last: (tx: BiometricsTransaction, result: T) => Promise<void>): Promise<T>;
}

export interface Tenants {
  /** Whether the tenant exists and accepts calls (it may be pending deletion, but not deleted). */
  isUsable(gkScopeId: string): Promise<boolean>;
}
