// Voiceprint profiles: which of them there are, by owner, by tag, and by the watchlists and groups of their owners.
import { AppError } from '../../errors.js';
import type { Profile } from '../../biometrics/model/profiles.js';
import type { ProfileFilter, ProfileRepository } from '../../biometrics/ports/profiles.js';
import { contains, namedInTenant } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { VoiceprintProfilesTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { isUniqueViolation } from '../violations.js';
import { withoutCallSpeech } from './call-speech.js';
import { readPage } from './page.js';
import { notePrintChange } from './print-changes.js';
import { comparable, fromRow, toComparable, toRow, type ComparableRow } from './profile-rows.js';

/** Both databases take many more parameters. */
const IDS_PER_QUERY = 500;

function* chunks(ids: readonly string[]): Generator<string[]> {
  for (let first = 0; first < ids.length; first += IDS_PER_QUERY)
    yield ids.slice(first, first + IDS_PER_QUERY);
}

export function profileRepository(db: Db, keyring: Keyring): ProfileRepository {
  const inTenant = (gkScopeId: string) =>
    db
      .selectFrom('voiceprint_profiles')
      .selectAll('voiceprint_profiles')
      .where('voiceprint_profiles.gk_scope_id', '=', gkScopeId);
  const checked = (gkScopeId: string) => namedInTenant('voiceprint_profiles.gk_scope_id', gkScopeId);
  const named = (gkScopeId: string) =>
    db.selectFrom('voiceprint_profiles').selectAll('voiceprint_profiles').where(checked(gkScopeId));
  const comparables = (
    gkScopeId: string,
    column: 'gk_voiceprint_profile_id' | 'gk_owner_id',
    ids: readonly string[],
  ): Promise<ComparableRow[]> =>
    db
      .selectFrom('voiceprint_profiles')
      .select(comparable)
      .where(checked(gkScopeId))
      .where(column, 'in', ids)
      .execute();
  const membersPrints = (gkScopeId: string, collectionGkId: string) =>
    named(gkScopeId)
      .innerJoin('collection_members', 'collection_members.member_gk_id', 'voiceprint_profiles.gk_owner_id')
      .where('collection_members.collection_gk_id', '=', collectionGkId);
  function filtered(query: ReturnType<typeof inTenant>, gkScopeId: string, filter: ProfileFilter) {
    const { ownerType, gkOwnerId, createdFromMs, createdToMs, trained, statuses, tag, text } = filter;
    const { calibrationRevisionIds } = filter;
    if (ownerType) query = query.where('owner_type', '=', ownerType);
    if (gkOwnerId) query = query.where('gk_owner_id', '=', gkOwnerId);
    if (createdFromMs !== undefined) query = query.where('created_at', '>=', createdFromMs);
    if (createdToMs !== undefined) query = query.where('created_at', '<', createdToMs);
    if (trained === true) query = query.where('template', 'is not', null);
    if (trained === false) query = query.where('template', 'is', null);
    if (statuses && statuses.length > 0) query = query.where('status', 'in', [...statuses]);
    if (tag) query = query.where('tag', '=', tag);
    if (calibrationRevisionIds)
      query = query.where('calibration_revision_id', 'in', [...calibrationRevisionIds]);
    if (text) {
      const owners = db
        .selectFrom('parties')
        .select('gk_id')
        .where('gk_scope_id', '=', gkScopeId)
        .where(contains('external_id', text));
      query = query.where((where) =>
        where.or([where('gk_owner_id', 'in', owners), contains('voiceprint_profiles.tag', text)]),
      );
    }
    return query;
  }
  // One look at the keys serves a whole list: watchlists are long.
  async function allOf<Row, T>(
    gkScopeId: string,
    rows: readonly Row[],
    convert: (row: Row, tenant: TenantSealer) => T,
  ): Promise<T[]> {
    if (rows.length === 0) return [];
    const sealer = await keyring.forTenant(db, gkScopeId);
    return rows.map((row) => convert(row, sealer));
  }
  const all = (gkScopeId: string, rows: readonly VoiceprintProfilesTable[]): Promise<Profile[]> =>
    allOf(gkScopeId, rows, fromRow);

  const membersOf = (gkScopeId: string, collectionGkId: string) =>
    db
      .selectFrom('collection_members')
      .select('member_gk_id')
      .where('collection_gk_id', '=', collectionGkId)
      .where('gk_scope_id', '=', gkScopeId);

  async function membersAmong(
    gkScopeId: string,
    collectionGkId: string,
    owners: readonly string[],
  ): Promise<Set<string>> {
    const members = new Set<string>();
    for (const ids of chunks(owners)) {
      const rows = await membersOf(gkScopeId, collectionGkId).where('member_gk_id', 'in', ids).execute();
      for (const row of rows) members.add(row.member_gk_id);
    }
    return members;
  }

  const changed = (gkScopeId: string, gkVoiceprintProfileId: string) =>
    notePrintChange(db, gkScopeId, { kind: 'PRINT', gkVoiceprintProfileId });

  /** A recording may still come for the print of a person when it is gone. */
  const rememberOwner = (gkScopeId: string, id: string) =>
    db
      .insertInto('former_prints')
      .columns(['gk_voiceprint_profile_id', 'gk_scope_id', 'gk_person_id'])
      .expression(
        db
          .selectFrom('voiceprint_profiles')
          .select(['gk_voiceprint_profile_id', 'gk_scope_id', 'gk_owner_id'])
          .where('gk_voiceprint_profile_id', '=', id)
          .where(checked(gkScopeId))
          .where('owner_type', '=', 'PERSON'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();

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
              message: 'is already used by another voiceprint of this owner',
            },
          ],
          cause: error,
        });
      }
      await changed(profile.gkScopeId, profile.gkVoiceprintProfileId);
    },
    async find(gkScopeId, id) {
      const query = named(gkScopeId).where('gk_voiceprint_profile_id', '=', id);
      return (await all(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findMany(gkScopeId, ids) {
      if (ids.length === 0) return [];
      return all(
        gkScopeId,
        await named(gkScopeId)
          .where('gk_voiceprint_profile_id', 'in', [...ids])
          .orderBy('gk_voiceprint_profile_id')
          .execute(),
      );
    },
    async ownersOf(gkScopeId, ids) {
      const owners = new Map<string, string>();
      for (const part of chunks(ids)) {
        const gone = await db
          .selectFrom('former_prints')
          .select(['gk_voiceprint_profile_id', 'gk_person_id as gk_owner_id'])
          .where('gk_voiceprint_profile_id', 'in', part)
          .where(namedInTenant('gk_scope_id', gkScopeId))
          .execute();
        const there = await db
          .selectFrom('voiceprint_profiles')
          .select(['gk_voiceprint_profile_id', 'gk_owner_id'])
          .where('gk_voiceprint_profile_id', 'in', part)
          .where(checked(gkScopeId))
          .execute();
        for (const print of [...gone, ...there])
          owners.set(print.gk_voiceprint_profile_id, print.gk_owner_id);
      }
      return owners;
    },
    async listByOwner(gkScopeId, gkOwnerId) {
      return all(
        gkScopeId,
        await named(gkScopeId)
          .where('gk_owner_id', '=', gkOwnerId)
          .orderBy('created_at')
          .orderBy('gk_voiceprint_profile_id')
          .execute(),
      );
    },
    async listByCollection(gkScopeId, collectionGkId, tag, limit) {
      let query = membersPrints(gkScopeId, collectionGkId);
      if (tag) query = query.where('voiceprint_profiles.tag', '=', tag);
      return all(
        gkScopeId,
        await query.orderBy('voiceprint_profiles.gk_voiceprint_profile_id').limit(limit).execute(),
      );
    },
    async listByMembers(gkScopeId, collectionGkId, { members, after, admits }) {
      // Members first: a page then costs what it holds, however long the list is.
      const owners = await membersOf(gkScopeId, collectionGkId)
        .where('member_gk_id', '>', after)
        .orderBy('member_gk_id')
        .limit(members)
        .execute();
      if (owners.length === 0) return { prints: [] };
      const ids = owners.map(({ member_gk_id }) => member_gk_id);
      const admitted = admits ? ids.filter(admits) : ids;
      const rows = admitted.length > 0 ? await comparables(gkScopeId, 'gk_owner_id', admitted) : [];
      const prints = await allOf(gkScopeId, rows, toComparable);
      const next = ids.length === members ? ids.at(-1) : undefined;
      return { prints, ...(next !== undefined && { next }) };
    },
    async listInCollection(gkScopeId, collectionGkId, { prints, owners }) {
      const found: ComparableRow[] = [];
      for (const ids of chunks(prints))
        found.push(...(await comparables(gkScopeId, 'gk_voiceprint_profile_id', ids)));
      const members = await membersAmong(gkScopeId, collectionGkId, [
        ...new Set([...owners, ...found.map((row) => row.gk_owner_id)]),
      ]);
      const wanted = new Map(
        found
          .filter((row) => members.has(row.gk_owner_id))
          .map((row) => [row.gk_voiceprint_profile_id, row] as const),
      );
      for (const ids of chunks(owners.filter((id) => members.has(id)))) {
        for (const row of await comparables(gkScopeId, 'gk_owner_id', ids))
          wanted.set(row.gk_voiceprint_profile_id, row);
      }
      return allOf(gkScopeId, [...wanted.values()], toComparable);
    },
    async countKept(gkScopeId, prints) {
      let kept = 0;
      for (const ids of chunks(prints)) {
        const row = await db
          .selectFrom('voiceprint_profiles')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where(checked(gkScopeId))
          .where('gk_voiceprint_profile_id', 'in', ids)
          .where((where) => where.or([where('template', 'is not', null), where('version', '=', 0)]))
          .executeTakeFirstOrThrow();
        kept += Number(row.count);
      }
      return kept;
    },
    async listByOwners(gkScopeId, gkOwnerIds) {
      if (gkOwnerIds.length === 0) return [];
      const query = named(gkScopeId).where('gk_owner_id', 'in', [...gkOwnerIds]);
      return all(gkScopeId, await query.orderBy('created_at').orderBy('gk_voiceprint_profile_id').execute());
    },
    async count(gkScopeId, filter) {
      const row = await filtered(inTenant(gkScopeId), gkScopeId, filter)
        .clearSelect()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
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
    async list(gkScopeId, filter, page) {
      const query = filtered(inTenant(gkScopeId), gkScopeId, filter);
      const { rows, next } = await readPage(query, 'gk_voiceprint_profile_id', page);
      return { profiles: await all(gkScopeId, rows), ...(next && { next }) };
    },
    async update(profile) {
      const { gk_voiceprint_profile_id, gk_scope_id, template, calibration_revision_id, ...columns } =
        await toRow(db, keyring, profile);
      await db
        .updateTable('voiceprint_profiles')
        // What cannot be read stays as it is: a lock must not destroy what a key or a backup may bring back.
        .set(profile.damaged ? columns : { ...columns, template, calibration_revision_id })
        .where('gk_voiceprint_profile_id', '=', gk_voiceprint_profile_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      await changed(gk_scope_id, gk_voiceprint_profile_id);
    },
    async delete(gkScopeId, id) {
      const segments = db.deleteFrom('enrollment_segments').where('gk_voiceprint_profile_id', '=', id);
      const dropped = await withoutCallSpeech(
        db,
        { gkVoiceprintProfileId: id },
        async () => void (await segments.execute()),
      );
      await rememberOwner(gkScopeId, id);
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
