// Changes of media and processed audio: owner, legal hold, language, custom data, deletion. Deletion is
// refused while the audio is needed (docs/reference/voiceprint-management.md#what-delete-refuses).
import { AppError, notFound, type DiagnosticCode } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext } from '../call/context.js';
import { eraseWhatWasKept, refusingErased } from '../call/data-subjects.js';
import { Faults, SHORT_TEXT_LENGTH_MAX } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import type { MediaDeps } from './deps.js';
import type { MediaSegment } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { type Said, say } from '../../words/server/say.js';

interface UpdateMediaInput {
  context: RequestContext;
  gkMediaSegmentId: string;
  gkPersonId?: string;
  legalHold?: boolean;
  customData?: CustomData;
}

export async function updateMedia(deps: MediaDeps, call: Call, input: UpdateMediaInput): Promise<void> {
  const faults = new Faults()
    .required('gk_media_segment_id', input.gkMediaSegmentId)
    .customData('details.custom_data', input.customData);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  const { gkPersonId, legalHold, customData, gkMediaSegmentId } = input;
  const named = { gkScopeId, gkPersonId, of: { gkMediaSegmentId } };
  const change = async (tx: BiometricsTransaction): Promise<void> => {
    // Locked until the change is made: the person cannot be erased before.
    if (gkPersonId && !(await tx.parties.find(gkScopeId, 'PERSON', gkPersonId)))
      throw notFound('person', 'details.gk_person_id');
    const media = await tx.media.find(gkScopeId, input.gkMediaSegmentId);
    if (!media) throw notFound('media segment', 'gk_media_segment_id');
    if (legalHold === false) await tx.media.mark(gkScopeId, gkMediaSegmentId, { legalHold });
    if (media.legalHold && legalHold === false) {
      if ((await tx.media.find(gkScopeId, gkMediaSegmentId))?.legalHold) throw onHold(say('EVIDENCE_HOLD'));
      await eraseWhatWasKept(deps, tx, gkScopeId, media);
    }
    await tx.media.update({
      ...media,
      ...(gkPersonId && { gkPersonId }),
      ...(customData && { customData }),
      modifiedAtMs: deps.clock.now(),
    });
    if (legalHold) await tx.media.mark(gkScopeId, gkMediaSegmentId, { legalHold });
    const { gkPersonId: before } = media;
    const isMoved = gkPersonId && gkPersonId !== before;
    await audit(tx, call, {
      type: 'MEDIA_EVENT',
      operation: 'UpdateMediaSegmentDetails',
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [
        gkMediaSegmentId,
        ...(isMoved && before ? [before] : []),
        ...(gkPersonId ? [gkPersonId] : []),
      ],
      detail: {
        legalHold: legalHold ?? media.legalHold,
        ...(isMoved && { changed: ['gkPersonId'] }),
      },
    });
  };
  await refusingErased(deps, named, () => deps.store.transaction(change));
}

interface UpdateProcessedAudioInput {
  context: RequestContext;
  gkProcessedAudioId: string;
  actualLanguage?: string;
  customData?: CustomData;
}

export async function updateProcessedAudio(
  deps: MediaDeps,
  call: Call,
  input: UpdateProcessedAudioInput,
): Promise<void> {
  const faults = new Faults()
    .required('gk_processed_audio_id', input.gkProcessedAudioId)
    .text('details.actual_language', input.actualLanguage, SHORT_TEXT_LENGTH_MAX)
    .customData('details.custom_data', input.customData);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  await deps.store.transaction(async (tx) => {
    const audio = await tx.processedAudios.find(gkScopeId, input.gkProcessedAudioId);
    if (!audio) throw notFound('processed audio', 'gk_processed_audio_id');
    await tx.processedAudios.update({
      ...audio,
      ...(input.actualLanguage !== undefined && { actualLanguage: input.actualLanguage }),
      ...(input.customData && { customData: input.customData }),
      modifiedAtMs: deps.clock.now(),
    });
    await audit(tx, call, {
      type: 'AUDIO_EVENT',
      operation: 'UpdateProcessedAudioDetails',
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [audio.gkProcessedAudioId],
    });
  });
}

const onHold = (said: Said): AppError =>
  new AppError('PERMISSION_DENIED', said, { diagnostics: [{ code: 'MEDIA_ON_LEGAL_HOLD' }] });

export async function deleteMedia(
  deps: MediaDeps,
  call: Call,
  input: { context: RequestContext; gkMediaSegmentId: string },
): Promise<void> {
  const faults = new Faults().required('gk_media_segment_id', input.gkMediaSegmentId);
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  const removed = await deps.store.transaction(async (tx) => {
    const media = await tx.media.find(gkScopeId, input.gkMediaSegmentId);
    if (!media) throw notFound('media segment', 'gk_media_segment_id');
    const refusal = refusalOf(
      media,
      deps.clock.now(),
      await tx.enrollment.isMediaEnrolled(media.gkMediaSegmentId),
    );
    if (refusal)
      throw new AppError('PERMISSION_DENIED', refusal.said, { diagnostics: [{ code: refusal.code }] });
    const processed = await tx.processedAudios.deleteByMedia(gkScopeId, media.gkMediaSegmentId);
    await tx.media.delete(gkScopeId, media.gkMediaSegmentId);
    await audit(tx, call, {
      type: 'MEDIA_EVENT',
      operation: 'DeleteMediaSegment',
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [media.gkMediaSegmentId],
      detail: { processedAudios: processed },
    });
    return media;
  });
  if (removed.blob) await deps.blobs.delete(gkScopeId, removed.blob.blobId);
}

function refusalOf(
  media: MediaSegment,
  nowMs: number,
  isEnrolled: boolean,
): { code: DiagnosticCode; said: Said } | undefined {
  if (media.legalHold) return { code: 'MEDIA_ON_LEGAL_HOLD', said: say('MEDIA_ON_LEGAL_HOLD') };
  if (isEnrolled)
    return {
      code: 'MEDIA_ENROLLED',
      said: say('MEDIA_ENROLLED'),
    };
  if (!media.blob && media.uploadExpiresAtMs > nowMs) return { code: 'MEDIA_LIVE', said: say('MEDIA_LIVE') };
  return undefined;
}
