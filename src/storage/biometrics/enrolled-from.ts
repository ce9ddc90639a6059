// The owners of prints that contain speech from an engagement or a session, found by the segments of the
// prints: however the voice got there, from the page of a call or by hand, and without segments that were
// removed since.
import { sql, type RawBuilder } from 'kysely';
import type { EnrolledFrom } from '../../biometrics/model/findings.js';
import { consoleTypes } from '../../biometrics/model/sessions.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { heardInEngagement } from './heard-recordings.js';

export async function enrolledFrom(
  db: Db,
  gkScopeId: string,
  gkEngagementId: string,
): Promise<EnrolledFrom[]> {
  const { rows: found } = await sql<{ owner: string; count: number | string }>`
    select prints.gk_owner_id as owner, count(*) as count from (${segmentsOf(gkEngagementId)}) here
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
  const sessions = db
    .selectFrom('sessions')
    .select('gk_session_id')
    .where('gk_engagement_id', '=', gkEngagementId);
  const ids = (await sessions.orderBy('created_at').execute()).map((row) => row.gk_session_id);
  const bySession = await enrolledIn(db, gkScopeId, ids, { isAfterwards: false });
  return found.map(({ owner, count }) => ({
    gkFraudsterId: owner,
    hasOthers: (countOf.get(owner) ?? 0) > Number(count),
    gkSessionIds: ids.filter((id) => bySession.get(id)?.includes(owner)),
  }));
}

/** Checks made in the call itself, not by somebody who examined it later. */
const isOfCall = sql`factors.kind != 'ENROLLMENT'
  and sessions.session_type not in (${sql.join(consoleTypes.map((type) => sql.lit(type)))})`;

/** Whether the fraudster of `prints` was enrolled in the session itself: then the session is about nobody else. */
const isEnrolledThere = (session: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from factors own
    join voiceprint_profiles theirs on theirs.gk_voiceprint_profile_id = own.gk_voiceprint_profile_id
    where own.gk_session_id = ${session} and own.kind = 'ENROLLMENT' and theirs.gk_owner_id = prints.gk_owner_id)`;

/**
 * For each session, the fraudsters whose print contains speech that is stored or was heard in it, oldest
 * print first; with `isAfterwards` except those who were enrolled in the session itself. Sessions without
 * any are left out.
 */
export async function enrolledIn(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
  { isAfterwards }: { isAfterwards: boolean },
): Promise<Map<string, string[]>> {
  const enrolled = new Map<string, string[]>();
  if (gkSessionIds.length === 0) return enrolled;
  const ids = sql.join(gkSessionIds);
  const { rows } = await sql<{ session: string; owner: string }>`
    select here.session as session, prints.gk_owner_id as owner from (
      select media_segments.gk_session_id as session, segments.gk_voiceprint_profile_id as print from media_segments
      join enrollment_segments segments on segments.gk_media_segment_id = media_segments.gk_media_segment_id
      where media_segments.gk_session_id in (${ids})
    union select factors.gk_session_id, segments.gk_voiceprint_profile_id from factors
      join sessions on sessions.gk_session_id = factors.gk_session_id
      join processed_audios on processed_audios.gk_processed_audio_id = factors.gk_processed_audio_id
      join enrollment_segments segments on segments.gk_media_segment_id = processed_audios.gk_media_segment_id
      where factors.gk_session_id in (${ids}) and ${isOfCall}
    union select call_findings.gk_session_id, segments.gk_voiceprint_profile_id from call_findings
      join enrollment_segments segments on segments.gk_voiceprint_profile_id = call_findings.gk_voiceprint_profile_id
        and segments.gk_media_segment_id = call_findings.gk_media_segment_id
      where call_findings.gk_session_id in (${ids}) and call_findings.operation = 'AddVoiceToWatchlist') here
    join voiceprint_profiles prints on prints.gk_voiceprint_profile_id = here.print
    where prints.owner_type = 'FRAUDSTER' and ${namedInTenant('prints.gk_scope_id', gkScopeId)}
      ${isAfterwards ? sql`and not ${isEnrolledThere(sql`here.session`)}` : sql``}
    group by 1, 2 order by min(prints.created_at), 2`.execute(db);
  for (const { session, owner } of rows) enrolled.set(session, [...(enrolled.get(session) ?? []), owner]);
  return enrolled;
}

/**
 * The reverse, as a subquery: the sessions that contributed speech to a fraudster's print (or to this
 * fraudster's), except those in which the fraudster was enrolled directly.
 */
export function sessionsEnrolled({
  gkScopeId,
  gkFraudsterId,
}: {
  gkScopeId: string;
  gkFraudsterId?: string;
}): RawBuilder<string> {
  const prints = sql`voiceprint_profiles prints
    join enrollment_segments segments on segments.gk_voiceprint_profile_id = prints.gk_voiceprint_profile_id`;
  const whose =
    gkFraudsterId === undefined
      ? sql`prints.gk_scope_id = ${gkScopeId}`
      : sql`prints.gk_owner_id = ${gkFraudsterId} and ${namedInTenant('prints.gk_scope_id', gkScopeId)}`;
  const wanted = sql`prints.owner_type = 'FRAUDSTER' and ${whose}`;
  return sql<string>`select media_segments.gk_session_id from ${prints}
      join media_segments on media_segments.gk_media_segment_id = segments.gk_media_segment_id
      where ${wanted} and not ${isEnrolledThere(sql`media_segments.gk_session_id`)}
    union select factors.gk_session_id from ${prints}
      join processed_audios on processed_audios.gk_media_segment_id = segments.gk_media_segment_id
      join factors on factors.gk_processed_audio_id = processed_audios.gk_processed_audio_id || ''
      join sessions on sessions.gk_session_id = factors.gk_session_id
      where ${wanted} and ${isOfCall} and not ${isEnrolledThere(sql`factors.gk_session_id`)}`;
}

/**
 * Segments from recordings stored in the engagement, and from those it heard elsewhere. An erasure removes
 * from the session which those were, but the finding that a print was made from it stays. Speech of live
 * calls has no recording.
 */
const segmentsOf = (gkEngagementId: string): RawBuilder<unknown> => {
  const segment = sql`segments.gk_voiceprint_profile_id as print, segments.gk_media_segment_id as media`;
  return sql`select ${segment} from media_segments
      join enrollment_segments segments on segments.gk_media_segment_id = media_segments.gk_media_segment_id
      where media_segments.gk_engagement_id = ${gkEngagementId}
    union select ${segment} from enrollment_segments segments
      where segments.gk_media_segment_id in ${heardInEngagement(gkEngagementId)}
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
