// Persons, fraudsters, the groups and watchlists they are in, and their voiceprints.

export const PEOPLE = `
-- Persons and fraudsters, told apart by kind. The sort key is the identifier without case and accents, if
-- that differs.
create table parties (
  gk_id text not null constraint parties_pk primary key, gk_scope_id text not null, kind text not null,
  external_id text not null, consent text, details blob not null, created_at bigint not null,
  modified_at bigint not null, texts blob, sort_key text
);
create index parties_gk_scope_id_kind_created_at on parties (gk_scope_id, kind, created_at);
create unique index parties_gk_scope_id_kind_external_id on parties (gk_scope_id, kind, external_id);
create index parties_gk_scope_id_kind_modified_at_gk_id on parties (gk_scope_id, kind, modified_at, gk_id);
create index parties_plain_texts on parties (gk_scope_id) where texts is null;
create index parties_sort_key on parties (gk_scope_id, kind, (coalesce(sort_key, external_id)), external_id);

-- Groups and watchlists, told apart by kind, and who is in them.
create table collections (
  gk_id text not null constraint collections_pk primary key, gk_scope_id text not null, kind text not null,
  external_id text not null, custom_data text not null, created_at bigint not null,
  modified_at bigint not null, texts blob, sort_key text
);
create unique index collections_gk_scope_id_kind_external_id on collections (gk_scope_id, kind, external_id);
create index collections_plain_texts on collections (gk_scope_id) where texts is null;
create index collections_sort_key
  on collections (gk_scope_id, kind, (coalesce(sort_key, external_id)), external_id);
create table collection_members (
  collection_gk_id text not null, member_gk_id text not null, gk_scope_id text not null,
  added_at bigint not null, constraint collection_members_pk primary key (collection_gk_id, member_gk_id)
);
create index collection_members_member_gk_id on collection_members (member_gk_id);

-- Pairs of persons that somebody has declared to be one person under two names.
create table same_persons (
  gk_person_id text not null, gk_other_person_id text not null, gk_scope_id text not null,
  actor_subject text not null, actor_issuer text not null, created_at bigint not null,
  constraint same_persons_pk primary key (gk_person_id, gk_other_person_id)
);
create index same_persons_gk_other_person_id on same_persons (gk_other_person_id);
create index same_persons_gk_scope_id_created_at on same_persons (gk_scope_id, created_at);

-- Erased persons by their bare ID, so that data about them that arrives late is erased, too.
create table erased_persons (
  gk_person_id text not null constraint erased_persons_pk primary key, gk_scope_id text not null,
  erased_at bigint not null
);

-- Voiceprints. configset_id names the config set of the first recording: its limits apply to the print.
create table voiceprint_profiles (
  gk_voiceprint_profile_id text not null constraint voiceprint_profiles_pk primary key,
  gk_scope_id text not null, gk_owner_id text not null, owner_type text not null, tag text not null,
  status text not null, version integer not null, lock text not null, near_term_adaptation integer not null,
  custom_data text not null, calibration_revision_id text, template blob, created_at bigint not null,
  modified_at bigint not null, texts blob, configset_id text
);
create unique index voiceprint_profiles_gk_owner_id_tag on voiceprint_profiles (gk_owner_id, tag);
create index voiceprint_profiles_gk_scope_id_calibration_revision_id_owne
  on voiceprint_profiles (gk_scope_id, calibration_revision_id, owner_type);
create index voiceprint_profiles_gk_scope_id_created_at on voiceprint_profiles (gk_scope_id, created_at);
create index voiceprint_profiles_plain_texts on voiceprint_profiles (gk_scope_id) where texts is null;

-- The recordings that a voiceprint is made from.
create table enrollment_segments (
  gk_voiceprint_profile_id text not null, gk_processed_audio_id text not null,
  gk_media_segment_id text not null, gk_engagement_id text not null, consistency text,
  consistency_score double precision, used_for_train integer not null, position integer not null,
  added_at bigint not null,
  constraint enrollment_segments_pk primary key (gk_voiceprint_profile_id, gk_processed_audio_id)
);
create index enrollment_segments_gk_engagement_id on enrollment_segments (gk_engagement_id);
create index enrollment_segments_gk_media_segment_id on enrollment_segments (gk_media_segment_id);
create unique index enrollment_segments_gk_voiceprint_profile_id_gk_media_segmen
  on enrollment_segments (gk_voiceprint_profile_id, gk_media_segment_id);

-- Whose deleted voiceprints of persons were: an erasure finds recordings that were compared with them.
create table former_prints (
  gk_voiceprint_profile_id text not null constraint former_prints_pk primary key, gk_scope_id text not null,
  gk_person_id text not null
);
create index former_prints_gk_person_id on former_prints (gk_person_id);

-- The journal of changed voiceprints and memberships, which tells other nodes what to read again; the stamp
-- has the last number.
create table print_stamps (
  gk_scope_id text not null constraint print_stamps_pk primary key, seq bigint not null
);
create table print_changes (
  gk_scope_id text not null, seq bigint not null, kind text not null, gk_id text not null,
  member_gk_id text not null, constraint print_changes_pk primary key (gk_scope_id, seq)
);

-- Groups and watchlists whose voiceprints also lie in the store of recordings, for a quick start.
create table gallery_snapshots (
  snapshot_id text not null constraint gallery_snapshots_pk primary key, gk_scope_id text not null,
  collection_gk_id text not null, made_for text not null, seq bigint not null, prints bigint not null,
  blob_ids text not null, created_at bigint not null
);
create unique index gallery_snapshots_gk_scope_id_collection_gk_id_made_for
  on gallery_snapshots (gk_scope_id, collection_gk_id, made_for);
`;
