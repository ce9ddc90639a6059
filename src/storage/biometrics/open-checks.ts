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

/**
 * An attack check could not tell, or found something: as factors are stored, and literally as the index has it (migration 48). Those with
 * such a check, those in which the recording lies, and those that had heard it before.
 */
export function sessionsWithOpenCheck(dialect: DialectName, gkScopeId: string): RawBuilder<string> {
  const open = sql`factors.gk_scope_id = ${gkScopeId} and factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      and factors.document not like '%"decision":"NO_RISK_DETECTED"%'`;
  return sql<string>`(select factors.gk_session_id from factors where ${open}
    union select media_segments.gk_session_id from factors
      join processed_audios on processed_audios.gk_processed_audio_id = ${namedByFactor(dialect, 'gkProcessedAudioId', 'factors')}
      join media_segments on media_segments.gk_media_segment_id = processed_audios.gk_media_segment_id where ${open}
    union select mine.gk_session_id from ${heardBefore(dialect)} where ${open})`;
}

/** Also those of erased persons that keep their marks, with the index of migration 55: their checks say no longer what they have heard. */
export const orKept = (gkScopeId: string, sessions: RawBuilder<string>): RawBuilder<string> =>
  sql<string>`(select gk_session_id from ${sessions} of_checks
    union select gk_session_id from sessions where gk_scope_id = ${gkScopeId} and document like '%"marks":{"%')`;

/** What decides something, by the recordings of each session: literally as the index has it (migration 54), which is all that is read. */
const heardIn = (gkScopeId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`factors.gk_scope_id = ${gkScopeId}
    and factors.kind in ('AUTHENTICATION', 'FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')`;

/** Of a recording only one of the attack checks was made: those who made it, in which the recording lies, and that had heard it. */
export const sessionsWithLoneCheck = (dialect: DialectName, gkScopeId: string): RawBuilder<string> => {
  const checked = sql`lone join factors on factors.gk_session_id = lone.gk_session_id
      and factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
    join processed_audios on processed_audios.gk_processed_audio_id = ${namedByFactor(dialect, 'gkProcessedAudioId', 'factors')}`;
  return sql<string>`(with lone as (select factors.gk_session_id from factors
      where ${heardIn(gkScopeId)} and factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      group by factors.gk_session_id, ${audioOf(dialect, 'factors')} having min(factors.kind) = max(factors.kind))
    select gk_session_id from lone
    union select media_segments.gk_session_id from ${checked}
      join media_segments on media_segments.gk_media_segment_id = processed_audios.gk_media_segment_id
    union select mine.gk_session_id from ${checked}
      join processed_audios heard on heard.gk_media_segment_id = processed_audios.gk_media_segment_id
      join factors mine on ${namedByFactor(dialect, 'gkProcessedAudioId', 'mine')} = heard.gk_processed_audio_id || '')`;
};

/** A watchlist check could not tell, with the index of migration 53; or one was made of a recording, and none of another. */
export const sessionsWithOpenList = (dialect: DialectName, gkScopeId: string): RawBuilder<string> => {
  const audio = audioOf(dialect, 'factors');
  return sql<string>`(select gk_session_id from factors
    where gk_scope_id = ${gkScopeId} and kind = 'FRAUD_DETECTION'
      and document not like '%"decision":"NO_RISK_DETECTED"%' and document not like '%"decision":"FRAUD"%'
    union select gk_session_id from (
      select factors.gk_session_id, max(case when factors.kind = 'FRAUD_DETECTION' then 1 else 0 end) as is_listed
      from factors where ${heardIn(gkScopeId)} group by factors.gk_session_id, ${audio}) recordings
    group by gk_session_id having max(is_listed) > min(is_listed))`;
};

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
    where ${heardIn(gkScopeId)} and factors.kind = 'AUTHENTICATION'
      and claiming.claimed_gk_person_id is not null and ${print} is not null
      and not exists (select 1 from voiceprint_profiles where gk_voiceprint_profile_id = ${print}
        and gk_owner_id = claiming.claimed_gk_person_id)
      and not exists (select 1 from former_prints where gk_voiceprint_profile_id = ${print}
        and gk_person_id = claiming.claimed_gk_person_id))`;
};

/** Something was compared, also with nobody, that no attack check in the session has heard. */
export const sessionsUnchecked = (dialect: DialectName, gkScopeId: string): RawBuilder<string> => {
  const audio = audioOf(dialect, 'factors');
  return sql<string>`(select factors.gk_session_id from factors where ${heardIn(gkScopeId)}
    group by factors.gk_session_id, ${audio}
    having max(case when factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK') then 1 else 0 end) = 0)`;
};
