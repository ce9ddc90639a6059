// Revisions of calibration models: the factory's, which belong to no scope, and the tenants' own.
import type { CalibrationRevision } from '../../biometrics/model/calibrations.js';
import type { CalibrationRepository } from '../../biometrics/ports/calibrations.js';
import { fromJson, readTimes, storedTimes, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { CalibrationRevisionsTable } from '../schema/biometrics.js';

type Document = Pick<
  CalibrationRevision,
  'mode' | 'engineFramework' | 'content' | 'description' | 'uploadExpiresAtMs'
>;

/** Scope of the factory models. */
const SHARED = '';

export function calibrationRepository(db: Db): CalibrationRepository {
  const all = () => db.selectFrom('calibration_revisions').selectAll();
  return {
    async insert(revision) {
      await db.insertInto('calibration_revisions').values(toRow(revision)).execute();
    },
    async find(gkScopeId, id) {
      const query = all()
        .where('gk_scope_id', 'in', [gkScopeId, SHARED])
        .where('gk_calibration_model_revision_id', '=', id);
      const row = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
      return row && fromRow(row);
    },
    async findAnywhere(id) {
      const row = await all().where('gk_calibration_model_revision_id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
    async list(gkScopeId, { calibrationModelId, states, types }) {
      let query = all().where('gk_scope_id', 'in', [gkScopeId, SHARED]);
      if (calibrationModelId) query = query.where('calibration_model_id', '=', calibrationModelId);
      if (states && states.length > 0) query = query.where('state', 'in', [...states]);
      if (types && types.length > 0) query = query.where('type', 'in', [...types]);
      return (
        await query.orderBy('created_at', 'desc').orderBy('gk_calibration_model_revision_id').execute()
      ).map(fromRow);
    },
    async update(revision) {
      const { gk_calibration_model_revision_id, ...columns } = toRow(revision);
      await db
        .updateTable('calibration_revisions')
        .set(columns)
        .where('gk_calibration_model_revision_id', '=', gk_calibration_model_revision_id)
        .execute();
    },
  };
}

function toRow(revision: CalibrationRevision): CalibrationRevisionsTable {
  const { mode, engineFramework, content, description, uploadExpiresAtMs } = revision;
  return {
    gk_calibration_model_revision_id: revision.gkCalibrationModelRevisionId,
    gk_scope_id: revision.gkScopeId,
    calibration_model_id: revision.calibrationModelId,
    type: revision.type,
    state: revision.state,
    document: toJson(
      storedTimes({ mode, engineFramework, content, description, uploadExpiresAtMs }, 'uploadExpiresAt'),
    ),
    created_at: revision.createdAtMs,
    modified_at: revision.modifiedAtMs,
  };
}

function fromRow(row: CalibrationRevisionsTable): CalibrationRevision {
  return {
    gkCalibrationModelRevisionId: row.gk_calibration_model_revision_id,
    gkScopeId: row.gk_scope_id,
    calibrationModelId: row.calibration_model_id,
    type: row.type as CalibrationRevision['type'],
    state: row.state as CalibrationRevision['state'],
    ...readTimes<Document>(fromJson(row.document), 'uploadExpiresAt'),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
