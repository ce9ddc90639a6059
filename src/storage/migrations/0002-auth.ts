// Users, applications, clients, signing keys, and the state of the authorization code flow.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

const times = { created_at: 'bigint', updated_at: 'bigint' } as const;

const createUsersAndApplications: Migration['up'] = async (db) => {
  await createTable(db, 'auth_users', {
    user_id: 'text',
    user_name: 'text',
    display_name: 'text',
    role: 'text',
    password_hash: 'text?',
    locked: 'integer',
    failed_logins: 'integer',
    locked_until: 'bigint',
    tenants: 'text',
    ...times,
  });
  await createIndex(db, 'auth_users', ['user_name'], true);

  await createTable(db, 'auth_applications', { application_id: 'text', name: 'text', ...times });
  await createTable(
    db,
    'auth_application_members',
    { application_id: 'text', user_id: 'text', role: 'text' },
    2,
  );
  await createIndex(db, 'auth_application_members', ['user_id']);

  await createTable(db, 'auth_environments', {
    app_id: 'text',
    application_id: 'text',
    name: 'text',
    geographies: 'text',
    context_tag: 'text',
    ...times,
  });
  await createIndex(db, 'auth_environments', ['application_id', 'name'], true);
  await createTable(db, 'auth_tenant_grants', { app_id: 'text', gk_scope_id: 'text' }, 2);
};

const createClients: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'auth_clients', {
    client_id: 'text',
    kind: 'text',
    name: 'text',
    app_id: 'text?',
    geography: 'text?',
    user_id: 'text?',
    scopes: 'text',
    grant_types: 'text',
    redirect_uris: 'text',
    auth_method: 'text',
    keys: 'text',
    dpop_required: 'integer',
    introspect_any: 'integer',
    sites: 'text',
    locked: 'integer',
    ...times,
  });
  await createIndex(db, 'auth_clients', ['app_id']);
  await createIndex(db, 'auth_clients', ['user_id']);
  await createTable(db, 'auth_client_secrets', {
    secret_id: 'text',
    client_id: 'text',
    hash: bytes,
    created_at: 'bigint',
    expires_at: 'bigint?',
  });
  await createIndex(db, 'auth_client_secrets', ['client_id']);
};

const createKeysAndGrants: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'auth_signing_keys', {
    kid: 'text',
    algorithm: 'text',
    public_jwk: 'text',
    sealed_private_key: bytes,
    created_at: 'bigint',
    active_from: 'bigint',
    expires_at: 'bigint?',
  });

  await createTable(db, 'auth_codes', {
    code_hash: 'text',
    client_id: 'text',
    user_id: 'text',
    redirect_uri: 'text',
    scope: 'text',
    code_challenge: 'text',
    dpop_jkt: 'text?',
    grant_id: 'text',
    expires_at: 'bigint',
    used_at: 'bigint?',
  });
  await createIndex(db, 'auth_codes', ['expires_at']);
  await createTable(db, 'auth_refresh_tokens', {
    token_hash: 'text',
    grant_id: 'text',
    client_id: 'text',
    user_id: 'text',
    scope: 'text',
    dpop_jkt: 'text?',
    created_at: 'bigint',
    expires_at: 'bigint',
    used_at: 'bigint?',
  });
  await createIndex(db, 'auth_refresh_tokens', ['grant_id']);
  await createIndex(db, 'auth_refresh_tokens', ['user_id']);
  await createIndex(db, 'auth_refresh_tokens', ['client_id']);
  await createIndex(db, 'auth_refresh_tokens', ['expires_at']);
};

const createSessionsAndChanges: Migration['up'] = async (db, { bytes }) => {
  await createTable(db, 'auth_login_sessions', {
    session_hash: 'text',
    user_id: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
  });
  await createIndex(db, 'auth_login_sessions', ['user_id']);
  await createTable(
    db,
    'auth_consents',
    { user_id: 'text', client_id: 'text', scope: 'text', granted_at: 'bigint' },
    2,
  );

  await createTable(
    db,
    'auth_changes',
    {
      kind: 'text',
      key: 'text',
      valid_after: 'bigint',
      version: 'text',
      changed_at: 'bigint',
      expires_at: 'bigint',
    },
    2,
  );
  await createIndex(db, 'auth_changes', ['changed_at']);
  await createTable(db, 'auth_one_time', { key: 'text', expires_at: 'bigint' });
  await createIndex(db, 'auth_one_time', ['expires_at']);
  await createTable(db, 'auth_sealed_values', { name: 'text', sealed: bytes });
};

export const auth: Migration = {
  version: 2,
  name: 'auth',
  async up(db, kit) {
    for (const create of [
      createUsersAndApplications,
      createClients,
      createKeysAndGrants,
      createSessionsAndChanges,
    ])
      await create(db, kit);
  },
};
