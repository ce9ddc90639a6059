// The authorization server: people and how they sign in, applications, clients, tokens and limits.

export const AUTH = `
-- People. A change of device_epoch invalidates the browsers that were known until then.
create table auth_users (
  user_id text not null constraint auth_users_pk primary key, user_name text not null,
  display_name text not null, role text not null, password_hash text, locked integer not null,
  failed_logins integer not null, locked_until bigint not null, tenants text not null,
  created_at bigint not null, updated_at bigint not null, must_change_password integer not null default 0,
  device_epoch text
);
create unique index auth_users_user_name on auth_users (user_name);

-- People as the company's identity provider knows them.
create table auth_identities (
  issuer text not null, subject text not null, user_id text not null, created_at bigint not null,
  constraint auth_identities_pk primary key (issuer, subject)
);
create index auth_identities_user_id on auth_identities (user_id);

-- Second factors: authenticator apps, recovery codes and passkeys.
create table auth_totp (
  user_id text not null constraint auth_totp_pk primary key, sealed_secret blob not null,
  last_step bigint not null, created_at bigint not null
);
create table auth_recovery_codes (
  user_id text not null, code_hash text not null, created_at bigint not null,
  constraint auth_recovery_codes_pk primary key (user_id, code_hash)
);
create table auth_passkeys (
  credential_id text not null constraint auth_passkeys_pk primary key, user_id text not null,
  name text not null, public_key blob not null, counter bigint not null, created_at bigint not null,
  last_used_at bigint
);
create index auth_passkeys_user_id on auth_passkeys (user_id);

-- Wrong passwords in a row, by the account they were tried for, over all addresses and nodes.
create table auth_failures (
  key text not null constraint auth_failures_pk primary key, failures bigint not null, last_at bigint not null,
  free_at bigint not null
);
create index auth_failures_last_at on auth_failures (last_at);

-- Browsers that are signed in, and their session at the identity provider.
create table auth_login_sessions (
  session_hash text not null constraint auth_login_sessions_pk primary key, user_id text not null,
  created_at bigint not null, expires_at bigint not null, provider_session text
);
create index auth_login_sessions_provider_session on auth_login_sessions (provider_session);
create index auth_login_sessions_user_id on auth_login_sessions (user_id);

-- Applications, their members, and their environments, which are granted tenants.
create table auth_applications (
  application_id text not null constraint auth_applications_pk primary key, name text not null,
  created_at bigint not null, updated_at bigint not null
);
create table auth_application_members (
  application_id text not null, user_id text not null, role text not null,
  constraint auth_application_members_pk primary key (application_id, user_id)
);
create index auth_application_members_user_id on auth_application_members (user_id);
create table auth_environments (
  app_id text not null constraint auth_environments_pk primary key, application_id text not null,
  name text not null, geographies text not null, context_tag text not null, created_at bigint not null,
  updated_at bigint not null
);
create unique index auth_environments_application_id_name on auth_environments (application_id, name);
create table auth_tenant_grants (
  app_id text not null, gk_scope_id text not null,
  constraint auth_tenant_grants_pk primary key (app_id, gk_scope_id)
);

-- OAuth clients of environments and of people, and their secrets (hashed).
create table auth_clients (
  client_id text not null constraint auth_clients_pk primary key, kind text not null, name text not null,
  app_id text, geography text, user_id text, scopes text not null, grant_types text not null,
  redirect_uris text not null, auth_method text not null, keys text not null, dpop_required integer not null,
  introspect_any integer not null, sites text not null, locked integer not null, created_at bigint not null,
  updated_at bigint not null, certificate text
);
create index auth_clients_app_id on auth_clients (app_id);
create index auth_clients_user_id on auth_clients (user_id);
create table auth_client_secrets (
  secret_id text not null constraint auth_client_secrets_pk primary key, client_id text not null,
  hash blob not null, created_at bigint not null, expires_at bigint
);
create index auth_client_secrets_client_id on auth_client_secrets (client_id);

-- Keys that sign tokens; the private part is sealed.
create table auth_signing_keys (
  kid text not null constraint auth_signing_keys_pk primary key, algorithm text not null,
  public_jwk text not null, sealed_private_key blob not null, created_at bigint not null,
  active_from bigint not null, expires_at bigint
);

-- The authorization code flow: codes, refresh tokens (both hashed) and what people have consented to.
create table auth_codes (
  code_hash text not null constraint auth_codes_pk primary key, client_id text not null, user_id text not null,
  redirect_uri text not null, scope text not null, code_challenge text not null, dpop_jkt text,
  grant_id text not null, expires_at bigint not null, used_at bigint, nonce text, signed_in_at bigint
);
create index auth_codes_expires_at on auth_codes (expires_at);
create table auth_refresh_tokens (
  token_hash text not null constraint auth_refresh_tokens_pk primary key, grant_id text not null,
  client_id text not null, user_id text not null, scope text not null, dpop_jkt text,
  created_at bigint not null, expires_at bigint not null, used_at bigint
);
create index auth_refresh_tokens_client_id on auth_refresh_tokens (client_id);
create index auth_refresh_tokens_expires_at on auth_refresh_tokens (expires_at);
create index auth_refresh_tokens_grant_id on auth_refresh_tokens (grant_id);
create index auth_refresh_tokens_user_id on auth_refresh_tokens (user_id);
create table auth_consents (
  user_id text not null, client_id text not null, scope text not null, granted_at bigint not null,
  constraint auth_consents_pk primary key (user_id, client_id)
);

-- What all nodes must know at once: revoked tokens, changed clients and people.
create table auth_changes (
  kind text not null, key text not null, valid_after bigint not null, version text not null,
  changed_at bigint not null, expires_at bigint not null, constraint auth_changes_pk primary key (kind, key)
);
create index auth_changes_changed_at on auth_changes (changed_at);

-- Values that may be used once, such as the identifiers of DPoP proofs.
create table auth_one_time (
  key text not null constraint auth_one_time_pk primary key, expires_at bigint not null
);
create index auth_one_time_expires_at on auth_one_time (expires_at);

-- How much of each rate limit is used, for nodes that share a database.
create table auth_rates (
  key text not null constraint auth_rates_pk primary key, taken bigint not null, updated_at bigint not null
);
create index auth_rates_updated_at on auth_rates (updated_at);

-- Other secrets of the server.
create table auth_sealed_values (
  name text not null constraint auth_sealed_values_pk primary key, sealed blob not null
);
`;
