// The queries of the voiceprint profile repository, before anything is unsealed.
import type { ProfileFilter } from '../../biometrics/ports/profiles.js';
import { contains, namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { comparable, type ComparableRow } from './profile-rows.js';

/** Well below the number of parameters that either database accepts. */
const IDS_PER_QUERY = 500;

export function* chunks(ids: readonly string[]): Generator<string[]> {
  for (let first = 0; first < ids.length; first += IDS_PER_QUERY)
    yield ids.slice(first, first + IDS_PER_QUERY);
}

/** For a query that names rows by their IDs. */
export const namedIn = (gkScopeId: string) => namedInTenant('voiceprint_profiles.gk_scope_id', gkScopeId);

export const namedProfiles = (db: Db, gkScopeId: string) =>
  db.selectFrom('voiceprint_profiles').selectAll('voiceprint_profiles').where(namedIn(gkScopeId));

export const comparables = (
  db: Db,
  gkScopeId: string,
  column: 'gk_voiceprint_profile_id' | 'gk_owner_id',
  ids: readonly string[],
): Promise<ComparableRow[]> =>
  db
    .selectFrom('voiceprint_profiles')
    .select(comparable)
    .where(namedIn(gkScopeId))
    .where(column, 'in', ids)
    .execute();

export function filteredProfiles(db: Db, gkScopeId: string, filter: ProfileFilter) {
  let query = db
    .selectFrom('voiceprint_profiles')
    .selectAll('voiceprint_profiles')
    .where('voiceprint_profiles.gk_scope_id', '=', gkScopeId);
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

export const membersOf = (db: Db, gkScopeId: string, collectionGkId: string) =>
  db
    .selectFrom('collection_members')
    .select('member_gk_id')
    .where('collection_gk_id', '=', collectionGkId)
    .where('gk_scope_id', '=', gkScopeId);

export async function membersAmong(
  db: Db,
  gkScopeId: string,
  collectionGkId: string,
  owners: readonly string[],
): Promise<Set<string>> {
  const members = new Set<string>();
  for (const ids of chunks(owners)) {
    const rows = await membersOf(db, gkScopeId, collectionGkId).where('member_gk_id', 'in', ids).execute();
    for (const row of rows) members.add(row.member_gk_id);
  }
  return members;
}

export const profilesOfMembers = (db: Db, gkScopeId: string, collectionGkId: string) =>
  namedProfiles(db, gkScopeId)
    .innerJoin('collection_members', 'collection_members.member_gk_id', 'voiceprint_profiles.gk_owner_id')
    .where('collection_members.collection_gk_id', '=', collectionGkId);
