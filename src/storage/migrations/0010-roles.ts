// Roles with least privilege: members of applications become developers, and tenants that were given to people by name
// are kept with a role.
import type { Kysely } from 'kysely';
import type { Migration } from './migration.js';

interface Before {
  auth_application_members: { role: string };
  auth_users: { user_id: string; tenants: string };
}

export const roles: Migration = {
  version: 10,
  name: 'roles',
  async up(untyped) {
    const db = untyped as Kysely<Before>;
    await db
      .updateTable('auth_application_members')
      .set({ role: 'developer' })
      .where('role', '=', 'member')
      .execute();
    for (const { user_id, tenants } of await db
      .selectFrom('auth_users')
      .select(['user_id', 'tenants'])
      .where('tenants', '<>', '[]')
      .execute()) {
      const named = JSON.parse(tenants) as string[];
      const granted = named.map((tenantId) => ({ tenantId, role: 'developer' }));
      await db
        .updateTable('auth_users')
        .set({ tenants: JSON.stringify(granted) })
        .where('user_id', '=', user_id)
        .execute();
    }
  },
};
