// Sessions with an attack check that could not tell whether a live person spoke, or that found something; those in which a voice
// matches in one comparison and not in another; and those that were only compared, also with nobody, and have no attack check at all.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { LIVE_OPERATION } from '../../biometrics/model/sessions.js';

/** As factors are stored, and literally as the index has it (migration 48), so that it is used. */
export const sessionsWithOpenCheck = (gkScopeId: string): RawBuilder<string> =>
  sql<string>`(select gk_session_id from factors
    where gk_scope_id = ${gkScopeId} and kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      and document not like '%"decision":"NO_RISK_DETECTED"%')`;

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

/** With both indexes of migration 51 and that of 52, and literally as the first and the last have it. */
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
      and ${unchecked})`;
};
