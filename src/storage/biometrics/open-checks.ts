// Sessions with an attack check, in them or of their recordings, that could not tell whether a live person spoke, or that found something;
// those in which a voice matches in one comparison and not in another; those that were only compared, also with nobody, and have no attack
// check at all; and those with a watchlist check that could not tell.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { LIVE_OPERATION } from '../../biometrics/model/sessions.js';
import type { DialectName } from '../database.js';
import { namedByFactor } from './factor-row.js';
import { heardBefore } from './heard-recordings.js';

/** As factors are stored, and literally as the index has it (migration 48), so that it is used. */
export function sessionsWithOpenCheck(dialect: DialectName, gkScopeId: string): RawBuilder<string> {
  const open = sql`factors.gk_scope_id = ${gkScopeId} and factors.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      and factors.document not like '%"decision":"NO_RISK_DETECTED"%'`;
  return sql<string>`(select factors.gk_session_id from factors where ${open}
    union select media_segments.gk_session_id from factors
      join processed_audios on processed_audios.gk_processed_audio_id = ${namedByFactor(dialect, 'gkProcessedAudioId', 'factors')}
      join media_segments on media_segments.gk_media_segment_id = processed_audios.gk_media_segment_id where ${open}
    union select mine.gk_session_id from ${heardBefore(dialect)} where ${open})`;
}

/** With the index of migration 53, and literally as it has it. */
export const sessionsWithOpenList = (gkScopeId: string): RawBuilder<string> =>
  sql<string>`(select gk_session_id from factors
    where gk_scope_id = ${gkScopeId} and kind = 'FRAUD_DETECTION'
      and document not like '%"decision":"NO_RISK_DETECTED"%' and document not like '%"decision":"FRAUD"%')`;

/** As documents of factors have it. */
const live = sql.lit(`%"operation":"${LIVE_OPERATION}"%`);

/**
 * Whether a session has both, with the index of migration 50. A live call tells each change of mind: only what came after a match counts
 * there, because most begin without a decision. Asked of one session after the other: to have all of them first costs more than the page.
 */
export const hasMismatchIn = (gkScopeId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from factors other
    where other.gk_scope_id = ${gkScopeId} and other.gk_session_id = sessions.gk_session_id
      and other.kind = 'AUTHENTICATION' and other.document not like '%"decision":"AUTHENTIC"%'
      and (other.document like '%"decision":"NO_MATCH"%' or other.document like ${live})
      and exists (select 1 from factors matching
        where matching.gk_session_id = other.gk_session_id and matching.kind = 'AUTHENTICATION'
          and matching.document like '%"decision":"AUTHENTIC"%'
          and (other.document not like ${live} or matching.created_at <= other.created_at)))`;

/** With both indexes of migration 51, that of 52 and that of 50, and literally as these have it. */
export const sessionsUnchecked = (gkScopeId: string): RawBuilder<string> => {
  const unchecked = sql`not exists (select 1 from factors attack
        where attack.gk_scope_id = ${gkScopeId} and attack.gk_session_id = matching.gk_session_id
          and attack.kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'))`;
  return sql<string>`(select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind in ('AUTHENTICATION', 'FRAUD_DETECTION')
      and (matching.document like '%"decision":"AUTHENTIC"%' or matching.document like '%"decision":"NO_RISK_DETECTED"%')
      and ${unchecked}
    union all select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind = 'FRAUD_DETECTION'
      and (matching.document like '%"reason":"NO_SCORES"%' or matching.document like '%"reason":"NOT_ENOUGH_SEGMENTS"%')
      and ${unchecked}
    union all select matching.gk_session_id from factors matching
    where matching.gk_scope_id = ${gkScopeId} and matching.kind = 'AUTHENTICATION'
      and matching.document not like '%"decision":"AUTHENTIC"%'
      and (matching.document like '%"reason":"NOT_ENROLLED"%' or matching.document like '%"reason":"PERSON_OPTED_OUT"%'
        or matching.document like '%"reason":"PROFILE_COOLING_OFF"%')
      and ${unchecked})`;
};
