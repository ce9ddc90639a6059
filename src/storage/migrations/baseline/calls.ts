// Engagements, the sessions in them, what was recorded, checked and found out later, and live calls.

export const CALLS = `
-- Engagements. The few with notes have an index by last modification for the search in memory.
create table engagements (
  gk_engagement_id text not null constraint engagements_pk primary key, gk_scope_id text not null,
  engagement_id text not null, correlation_id text not null, is_active integer not null,
  document text not null, created_at bigint not null, modified_at bigint not null,
  last_activity_at bigint not null, texts blob
);
create index engagements_gk_scope_id_correlation_id_created_at
  on engagements (gk_scope_id, correlation_id, created_at);
create index engagements_gk_scope_id_engagement_id on engagements (gk_scope_id, engagement_id);
create index engagements_noted
  on engagements (gk_scope_id, modified_at, gk_engagement_id) where length(texts) > 0;
create index engagements_plain_texts on engagements (gk_scope_id) where texts is null;

-- Sessions. cut_off_at says when the audio broke off before anybody had ended the call.
create table sessions (
  gk_session_id text not null constraint sessions_pk primary key, gk_scope_id text not null,
  gk_engagement_id text not null, session_type text not null, is_active integer not null,
  claimed_gk_person_id text, document text not null, details blob not null, created_at bigint not null,
  modified_at bigint not null, last_activity_at bigint not null, cut_off_at bigint
);
create index sessions_claimed_gk_person_id on sessions (claimed_gk_person_id);
create index sessions_cut_off on sessions (gk_scope_id, created_at) where cut_off_at is not null;
create index sessions_gk_engagement_id_created_at on sessions (gk_engagement_id, created_at);
create index sessions_gk_scope_id_created_at on sessions (gk_scope_id, created_at);
create index sessions_gk_scope_id_modified_at_gk_session_id
  on sessions (gk_scope_id, modified_at, gk_session_id);

-- The checks of a session with their results. IDs and decisions are in the document: indexes on expressions
-- find checks by voiceprint, recording and alarm.
create table factors (
  factor_id text not null constraint factors_pk primary key, gk_scope_id text not null,
  gk_engagement_id text not null, gk_session_id text not null, kind text not null, document text not null,
  created_at bigint not null
);
create index factors_alarms on factors (gk_scope_id, kind) where document like '%"decision":"FRAUD"%';
create index factors_audio on factors (json_extract(document, '$.gkProcessedAudioId'));
create index factors_gk_engagement_id_created_at on factors (gk_engagement_id, created_at);
create index factors_gk_session_id_created_at on factors (gk_session_id, created_at);
create index factors_open_checks
  on factors (gk_scope_id, gk_session_id)
  where kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK') and document not like '%"decision":"NO_RISK_DETECTED"%';
create index factors_print on factors (json_extract(document, '$.gkVoiceprintProfileId'));
create index factors_time on factors (gk_scope_id, created_at);

-- What became known about a call after it: searches that found a fraudster in it, and fraudsters enrolled
-- from it.
create table call_findings (
  gk_session_id text not null, gk_fraudster_id text not null, operation text not null,
  gk_scope_id text not null, gk_voiceprint_profile_id text not null, gk_media_segment_id text, gk_job_id text,
  gk_watchlist_id text, made_in_session text, actor_subject text not null, actor_issuer text not null,
  request_id text, created_at bigint not null,
  constraint call_findings_pk primary key (gk_session_id, gk_fraudster_id, operation)
);
create index call_findings_gk_fraudster_id on call_findings (gk_fraudster_id);
create index call_findings_gk_media_segment_id on call_findings (gk_media_segment_id);
create index call_findings_gk_scope_id_operation on call_findings (gk_scope_id, operation);

-- Recordings; the audio itself is in the blob store.
create table media_segments (
  gk_media_segment_id text not null constraint media_segments_pk primary key, gk_scope_id text not null,
  gk_engagement_id text not null, gk_session_id text not null, gk_person_id text, legal_hold integer not null,
  blob_id text, document text not null, created_at bigint not null, modified_at bigint not null, texts blob
);
create index media_segments_gk_engagement_id on media_segments (gk_engagement_id);
create index media_segments_gk_scope_id_blob_id on media_segments (gk_scope_id, blob_id);
create index media_segments_gk_scope_id_created_at on media_segments (gk_scope_id, created_at);
create index media_segments_gk_scope_id_gk_person_id on media_segments (gk_scope_id, gk_person_id);
create index media_segments_gk_session_id on media_segments (gk_session_id);
create index media_segments_plain_texts on media_segments (gk_scope_id) where texts is null;

-- What was measured in a recording: speech, voice model and fingerprint, the latter to recognize copies.
create table processed_audios (
  gk_processed_audio_id text not null constraint processed_audios_pk primary key, gk_scope_id text not null,
  gk_media_segment_id text not null, document text not null, model blob, created_at bigint not null,
  modified_at bigint not null, texts blob, fingerprint blob
);
create index processed_audios_gk_media_segment_id on processed_audios (gk_media_segment_id);
create index processed_audios_plain_texts on processed_audios (gk_scope_id) where texts is null;

-- Whose voice a recording holds, as far as it is known, and how it became known. An erasure finds a person's
-- recordings by it, whatever became of voiceprints and sessions.
create table voice_ties (
  gk_person_id text not null, gk_media_segment_id text not null, gk_scope_id text not null,
  by_session integer not null default 0, is_speaker integer not null default 0,
  is_kept integer not null default 0, constraint voice_ties_pk primary key (gk_person_id, gk_media_segment_id)
);
create index voice_ties_gk_media_segment_id on voice_ties (gk_media_segment_id);

-- Persons that calls in a session asked for, whatever the outcome.
create table asked_persons (
  gk_person_id text not null, gk_session_id text not null, gk_engagement_id text not null,
  gk_scope_id text not null, is_kept integer not null,
  constraint asked_persons_pk primary key (gk_person_id, gk_session_id)
);
create index asked_persons_gk_engagement_id on asked_persons (gk_engagement_id);
create index asked_persons_gk_session_id on asked_persons (gk_session_id);

-- The voice of each recording in a small row, for searches through many calls: alone, in a block of many, and
-- in a group of calls of one voice.
create table call_voices (
  gk_processed_audio_id text not null constraint call_voices_pk primary key, gk_scope_id text not null,
  gk_media_segment_id text not null, gk_session_id text not null, created_at bigint not null,
  voice blob not null, block_id text, group_id text, group_llr double precision, is_group_sample integer
);
create index call_voices_gk_media_segment_id on call_voices (gk_media_segment_id);
create index call_voices_gk_scope_id_block_id_created_at on call_voices (gk_scope_id, block_id, created_at);
create index call_voices_gk_scope_id_created_at_gk_processed_audio_id
  on call_voices (gk_scope_id, created_at, gk_processed_audio_id);
create index call_voices_gk_scope_id_group_id on call_voices (gk_scope_id, group_id);
create table voice_blocks (
  block_id text not null constraint voice_blocks_pk primary key, gk_scope_id text not null,
  calls integer not null, newest_at bigint not null, voices blob not null
);
create index voice_blocks_gk_scope_id_newest_at on voice_blocks (gk_scope_id, newest_at);
create table voice_groupings (
  gk_scope_id text not null constraint voice_groupings_pk primary key, basis text not null,
  version integer not null
);
create table voice_groups (
  group_id text not null constraint voice_groups_pk primary key, gk_scope_id text not null,
  samples integer not null, middle blob not null
);
create index voice_groups_gk_scope_id on voice_groups (gk_scope_id);

-- What nodes must know of each other's live calls: calls prepared or running, requests about them, the tokens
-- of agents, calls that move to another node, and outcomes for clients that ask later.
create table live_calls (
  live_call_id text not null constraint live_calls_pk primary key, gk_scope_id text not null,
  stage text not null, node_id text not null, token_hash text not null, external_hash text not null,
  expires_at bigint not null, sealed blob not null, asked text
);
create index live_calls_expires_at on live_calls (expires_at);
create index live_calls_external_hash on live_calls (external_hash);
create index live_calls_gk_scope_id on live_calls (gk_scope_id);
create index live_calls_node_id on live_calls (node_id);
create index live_calls_token_hash on live_calls (token_hash);
create table live_requests (
  request_id text not null constraint live_requests_pk primary key, live_call_id text not null,
  gk_scope_id text not null, node_id text not null, expires_at bigint not null, asked blob not null,
  answer blob
);
create index live_requests_expires_at on live_requests (expires_at);
create index live_requests_gk_scope_id on live_requests (gk_scope_id);
create index live_requests_node_id on live_requests (node_id);
create table live_agent_tokens (
  token_hash text not null constraint live_agent_tokens_pk primary key, live_call_id text not null,
  gk_scope_id text not null, expires_at bigint not null, caller blob not null
);
create index live_agent_tokens_expires_at on live_agent_tokens (expires_at);
create index live_agent_tokens_gk_scope_id on live_agent_tokens (gk_scope_id);
create table live_handovers (
  token_hash text not null constraint live_handovers_pk primary key, gk_scope_id text not null,
  external_hash text not null, expires_at bigint not null, state blob not null
);
create index live_handovers_expires_at on live_handovers (expires_at);
create index live_handovers_gk_scope_id_external_hash on live_handovers (gk_scope_id, external_hash);
create table live_outcomes (
  live_call_id text not null constraint live_outcomes_pk primary key, gk_scope_id text not null,
  expires_at bigint not null, info blob not null, gk_session_id text
);
create index live_outcomes_expires_at on live_outcomes (expires_at);
create index live_outcomes_gk_scope_id on live_outcomes (gk_scope_id);
create index live_outcomes_gk_session_id on live_outcomes (gk_session_id);
`;
