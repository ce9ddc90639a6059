// Tables of the authorization server. Secrets, codes, refresh tokens and cookies are stored only as keyed
// hashes, private signing keys only sealed.

export interface AuthUsersTable {
  user_id: string;
  user_name: string;
  display_name: string;
  role: string;
  password_hash: string | null;
  must_change_password: number;
  locked: number;
  failed_logins: number;
  locked_until: number;
  tenants: string;
  created_at: number;
  updated_at: number;
  device_epoch: string | null;
}

export interface AuthApplicationsTable {
  application_id: string;
  name: string;
  created_at: number;
  updated_at: number;
}

interface AuthApplicationMembersTable {
  application_id: string;
  user_id: string;
  role: string;
}

export interface AuthEnvironmentsTable {
  app_id: string;
  application_id: string;
  name: string;
  geographies: string;
  context_tag: string;
  created_at: number;
  updated_at: number;
}

interface AuthTenantGrantsTable {
  app_id: string;
  gk_scope_id: string;
}

export interface AuthClientsTable {
  client_id: string;
  kind: string;
  name: string;
  app_id: string | null;
  geography: string | null;
  user_id: string | null;
  scopes: string;
  grant_types: string;
  redirect_uris: string;
  auth_method: string;
  keys: string;
  certificate: string | null;
  dpop_required: number;
  introspect_any: number;
  sites: string;
  locked: number;
  created_at: number;
  updated_at: number;
}

export interface AuthClientSecretsTable {
  secret_id: string;
  client_id: string;
  hash: Uint8Array;
  created_at: number;
  expires_at: number | null;
}

interface AuthSigningKeysTable {
  kid: string;
  algorithm: string;
  public_jwk: string;
  sealed_private_key: Uint8Array;
  created_at: number;
  active_from: number;
  expires_at: number | null;
}

export interface AuthCodesTable {
  code_hash: string;
  client_id: string;
  user_id: string;
  redirect_uri: string;
  scope: string;
  code_challenge: string;
  dpop_jkt: string | null;
  grant_id: string;
  expires_at: number;
  used_at: number | null;
  nonce: string | null;
  signed_in_at: number | null;
}

export interface AuthRefreshTokensTable {
  token_hash: string;
  grant_id: string;
  client_id: string;
  user_id: string;
  scope: string;
  dpop_jkt: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface AuthLoginSessionsTable {
  session_hash: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  provider_session: string | null;
}

interface AuthConsentsTable {
  user_id: string;
  client_id: string;
  scope: string;
  granted_at: number;
}

/** What other nodes must learn within seconds; see src/auth/node-state/change-feed.ts. */
export interface AuthChangesTable {
  kind: string;
  key: string;
  valid_after: number;
  version: string;
  changed_at: number;
  expires_at: number;
}

interface AuthOneTimeTable {
  key: string;
  expires_at: number;
}

interface AuthRatesTable {
  key: string;
  taken: number;
  updated_at: number;
}

/** The key is a keyed hash: what was typed might be a password. */
export interface AuthFailuresTable {
  key: string;
  failures: number;
  last_at: number;
  free_at: number;
}

interface AuthIdentitiesTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** Values of the server itself that must not be stored in the clear, such as the pepper of client secrets. */
interface AuthSealedValuesTable {
  name: string;
  sealed: Uint8Array;
}

/** A person's authenticator app; the newest used time step keeps a code from being accepted twice. */
interface AuthTotpTable {
  user_id: string;
  sealed_secret: Uint8Array;
  last_step: number;
  created_at: number;
}

interface AuthRecoveryCodesTable {
  user_id: string;
  code_hash: string;
  created_at: number;
}

/** The counter is the authenticator's last one; 0 for those that do not count. */
export interface AuthPasskeysTable {
  credential_id: string;
  user_id: string;
  name: string;
  public_key: Uint8Array;
  counter: number;
  created_at: number;
  last_used_at: number | null;
}

export interface AuthTables {
  auth_users: AuthUsersTable;
  auth_applications: AuthApplicationsTable;
  auth_application_members: AuthApplicationMembersTable;
  auth_environments: AuthEnvironmentsTable;
  auth_tenant_grants: AuthTenantGrantsTable;
  auth_clients: AuthClientsTable;
  auth_client_secrets: AuthClientSecretsTable;
  auth_signing_keys: AuthSigningKeysTable;
  auth_codes: AuthCodesTable;
  auth_refresh_tokens: AuthRefreshTokensTable;
  auth_login_sessions: AuthLoginSessionsTable;
  auth_consents: AuthConsentsTable;
  auth_changes: AuthChangesTable;
  auth_one_time: AuthOneTimeTable;
  auth_rates: AuthRatesTable;
  auth_failures: AuthFailuresTable;
  auth_identities: AuthIdentitiesTable;
  auth_totp: AuthTotpTable;
  auth_recovery_codes: AuthRecoveryCodesTable;
  auth_passkeys: AuthPasskeysTable;
  auth_sealed_values: AuthSealedValuesTable;
}
