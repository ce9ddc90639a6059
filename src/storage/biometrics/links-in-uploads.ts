// Links of recordings in upload sessions. An upload is not an engagement with one person, so nothing can be
// guessed from one recording about the others.
import type { ErasureRepository } from '../../biometrics/ports/erasure.js';
import type { Db } from '../database.js';

const IDS_PER_QUERY = 500;

export function linksInUploads(db: Db): Pick<ErasureRepository, 'holdingOthers' | 'dropGuessesIn'> {
  return {
    async holdingOthers(gkPersonId, uploads) {
      const holding = new Set<string>();
      for (let at = 0; at < uploads.length; at += IDS_PER_QUERY) {
        const rows = await db
          .selectFrom('media_segments')
          .leftJoin('voice_ties', (join) =>
            join
              .onRef('voice_ties.gk_media_segment_id', '=', 'media_segments.gk_media_segment_id')
              .on('voice_ties.gk_person_id', '=', gkPersonId)
              .on('voice_ties.by_session', '=', 0),
          )
          .select('media_segments.gk_session_id')
          .distinct()
          .where('media_segments.gk_session_id', 'in', uploads.slice(at, at + IDS_PER_QUERY))
          .where('voice_ties.gk_person_id', 'is', null)
          .execute();
        for (const row of rows) holding.add(row.gk_session_id);
      }
      return holding;
    },
    async dropGuessesIn(gkPersonId, uploads) {
      const ids = [...uploads];
      for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
        const inUploads = db
          .selectFrom('media_segments')
          .select('gk_media_segment_id')
          .where('gk_session_id', 'in', ids.slice(at, at + IDS_PER_QUERY));
        await db
          .deleteFrom('voice_ties')
          .where('gk_person_id', '=', gkPersonId)
          .where('by_session', '=', 1)
          .where('gk_media_segment_id', 'in', inUploads)
          .execute();
      }
    },
  };
}
