// Clients and the hashes of their secrets in the database.
import type { CertificateRule, Client, ClientSecret, GrantType, PublicJwk } from '../../auth/model.js';
import type { Clients } from '../../auth/ports.js';
import { flag, fromJson, isSet, orNull, orUndefined, toJson } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { AuthClientsTable, AuthClientSecretsTable } from '../schema/auth.js';
import { orAlreadyExists } from '../violations.js';

export function clientsIn(db: Db | Tx): Clients {
  const withId = (clientId: string) =>
    db.selectFrom('auth_clients').selectAll().where('client_id', '=', clientId);
  return {
    async get(clientId) {
      const row = await withId(clientId).executeTakeFirst();
      return row && toClient(row);
    },
    async lock(clientId) {
      const row = await withId(clientId).forUpdate().executeTakeFirst();
      return row && toClient(row);
    },
    async list({ appId, userId, kind }) {
      let query = db.selectFrom('auth_clients').selectAll();
      if (appId !== undefined) query = query.where('app_id', '=', appId);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      return (await query.orderBy('created_at').orderBy('client_id').execute()).map(toClient);
    },
    async scopesOwnedBy(userId) {
      const rows = await db
        .selectFrom('auth_application_members as member')
        .innerJoin('auth_environments as environment', 'environment.application_id', 'member.application_id')
        .innerJoin('auth_clients as client', 'client.app_id', 'environment.app_id')
        .where('member.user_id', '=', userId)
        .where('member.role', '=', 'owner')
        .select('client.scopes')
        .distinct()
        .execute();
      return [...new Set(rows.flatMap(({ scopes }) => fromJson<string[]>(scopes)))];
    },
    async insert(client) {
      await orAlreadyExists('client', 'client_id', () =>
        db.insertInto('auth_clients').values(toRow(client)).execute(),
      );
    },
    async update(client) {
      const { client_id, ...rest } = toRow(client);
      await db.updateTable('auth_clients').set(rest).where('client_id', '=', client_id).execute();
    },
    async delete(clientId) {
      await db.deleteFrom('auth_client_secrets').where('client_id', '=', clientId).execute();
      await db.deleteFrom('auth_clients').where('client_id', '=', clientId).execute();
    },
    async secrets(clientId) {
      const rows = await db
        .selectFrom('auth_client_secrets')
        .selectAll()
        .where('client_id', '=', clientId)
        .orderBy('created_at')
        .orderBy('secret_id')
        .execute();
      return rows.map(toSecret);
    },
    async insertSecret(secret) {
      await db
        .insertInto('auth_client_secrets')
        .values({
          secret_id: secret.secretId,
          client_id: secret.clientId,
          hash: secret.hash,
          created_at: secret.createdAtMs,
          expires_at: orNull(secret.expiresAtMs),
        })
        .execute();
    },
    async setSecretExpiry(secretId, expiresAtMs) {
      await db
        .updateTable('auth_client_secrets')
        .set({ expires_at: expiresAtMs })
        .where('secret_id', '=', secretId)
        .execute();
    },
    async deleteSecret(secretId) {
      await db.deleteFrom('auth_client_secrets').where('secret_id', '=', secretId).execute();
    },
  };
}

function toClient(row: AuthClientsTable): Client {
  return {
    clientId: row.client_id,
    kind: row.kind as Client['kind'],
    name: row.name,
    appId: orUndefined(row.app_id),
    geography: orUndefined(row.geography),
    userId: orUndefined(row.user_id),
    scopes: fromJson<string[]>(row.scopes),
    grantTypes: fromJson<GrantType[]>(row.grant_types),
    redirectUris: fromJson<string[]>(row.redirect_uris),
    authMethod: row.auth_method as Client['authMethod'],
    keys: fromJson<PublicJwk[]>(row.keys),
    certificate: row.certificate === null ? undefined : fromJson<CertificateRule>(row.certificate),
    dpopRequired: isSet(row.dpop_required),
    introspectAny: isSet(row.introspect_any),
    sites: fromJson<string[]>(row.sites),
    locked: isSet(row.locked),
    // Only the product's own clients are first-party, and those have no rows.
    firstParty: false,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

function toRow(client: Client): AuthClientsTable {
  return {
    client_id: client.clientId,
    kind: client.kind,
    name: client.name,
    app_id: orNull(client.appId),
    geography: orNull(client.geography),
    user_id: orNull(client.userId),
    scopes: toJson(client.scopes),
    grant_types: toJson(client.grantTypes),
    redirect_uris: toJson(client.redirectUris),
    auth_method: client.authMethod,
    keys: toJson(client.keys),
    certificate: client.certificate ? toJson(client.certificate) : null,
    dpop_required: flag(client.dpopRequired),
    introspect_any: flag(client.introspectAny),
    sites: toJson(client.sites),
    locked: flag(client.locked),
    created_at: client.createdAtMs,
    updated_at: client.updatedAtMs,
  };
}

function toSecret(row: AuthClientSecretsTable): ClientSecret {
  return {
    secretId: row.secret_id,
    clientId: row.client_id,
    hash: row.hash,
    createdAtMs: row.created_at,
    expiresAtMs: orUndefined(row.expires_at),
  };
}
