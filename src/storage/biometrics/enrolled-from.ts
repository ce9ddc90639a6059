// Whose print has speech of an engagement in it, by the segments of the prints themselves: it does not matter how the voice came there, from the
// page of a call or by hand, and what was taken out of the print since is in it no more.
import { sql, type RawBuilder } from 'kysely';
import type { EnrolledFrom } from '../../biometrics/model/findings.js';
import { namedInTenant } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import { heardInEngagement } from './heard-recordings.js';

export async function enrolledFrom(
  { db, dialect }: { db: Db; dialect: DialectName },
  gkScopeId: string,
  gkEngagementId: string,
): Promise<EnrolledFrom[]> {
  const { rows: found } = await sql<{ owner: string; count: number | string }>`
    select prints.gk_owner_id as owner, count(*) as count from (${segmentsOf(dialect, gkEngagementId)}) here
    join voiceprint_profiles prints on prints.gk_voiceprint_profile_id = here.print
    where prints.owner_type = 'FRAUDSTER' and ${namedInTenant('prints.gk_scope_id', gkScopeId)}
    group by prints.gk_owner_id order by min(prints.created_at), prints.gk_owner_id`.execute(db);
  if (found.length === 0) return [];
  const all = await db
    .selectFrom('enrollment_segments')
    .innerJoin(
      'voiceprint_profiles',
      'voiceprint_profiles.gk_voiceprint_profile_id',
      'enrollment_segments.gk_voiceprint_profile_id',
    )
    .select(({ fn }) => ['gk_owner_id as owner', fn.countAll<number | string>().as('count')] as const)
    .where(
      'gk_owner_id',
      'in',
      found.map(({ owner }) => owner),
    )
    .groupBy('gk_owner_id')
    .execute();
  const countOf = new Map(all.map(({ owner, count }) => [owner, Number(count)]));
  return found.map(({ owner, count }) => ({
    gkFraudsterId: owner,
    hasOthers: (countOf.get(owner) ?? 0) > Number(count),
  }));
}

/**
 * Of recordings that lie in it, and of those that it has heard elsewhere. An erasure takes from the session which those were; that a print was made
 * from it is still noted. Speech of live calls has no recording.
 */
const segmentsOf = (dialect: DialectName, gkEngagementId: string): RawBuilder<unknown> => {
  const segment = sql`segments.gk_voiceprint_profile_id as print, segments.gk_media_segment_id as media`;
  return sql`select ${segment} from media_segments
      join enrollment_segments segments on segments.gk_media_segment_id = media_segments.gk_media_segment_id
      where media_segments.gk_engagement_id = ${gkEngagementId}
    union select ${segment} from enrollment_segments segments
      where segments.gk_media_segment_id in ${heardInEngagement(dialect, gkEngagementId)}
    union select ${segment} from sessions
      join call_findings on call_findings.gk_session_id = sessions.gk_session_id
        and call_findings.operation = 'AddVoiceToWatchlist'
      join enrollment_segments segments on segments.gk_voiceprint_profile_id = call_findings.gk_voiceprint_profile_id
        and segments.gk_media_segment_id = call_findings.gk_media_segment_id
      where sessions.gk_engagement_id = ${gkEngagementId}
    union select ${segment} from enrollment_segments segments
      where segments.gk_engagement_id = ${gkEngagementId} and not exists (
        select 1 from media_segments where media_segments.gk_media_segment_id = segments.gk_media_segment_id)`;
};
