// Tenants and their keys, the audit trail, settings, answers kept for repeated calls, runtime events and webhooks.

export const CORE = `
-- Tenants; the contract calls one a scope.
create table scopes (
  gk_scope_id text primary key, scope_id text not null unique, customer_name text not null,
  description text not null, is_billable integer not null, state text not null, profile text not null,
  type text not null, expected_persons_number integer not null, go_live_at bigint, activated_at bigint,
  delete_after bigint, created_at bigint not null, modified_at bigint not null
);

-- The data keys of each tenant, wrapped by the master key. A destroyed key leaves its row.
create table sealing_keys (
  scope_key text not null, version integer not null, wrapped_key blob, master_key_id text not null,
  created_at bigint not null, destroyed_at bigint, constraint sealing_keys_pk primary key (scope_key, version)
);

-- The end of each tenant's audit trail; writers lock it, so that the chain of hashes has no fork.
create table audit_heads (scope_key text primary key, seq bigint not null, hash text not null);

-- The audit trail. Personal details are sealed beside a record; only their digest is part of the chain, so
-- that they can be erased. A context is JSON in text: indexes on expressions find records by session and
-- engagement.
create table audit_records (
  scope_key text not null, seq bigint not null, time bigint not null, record_type text not null,
  operation text not null, actor_subject text not null, actor_issuer text not null, context text not null,
  subject_ids text not null, detail text not null, personal blob, personal_digest text,
  prev_hash text not null, hash text not null, constraint audit_records_pk primary key (scope_key, seq)
);
create index audit_records_engagement
  on audit_records (scope_key, (json_extract(context, '$.gkEngagementId')), seq);
create index audit_records_session on audit_records (scope_key, (json_extract(context, '$.gkSessionId')), seq);
create index audit_records_type on audit_records (scope_key, record_type, seq);

-- Whom and what each record is about.
create table audit_subjects (
  scope_key text not null, subject_id text not null, seq bigint not null,
  constraint audit_subjects_pk primary key (scope_key, subject_id, seq)
);

-- Values of the whole installation, among them leases and the mark of an unfinished restore.
create table settings (name text primary key, value text not null);

-- Answers of calls with an idempotency key, and the persons and objects they are about, so that an erasure
-- finds them.
create table kept_answers (
  id text not null constraint kept_answers_pk primary key, created_at bigint not null, sealed blob not null
);
create index kept_answers_created_at on kept_answers (created_at);
create table kept_answer_names (
  named_id text not null, answer_id text not null, created_at bigint not null,
  constraint kept_answer_names_pk primary key (named_id, answer_id)
);
create index kept_answer_names_answer_id on kept_answer_names (answer_id);
create index kept_answer_names_created_at on kept_answer_names (created_at);

-- What happened at run time, for the requests log and for webhooks; the head has the last number.
create table runtime_events (
  seq bigint primary key, at bigint not null, type text not null, app_id text, client_id text, request_id text,
  gk_scope_id text, outcome text not null, attributes text not null
);
create index runtime_events_app on runtime_events (app_id, seq);
create index runtime_events_app_id_type_at on runtime_events (app_id, type, at);
create index runtime_events_at on runtime_events (at);
create index runtime_events_client on runtime_events (client_id, type, at);
create index runtime_events_request_id on runtime_events (request_id);
create table runtime_event_head (id integer primary key, seq bigint not null);

-- Webhooks, and the events that their receivers have not accepted yet.
create table webhooks (
  webhook_id text not null constraint webhooks_pk primary key, gk_scope_id text not null,
  enabled integer not null, disabled_reason text not null, sealed blob not null, after_seq bigint not null,
  failures integer not null, failing_since bigint, paused_until bigint not null, created_at bigint not null,
  modified_at bigint not null
);
create index webhooks_gk_scope_id on webhooks (gk_scope_id);
create table webhook_deliveries (
  webhook_id text not null, seq bigint not null, event_at bigint not null, attempts integer not null,
  first_at bigint not null, last_at bigint not null, next_at bigint not null, dead integer not null,
  last_fault text not null, constraint webhook_deliveries_pk primary key (webhook_id, seq)
);
create index webhook_deliveries_webhook_id_dead_next_at on webhook_deliveries (webhook_id, dead, next_at);
`;
