// Voiceprint profiles, by owner, by tag, and by the watchlists and groups of their owners.
import { AppError } from '../../errors.js';
import type { ProfileRepository } from '../../biometrics/ports/profiles.js';
import { namedInTenant } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { VoiceprintProfilesTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { isUniqueViolation } from '../violations.js';
import { withoutCallSpeech } from './call-speech.js';
import { readPage } from './page.js';
import { notePrintChange } from './print-changes.js';
import { reassessPrint } from './reassess.js';
import {
  chunks,
  comparables,
  filteredProfiles,
  membersAmong,
  membersOf,
  namedIn,
  namedProfiles,
  profilesOfMembers,
} from './profile-queries.js';
import { fromRow, toComparable, toRow, type ComparableRow } from './profile-rows.js';
import { say } from '../../words/server/say.js';

export function profileRepository(db: Db, keyring: Keyring): ProfileRepository {
  const reader = profileReader(db, keyring);
  return {
    ...findsById(db, reader),
    ...listsOfOwners(db, reader),
    ...listsOfCollections(db, reader),
    ...counts(db),
    ...writes(db, keyring),
  };
}

type ProfileReader = ReturnType<typeof profileReader>;

/** Opens stored prints. The keys are looked up once for a whole list, because watchlists are long. */
function profileReader(db: Db, keyring: Keyring) {
  async function opened<Row, T>(
    gkScopeId: string,
    rows: readonly Row[],
    convert: (row: Row, tenant: TenantSealer) => T,
  ): Promise<T[]> {
    if (rows.length === 0) return [];
    const sealer = await keyring.forTenant(db, gkScopeId);
    return rows.map((row) => convert(row, sealer));
  }
  return {
    profiles: (gkScopeId: string, rows: readonly VoiceprintProfilesTable[]) =>
      opened(gkScopeId, rows, fromRow),
    comparables: (gkScopeId: string, rows: readonly ComparableRow[]) => opened(gkScopeId, rows, toComparable),
  };
}

/** Prints by ID, and who owns or owned them. */
function findsById(db: Db, reader: ProfileReader): Pick<ProfileRepository, 'find' | 'findMany' | 'ownersOf'> {
  return {
    async find(gkScopeId, id) {
      const query = namedProfiles(db, gkScopeId).where('gk_voiceprint_profile_id', '=', id);
      return (
        await reader.profiles(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute())
      )[0];
    },
    async findMany(gkScopeId, ids) {
      if (ids.length === 0) return [];
      return reader.profiles(
        gkScopeId,
        await namedProfiles(db, gkScopeId)
          .where('gk_voiceprint_profile_id', 'in', [...ids])
          .orderBy('gk_voiceprint_profile_id')
          .execute(),
      );
    },
    async ownersOf(gkScopeId, ids) {
      const owners = new Map<string, string>();
      for (const part of chunks(ids)) {
        const former = await db
          .selectFrom('former_prints')
          .select(['gk_voiceprint_profile_id', 'gk_person_id as gk_owner_id'])
          .where('gk_voiceprint_profile_id', 'in', part)
          .where(namedInTenant('gk_scope_id', gkScopeId))
          .execute();
        const deletedFraudsters = await db
          .selectFrom('former_fraudster_prints')
          .select(['gk_voiceprint_profile_id', 'gk_fraudster_id as gk_owner_id'])
          .where('gk_voiceprint_profile_id', 'in', part)
          .where(namedInTenant('gk_scope_id', gkScopeId))
          .execute();
        const there = await db
          .selectFrom('voiceprint_profiles')
          .select(['gk_voiceprint_profile_id', 'gk_owner_id'])
          .where('gk_voiceprint_profile_id', 'in', part)
          .where(namedIn(gkScopeId))
          .execute();
        for (const print of [...former, ...deletedFraudsters, ...there])
          owners.set(print.gk_voiceprint_profile_id, print.gk_owner_id);
      }
      return owners;
    },
  };
}

/** Prints by owner and filter. */
function listsOfOwners(
  db: Db,
  reader: ProfileReader,
): Pick<ProfileRepository, 'listByOwner' | 'listByOwners' | 'list'> {
  return {
    async listByOwner(gkScopeId, gkOwnerId) {
      return reader.profiles(
        gkScopeId,
        await namedProfiles(db, gkScopeId)
          .where('gk_owner_id', '=', gkOwnerId)
          .orderBy('created_at')
          .orderBy('gk_voiceprint_profile_id')
          .execute(),
      );
    },
    async listByOwners(gkScopeId, gkOwnerIds) {
      if (gkOwnerIds.length === 0) return [];
      const query = namedProfiles(db, gkScopeId).where('gk_owner_id', 'in', [...gkOwnerIds]);
      return reader.profiles(
        gkScopeId,
        await query.orderBy('created_at').orderBy('gk_voiceprint_profile_id').execute(),
      );
    },
    async list(gkScopeId, filter, page) {
      const query = filteredProfiles(db, gkScopeId, filter);
      const { rows, next } = await readPage(query, 'gk_voiceprint_profile_id', page);
      return { profiles: await reader.profiles(gkScopeId, rows), ...(next && { next }) };
    },
  };
}

/** Prints of the members of watchlists and groups. */
function listsOfCollections(
  db: Db,
  reader: ProfileReader,
): Pick<ProfileRepository, 'listByCollection' | 'listByMembers' | 'listInCollection'> {
  return {
    async listByCollection(gkScopeId, collectionGkId, tag, limit) {
      let query = profilesOfMembers(db, gkScopeId, collectionGkId);
      if (tag) query = query.where('voiceprint_profiles.tag', '=', tag);
      return reader.profiles(
        gkScopeId,
        await query.orderBy('voiceprint_profiles.gk_voiceprint_profile_id').limit(limit).execute(),
      );
    },
    async listByMembers(gkScopeId, collectionGkId, { members, after }) {
      // Members first: then a page costs in proportion to its size, not to the length of the list.
      const owners = await membersOf(db, gkScopeId, collectionGkId)
        .where('member_gk_id', '>', after)
        .orderBy('member_gk_id')
        .limit(members)
        .execute();
      if (owners.length === 0) return { prints: [] };
      const ids = owners.map(({ member_gk_id }) => member_gk_id);
      const rows = await comparables(db, gkScopeId, 'gk_owner_id', ids);
      const prints = await reader.comparables(gkScopeId, rows);
      const next = ids.length === members ? ids.at(-1) : undefined;
      return { prints, ...(next !== undefined && { next }) };
    },
    async listInCollection(gkScopeId, collectionGkId, { prints, owners }) {
      const found: ComparableRow[] = [];
      for (const ids of chunks(prints))
        found.push(...(await comparables(db, gkScopeId, 'gk_voiceprint_profile_id', ids)));
      const members = await membersAmong(db, gkScopeId, collectionGkId, [
        ...new Set([...owners, ...found.map((row) => row.gk_owner_id)]),
      ]);
      const wanted = new Map(
        found
          .filter((row) => members.has(row.gk_owner_id))
          .map((row) => [row.gk_voiceprint_profile_id, row] as const),
      );
      for (const ids of chunks(owners.filter((id) => members.has(id)))) {
        for (const row of await comparables(db, gkScopeId, 'gk_owner_id', ids))
          wanted.set(row.gk_voiceprint_profile_id, row);
      }
      return reader.comparables(gkScopeId, [...wanted.values()]);
    },
  };
}

/** Counts of prints. */
function counts(db: Db): Pick<ProfileRepository, 'count' | 'countKept' | 'countByCalibration'> {
  return {
    async count(gkScopeId, filter) {
      const row = await filteredProfiles(db, gkScopeId, filter)
        .clearSelect()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async countKept(gkScopeId, prints) {
      let kept = 0;
      for (const ids of chunks(prints)) {
        const row = await db
          .selectFrom('voiceprint_profiles')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where(namedIn(gkScopeId))
          .where('gk_voiceprint_profile_id', 'in', ids)
          .where((where) => where.or([where('template', 'is not', null), where('version', '=', 0)]))
          .executeTakeFirstOrThrow();
        kept += Number(row.count);
      }
      return kept;
    },
    async countByCalibration() {
      const rows = await db
        .selectFrom('voiceprint_profiles')
        .select(['gk_scope_id', 'calibration_revision_id'])
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('calibration_revision_id', 'is not', null)
        .groupBy(['gk_scope_id', 'calibration_revision_id'])
        .execute();
      return rows.map((row) => ({
        gkScopeId: row.gk_scope_id,
        calibrationRevisionId: row.calibration_revision_id ?? '',
        prints: Number(row.count),
      }));
    },
  };
}

/** Writes a print and tells every process that holds prints in memory. */
function writes(db: Db, keyring: Keyring): Pick<ProfileRepository, 'insert' | 'update' | 'delete'> {
  const changed = (gkScopeId: string, gkVoiceprintProfileId: string) =>
    notePrintChange(db, gkScopeId, { kind: 'PRINT', gkVoiceprintProfileId });
  return {
    async insert(profile) {
      const row = await toRow(db, keyring, profile);
      try {
        await db.insertInto('voiceprint_profiles').values(row).execute();
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('ALREADY_EXISTS', 'the owner already has a voiceprint with this tag', {
          fields: [
            {
              field: 'owner.tag',
              violation: 'FIELD_CONFLICT',
              ...say('TAG_IN_USE'),
            },
          ],
          cause: error,
        });
      }
      await changed(profile.gkScopeId, profile.gkVoiceprintProfileId);
    },
    async update(profile) {
      const { gk_voiceprint_profile_id, gk_scope_id, template, calibration_revision_id, ...columns } =
        await toRow(db, keyring, profile);
      await db
        .updateTable('voiceprint_profiles')
        // Sealed data that cannot be read is left alone: locking a print must not destroy what a key or a
        // backup could restore.
        .set(profile.damaged ? columns : { ...columns, template, calibration_revision_id })
        .where('gk_voiceprint_profile_id', '=', gk_voiceprint_profile_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      await changed(gk_scope_id, gk_voiceprint_profile_id);
    },
    async delete(gkScopeId, id) {
      await reassessPrint(db, id);
      const segments = db.deleteFrom('enrollment_segments').where('gk_voiceprint_profile_id', '=', id);
      const dropped = await withoutCallSpeech(
        db,
        { gkVoiceprintProfileId: id },
        async () => void (await segments.execute()),
      );
      await rememberOwner(db, gkScopeId, id);
      await db
        .deleteFrom('voiceprint_profiles')
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_voiceprint_profile_id', '=', id)
        .execute();
      await changed(gkScopeId, id);
      return dropped;
    },
  };
}

/** A recording may still arrive for a print after it is gone, and past findings still say who was recognized. */
async function rememberOwner(db: Db, gkScopeId: string, id: string): Promise<void> {
  const ownerOf = (type: 'PERSON' | 'FRAUDSTER') =>
    db
      .selectFrom('voiceprint_profiles')
      .select(['gk_voiceprint_profile_id', 'gk_scope_id', 'gk_owner_id'])
      .where('gk_voiceprint_profile_id', '=', id)
      .where(namedIn(gkScopeId))
      .where('owner_type', '=', type);
  await db
    .insertInto('former_prints')
    .columns(['gk_voiceprint_profile_id', 'gk_scope_id', 'gk_person_id'])
    .expression(ownerOf('PERSON'))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('former_fraudster_prints')
    .columns(['gk_voiceprint_profile_id', 'gk_scope_id', 'gk_fraudster_id'])
    .expression(ownerOf('FRAUDSTER'))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
