// Sessions with an attack check that could not tell whether a live person spoke, or that found something.
import { sql, type RawBuilder } from 'kysely';

/** As factors are stored, and literally as the index has it (migration 48), so that it is used. */
export const sessionsWithOpenCheck = (gkScopeId: string): RawBuilder<string> =>
  sql<string>`(select gk_session_id from factors
    where gk_scope_id = ${gkScopeId} and kind in ('SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')
      and document not like '%"decision":"NO_RISK_DETECTED"%')`;
