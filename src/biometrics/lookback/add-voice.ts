// AddVoiceToWatchlist: the voice of some stored calls becomes a fraudster with a trained print on a watchlist, in one transaction.
import { AppError, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration } from '../calibration/active.js';
import { audit } from '../call/audit.js';
import { openFullContext, type FullContext, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { insertParty } from '../entities/create-party.js';
import { insertMember } from '../entities/membership.js';
import type { Parameters } from '../model/parameters.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { insertProfile } from '../profiles/create-profile.js';
import { addSegment } from '../operations/enroll.js';
import type { OperationDeps } from '../operations/deps.js';
import { trainProfile } from '../operations/train.js';
import type { EnrollReason } from '../rules/enrollment-status.js';

export interface AddVoiceInput {
  context: RequestContext;
  gkWatchlistId: string;
  fraudsterId: string;
  tag: string;
  gkProcessedAudioIds: readonly string[];
}

export interface AddedVoice {
  gkFraudsterId: string;
  gkVoiceprintProfileId: string;
  segments: number;
  leftOut: { gkProcessedAudioId: string; reason: EnrollReason }[];
}

const RECORDINGS_MAX = 100;
const LIST_FIELD = 'gk_processed_audio_ids';

export async function addVoiceToWatchlist(
  deps: OperationDeps,
  call: Call,
  input: AddVoiceInput,
): Promise<AddedVoice> {
  const context = await openFullContext(deps, call, input.context, faultsOf(input).found);
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  const parameters = forOneVoice(context.parameters);
  const opened = { deps, call, opened: context };
  return deps.store.transaction(async (tx) => {
    const fraudster = await insertParty(tx, opened, { kind: 'FRAUDSTER', externalId: input.fraudsterId });
    const owner = { kind: 'FRAUDSTER', gkId: fraudster.gkId, tag: input.tag } as const;
    const gkVoiceprintProfileId = await insertProfile(tx, opened, fraudster, {
      context: input.context,
      owner,
    });
    const leftOut = await enrollAll(tx, { deps, call, context }, gkVoiceprintProfileId, input);
    const profile = await tx.profiles.find(context.gkScopeId, gkVoiceprintProfileId);
    if (!profile) throw notFound('voiceprint profile');
    const trained = await trainProfile(deps, tx, profile, calibration, parameters);
    if (!trained.trained) throw notOneVoice(trained.reason, leftOut);
    await insertMember(tx, opened, {
      kind: 'WATCHLIST',
      gkId: input.gkWatchlistId,
      memberGkId: fraudster.gkId,
    });
    await audit(tx, call, {
      type: 'VOICEPRINT_EVENT',
      operation: 'AddVoiceToWatchlist',
      gkScopeId: context.gkScopeId,
      gkEngagementId: context.engagement.gkEngagementId,
      gkSessionId: context.session.gkSessionId,
      configsetId: context.configset.configsetId,
      subjects: [gkVoiceprintProfileId, fraudster.gkId, input.gkWatchlistId],
      detail: { segments: trained.validSegments, leftOut: leftOut.length, model: calibration.model.revision },
    });
    return { gkFraudsterId: fraudster.gkId, gkVoiceprintProfileId, segments: trained.validSegments, leftOut };
  });
}

function faultsOf({ gkWatchlistId, fraudsterId, tag, gkProcessedAudioIds }: AddVoiceInput): Faults {
  const faults = new Faults()
    .required('gk_watchlist_id', gkWatchlistId)
    .id('fraudster_id', fraudsterId)
    .id('tag', tag);
  if (gkProcessedAudioIds.length === 0) faults.add(missingField(LIST_FIELD));
  if (gkProcessedAudioIds.length > RECORDINGS_MAX)
    faults.add({
      field: LIST_FIELD,
      violation: 'TOO_LONG',
      message: `must have at most ${RECORDINGS_MAX} entries`,
    });
  return faults;
}

/** A fraudster cannot be asked for another recording: one with enough speech will do. */
function forOneVoice({ enrollment, ...others }: Parameters): Parameters {
  return { ...others, enrollment: { ...enrollment, segmentsMin: 1 } };
}

interface Enrolling {
  deps: OperationDeps;
  call: Call;
  context: FullContext;
}

/** What did not become a segment, and why. */
async function enrollAll(
  tx: BiometricsTransaction,
  enrolling: Enrolling,
  gkVoiceprintProfileId: string,
  { gkProcessedAudioIds }: AddVoiceInput,
): Promise<AddedVoice['leftOut']> {
  const leftOut: AddedVoice['leftOut'] = [];
  const { gkScopeId } = enrolling.context;
  const audios = await tx.processedAudios.findMany(gkScopeId, [...new Set(gkProcessedAudioIds)]);
  const byId = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio]));
  for (const [index, id] of gkProcessedAudioIds.entries()) {
    const audio = byId.get(id);
    if (!audio) throw notFound('processed audio', `${LIST_FIELD}[${index}]`);
    const { enrolled, reason } = await addSegment(tx, enrolling, gkVoiceprintProfileId, audio);
    if (!enrolled) leftOut.push({ gkProcessedAudioId: id, reason });
  }
  return leftOut;
}

/** The codes say why there is no print, and after that what was wrong with the recordings that were left out. */
function notOneVoice(reason: string, leftOut: AddedVoice['leftOut']): AppError {
  const reasons = [...new Set(leftOut.map((one) => one.reason))];
  const why = reasons.join(', ');
  const message =
    reason === 'INCONSISTENCY'
      ? 'these recordings are not of one voice: nothing was made'
      : `there is too little usable speech in these recordings${why ? ` (left out: ${why})` : ''}: nothing was made`;
  return new AppError('INVALID_REQUEST', message, {
    fields: [{ field: LIST_FIELD, violation: 'OTHER', message }],
    diagnostics: [reason, ...reasons].map((code) => ({ code })),
  });
}
