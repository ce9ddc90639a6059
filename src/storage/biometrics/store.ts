// The voiceprint service's store: its repositories over one connection, alone or inside a transaction that
// also holds the audit trail.
import type { BiometricsStore, BiometricsTransaction, Repositories } from '../../biometrics/ports/store.js';
import { ConfigsetCache } from '../../biometrics/configsets/cache.js';
import { storedAssessments } from '../../biometrics/assessment/gather.js';
import type { AuditLog } from '../audit/audit-log.js';
import { afterCommit, withoutLocks, type Database, type Db, type DialectName, type Tx } from '../database.js';
import type { Keyring } from '../sealing/keyring.js';
import { assessmentRepository } from './assessments.js';
import { batchRepository } from './batch-items.js';
import { calibrationRepository } from './calibrations.js';
import { findingRepository } from './call-findings.js';
import { callVoiceRepository } from './call-voices.js';
import { collectionRepository } from './collections.js';
import { configsetRepository } from './configsets.js';
import { engagementRepository } from './engagements.js';
import { enrollmentRepository } from './enrollment.js';
import { erasureRepository } from './erasure.js';
import { factorRepository } from './factors.js';
import { gallerySnapshotRepository } from './gallery-snapshots.js';
import { handoverRepository } from './handovers.js';
import { holdRepository } from './holds.js';
import { liveCallRepository } from './live-calls.js';
import { liveOutcomeRepository } from './live-outcomes.js';
import { agentTokenRepository, liveRequestRepository } from './live-requests.js';
import { jobRepository } from './jobs.js';
import { mediaRepository } from './media.js';
import { partyRepository } from './parties.js';
import { processedAudioRepository } from './processed-audios.js';
import { printChangeRepository } from './print-changes.js';
import { profileRepository } from './profiles.js';
import { collectChanges } from './reassess.js';
import { promptRepository } from './prompts.js';
import { samePersonRepository } from './same-persons.js';
import { sessionRepository } from './sessions.js';
import { shadowRepository } from './shadow-runs.js';
import { voiceGroupRepository } from './voice-groups.js';

export function createBiometricsStore(
  database: Database,
  keyring: Keyring,
  auditLog: AuditLog,
): BiometricsStore {
  const repositories = repositoriesIn(keyring, database.dialect);
  const within = (tx: Tx): BiometricsTransaction => {
    const all = repositories(tx);
    collectChanges(tx, database.dialect, all.assessments.assess);
    return {
      ...all,
      audit: auditLog.atEndOf(tx),
      auditAtOnce: auditLog.within(tx),
      eraseAuditedPersonalData: (gkScopeId, subjectId) => auditLog.erasePersonal(tx, gkScopeId, subjectId),
      auditedPersonalData: (gkScopeId, subjectId, operations) =>
        auditLog.personalOf(tx, gkScopeId, subjectId, operations),
      afterCommit: (hook) => afterCommit(tx, hook),
    };
  };
  return {
    read: repositories(database.db),
    transaction: (work) => database.transaction((tx) => work(within(tx))),
    asOne: (work, last) => database.asOne(work, (tx, result) => last(within(tx), result)),
  };
}

function repositoriesIn(keyring: Keyring, dialect: DialectName): (db: Db) => Repositories {
  const configsetCache = new ConfigsetCache();
  const repositories = (db: Db): Repositories => ({
    assessments: assessmentRepository(db, dialect, (gkScopeId, gkSessionIds) =>
      storedAssessments(
        { store: { read: repositories(withoutLocks(db)) }, configsetCache },
        gkScopeId,
        gkSessionIds,
      ),
    ),
    engagements: engagementRepository(db, keyring),
    sessions: sessionRepository(db, keyring),
    factors: factorRepository(db, dialect),
    parties: partyRepository(db, keyring),
    collections: collectionRepository(db, keyring),
    profiles: profileRepository(db, keyring),
    printChanges: printChangeRepository(db),
    gallerySnapshots: gallerySnapshotRepository(db),
    enrollment: enrollmentRepository(db),
    media: mediaRepository(db, keyring),
    holds: holdRepository(db, keyring),
    prompts: promptRepository(db),
    processedAudios: processedAudioRepository(db, keyring),
    callVoices: callVoiceRepository(db, keyring),
    voiceGroups: voiceGroupRepository(db, keyring),
    findings: findingRepository(db),
    configsets: configsetRepository(db, keyring),
    calibrations: calibrationRepository(db, keyring),
    jobs: jobRepository(db, keyring),
    batches: batchRepository(db, keyring),
    erasure: erasureRepository(db, keyring),
    shadows: shadowRepository(db),
    samePersons: samePersonRepository(db),
    handovers: handoverRepository(db, keyring),
    liveOutcomes: liveOutcomeRepository(db, keyring),
    liveCalls: liveCallRepository(db, keyring),
    liveRequests: liveRequestRepository(db, keyring),
    agentTokens: agentTokenRepository(db, keyring),
  });
  return repositories;
}
