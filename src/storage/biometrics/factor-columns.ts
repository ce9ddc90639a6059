// What factors are found by is in columns.
import { type RawBuilder, sql } from 'kysely';
import { orNull } from '../columns.js';
import type { DialectName } from '../database.js';
import type { FactorDocument } from './factor-row.js';

export const memberIn =
  (dialect: DialectName) =>
  (name: string): RawBuilder<string> =>
    dialect === 'postgres'
      ? sql<string>`document::json ->> ${sql.lit(name)}`
      : sql<string>`json_extract(document, ${sql.lit(`$.${name}`)})`;

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
