// Whom sessions are about by the prints that their factors name, read from the factors each time: erasure takes the prints out of
// them, and nothing of it is kept twice. Prints that are gone are still known by whose they were.
import { type RawBuilder, sql } from 'kysely';
import type { Factor, SessionPerson } from '../../biometrics/model/sessions.js';
import { personsIn } from '../../biometrics/rules/session-persons.js';
import { namedInScope } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import { factorOf, namedByFactor } from './factor-row.js';

/** For one page of sessions. One that has thousands of checks is work in bulk, and shows the first it is about. */
const FACTORS_MAX = 20_000;
const IDS_PER_QUERY = 500;

export async function personsBySessions(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Map<string, readonly SessionPerson[]>> {
  if (gkSessionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('factors')
    .selectAll()
    .where(namedInScope('gk_scope_id', gkScopeId))
    .where('gk_session_id', 'in', [...gkSessionIds])
    .where('kind', 'in', ['AUTHENTICATION', 'ENROLLMENT'])
    .orderBy('created_at')
    .orderBy('factor_id')
    .limit(FACTORS_MAX)
    .execute();
  const bySession = new Map<string, Factor[]>();
  const prints = new Set<string>();
  for (const factor of rows.map(factorOf)) {
    if (!factor.gkVoiceprintProfileId) continue;
    prints.add(factor.gkVoiceprintProfileId);
    bySession.set(factor.gkSessionId, [...(bySession.get(factor.gkSessionId) ?? []), factor]);
  }
  const ownerOf = await personsOfPrints(db, [...prints]);
  const persons = [...bySession].map(([id, factors]) => [id, personsIn(factors, ownerOf)] as const);
  return new Map(persons.filter(([, found]) => found.length > 0));
}

async function personsOfPrints(db: Db, prints: readonly string[]): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  for (let first = 0; first < prints.length; first += IDS_PER_QUERY) {
    const ids = prints.slice(first, first + IDS_PER_QUERY);
    const there = await db
      .selectFrom('voiceprint_profiles')
      .select(['gk_voiceprint_profile_id as print', 'gk_owner_id as person'])
      .where('gk_voiceprint_profile_id', 'in', ids)
      .where(sql<boolean>`owner_type || '' = 'PERSON'`)
      .execute();
    const gone = await db
      .selectFrom('former_prints')
      .select(['gk_voiceprint_profile_id as print', 'gk_person_id as person'])
      .where('gk_voiceprint_profile_id', 'in', ids)
      .execute();
    for (const { print, person } of [...there, ...gone]) owners.set(print, person);
  }
  return owners;
}

/**
 * The sessions that claim a person, and those with a factor that names a print of theirs; each part by an index, which SQLite
 * leaves aside where what is looked for is a column of type text.
 */
export function sessionsAbout(dialect: DialectName, gkPersonId: string): RawBuilder<string> {
  return sql<string>`(select gk_session_id from sessions where claimed_gk_person_id = ${gkPersonId}
    union select gk_session_id from factors where ${namedByFactor(dialect, 'gkVoiceprintProfileId')} in (
      select gk_voiceprint_profile_id || '' from voiceprint_profiles where gk_owner_id = ${gkPersonId}
      union all select gk_voiceprint_profile_id || '' from former_prints where gk_person_id = ${gkPersonId}))`;
}

/** As factors are stored: the members of a document have no spaces between them. */
const FOUND = '%"decision":"FRAUD"%';

/**
 * The sessions with a factor that found a fraudster, and those of the recordings in which one was found: an analyst may have asked
 * in a session of their own, after the call.
 */
export function sessionsWithFraudster(dialect: DialectName, gkFraudsterId: string): RawBuilder<string> {
  const found = sql`from factors where kind = 'FRAUD_DETECTION' and document like ${FOUND}
    and ${namedByFactor(dialect, 'gkVoiceprintProfileId')} in (
      select gk_voiceprint_profile_id || '' from voiceprint_profiles where gk_owner_id = ${gkFraudsterId})`;
  return sql<string>`(select gk_session_id ${found}
    union select media_segments.gk_session_id from processed_audios
      join media_segments on media_segments.gk_media_segment_id = processed_audios.gk_media_segment_id
      where processed_audios.gk_processed_audio_id in (select ${namedByFactor(dialect, 'gkProcessedAudioId')} ${found}))`;
}
