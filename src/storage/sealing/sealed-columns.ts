// The columns that `voxgate keys rotate-data --reseal` seals again under the newest data key. A domain that
// seals a column lists it here. The audit trail is not in the list: its chain covers the sealed bytes as they
// are.

export interface SealedColumn {
  table: string;
  column: string;
  /** Text column that names the row; it is also the row id in the value's place (`placeOf`). */
  idColumn: string;
  /** Column with the gk_scope_id; absent for tables of the installation, which are sealed for `system`. */
  tenantColumn?: string;
}

/** See src/storage/biometrics/texts.ts. */
const texts = { column: 'texts', tenantColumn: 'gk_scope_id' };

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'auth_signing_keys', column: 'sealed_private_key', idColumn: 'kid' },
  { table: 'auth_sealed_values', column: 'sealed', idColumn: 'name' },
  { table: 'kept_answers', column: 'sealed', idColumn: 'id' },
  { table: 'auth_totp', column: 'sealed_secret', idColumn: 'user_id' },
  { table: 'batch_items', column: 'sealed', idColumn: 'item_id', tenantColumn: 'gk_scope_id' },
  { table: 'batch_items', column: 'result', idColumn: 'item_id', tenantColumn: 'gk_scope_id' },
  { table: 'webhooks', column: 'sealed', idColumn: 'webhook_id', tenantColumn: 'gk_scope_id' },
  { table: 'sessions', column: 'details', idColumn: 'gk_session_id', tenantColumn: 'gk_scope_id' },
  { table: 'parties', column: 'details', idColumn: 'gk_id', tenantColumn: 'gk_scope_id' },
  ...['model', 'fingerprint'].map((column) => ({
    table: 'processed_audios',
    column,
    idColumn: 'gk_processed_audio_id',
    tenantColumn: 'gk_scope_id',
  })),
  { table: 'voice_groups', column: 'middle', idColumn: 'group_id', tenantColumn: 'gk_scope_id' },
  { table: 'voice_blocks', column: 'voices', idColumn: 'block_id', tenantColumn: 'gk_scope_id' },
  { table: 'call_voices', column: 'voice', idColumn: 'gk_processed_audio_id', tenantColumn: 'gk_scope_id' },
  {
    table: 'voiceprint_profiles',
    column: 'template',
    idColumn: 'gk_voiceprint_profile_id',
    tenantColumn: 'gk_scope_id',
  },
  { table: 'engagements', idColumn: 'gk_engagement_id', ...texts },
  { table: 'parties', idColumn: 'gk_id', ...texts },
  { table: 'collections', idColumn: 'gk_id', ...texts },
  { table: 'voiceprint_profiles', idColumn: 'gk_voiceprint_profile_id', ...texts },
  { table: 'media_segments', idColumn: 'gk_media_segment_id', ...texts },
  { table: 'processed_audios', idColumn: 'gk_processed_audio_id', ...texts },
  { table: 'configset_revisions', idColumn: 'gk_configset_revision_id', ...texts },
  { table: 'calibration_revisions', idColumn: 'gk_calibration_model_revision_id', ...texts },
];
