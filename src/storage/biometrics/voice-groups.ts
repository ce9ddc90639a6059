// Groups of recordings of one voice. A recording's own row (call_voices) says which group it is in. The
// middle (centroid) of a group, computed from a few of its voices, is sealed in a row of its own; when one of
// those voices is removed or changed, the middle is deleted in the same transaction.
import { sql } from 'kysely';
import type { GroupingState, VoiceGroupRepository } from '../../biometrics/ports/voice-groups.js';
import { decodeTemplate, encodeTemplate } from '../../voice/scoring/codec.js';
import type { Template } from '../../voice/scoring/template.js';
import type { GroupChanges, VoiceGroup } from '../../voice/search/voice-groups.js';
import { flag, namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { placeOf, type Keyring } from '../sealing/keyring.js';
import { readOrDamaged } from './packed.js';

const IDS_PER_QUERY = 500;
/** The basis of a tenant without groups. */
const NO_GROUPS = '';
const place = (groupId: string): string => placeOf('voice_groups', 'middle', groupId);

/** In no group. */
export const ungrouped = { group_id: null, group_llr: null, is_group_sample: null } as const;

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += IDS_PER_QUERY) yield all.slice(at, at + IDS_PER_QUERY);
}

export async function dropMiddles(db: Db, gkScopeId: string, groupIds: readonly string[]): Promise<void> {
  for (const some of inParts(groupIds))
    await db
      .deleteFrom('voice_groups')
      .where('group_id', 'in', some)
      .where(namedInTenant('gk_scope_id', gkScopeId))
      .execute();
}

/**
 * The recordings that the middles of groups are made from, by group; locked, so that none is deleted before
 * the transaction ends.
 */
async function samplesOf(
  db: Db,
  gkScopeId: string,
  groupIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const some of inParts(groupIds)) {
    const rows = await db
      .selectFrom('call_voices')
      .select(['group_id', 'gk_processed_audio_id'])
      .where('gk_scope_id', '=', gkScopeId)
      .where('group_id', 'in', some)
      .where('is_group_sample', '=', 1)
      .forUpdate()
      .execute();
    for (const { group_id: groupId, gk_processed_audio_id: id } of rows)
      found.set(groupId ?? '', (found.get(groupId ?? '') ?? new Set()).add(id));
  }
  return found;
}

/**
 * Groups whose middle is made from other recordings than there are now: programs that know nothing of groups
 * leave them behind.
 */
export async function outdatedMiddles(db: Db, gkScopeId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('voice_groups')
    .leftJoin('call_voices', (join) =>
      join
        .onRef('call_voices.group_id', '=', 'voice_groups.group_id')
        .onRef('call_voices.gk_scope_id', '=', 'voice_groups.gk_scope_id')
        .on('call_voices.is_group_sample', '=', 1),
    )
    .select('voice_groups.group_id')
    .where('voice_groups.gk_scope_id', '=', gkScopeId)
    .groupBy(['voice_groups.group_id', 'voice_groups.samples'])
    .having(sql<boolean>`count(call_voices.gk_processed_audio_id) <> voice_groups.samples`)
    .execute();
  return rows.map(({ group_id }) => group_id);
}

async function keepMiddles(
  db: Db,
  keyring: Keyring,
  gkScopeId: string,
  groups: readonly VoiceGroup[],
): Promise<void> {
  const ids = groups.map(({ id }) => id);
  await dropMiddles(db, gkScopeId, ids);
  const there = await samplesOf(db, gkScopeId, ids);
  const tenant = await keyring.forTenant(db, gkScopeId);
  for (const { id, samples, middle } of groups) {
    // One of the samples was deleted while groups were made: the middle would outlive it.
    if (!samples.every((name) => there.get(id)?.has(name))) continue;
    const row = { group_id: id, gk_scope_id: gkScopeId, samples: samples.length };
    await db
      .insertInto('voice_groups')
      .values({ ...row, middle: tenant.seal(encodeTemplate(middle), place(id)) })
      .execute();
  }
}

async function placeCalls(db: Db, gkScopeId: string, { placed }: GroupChanges): Promise<void> {
  for (const [id, { groupId, llr, isSample }] of placed)
    await db
      .updateTable('call_voices')
      .set({
        group_id: groupId,
        group_llr: Number.isFinite(llr) ? llr : null,
        is_group_sample: flag(isSample),
      })
      .where('gk_processed_audio_id', '=', id)
      .where(namedInTenant('gk_scope_id', gkScopeId))
      .execute();
}

async function openMiddles(
  db: Db,
  keyring: Keyring,
  gkScopeId: string,
  groupIds: readonly string[],
): Promise<Map<string, Template>> {
  const found = new Map<string, Template>();
  const tenant = await keyring.forTenant(db, gkScopeId);
  for (const some of inParts(groupIds)) {
    const rows = await db
      .selectFrom('voice_groups')
      .select(['group_id', 'middle'])
      .where('group_id', 'in', some)
      .where(namedInTenant('gk_scope_id', gkScopeId))
      .execute();
    for (const { group_id: id, middle } of rows) {
      const opened = readOrDamaged(() => decodeTemplate(tenant.open(middle, place(id))));
      if (opened !== 'damaged') found.set(id, opened);
    }
  }
  return found;
}

export function voiceGroupRepository(db: Db, keyring: Keyring): VoiceGroupRepository {
  /** Starts a new version, so that a node still working with the previous groups cannot save them. */
  const beginWith = async (gkScopeId: string, basis: string): Promise<GroupingState> => {
    const { version } = await db
      .insertInto('voice_groupings')
      .values({ gk_scope_id: gkScopeId, basis, version: 1 })
      .onConflict((conflict) =>
        conflict
          .column('gk_scope_id')
          .doUpdateSet((old) => ({ basis, version: old('voice_groupings.version', '+', 1) })),
      )
      .returning('version')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('voice_groups').where('gk_scope_id', '=', gkScopeId).execute();
    await db
      .updateTable('call_voices')
      .set(ungrouped)
      .where('gk_scope_id', '=', gkScopeId)
      .where('group_id', 'is not', null)
      .execute();
    return { basis, version };
  };
  return {
    async state(gkScopeId) {
      return db
        .selectFrom('voice_groupings')
        .select(['basis', 'version'])
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirst();
    },
    begin: beginWith,
    async earliestOf(gkScopeId, fromMs, callsMax) {
      const row = await db
        .selectFrom('call_voices')
        .select('created_at')
        .where('gk_scope_id', '=', gkScopeId)
        .where('created_at', '>=', fromMs)
        .orderBy('created_at', 'desc')
        .offset(callsMax)
        .limit(1)
        .executeTakeFirst();
      return row ? row.created_at + 1 : fromMs;
    },
    async calls(gkScopeId, fromMs) {
      const rows = await db
        .selectFrom('call_voices')
        .select([
          'gk_processed_audio_id',
          'gk_session_id',
          'created_at',
          'group_id',
          'group_llr',
          'is_group_sample',
        ])
        .where('gk_scope_id', '=', gkScopeId)
        .where('created_at', '>=', fromMs)
        .orderBy('created_at', 'desc')
        .orderBy('gk_processed_audio_id')
        .execute();
      return rows.map((row) => ({
        gkProcessedAudioId: row.gk_processed_audio_id,
        gkSessionId: row.gk_session_id,
        createdAtMs: row.created_at,
        ...(row.group_id !== null && {
          place: {
            groupId: row.group_id,
            llr: row.group_llr ?? Infinity,
            isSample: row.is_group_sample === 1,
          },
        }),
      }));
    },
    middles: (gkScopeId, groupIds) => openMiddles(db, keyring, gkScopeId, groupIds),
    async save(gkScopeId, { basis, version }, changes) {
      const { numUpdatedRows } = await db
        .updateTable('voice_groupings')
        .set({ version: version + 1 })
        .where('gk_scope_id', '=', gkScopeId)
        .where('basis', '=', basis)
        .where('version', '=', version)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await placeCalls(db, gkScopeId, changes);
      await dropMiddles(db, gkScopeId, changes.removed);
      await keepMiddles(db, keyring, gkScopeId, changes.remade);
      return true;
    },
    async leaveBefore(gkScopeId, fromMs) {
      const old = db
        .selectFrom('call_voices')
        .select('group_id')
        .distinct()
        .where('gk_scope_id', '=', gkScopeId)
        .where('group_id', 'is not', null)
        .where('is_group_sample', '=', 1)
        .where('created_at', '<', fromMs);
      const groupIds = (await old.execute()).flatMap(({ group_id }) => group_id ?? []);
      await dropMiddles(db, gkScopeId, groupIds);
      await db
        .updateTable('call_voices')
        .set(ungrouped)
        .where('gk_scope_id', '=', gkScopeId)
        .where('group_id', 'is not', null)
        .where('created_at', '<', fromMs)
        .execute();
    },
    async forget(gkScopeId) {
      await beginWith(gkScopeId, NO_GROUPS);
    },
    async dropOutdated(gkScopeId) {
      const outdated = await outdatedMiddles(db, gkScopeId);
      await dropMiddles(db, gkScopeId, outdated);
      return outdated.length;
    },
    async tenants() {
      const rows = await db
        .selectFrom('voice_groupings')
        .select('gk_scope_id')
        .where('basis', '<>', NO_GROUPS)
        .execute();
      return rows.map(({ gk_scope_id }) => gk_scope_id);
    },
  };
}
