// The columns that `voxgate keys rotate-data --reseal` brings under the newest data key. A domain that seals a column
// lists it here. The audit trail is not in the list: its chain covers the sealed bytes as they are.

export interface SealedColumn {
  table: string;
  column: string;
  /** Text column that names the row; it is also the row id in the value's place (`placeOf`). */
  idColumn: string;
  /** Column with the gk_scope_id; absent for tables of the installation, which are sealed for `system`. */
  tenantColumn?: string;
}

const tenantColumn = 'gk_scope_id';
/** See src/storage/biometrics/texts.ts. */
const column = 'texts';

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'auth_signing_keys', column: 'sealed_private_key', idColumn: 'kid' },
  { table: 'auth_sealed_values', column: 'sealed', idColumn: 'name' },
  { table: 'sessions', column: 'details', idColumn: 'gk_session_id', tenantColumn: 'gk_scope_id' },
  { table: 'parties', column: 'details', idColumn: 'gk_id', tenantColumn: 'gk_scope_id' },
  {
    table: 'processed_audios',
    column: 'model',
    idColumn: 'gk_processed_audio_id',
    tenantColumn: 'gk_scope_id',
  },
  {
    table: 'voiceprint_profiles',
    column: 'template',
    idColumn: 'gk_voiceprint_profile_id',
    tenantColumn: 'gk_scope_id',
  },
  { table: 'engagements', column, idColumn: 'gk_engagement_id', tenantColumn },
  { table: 'parties', column, idColumn: 'gk_id', tenantColumn },
  { table: 'collections', column, idColumn: 'gk_id', tenantColumn },
  { table: 'voiceprint_profiles', column, idColumn: 'gk_voiceprint_profile_id', tenantColumn },
  { table: 'media_segments', column, idColumn: 'gk_media_segment_id', tenantColumn },
  { table: 'processed_audios', column, idColumn: 'gk_processed_audio_id', tenantColumn },
  { table: 'configset_revisions', column, idColumn: 'gk_configset_revision_id', tenantColumn },
  { table: 'calibration_revisions', column, idColumn: 'gk_calibration_model_revision_id', tenantColumn },
];
