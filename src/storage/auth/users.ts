// Users in the database.
import type { TenantGrant, User } from '../../auth/model.js';
import type { Users } from '../../auth/ports.js';
import { flag, fromJson, isSet, orNull, orUndefined, toJson } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { AuthUsersTable } from '../schema/auth.js';
import { orAlreadyExists } from '../violations.js';

export function usersIn(db: Db | Tx): Users {
  const where = (column: 'user_id' | 'user_name', value: string) =>
    db.selectFrom('auth_users').selectAll().where(column, '=', value);
  const one = async (query: ReturnType<typeof where>): Promise<User | undefined> => {
    const row = await query.executeTakeFirst();
    return row && toUser(row);
  };
  return {
    get: (userId) => one(where('user_id', userId)),
    lock: (userId) => one(where('user_id', userId).forUpdate()),
    findByName: (userName) => one(where('user_name', userName)),
    async list() {
      const rows = await db
        .selectFrom('auth_users')
        .selectAll()
        .orderBy('created_at')
        .orderBy('user_id')
        .execute();
      return rows.map(toUser);
    },
    async countWithOwnPassword() {
      const row = await db
        .selectFrom('auth_users')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('password_hash', 'is not', null)
        .where('must_change_password', '=', 0)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async insert(user) {
      await orAlreadyExists('user', 'user_name', () =>
        db.insertInto('auth_users').values(toRow(user)).execute(),
      );
    },
    async update(user) {
      // `forgetDevices` alone changes the device epoch: a user that was read earlier must not restore the old
      // one.
      const { user_id, device_epoch: _epoch, ...rest } = toRow(user);
      await db.updateTable('auth_users').set(rest).where('user_id', '=', user_id).execute();
    },
    async delete(userId) {
      await db.deleteFrom('auth_users').where('user_id', '=', userId).execute();
    },
    async forgetDevices(userId, epoch) {
      await db.updateTable('auth_users').set({ device_epoch: epoch }).where('user_id', '=', userId).execute();
    },
  };
}

function toUser(row: AuthUsersTable): User {
  return {
    userId: row.user_id,
    userName: row.user_name,
    displayName: row.display_name,
    role: row.role as User['role'],
    passwordHash: orUndefined(row.password_hash),
    mustChangePassword: isSet(row.must_change_password),
    locked: isSet(row.locked),
    lockedUntilMs: row.locked_until,
    tenantRoles: fromJson<TenantGrant[]>(row.tenants),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    deviceEpoch: orUndefined(row.device_epoch),
  };
}

function toRow(user: User): AuthUsersTable {
  return {
    user_id: user.userId,
    user_name: user.userName,
    display_name: user.displayName,
    role: user.role,
    password_hash: orNull(user.passwordHash),
    must_change_password: flag(user.mustChangePassword),
    locked: flag(user.locked),
    // For programs from before migration 0043; auth_failures now has the count.
    failed_logins: 0,
    locked_until: user.lockedUntilMs,
    tenants: toJson(user.tenantRoles),
    created_at: user.createdAtMs,
    updated_at: user.updatedAtMs,
    device_epoch: orNull(user.deviceEpoch),
  };
}
