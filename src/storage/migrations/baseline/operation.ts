// Config sets, calibration models, and jobs.

export const OPERATION = `
-- Revisions of config sets, and those that run in the shadow of the active one.
create table configset_revisions (
  gk_configset_revision_id text not null constraint configset_revisions_pk primary key,
  gk_scope_id text not null, config_class text not null, configset_key text not null, state text not null,
  document text not null, created_at bigint not null, modified_at bigint not null, texts blob
);
create index configset_revisions_gk_scope_id_config_class_configset_key_s
  on configset_revisions (gk_scope_id, config_class, configset_key, state);
create index configset_revisions_plain_texts on configset_revisions (gk_scope_id) where texts is null;
create table shadow_runs (
  gk_scope_id text not null, configset_key text not null, gk_configset_revision_id text not null,
  since bigint not null, ended bigint, constraint shadow_runs_pk primary key (gk_scope_id, configset_key)
);

-- Revisions of calibration models.
create table calibration_revisions (
  gk_calibration_model_revision_id text not null constraint calibration_revisions_pk primary key,
  gk_scope_id text not null, calibration_model_id text not null, type text not null, state text not null,
  document text not null, created_at bigint not null, modified_at bigint not null, texts blob
);
create index calibration_revisions_gk_scope_id_calibration_model_id
  on calibration_revisions (gk_scope_id, calibration_model_id);
create index calibration_revisions_plain_texts on calibration_revisions (gk_scope_id) where texts is null;

-- Jobs, and the lines of batches with their results.
create table jobs (
  gk_job_id text not null constraint jobs_pk primary key, gk_scope_id text not null, kind text not null,
  state text not null, lease_until bigint, expires_at bigint, document text not null,
  created_at bigint not null, modified_at bigint not null, texts blob
);
create index jobs_plain_texts on jobs (gk_scope_id) where texts is null;
create index jobs_state_created_at on jobs (state, created_at);
create table batch_items (
  item_id text not null constraint batch_items_pk primary key, gk_job_id text not null,
  gk_scope_id text not null, line integer not null, outcome text, sealed blob not null, result blob,
  reason text
);
create index batch_items_gk_job_id_line on batch_items (gk_job_id, line);
create index batch_items_gk_job_id_outcome_reason_line on batch_items (gk_job_id, outcome, reason, line);
create index batch_items_gk_scope_id on batch_items (gk_scope_id);
`;
