// Revisions of calibration models: the factory's, which belong to no tenant, and the tenants' own.
import type { CalibrationRevision } from '../../biometrics/model/calibrations.js';
import type { CalibrationRepository } from '../../biometrics/ports/calibrations.js';
import { readTimes, storedTimes } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { CalibrationRevisionsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { openTexts, sealTexts, sealerForTexts } from './texts.js';

type Document = Pick<
  CalibrationRevision,
  'mode' | 'engineFramework' | 'content' | 'description' | 'uploadExpiresAtMs'
>;

/** The factory models belong to no tenant. */
const SHARED = '';

export function calibrationRepository(db: Db, keyring: Keyring): CalibrationRepository {
  const toRow = (revision: CalibrationRevision): Promise<CalibrationRevisionsTable> =>
    rowOf(
      revision,
      revision.gkScopeId === SHARED ? undefined : () => keyring.forTenant(db, revision.gkScopeId),
    );
  async function fromRows(rows: readonly CalibrationRevisionsTable[]): Promise<CalibrationRevision[]> {
    const revisions: CalibrationRevision[] = [];
    for (const row of rows)
      revisions.push(fromRow(row, await sealerForTexts(keyring, db, row.gk_scope_id, [row])));
    return revisions;
  }
  const all = () => db.selectFrom('calibration_revisions').selectAll();
  return {
    async insert(revision) {
      await db
        .insertInto('calibration_revisions')
        .values(await toRow(revision))
        // Nodes that start at the same time all insert the factory's revision; it is the same one.
        .onConflict((conflict) => conflict.column('gk_calibration_model_revision_id').doNothing())
        .execute();
    },
    async find(gkScopeId, id) {
      const query = all()
        .where('gk_scope_id', 'in', [gkScopeId, SHARED])
        .where('gk_calibration_model_revision_id', '=', id);
      return (await fromRows(await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findAnywhere(id) {
      return (await fromRows(await all().where('gk_calibration_model_revision_id', '=', id).execute()))[0];
    },
    async list(gkScopeId, { calibrationModelId, states, types }) {
      let query = all().where('gk_scope_id', 'in', [gkScopeId, SHARED]);
      if (calibrationModelId) query = query.where('calibration_model_id', '=', calibrationModelId);
      if (states && states.length > 0) query = query.where('state', 'in', [...states]);
      if (types && types.length > 0) query = query.where('type', 'in', [...types]);
      return fromRows(
        await query.orderBy('created_at', 'desc').orderBy('gk_calibration_model_revision_id').execute(),
      );
    },
    async update(revision) {
      const { gk_calibration_model_revision_id, ...columns } = await toRow(revision);
      await db
        .updateTable('calibration_revisions')
        .set(columns)
        .where('gk_calibration_model_revision_id', '=', gk_calibration_model_revision_id)
        .execute();
    },
  };
}

async function rowOf(
  revision: CalibrationRevision,
  sealerOf: (() => Promise<TenantSealer>) | undefined,
): Promise<CalibrationRevisionsTable> {
  const { mode, engineFramework, content, description, uploadExpiresAtMs } = revision;
  const document = storedTimes(
    { mode, engineFramework, content, description, uploadExpiresAtMs },
    'uploadExpiresAt',
  );
  const place = { table: 'calibration_revisions', id: revision.gkCalibrationModelRevisionId } as const;
  return {
    gk_calibration_model_revision_id: revision.gkCalibrationModelRevisionId,
    gk_scope_id: revision.gkScopeId,
    calibration_model_id: revision.calibrationModelId,
    type: revision.type,
    state: revision.state,
    ...(await sealTexts(sealerOf, place, { document })),
    created_at: revision.createdAtMs,
    modified_at: revision.modifiedAtMs,
  };
}

function fromRow(row: CalibrationRevisionsTable, sealer: TenantSealer | undefined): CalibrationRevision {
  const place = { table: 'calibration_revisions', id: row.gk_calibration_model_revision_id } as const;
  const { document } = openTexts<{ document: object }>(sealer, place, row);
  return {
    gkCalibrationModelRevisionId: row.gk_calibration_model_revision_id,
    gkScopeId: row.gk_scope_id,
    calibrationModelId: row.calibration_model_id,
    type: row.type as CalibrationRevision['type'],
    state: row.state as CalibrationRevision['state'],
    ...readTimes<Document>(document, 'uploadExpiresAt'),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
