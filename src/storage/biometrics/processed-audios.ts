// Processed audio: measures in the clear, embeddings and fingerprints sealed.
import type { AudioModel, ProcessedAudio } from '../../biometrics/model/media.js';
import type { ProcessedAudioRepository } from '../../biometrics/ports/media.js';
import { decodeFingerprint, encodeFingerprint } from '../../voice/fingerprint/fingerprint.js';
import {
  decodeSample,
  decodeWindow,
  encodeSample,
  encodeWindow,
  isWindow,
} from '../../voice/scoring/codec.js';
import type { Db } from '../database.js';
import type { ProcessedAudiosTable } from '../schema/biometrics.js';
import { placeOf, type Keyring, type TenantSealer } from '../sealing/keyring.js';
import { dropVoices, keepVoice, leaveBlocks } from './call-voices.js';
import { packParts, readOrDamaged, unpackParts } from './packed.js';
import { reassessMedia } from './reassess.js';
import { openTexts, sealTexts } from './texts.js';

type Document = Omit<
  ProcessedAudio,
  | 'gkProcessedAudioId'
  | 'gkScopeId'
  | 'gkMediaSegmentId'
  | 'model'
  | 'fingerprint'
  | 'damaged'
  | 'createdAtMs'
  | 'modifiedAtMs'
>;

const place = (column: 'model' | 'fingerprint', id: string) => placeOf('processed_audios', column, id);

export function processedAudioRepository(db: Db, keyring: Keyring): ProcessedAudioRepository {
  /** The tenant's sealer, looked up once for everything that is sealed of one audio. */
  function sealerFor({ gkScopeId }: ProcessedAudio): () => Promise<TenantSealer> {
    let sealer: Promise<TenantSealer> | undefined;
    return () => (sealer ??= keyring.forTenant(db, gkScopeId));
  }

  async function fromRows(
    gkScopeId: string,
    rows: readonly ProcessedAudiosTable[],
  ): Promise<ProcessedAudio[]> {
    if (rows.length === 0) return [];
    const sealer = await keyring.forTenant(db, gkScopeId);
    return rows.map((row) => fromRow(row, sealer));
  }

  const inTenant = (gkScopeId: string) =>
    db.selectFrom('processed_audios').selectAll().where('gk_scope_id', '=', gkScopeId);

  return {
    async insert(audio) {
      const sealerOf = sealerFor(audio);
      await db
        .insertInto('processed_audios')
        .values(await toRow(audio, sealerOf))
        .execute();
      await keepVoice(db, sealerOf, audio);
    },
    async find(gkScopeId, id) {
      return (
        await fromRows(gkScopeId, await inTenant(gkScopeId).where('gk_processed_audio_id', '=', id).execute())
      )[0];
    },
    async findMany(gkScopeId, ids) {
      if (ids.length === 0) return [];
      return fromRows(
        gkScopeId,
        await inTenant(gkScopeId)
          .where('gk_processed_audio_id', 'in', [...ids])
          .execute(),
      );
    },
    async listByMedia(gkScopeId, gkMediaSegmentId) {
      const rows = await inTenant(gkScopeId)
        .where('gk_media_segment_id', '=', gkMediaSegmentId)
        .orderBy('created_at')
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async update(audio) {
      const sealerOf = sealerFor(audio);
      const { gk_processed_audio_id, gk_scope_id, model, ...columns } = await toRow(audio, sealerOf);
      await db
        .updateTable('processed_audios')
        .set(audio.damaged ? columns : { ...columns, model })
        .where('gk_processed_audio_id', '=', gk_processed_audio_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      await leaveBlocks(db, audio);
      await keepVoice(db, sealerOf, audio);
    },
    async deleteByMedia(gkScopeId, gkMediaSegmentId) {
      await dropVoices(db, gkScopeId, gkMediaSegmentId);
      await reassessMedia(db, gkScopeId, gkMediaSegmentId);
      const result = await db
        .deleteFrom('processed_audios')
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_media_segment_id', '=', gkMediaSegmentId)
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

async function toRow(
  audio: ProcessedAudio,
  sealerOf: () => Promise<TenantSealer>,
): Promise<ProcessedAudiosTable> {
  const {
    gkProcessedAudioId,
    gkScopeId,
    gkMediaSegmentId,
    model,
    fingerprint,
    damaged: _damaged,
    createdAtMs,
    modifiedAtMs,
    ...document
  } = audio;
  return {
    gk_processed_audio_id: gkProcessedAudioId,
    gk_scope_id: gkScopeId,
    gk_media_segment_id: gkMediaSegmentId,
    ...(await sealTexts(sealerOf, { table: 'processed_audios', id: gkProcessedAudioId }, { document })),
    model: model ? sealModel(await sealerOf(), model, gkProcessedAudioId) : null,
    fingerprint: fingerprint
      ? (await sealerOf()).seal(encodeFingerprint(fingerprint), place('fingerprint', gkProcessedAudioId))
      : null,
    created_at: createdAtMs,
    modified_at: modifiedAtMs,
  };
}

function sealModel(tenant: TenantSealer, model: AudioModel, id: string): Uint8Array {
  const { voice, checkpoints, windows = [] } = model;
  const parts = [
    ...[voice, ...checkpoints].map(encodeSample),
    ...windows.map((window) => encodeWindow(window, voice)),
  ];
  return tenant.seal(packParts(parts), place('model', id));
}

function openModel(sealed: Uint8Array, tenant: TenantSealer, id: string): AudioModel {
  const parts = unpackParts(tenant.open(sealed, place('model', id)));
  const [voice, ...checkpoints] = parts.filter((part) => !isWindow(part)).map(decodeSample);
  if (!voice) throw new RangeError('a stored audio model without a voice');
  const windows = parts.filter(isWindow).map(decodeWindow);
  return { voice, checkpoints, ...(windows.length > 0 && { windows }) };
}

function fromRow(row: ProcessedAudiosTable, tenant: TenantSealer): ProcessedAudio {
  const { model: sealed, fingerprint: shape, gk_processed_audio_id: id } = row;
  const model = sealed === null ? undefined : readOrDamaged(() => openModel(sealed, tenant, id));
  const fingerprint =
    shape && readOrDamaged(() => decodeFingerprint(tenant.open(shape, place('fingerprint', id))));
  const { document } = openTexts<{ document: Document }>(tenant, { table: 'processed_audios', id }, row);
  return {
    gkProcessedAudioId: row.gk_processed_audio_id,
    gkScopeId: row.gk_scope_id,
    gkMediaSegmentId: row.gk_media_segment_id,
    ...document,
    ...(model === 'damaged' ? { damaged: true } : model && { model }),
    // A fingerprint that cannot be read is as good as none.
    ...(fingerprint && fingerprint !== 'damaged' && { fingerprint }),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
