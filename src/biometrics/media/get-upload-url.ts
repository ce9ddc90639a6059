// GetUploadUrl: creates a media segment and returns the URL to which its bytes may be uploaded, once.
import { missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { CHANNELS_MAX, SAMPLE_RATE_HZ_MAX, SAMPLE_RATE_HZ_MIN } from '../../voice/audio/types.js';
import {
  openSessionContext,
  rememberedParameters,
  type RequestContext,
  requireNotErased,
  type SessionContext,
} from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { auditMedia } from './audit-media.js';
import type { MediaDeps } from './deps.js';
import type { AudioFormat, CallParty, Container, MediaSegment } from '../model/media.js';
import { say } from '../../words/server/say.js';

export interface UploadRequest {
  context: RequestContext;
  container?: Container;
  format?: AudioFormat;
  callParties: readonly CallParty[];
}

const CALL_PARTIES_MAX = 8;

export async function getUploadUrl(
  deps: MediaDeps,
  call: Call,
  input: UploadRequest,
): Promise<{ url: string; gkMediaSegmentId: string }> {
  const faults = checkUpload(input);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  const parameters = opened.configset ? opened.parameters : await rememberedParameters(deps, opened.session);
  const media = newMedia(deps, opened, input, parameters.urls.uploadSeconds);
  const { url } = deps.urls.make('upload', media.gkMediaSegmentId, parameters.urls.uploadSeconds);
  await deps.store.transaction((tx) => insertMedia(tx, call, media));
  return { url, gkMediaSegmentId: media.gkMediaSegmentId };
}

export function checkUpload(input: UploadRequest): Faults {
  const faults = new Faults();
  if (!input.container) faults.add(missingField('container'));
  if (input.container === 'RAW' && !input.format)
    faults.add({ ...missingField('format'), ...say('FORMAT_MANDATORY') });
  const rate = input.format?.sampleRateHz;
  if (rate !== undefined && rate !== 0 && (rate < SAMPLE_RATE_HZ_MIN || rate > SAMPLE_RATE_HZ_MAX)) {
    faults.add({
      field: 'format.pcm.sample_rate_hz',
      violation: 'OUT_OF_RANGE',
      ...say('OUT_OF_RANGE', { min: SAMPLE_RATE_HZ_MIN, max: SAMPLE_RATE_HZ_MAX }),
      value: String(rate),
    });
  }
  const channels = input.format?.channels;
  if (channels !== undefined && channels > CHANNELS_MAX) {
    faults.add({
      field: 'format.number_of_channels',
      violation: 'OUT_OF_RANGE',
      ...say('ABOVE_MAX', { max: CHANNELS_MAX }),
      value: String(channels),
    });
  }
  if (input.callParties.length > CALL_PARTIES_MAX) {
    faults.add({
      field: 'call_parties',
      violation: 'TOO_LONG',
      ...say('TOO_MANY_ENTRIES', { max: CALL_PARTIES_MAX }),
    });
  }
  input.callParties.forEach((party, index) => {
    if (party.channelIndex < 1)
      faults.add({
        field: `call_parties[${index}].channel_index`,
        violation: 'OUT_OF_RANGE',
        ...say('COUNTS_FROM_ONE'),
      });
  });
  return faults;
}

export function newMedia(
  deps: MediaDeps,
  { gkScopeId, engagement, session }: SessionContext,
  input: UploadRequest,
  lifetimeSeconds: number,
): MediaSegment {
  const now = deps.clock.now();
  return {
    gkMediaSegmentId: deps.ids.uuid(),
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    container: input.container ?? 'WAV',
    ...(input.format && { format: input.format }),
    callParties: input.callParties,
    ...(session.details.callType && { callType: session.details.callType }),
    uploadExpiresAtMs: now + lifetimeSeconds * 1000,
    // Audio without an explicit owner belongs to the session's claimed person
    // (docs/reference/voiceprint-management.md#media).
    ...(session.claimedGkPersonId && { gkPersonId: session.claimedGkPersonId }),
    legalHold: false,
    customData: {},
    createdAtMs: now,
    modifiedAtMs: now,
  };
}

/**
 * First the named persons, then the engagement, then the session: an erasure locks them in the same order.
 */
export async function insertMedia(tx: BiometricsTransaction, call: Call, media: MediaSegment): Promise<void> {
  await holdNamed(tx, media);
  await requireNotErased(tx, media);
  await tx.media.insert(media);
  await auditMedia(tx, call, media, 'GetUploadUrl', { container: media.container });
}

async function holdNamed(
  tx: BiometricsTransaction,
  { gkPersonId, callParties }: MediaSegment,
): Promise<void> {
  const speakers = callParties.map(({ partyType, gkPartyId }) =>
    partyType === 'PERSON' ? gkPartyId : undefined,
  );
  const named = [gkPersonId, ...speakers].filter((person) => person !== undefined);
  if (named.length === 0) return;
  await tx.erasure.hold(named);
  for (const [index, person] of speakers.entries())
    if (person !== undefined && (await tx.erasure.isErased(person)))
      throw notFound('person', `call_parties[${index}].gk_party_id`);
}
