// Revisions of config sets and templates; at most one of a set is ACTIVE.
import type { ConfigClass, ConfigsetRevision } from '../../biometrics/model/configsets.js';
import type { ConfigsetRepository } from '../../biometrics/ports/configsets.js';
import { locksRows, type Db } from '../database.js';
import type { ConfigsetRevisionsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { reassess } from './reassess.js';
import { openTexts, sealTexts, sealerForTexts } from './texts.js';

type Document = Pick<
  ConfigsetRevision,
  'configsetId' | 'type' | 'content' | 'description' | 'createdBy' | 'updatedBy'
>;

export function configsetRepository(db: Db, keyring: Keyring): ConfigsetRepository {
  const toRow = (revision: ConfigsetRevision): Promise<ConfigsetRevisionsTable> =>
    rowOf(revision, () => keyring.forTenant(db, revision.gkScopeId));
  async function fromRows(gkScopeId: string, rows: readonly ConfigsetRevisionsTable[]) {
    const sealer = await sealerForTexts(keyring, db, gkScopeId, rows);
    return rows.map((row) => fromRow(row, sealer));
  }
  const inTenant = (gkScopeId: string) =>
    db.selectFrom('configset_revisions').selectAll().where('gk_scope_id', '=', gkScopeId);
  const active = (gkScopeId: string, configClass: ConfigClass, configsetId: string) =>
    inTenant(gkScopeId)
      .where('config_class', '=', configClass)
      .where('configset_key', '=', configsetId.toLowerCase())
      .where('state', '=', 'ACTIVE');
  return {
    async insert(revision) {
      await db
        .insertInto('configset_revisions')
        .values(await toRow(revision))
        .execute();
      if (revision.state === 'ACTIVE') await reassess(db, revision.gkScopeId, { configset: true });
    },
    async find(gkScopeId, id) {
      const query = inTenant(gkScopeId).where('gk_configset_revision_id', '=', id);
      return (await fromRows(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findActive(gkScopeId, configClass, configsetId) {
      return (await fromRows(gkScopeId, await active(gkScopeId, configClass, configsetId).execute()))[0];
    },
    async takeActive(gkScopeId, configClass, configsetId) {
      const query = active(gkScopeId, configClass, configsetId).forUpdate();
      return (await fromRows(gkScopeId, await query.execute()))[0];
    },
    async list(gkScopeId, configClass, { configsetId, states }) {
      let query = inTenant(gkScopeId).where('config_class', '=', configClass);
      if (configsetId) query = query.where('configset_key', '=', configsetId.toLowerCase());
      if (states && states.length > 0) query = query.where('state', 'in', [...states]);
      const rows = await query.orderBy('created_at', 'desc').orderBy('gk_configset_revision_id').execute();
      return fromRows(gkScopeId, rows);
    },
    async update(revision) {
      const { gk_configset_revision_id, gk_scope_id, ...columns } = await toRow(revision);
      await db
        .updateTable('configset_revisions')
        .set(columns)
        .where('gk_configset_revision_id', '=', gk_configset_revision_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      await reassess(db, gk_scope_id, { configset: true });
    },
    async delete(gkScopeId, id) {
      await db
        .deleteFrom('configset_revisions')
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_configset_revision_id', '=', id)
        .execute();
      await reassess(db, gkScopeId, { configset: true });
    },
    async deleteAll(gkScopeId, configClass, configsetId) {
      const result = await db
        .deleteFrom('configset_revisions')
        .where('gk_scope_id', '=', gkScopeId)
        .where('config_class', '=', configClass)
        .where('configset_key', '=', configsetId.toLowerCase())
        .executeTakeFirst();
      await reassess(db, gkScopeId, { configset: true });
      return Number(result.numDeletedRows);
    },
  };
}

async function rowOf(
  revision: ConfigsetRevision,
  sealerOf: () => Promise<TenantSealer>,
): Promise<ConfigsetRevisionsTable> {
  const { configsetId, type, content, description, createdBy, updatedBy } = revision;
  const document = { configsetId, type, content, description, createdBy, updatedBy };
  const place = { table: 'configset_revisions', id: revision.gkConfigsetRevisionId } as const;
  return {
    gk_configset_revision_id: revision.gkConfigsetRevisionId,
    gk_scope_id: revision.gkScopeId,
    config_class: revision.configClass,
    configset_key: configsetId.toLowerCase(),
    state: revision.state,
    ...(await sealTexts(sealerOf, place, { document })),
    created_at: revision.createdAtMs,
    modified_at: revision.modifiedAtMs,
  };
}

function fromRow(row: ConfigsetRevisionsTable, sealer: TenantSealer | undefined): ConfigsetRevision {
  const place = { table: 'configset_revisions', id: row.gk_configset_revision_id } as const;
  const { document } = openTexts<{ document: Document }>(sealer, place, row);
  return {
    gkConfigsetRevisionId: row.gk_configset_revision_id,
    gkScopeId: row.gk_scope_id,
    configClass: row.config_class as ConfigsetRevision['configClass'],
    state: row.state as ConfigsetRevision['state'],
    ...document,
    // The name of the section in 0.2.0, whose documents are sealed and cannot be rewritten by a migration.
    content: document.content.replace(/"lookBack"(?=\s*:)/, '"voiceSearch"'),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
