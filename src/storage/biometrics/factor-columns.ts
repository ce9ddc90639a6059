// What factors are found by is in columns. Rows of 0.2.0, also those that one of its nodes writes during an upgrade, have it only in their
// document until they are filled.
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { orNull } from '../columns.js';
import type { DialectName } from '../database.js';
import type { FactorDocument } from './factor-row.js';

export const memberIn =
  (dialect: DialectName) =>
  (name: string): RawBuilder<string> =>
    dialect === 'postgres'
      ? sql<string>`document::json ->> ${sql.lit(name)}`
      : sql<string>`json_extract(document, ${sql.lit(`$.${name}`)})`;

/** Where it has filled some. */
export async function fillFactorColumns(
  db: QueryExecutorProvider,
  dialect: DialectName,
  where: RawBuilder<unknown>,
): Promise<{ gk_engagement_id: string }[]> {
  const member = memberIn(dialect);
  const { rows } = await sql<{
    gk_engagement_id: string;
  }>`update factors set decision = ${member('decision')}, operation = ${member('operation')},
    gk_voiceprint_profile_id = ${member('gkVoiceprintProfileId')},
    gk_processed_audio_id = ${member('gkProcessedAudioId')} where ${where}
    returning gk_engagement_id`.execute(db);
  return rows;
}

/** The columns that belong to a document. */
export const columnsOf = ({
  decision,
  operation,
  gkVoiceprintProfileId,
  gkProcessedAudioId,
}: Pick<FactorDocument, 'decision' | 'operation' | 'gkVoiceprintProfileId' | 'gkProcessedAudioId'>) => ({
  decision,
  operation,
  gk_voiceprint_profile_id: orNull(gkVoiceprintProfileId),
  gk_processed_audio_id: orNull(gkProcessedAudioId),
});
