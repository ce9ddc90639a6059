// Revisions of config sets and templates; at most one of a set is ACTIVE.
import type { ConfigsetRevision } from '../../biometrics/model/configsets.js';
import type { ConfigsetRepository } from '../../biometrics/ports/configsets.js';
import { fromJson, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { ConfigsetRevisionsTable } from '../schema/biometrics.js';

type Document = Pick<
  ConfigsetRevision,
  'configsetId' | 'type' | 'content' | 'description' | 'createdBy' | 'updatedBy'
>;

export function configsetRepository(db: Db): ConfigsetRepository {
  const inTenant = (gkScopeId: string) =>
    db.selectFrom('configset_revisions').selectAll().where('gk_scope_id', '=', gkScopeId);
  return {
    async insert(revision) {
      await db.insertInto('configset_revisions').values(toRow(revision)).execute();
    },
    async find(gkScopeId, id) {
      const query = inTenant(gkScopeId).where('gk_configset_revision_id', '=', id);
      const row = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
      return row && fromRow(row);
    },
    async findActive(gkScopeId, configClass, configsetId) {
      const query = inTenant(gkScopeId)
        .where('config_class', '=', configClass)
        .where('configset_key', '=', configsetId.toLowerCase())
        .where('state', '=', 'ACTIVE');
      const row = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
      return row && fromRow(row);
    },
    async list(gkScopeId, configClass, { configsetId, states }) {
      let query = inTenant(gkScopeId).where('config_class', '=', configClass);
      if (configsetId) query = query.where('configset_key', '=', configsetId.toLowerCase());
      if (states && states.length > 0) query = query.where('state', 'in', [...states]);
      return (await query.orderBy('created_at', 'desc').orderBy('gk_configset_revision_id').execute()).map(
        fromRow,
      );
    },
    async update(revision) {
      const { gk_configset_revision_id, gk_scope_id, ...columns } = toRow(revision);
      await db
        .updateTable('configset_revisions')
        .set(columns)
        .where('gk_configset_revision_id', '=', gk_configset_revision_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
    },
    async delete(gkScopeId, id) {
      await db
        .deleteFrom('configset_revisions')
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_configset_revision_id', '=', id)
        .execute();
    },
    async deleteAll(gkScopeId, configClass, configsetId) {
      const result = await db
        .deleteFrom('configset_revisions')
        .where('gk_scope_id', '=', gkScopeId)
        .where('config_class', '=', configClass)
        .where('configset_key', '=', configsetId.toLowerCase())
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

function toRow(revision: ConfigsetRevision): ConfigsetRevisionsTable {
  const { configsetId, type, content, description, createdBy, updatedBy } = revision;
  return {
    gk_configset_revision_id: revision.gkConfigsetRevisionId,
    gk_scope_id: revision.gkScopeId,
    config_class: revision.configClass,
    configset_key: configsetId.toLowerCase(),
    state: revision.state,
    document: toJson({ configsetId, type, content, description, createdBy, updatedBy }),
    created_at: revision.createdAtMs,
    modified_at: revision.modifiedAtMs,
  };
}

function fromRow(row: ConfigsetRevisionsTable): ConfigsetRevision {
  return {
    gkConfigsetRevisionId: row.gk_configset_revision_id,
    gkScopeId: row.gk_scope_id,
    configClass: row.config_class as ConfigsetRevision['configClass'],
    state: row.state as ConfigsetRevision['state'],
    ...fromJson<Document>(row.document),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
