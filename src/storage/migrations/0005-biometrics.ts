// Engagements, sessions, people, prints, media, config sets, calibration models and jobs.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

const times = { created_at: 'bigint', modified_at: 'bigint' } as const;

const createEngagements: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'engagements', {
    gk_engagement_id: 'text',
    gk_scope_id: 'text',
    engagement_id: 'text',
    correlation_id: 'text',
    is_active: 'integer',
    document: 'text',
    ...times,
    last_activity_at: 'bigint',
  });
  await createIndex(db, 'engagements', ['gk_scope_id', 'engagement_id']);
  await createIndex(db, 'engagements', ['gk_scope_id', 'correlation_id', 'created_at']);

  await createTable(db, 'sessions', {
    gk_session_id: 'text',
    gk_scope_id: 'text',
    gk_engagement_id: 'text',
    session_type: 'text',
    is_active: 'integer',
    claimed_gk_person_id: 'text?',
    document: 'text',
    details: bytes,
    ...times,
    last_activity_at: 'bigint',
  });
  await createIndex(db, 'sessions', ['gk_scope_id', 'created_at']);
  await createIndex(db, 'sessions', ['gk_engagement_id', 'created_at']);

  await createTable(db, 'factors', {
    factor_id: 'text',
    gk_scope_id: 'text',
    gk_engagement_id: 'text',
    gk_session_id: 'text',
    kind: 'text',
    document: 'text',
    created_at: 'bigint',
  });
  await createIndex(db, 'factors', ['gk_engagement_id', 'created_at']);
  await createIndex(db, 'factors', ['gk_session_id', 'created_at']);
};

const createParties: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'parties', {
    gk_id: 'text',
    gk_scope_id: 'text',
    kind: 'text',
    external_id: 'text',
    consent: 'text?',
    details: bytes,
    ...times,
  });
  await createIndex(db, 'parties', ['gk_scope_id', 'kind', 'external_id'], true);

  await createTable(db, 'collections', {
    gk_id: 'text',
    gk_scope_id: 'text',
    kind: 'text',
    external_id: 'text',
    custom_data: 'text',
    ...times,
  });
  await createIndex(db, 'collections', ['gk_scope_id', 'kind', 'external_id'], true);

  await createTable(
    db,
    'collection_members',
    { collection_gk_id: 'text', member_gk_id: 'text', gk_scope_id: 'text', added_at: 'bigint' },
    2,
  );
  await createIndex(db, 'collection_members', ['member_gk_id']);
};

const createPrints: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'voiceprint_profiles', {
    gk_voiceprint_profile_id: 'text',
    gk_scope_id: 'text',
    gk_owner_id: 'text',
    owner_type: 'text',
    tag: 'text',
    status: 'text',
    version: 'integer',
    lock: 'text',
    near_term_adaptation: 'integer',
    custom_data: 'text',
    calibration_revision_id: 'text?',
    template: `${bytes}?`,
    ...times,
  });
  await createIndex(db, 'voiceprint_profiles', ['gk_owner_id', 'tag'], true);
  await createIndex(db, 'voiceprint_profiles', ['gk_scope_id', 'created_at']);

  await createTable(
    db,
    'enrollment_segments',
    {
      gk_voiceprint_profile_id: 'text',
      gk_processed_audio_id: 'text',
      gk_media_segment_id: 'text',
      gk_engagement_id: 'text',
      consistency: 'text?',
      consistency_score: 'double precision?',
      used_for_train: 'integer',
      position: 'integer',
      added_at: 'bigint',
    },
    2,
  );
  await createIndex(db, 'enrollment_segments', ['gk_voiceprint_profile_id', 'gk_media_segment_id'], true);
  await createIndex(db, 'enrollment_segments', ['gk_media_segment_id']);
  await createIndex(db, 'enrollment_segments', ['gk_engagement_id']);
};

const createMedia: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'media_segments', {
    gk_media_segment_id: 'text',
    gk_scope_id: 'text',
    gk_engagement_id: 'text',
    gk_session_id: 'text',
    gk_person_id: 'text?',
    legal_hold: 'integer',
    blob_id: 'text?',
    document: 'text',
    ...times,
  });
  await createIndex(db, 'media_segments', ['gk_scope_id', 'gk_person_id']);
  await createIndex(db, 'media_segments', ['gk_scope_id', 'created_at']);

  await createTable(db, 'processed_audios', {
    gk_processed_audio_id: 'text',
    gk_scope_id: 'text',
    gk_media_segment_id: 'text',
    document: 'text',
    model: `${bytes}?`,
    ...times,
  });
  await createIndex(db, 'processed_audios', ['gk_media_segment_id']);
};

const createSettingsAndJobs: Migration['up'] = async (db) => {
  await createTable(db, 'configset_revisions', {
    gk_configset_revision_id: 'text',
    gk_scope_id: 'text',
    config_class: 'text',
    configset_key: 'text',
    state: 'text',
    document: 'text',
    ...times,
  });
  await createIndex(db, 'configset_revisions', ['gk_scope_id', 'config_class', 'configset_key', 'state']);

  await createTable(db, 'calibration_revisions', {
    gk_calibration_model_revision_id: 'text',
    gk_scope_id: 'text',
    calibration_model_id: 'text',
    type: 'text',
    state: 'text',
    document: 'text',
    ...times,
  });
  await createIndex(db, 'calibration_revisions', ['gk_scope_id', 'calibration_model_id']);

  await createTable(db, 'jobs', {
    gk_job_id: 'text',
    gk_scope_id: 'text',
    kind: 'text',
    state: 'text',
    lease_until: 'bigint?',
    expires_at: 'bigint?',
    document: 'text',
    ...times,
  });
  await createIndex(db, 'jobs', ['state', 'created_at']);
};

export const biometrics: Migration = {
  version: 5,
  name: 'biometrics',
  async up(db, kit) {
    for (const create of [createEngagements, createParties, createPrints, createMedia, createSettingsAndJobs])
      await create(db, kit);
  },
};
