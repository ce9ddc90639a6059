// The scores of a person's voice in the factors of sessions, found by the print or the recording that a
// factor names, and in stored search results. That a check took place, and how it ended, stays; the score,
// the risk and whom they are about are removed.
import { type RawBuilder, sql } from 'kysely';
import type { ScoresOf } from '../../biometrics/ports/erasure.js';
import { fromJson, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { FactorsTable } from '../schema/biometrics.js';
import { columnsOf } from './factor-columns.js';
import type { FactorDocument } from './factor-row.js';
import { reassess } from './reassess.js';

const IDS_PER_QUERY = 500;

/** Engagements in which one of the prints was enrolled or recognized. */
export async function engagementsByScores(
  db: Db,
  gkScopeId: string,
  prints: readonly string[],
): Promise<string[]> {
  const factors = (await withPrints(db, prints)).filter((row) => row.gk_scope_id === gkScopeId);
  return factors.flatMap(({ kind, document, gk_engagement_id }) => {
    const isRecognized =
      kind === 'AUTHENTICATION' && fromJson<FactorDocument>(document).decision === 'AUTHENTIC';
    return kind === 'ENROLLMENT' || isRecognized ? [gk_engagement_id] : [];
  });
}

export async function forgetScores(
  db: Db,
  gkScopeId: string,
  of: ScoresOf,
  keptEngagements: ReadonlySet<string>,
): Promise<string[]> {
  const { prints, gkMediaSegmentId } = of;
  const found =
    gkMediaSegmentId === undefined
      ? await withPrints(db, prints)
      : await factorsOfRecording(db, gkMediaSegmentId);
  const theirs = found.filter(
    (row) => row.gk_scope_id === gkScopeId && !keptEngagements.has(row.gk_engagement_id),
  );
  const documents = theirs.map(({ document }) => fromJson<FactorDocument>(document));
  const audios = documents.flatMap(({ gkProcessedAudioId }) => gkProcessedAudioId ?? []);
  const staying = gkMediaSegmentId === undefined ? await audiosAmong(db, audios) : new Set<string>();
  for (const { factor_id, document } of theirs) {
    const {
      score: _score,
      risk: _risk,
      reliability: _reliability,
      gkVoiceprintProfileId: print = '',
      gkProcessedAudioId: audio = '',
      gkReferenceProcessedAudioId: _reference,
      liveCallId: _call,
      ...rest
    } = fromJson<FactorDocument>(document);
    // A recording that stays must still be found by its other checks.
    const heard = staying.has(audio) ? { gkProcessedAudioId: audio } : {};
    // A comparison with somebody else's print keeps that print: otherwise it would pass for a comparison with
    // the erased person.
    const compared = print !== '' && !prints.includes(print) ? { gkVoiceprintProfileId: print } : {};
    const left = { ...rest, ...compared, ...heard };
    await db
      .updateTable('factors')
      .set({ document: toJson(left), ...columnsOf(left) })
      .where('factor_id', '=', factor_id)
      .execute();
  }
  await reassess(db, gkScopeId, {
    sessions: theirs.map((row) => row.gk_session_id),
    checksIn: theirs.map((row) => row.gk_engagement_id),
    audios,
  });
  return theirs.map((row) => row.gk_session_id);
}

/** The scores that are left outside the engagements that were kept. */
export async function countScores(
  db: Db,
  prints: readonly string[],
  keptEngagements: ReadonlySet<string>,
): Promise<number> {
  return (await withPrints(db, prints)).filter((row) => !keptEngagements.has(row.gk_engagement_id)).length;
}

async function withPrints(db: Db, prints: readonly string[]): Promise<FactorsTable[]> {
  const rows: FactorsTable[] = [];
  for (let first = 0; first < prints.length; first += IDS_PER_QUERY) {
    const ids = sql.join(prints.slice(first, first + IDS_PER_QUERY));
    rows.push(...(await factorsWhere(db, sql`gk_voiceprint_profile_id in (${ids})`)));
  }
  const written = await factorsOfBefore(db);
  return [
    ...rows,
    ...written
      .filter(({ names }) => prints.includes(names.gkVoiceprintProfileId ?? ''))
      .map(({ row }) => row),
  ];
}

/** What 0.2.0 has just written, beside this program: its columns are not filled yet. */
async function factorsOfBefore(db: Db): Promise<{ row: FactorsTable; names: FactorDocument }[]> {
  const rows = await factorsWhere(db, sql`decision is null`);
  return rows.map((row) => ({ row, names: fromJson<FactorDocument>(row.document) }));
}

export async function factorsOfRecording(db: Db, gkMediaSegmentId: string): Promise<FactorsTable[]> {
  // SQLite uses the index on the names in factors only if the value is an expression, not a plain column.
  const audios = sql`select gk_processed_audio_id || '' from processed_audios where gk_media_segment_id = ${gkMediaSegmentId}`;
  const found = await factorsWhere(db, sql`gk_processed_audio_id in (${audios})`);
  const written = await factorsOfBefore(db);
  if (written.length === 0) return found;
  const processed = await db
    .selectFrom('processed_audios')
    .select('gk_processed_audio_id')
    .where('gk_media_segment_id', '=', gkMediaSegmentId)
    .execute();
  const ids = new Set(processed.map((row) => row.gk_processed_audio_id));
  return [
    ...found,
    ...written.filter(({ names }) => ids.has(names.gkProcessedAudioId ?? '')).map(({ row }) => row),
  ];
}

function factorsWhere(db: Db, condition: RawBuilder<unknown>): Promise<FactorsTable[]> {
  return db
    .selectFrom('factors')
    .selectAll()
    .where(sql<boolean>`${condition}`)
    .execute();
}

/** The part of a search job's document that is needed here. */
interface KeptSearch {
  hits?: { gkProcessedAudioId: string; gkSessionId?: string }[];
}

const SEARCHES_AT_ONCE = 100;

export async function forgetHits(
  db: Db,
  gkScopeId: string,
  erasedAmong: (gkSessionIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  for (let after = ''; ;) {
    const jobs = await db
      .selectFrom('jobs')
      .select(['gk_job_id', 'document'])
      .where('gk_scope_id', '=', gkScopeId)
      .where('kind', '=', 'LOOK_BACK')
      .where('state', '=', 'COMPLETED')
      .where('gk_job_id', '>', after)
      .orderBy('gk_job_id')
      .limit(SEARCHES_AT_ONCE)
      .execute();
    for (const { gk_job_id, document } of jobs) {
      const job = fromJson<{ result: string }>(document);
      const search = JSON.parse(job.result || '{}') as KeptSearch;
      const { hits = [] } = search;
      const there = await audiosAmong(
        db,
        hits.map((hit) => hit.gkProcessedAudioId),
      );
      // The recording of an erased call may have been kept for a fraudster's print.
      const erased = await erasedAmong([...new Set(hits.flatMap(({ gkSessionId }) => gkSessionId ?? []))]);
      const left = hits.filter(
        ({ gkProcessedAudioId, gkSessionId = '' }) =>
          there.has(gkProcessedAudioId) && !erased.has(gkSessionId),
      );
      if (left.length === hits.length) continue;
      const result = JSON.stringify({ ...search, hits: left });
      await db
        .updateTable('jobs')
        .set({ document: toJson({ ...job, result }) })
        .where('gk_job_id', '=', gk_job_id)
        .execute();
    }
    const last = jobs.at(-1);
    if (!last) return;
    after = last.gk_job_id;
  }
}

async function audiosAmong(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (let first = 0; first < ids.length; first += IDS_PER_QUERY) {
    const rows = await db
      .selectFrom('processed_audios')
      .select('gk_processed_audio_id')
      .where('gk_processed_audio_id', 'in', ids.slice(first, first + IDS_PER_QUERY))
      .execute();
    for (const row of rows) there.add(row.gk_processed_audio_id);
  }
  return there;
}
