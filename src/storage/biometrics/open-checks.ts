// Sessions that may have a mark beside their decision: by what the rule for it (rules/session-marks.ts, rules/open-check.ts) cannot do
// without. Each offers all that are meant, and some more; test/biometrics/marks-and-filters.test.ts holds them to it.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { LIVE_OPERATION, SPEAKER_CHANGED } from '../../biometrics/model/sessions.js';
import type { DialectName } from '../database.js';
import { namedByFactor } from './factor-row.js';
import { heardBefore } from './heard-recordings.js';

/** What a factor has heard; a live call is no recording. The same recording may have been processed more than once. */
const audioOf = (dialect: DialectName, table: string): RawBuilder<string> =>
  sql`coalesce(${namedByFactor(dialect, 'gkProcessedAudioId', table)}, '')`;

/** Those with such a check, those in which the recording lies, and those that had heard it before. */
const checkedThen = (dialect: DialectName, isSuch: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(select factors.gk_session_id from factors where ${isSuch}
    union select media_segments.gk_session_id from factors
      join processed_audios on processed_audios.gk_processed_audio_id = ${namedByFactor(dialect, 'gkProcessedAudioId', 'factors')}
      join media_segments on media_segments.gk_media_segment_id = processed_audios.gk_media_segment_id where ${isSuch}
    union select mine.gk_session_id from ${heardBefore(dialect)} where ${isSuch})`;

/** An attack check could not tell, or found something: as factors are stored, and literally as the index has it (migration 48). */
export const sessionsWithOpenCheck = (dialect: DialectName, gkScopeId: string): RawBuilder<string> =>
  checkedThen(
    dialect,
    sql`factors.gk_scope_id = ${gkScopeId} and factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      and factors.document not like '%"decision":"NO_RISK_DETECTED"%'`,
  );

/** One of the attack checks was made, and the other was not with it; with an index of migration 51. */
export const sessionsWithLoneCheck = (dialect: DialectName, gkScopeId: string): RawBuilder<string> =>
  checkedThen(
    dialect,
    sql`factors.gk_scope_id = ${gkScopeId} and factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      and not exists (select 1 from factors beside
        where beside.gk_scope_id = ${gkScopeId} and beside.gk_session_id = factors.gk_session_id
          and beside.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK') and beside.kind != factors.kind
          and ${audioOf(dialect, 'beside')} = ${audioOf(dialect, 'factors')})`,
  );

/**
 * A watchlist check could not tell, with the index of migration 53; or one did, with that of 51, and something else was heard that none has.
 */
export const sessionsWithOpenList = (dialect: DialectName, gkScopeId: string): RawBuilder<string> =>
  sql<string>`(select gk_session_id from factors
    where gk_scope_id = ${gkScopeId} and kind = 'FRAUD_DETECTION'
      and document not like '%"decision":"NO_RISK_DETECTED"%' and document not like '%"decision":"FRAUD"%'
    union select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind in ('AUTHENTICATION', 'FRAUD_DETECTION')
      and (matching.document like '%"decision":"AUTHENTIC"%' or matching.document like '%"decision":"NO_RISK_DETECTED"%')
      and matching.kind = 'FRAUD_DETECTION'
      and exists (select 1 from factors beside where beside.gk_session_id = matching.gk_session_id
        and beside.kind in ('AUTHENTICATION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
        and ${audioOf(dialect, 'beside')} != ${audioOf(dialect, 'matching')}))`;

/** As documents of factors have it. */
const live = sql.lit(`%"operation":"${LIVE_OPERATION}"%`);
const changed = sql.lit(`%"reason":"${SPEAKER_CHANGED}"%`);

/**
 * With the index of migration 50. A live call tells each change of mind: only what came after a match counts there, because most begin
 * without a decision.
 */
const mismatching = (gkScopeId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`other.gk_scope_id = ${gkScopeId} and other.gk_session_id = sessions.gk_session_id
      and other.kind = 'AUTHENTICATION' and other.document not like '%"decision":"AUTHENTIC"%'`;

const besideMatch = sql<SqlBool>`((other.document like '%"decision":"NO_MATCH"%' or other.document like ${live})
      and exists (select 1 from factors matching
        where matching.gk_session_id = other.gk_session_id and matching.kind = 'AUTHENTICATION'
          and matching.document like '%"decision":"AUTHENTIC"%'
          and (other.document not like ${live} or matching.created_at <= other.created_at)))`;

/** Whether a session has both. Asked of one session after the other: to have all of them first costs more than the page. */
export const hasMismatchIn = (gkScopeId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from factors other where ${mismatching(gkScopeId)} and ${besideMatch})`;

/** Somebody else speaks in a part, or a live call had matched. */
export const sessionsWithSecondVoice = (gkScopeId: string): RawBuilder<string> =>
  sql<string>`(select other.gk_session_id from factors other
    where other.gk_scope_id = ${gkScopeId} and other.kind = 'AUTHENTICATION'
      and other.document not like '%"decision":"AUTHENTIC"%'
      and (other.document like ${changed} or (other.document like ${live} and ${besideMatch})))`;

/** Of those that claim somebody: a comparison names a print that is not, and was not, of that person. */
export const sessionsWithOtherPerson = (dialect: DialectName, gkScopeId: string): RawBuilder<string> => {
  const print = namedByFactor(dialect, 'gkVoiceprintProfileId', 'factors');
  return sql<string>`(select factors.gk_session_id from factors
    join sessions claiming on claiming.gk_session_id = factors.gk_session_id
    where factors.gk_scope_id = ${gkScopeId} and factors.kind = 'AUTHENTICATION'
      and claiming.claimed_gk_person_id is not null and ${print} is not null
      and not exists (select 1 from voiceprint_profiles where gk_voiceprint_profile_id = ${print}
        and gk_owner_id = claiming.claimed_gk_person_id)
      and not exists (select 1 from former_prints where gk_voiceprint_profile_id = ${print}
        and gk_person_id = claiming.claimed_gk_person_id))`;
};

/**
 * Something was compared, also with nobody, that no attack check in the session has heard: a voice that matches or is no known fraudster's,
 * with both indexes of migration 51; a watchlist that could not tell (53), and other comparisons (50) that stand beside a yes, or were with
 * nobody.
 */
export const sessionsUnchecked = (dialect: DialectName, gkScopeId: string): RawBuilder<string> => {
  const unchecked = sql`not exists (select 1 from factors attack
        where attack.gk_scope_id = ${gkScopeId} and attack.gk_session_id = matching.gk_session_id
          and attack.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
          and ${audioOf(dialect, 'attack')} = ${audioOf(dialect, 'matching')})`;
  return sql<string>`(select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind in ('AUTHENTICATION', 'FRAUD_DETECTION')
      and (matching.document like '%"decision":"AUTHENTIC"%' or matching.document like '%"decision":"NO_RISK_DETECTED"%')
      and ${unchecked}
    union all select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind = 'FRAUD_DETECTION'
      and matching.document not like '%"decision":"NO_RISK_DETECTED"%' and matching.document not like '%"decision":"FRAUD"%'
      and ${unchecked}
    union all select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind = 'AUTHENTICATION'
      and matching.document not like '%"decision":"AUTHENTIC"%'
      and (matching.document like '%"reason":"NOT_ENROLLED"%' or matching.document like '%"reason":"PERSON_OPTED_OUT"%'
        or matching.document like '%"reason":"PROFILE_COOLING_OFF"%'
        or exists (select 1 from factors yes where yes.gk_engagement_id = matching.gk_engagement_id
          and (yes.document like '%"decision":"AUTHENTIC"%' or yes.document like '%"decision":"NO_RISK_DETECTED"%')))
      and ${unchecked})`;
};
