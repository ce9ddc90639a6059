// The database's link between users and their identities at the company's identity provider.
import type { Identities } from '../../auth/ports.js';
import type { Db, Tx } from '../database.js';

export function identitiesIn(db: Db | Tx): Identities {
  return {
    async find(issuer, subject) {
      const row = await db
        .selectFrom('auth_identities')
        .select('user_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row?.user_id;
    },
    async holders(userId) {
      const all = db.selectFrom('auth_identities').select('user_id').distinct();
      const rows = await (userId === undefined ? all : all.where('user_id', '=', userId)).execute();
      return new Set(rows.map(({ user_id }) => user_id));
    },
    async insert({ issuer, subject, userId, createdAtMs }) {
      await db
        .insertInto('auth_identities')
        .values({ issuer, subject, user_id: userId, created_at: createdAtMs })
        .execute();
    },
    async deleteOfUser(userId) {
      await db.deleteFrom('auth_identities').where('user_id', '=', userId).execute();
    },
  };
}
