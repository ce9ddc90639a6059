// Applications, their members and environments in the database.
import type { Application, Environment } from '../../auth/model.js';
import type { Applications, Environments } from '../../auth/ports.js';
import type { TenantRole } from '../../auth/roles.js';
import { fromJson, toJson } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { AuthApplicationsTable, AuthEnvironmentsTable } from '../schema/auth.js';
import { orAlreadyExists } from '../violations.js';

export function applicationsIn(db: Db | Tx): Applications {
  const withId = (applicationId: string) =>
    db.selectFrom('auth_applications').selectAll().where('application_id', '=', applicationId);
  return {
    async get(applicationId) {
      const row = await withId(applicationId).executeTakeFirst();
      return row && toApplication(row);
    },
    async lock(applicationId) {
      const row = await withId(applicationId).forUpdate().executeTakeFirst();
      return row && toApplication(row);
    },
    async list({ userId }) {
      let query = db.selectFrom('auth_applications').selectAll('auth_applications');
      if (userId !== undefined) {
        query = query.where('application_id', 'in', (eb) =>
          eb.selectFrom('auth_application_members').select('application_id').where('user_id', '=', userId),
        );
      }
      return (await query.orderBy('created_at').orderBy('application_id').execute()).map(toApplication);
    },
    async insert(application) {
      const { applicationId, name, createdAtMs, updatedAtMs } = application;
      await db
        .insertInto('auth_applications')
        .values({ application_id: applicationId, name, created_at: createdAtMs, updated_at: updatedAtMs })
        .execute();
    },
    async update({ applicationId, name, updatedAtMs }) {
      await db
        .updateTable('auth_applications')
        .set({ name, updated_at: updatedAtMs })
        .where('application_id', '=', applicationId)
        .execute();
    },
    async delete(applicationId) {
      await db.deleteFrom('auth_application_members').where('application_id', '=', applicationId).execute();
      await db.deleteFrom('auth_applications').where('application_id', '=', applicationId).execute();
    },
    async members(applicationId) {
      const rows = await db
        .selectFrom('auth_application_members')
        .selectAll()
        .where('application_id', '=', applicationId)
        .orderBy('user_id')
        .execute();
      return rows.map((row) => ({ userId: row.user_id, role: row.role as TenantRole }));
    },
    async rolesOf(userId) {
      const rows = await db
        .selectFrom('auth_application_members')
        .select(['application_id', 'role'])
        .where('user_id', '=', userId)
        .execute();
      return new Map(rows.map((row) => [row.application_id, row.role as TenantRole]));
    },
    async setMember(applicationId, userId, role) {
      await db
        .insertInto('auth_application_members')
        .values({ application_id: applicationId, user_id: userId, role })
        .onConflict((c) => c.columns(['application_id', 'user_id']).doUpdateSet({ role }))
        .execute();
    },
    async removeMember(applicationId, userId) {
      await db
        .deleteFrom('auth_application_members')
        .where('application_id', '=', applicationId)
        .where('user_id', '=', userId)
        .execute();
    },
  };
}

export function environmentsIn(db: Db | Tx): Environments {
  const withId = (appId: string) =>
    db.selectFrom('auth_environments').selectAll().where('app_id', '=', appId);
  return {
    async get(appId) {
      return (await withTenants(db, await withId(appId).execute()))[0];
    },
    async lock(appId) {
      return (await withTenants(db, await withId(appId).forUpdate().execute()))[0];
    },
    async list({ applicationId, userId }) {
      let query = db.selectFrom('auth_environments').selectAll('auth_environments');
      if (applicationId !== undefined) query = query.where('application_id', '=', applicationId);
      if (userId !== undefined) {
        query = query.where('application_id', 'in', (eb) =>
          eb.selectFrom('auth_application_members').select('application_id').where('user_id', '=', userId),
        );
      }
      return withTenants(db, await query.orderBy('created_at').orderBy('app_id').execute());
    },
    async insert(environment) {
      const row = {
        app_id: environment.appId,
        application_id: environment.applicationId,
        name: environment.name,
        geographies: toJson(environment.geographies),
        context_tag: environment.contextTag,
        created_at: environment.createdAtMs,
        updated_at: environment.updatedAtMs,
      };
      await orAlreadyExists('environment', 'name', () =>
        db.insertInto('auth_environments').values(row).execute(),
      );
      await writeTenants(db, environment);
    },
    async update(environment) {
      await db
        .updateTable('auth_environments')
        .set({
          name: environment.name,
          geographies: toJson(environment.geographies),
          context_tag: environment.contextTag,
          updated_at: environment.updatedAtMs,
        })
        .where('app_id', '=', environment.appId)
        .execute();
      await writeTenants(db, environment);
    },
    async delete(appId) {
      await db.deleteFrom('auth_tenant_grants').where('app_id', '=', appId).execute();
      await db.deleteFrom('auth_environments').where('app_id', '=', appId).execute();
    },
  };
}

async function withTenants(db: Db | Tx, rows: AuthEnvironmentsTable[]): Promise<Environment[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.app_id);
  const grants = await db
    .selectFrom('auth_tenant_grants')
    .selectAll()
    .where('app_id', 'in', ids)
    .orderBy('gk_scope_id')
    .execute();
  return rows.map((row) =>
    toEnvironment(
      row,
      grants.filter((grant) => grant.app_id === row.app_id).map((grant) => grant.gk_scope_id),
    ),
  );
}

async function writeTenants(db: Db | Tx, { appId, tenants }: Environment): Promise<void> {
  await db.deleteFrom('auth_tenant_grants').where('app_id', '=', appId).execute();
  if (tenants.length === 0) return;
  await db
    .insertInto('auth_tenant_grants')
    .values(tenants.map((tenant) => ({ app_id: appId, gk_scope_id: tenant })))
    .execute();
}

function toApplication(row: AuthApplicationsTable): Application {
  return {
    applicationId: row.application_id,
    name: row.name,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

function toEnvironment(row: AuthEnvironmentsTable, tenants: string[]): Environment {
  return {
    appId: row.app_id,
    applicationId: row.application_id,
    name: row.name,
    geographies: fromJson<string[]>(row.geographies),
    tenants,
    contextTag: row.context_tag,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}
