// The voices of recordings, sealed one by one, in small rows: a search through many calls reads these and nothing else. They
// are kept beside the processed audio, in its transaction, and go with it.
import type { ProcessedAudio } from '../../biometrics/model/media.js';
import type { CallVoice, CallVoiceRepository } from '../../biometrics/ports/call-voices.js';
import { decodeSample, encodeSample } from '../../voice/scoring/codec.js';
import type { Db } from '../database.js';
import { placeOf, type Keyring, type TenantSealer } from '../sealing/keyring.js';
import { readOrDamaged } from './packed.js';
import { readPage } from './page.js';

const place = (id: string): string => placeOf('call_voices', 'voice', id);

/** Also in the place of what was stored before: audio that was heard again has another voice. */
export async function keepVoice(
  db: Db,
  sealerOf: () => Promise<TenantSealer>,
  audio: ProcessedAudio,
): Promise<void> {
  const { gkProcessedAudioId, gkScopeId, gkMediaSegmentId, gkSessionId, model, printType } = audio;
  if (!model || printType !== 'VOICEPRINT') return;
  const tenant = await sealerOf();
  const voice = tenant.seal(encodeSample(model.voice), place(gkProcessedAudioId));
  await db
    .insertInto('call_voices')
    .values({
      gk_processed_audio_id: gkProcessedAudioId,
      gk_scope_id: gkScopeId,
      gk_media_segment_id: gkMediaSegmentId,
      gk_session_id: gkSessionId,
      created_at: audio.createdAtMs,
      voice,
    })
    .onConflict((conflict) => conflict.column('gk_processed_audio_id').doUpdateSet({ voice }))
    .execute();
}

export async function dropVoices(db: Db, gkScopeId: string, gkMediaSegmentId: string): Promise<void> {
  await db
    .deleteFrom('call_voices')
    .where('gk_scope_id', '=', gkScopeId)
    .where('gk_media_segment_id', '=', gkMediaSegmentId)
    .execute();
}

export function callVoiceRepository(db: Db, keyring: Keyring): CallVoiceRepository {
  return {
    async list(gkScopeId, { fromMs }, page) {
      const query = db
        .selectFrom('call_voices')
        .select(['gk_processed_audio_id', 'gk_session_id', 'created_at', 'voice'])
        .where('gk_scope_id', '=', gkScopeId)
        .where('created_at', '>=', fromMs);
      const { rows, next } = await readPage(query, 'gk_processed_audio_id', page);
      const tenant = rows.length > 0 ? await keyring.forTenant(db, gkScopeId) : undefined;
      const voices = rows.flatMap((row): CallVoice[] => {
        const id = row.gk_processed_audio_id;
        const voice = tenant && readOrDamaged(() => decodeSample(tenant.open(row.voice, place(id))));
        // One that cannot be read is not found; the others are.
        return voice && voice !== 'damaged'
          ? [{ gkProcessedAudioId: id, gkSessionId: row.gk_session_id, createdAtMs: row.created_at, voice }]
          : [];
      });
      return { voices, ...(next && { next }) };
    },
  };
}
