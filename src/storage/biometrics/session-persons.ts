// The persons whom sessions are about, by the prints that their factors name. Read from the factors each
// time, so that nothing is stored twice and an erasure of the prints takes effect here too. The owners of
// deleted prints are still known.
import { type RawBuilder, sql } from 'kysely';
import { isRefused, type Factor, type SessionAbout } from '../../biometrics/model/sessions.js';
import {
  enrolledFraudstersIn,
  fraudstersIn,
  personsIn,
  voicesIn,
} from '../../biometrics/rules/session-persons.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { factorOf } from './factor-row.js';

/**
 * Limit for one page of sessions. A session with thousands of checks is bulk work, and shows only the first
 * persons.
 */
export const FACTORS_MAX = 20_000;
const IDS_PER_QUERY = 500;

export async function aboutSessions(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Map<string, SessionAbout>> {
  if (gkSessionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('factors')
    .selectAll()
    .where(namedInTenant('gk_scope_id', gkScopeId))
    .where('gk_session_id', 'in', [...gkSessionIds])
    .where('kind', 'in', ['AUTHENTICATION', 'ENROLLMENT', 'FRAUD_DETECTION'])
    .orderBy('created_at')
    .orderBy('factor_id')
    .limit(FACTORS_MAX)
    .execute();
  const bySession = new Map<string, Factor[]>();
  const prints = new Set<string>();
  for (const factor of rows.map(factorOf)) {
    if (factor.gkVoiceprintProfileId) prints.add(factor.gkVoiceprintProfileId);
    bySession.set(factor.gkSessionId, [...(bySession.get(factor.gkSessionId) ?? []), factor]);
  }
  const { persons, fraudsters } = await ownersOf(db, [...prints]);
  const about = [...bySession].map(([id, factors]): [string, SessionAbout] => [
    id,
    {
      persons: personsIn(factors, persons),
      gkFraudsterIds: fraudstersIn(factors, fraudsters),
      gkEnrolledFraudsterIds: enrolledFraudstersIn(factors, fraudsters),
      refused: factors.filter(isRefused).length,
      voices: voicesIn(factors, persons),
    },
  ]);
  return new Map(
    about.filter(
      ([, { persons: named, gkFraudsterIds, gkEnrolledFraudsterIds, refused, voices }]) =>
        [named, gkFraudsterIds, gkEnrolledFraudsterIds, voices].some(({ length }) => length > 0) ||
        refused > 0,
    ),
  );
}

interface Owners {
  persons: Map<string, string>;
  fraudsters: Map<string, string>;
}

/** Owners by print, also of deleted prints. */
export async function ownersOf(db: Db, prints: readonly string[]): Promise<Owners> {
  const owners: Owners = { persons: new Map(), fraudsters: new Map() };
  for (let first = 0; first < prints.length; first += IDS_PER_QUERY) {
    const ids = prints.slice(first, first + IDS_PER_QUERY);
    const there = await db
      .selectFrom('voiceprint_profiles')
      .select(['gk_voiceprint_profile_id as print', 'gk_owner_id as owner', 'owner_type as type'])
      .where('gk_voiceprint_profile_id', 'in', ids)
      .execute();
    const former = await db
      .selectFrom('former_prints')
      .select(['gk_voiceprint_profile_id as print', 'gk_person_id as owner'])
      .where('gk_voiceprint_profile_id', 'in', ids)
      .execute();
    for (const { print, owner, type } of there)
      owners[type === 'FRAUDSTER' ? 'fraudsters' : 'persons'].set(print, owner);
    for (const { print, owner } of former) owners.persons.set(print, owner);
    const deletedFraudsters = await db
      .selectFrom('former_fraudster_prints')
      .select(['gk_voiceprint_profile_id as print', 'gk_fraudster_id as owner'])
      .where('gk_voiceprint_profile_id', 'in', ids)
      .execute();
    for (const { print, owner } of deletedFraudsters) owners.fraudsters.set(print, owner);
  }
  return owners;
}

/**
 * The sessions that claim a person, and those with a factor that names one of the person's prints. Each part
 * uses an index, which SQLite would ignore if the value were a plain text column.
 */
export function sessionsAbout(gkId: string): RawBuilder<string> {
  return sql<string>`(select gk_session_id from sessions where claimed_gk_person_id = ${gkId}
    union select gk_session_id from factors where gk_voiceprint_profile_id in (
      select gk_voiceprint_profile_id || '' from voiceprint_profiles where gk_owner_id = ${gkId}
      union all select gk_voiceprint_profile_id || '' from former_prints where gk_person_id = ${gkId}))`;
}
