// Factors: the measured outcomes inside sessions. Only ever inserted.
import { sql } from 'kysely';
import { LIVE_OPERATION, type Factor } from '../../biometrics/model/sessions.js';
import { deletedRecording } from '../../biometrics/assessment/unresolved-checks.js';
import type { FactorRepository, MadeLater } from '../../biometrics/ports/sessions.js';
import { namedInTenant, toJson } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import type { FactorsTable } from '../schema/biometrics.js';
import { columnsOf } from './factor-columns.js';
import { countInIntervals } from './count-factors.js';
import { documentOf, factorOf } from './factor-row.js';
import { heardBySessions, heldBySessions } from './heard-recordings.js';
import { readPage } from './page.js';
import { reassess } from './reassess.js';
import { aboutSessions, FACTORS_MAX } from './session-persons.js';
import { linkVerified } from './voice-links.js';

/** The kinds that decide something; enrollment and audio that was only inspected do not. */
const deciding = ['AUTHENTICATION', 'FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'] as const;

export function factorRepository(db: Db, dialect: DialectName): FactorRepository {
  const named = (gkScopeId: string) =>
    db
      .selectFrom('factors')
      .selectAll()
      .where(namedInTenant('gk_scope_id', gkScopeId))
      .orderBy('created_at')
      .orderBy('factor_id');
  return {
    async insert(factor) {
      const {
        factorId,
        gkScopeId,
        gkEngagementId,
        gkSessionId,
        kind,
        createdAtMs,
        recording: _read,
        ...rest
      } = factor;
      const document = documentOf(rest);
      await db
        .insertInto('factors')
        .values({
          factor_id: factorId,
          gk_scope_id: gkScopeId,
          gk_engagement_id: gkEngagementId,
          gk_session_id: gkSessionId,
          kind,
          document: toJson(document),
          ...columnsOf(document),
          created_at: createdAtMs,
        })
        .execute();
      await reassess(db, gkScopeId, {
        sessions: [gkSessionId],
        checksIn: [gkEngagementId],
        audios: document.gkProcessedAudioId ? [document.gkProcessedAudioId] : [],
      });
      await linkVerified(db, factor);
    },
    async listBySession(gkScopeId, gkSessionId) {
      return withRecordings(db, await named(gkScopeId).where('gk_session_id', '=', gkSessionId).execute());
    },
    async listBySessions(gkScopeId, gkSessionIds) {
      const bySession = new Map<string, Factor[]>();
      if (gkSessionIds.length === 0) return bySession;
      const rows = await named(gkScopeId)
        .where('gk_session_id', 'in', [...gkSessionIds])
        .limit(FACTORS_MAX)
        .execute();
      for (const factor of await withRecordings(db, rows)) {
        const others = bySession.get(factor.gkSessionId);
        if (others) others.push(factor);
        else bySession.set(factor.gkSessionId, [factor]);
      }
      return bySession;
    },
    async countBySessions(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('factors')
        .select((select) => ['gk_session_id', select.fn.countAll<number>().as('count')] as const)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_session_id', 'in', [...gkSessionIds])
        .groupBy('gk_session_id')
        .execute();
      return new Map(rows.map((row) => [row.gk_session_id, Number(row.count)]));
    },
    async countLiveSessions(gkScopeId, fromMs) {
      const { count } = await db
        .selectFrom('factors')
        .select((select) => select.fn.count<number>('gk_session_id').distinct().as('count'))
        .where('gk_scope_id', '=', gkScopeId)
        .where('created_at', '>=', fromMs)
        .where('operation', '=', sql.lit(LIVE_OPERATION))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    aboutSessions: (gkScopeId, gkSessionIds) => aboutSessions(db, gkScopeId, gkSessionIds),
    async list(gkScopeId, { fromMs, toMs }, page) {
      let query = db.selectFrom('factors').selectAll().where('gk_scope_id', '=', gkScopeId);
      if (fromMs !== undefined) query = query.where('created_at', '>=', fromMs);
      if (toMs !== undefined) query = query.where('created_at', '<', toMs);
      const { rows, next } = await readPage(query, 'factor_id', page);
      return { factors: rows.map(factorOf), ...(next && { next }) };
    },
    countInIntervals: (gkScopeId, span) => countInIntervals(db, dialect, gkScopeId, span),
    async listByEngagement(gkScopeId, gkEngagementId) {
      return withRecordings(
        db,
        await named(gkScopeId).where('gk_engagement_id', '=', gkEngagementId).execute(),
      );
    },
    async listByRecordingsOf({ gkScopeId, gkSessionId }, { limit }) {
      const wanted = sql`${namedInTenant('factors.gk_scope_id', gkScopeId)} and factors.kind in (${sql.join(deciding)})`;
      const { rows } = await sql<FactorsTable>`
        select factors.* from ${heldBySessions}
          where sessions.gk_session_id = ${gkSessionId} and ${wanted}
        union select factors.* from ${heardBySessions}
          where mine.gk_session_id = ${gkSessionId} and ${wanted}
        order by created_at desc, factor_id desc limit ${limit}`.execute(db);
      return rows.reverse().map(factorOf);
    },
    async laterBySessions(gkScopeId, gkSessionIds) {
      const bySession = new Map<string, MadeLater[]>();
      if (gkSessionIds.length === 0) return bySession;
      const wanted = sql`${namedInTenant('factors.gk_scope_id', gkScopeId)}
        and factors.kind in ('FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')`;
      const made = sql`factors.*, processed_audios.gk_media_segment_id as of_media`;
      const { rows } = await sql<FactorsTable & { of_session: string; of_media: string }>`
        select sessions.gk_session_id as of_session, ${made} from ${heldBySessions}
          where sessions.gk_session_id in (${sql.join(gkSessionIds)}) and ${wanted}
        union select mine.gk_session_id as of_session, ${made} from ${heardBySessions}
          where mine.gk_session_id in (${sql.join(gkSessionIds)}) and ${wanted}
        order by created_at, factor_id limit ${FACTORS_MAX}`.execute(db);
      for (const { of_session: session, of_media: gkMediaSegmentId, ...row } of rows) {
        const others = bySession.get(session) ?? [];
        bySession.set(session, [...others, { factor: factorOf(row), gkMediaSegmentId }]);
      }
      return bySession;
    },
  };
}

/** With what they are about. Of a recording that is gone, only what it was processed as is known. */
async function withRecordings(db: Db, rows: readonly FactorsTable[]): Promise<Factor[]> {
  const factors = rows.map(factorOf);
  const aboutOf = ({ gkReferenceProcessedAudioId, gkProcessedAudioId = '' }: Factor): string =>
    gkReferenceProcessedAudioId ?? gkProcessedAudioId;
  const ids = [...new Set(factors.flatMap((factor) => aboutOf(factor) || []))];
  const mediaOf = await mediaOfAudios(db, ids);
  return factors.map((factor) => {
    const about = aboutOf(factor);
    const recording = factor.liveCallId ?? (about && (mediaOf.get(about) ?? deletedRecording(about)));
    return { ...factor, recording };
  });
}

async function mediaOfAudios(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const audios = await db
    .selectFrom('processed_audios')
    .select(['gk_processed_audio_id', 'gk_media_segment_id'])
    .where('gk_processed_audio_id', 'in', [...ids])
    .execute();
  return new Map(audios.map((audio) => [audio.gk_processed_audio_id, audio.gk_media_segment_id]));
}
