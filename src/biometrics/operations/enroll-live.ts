// Passive enrollment: speech collected in a call becomes a segment of a print once somebody confirms whose it is. Until then
// it exists only in memory. When a print has enough segments, it is trained.
import { auditDetail } from '../../audit/model.js';
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { voiceOfWindows } from '../../voice/embedding/speech-windows.js';
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import type { ProcessedAudio as EngineResult } from '../../voice/engine.js';
import { endingAt } from '../../voice/fingerprint/fingerprint.js';
import { judgeAudio } from '../../voice/quality/judge-audio.js';
import { openFullContext, type FullContext, type RequestContext } from '../call/context.js';
import { recordConsent } from '../entities/consent.js';
import { audioGates } from '../rules/media-for-engine.js';
import type { Party } from '../model/entities.js';
import type { ProcessedAudio } from '../model/media.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import { refuseOptedOut } from '../profiles/create-profile.js';
import { isSecondVoice } from '../rules/judge-stretches.js';
import { isOneVoice } from '../rules/one-voice.js';
import { isCompatible } from '../rules/usable-print.js';
import type { OperationDeps } from './deps.js';
import type { LiveQuestion } from './live-decision.js';
import { addSegment, type EnrollResult } from './enroll.js';
import { openCall, type OpenedCall } from './opened-call.js';
import { recordOf } from './audio-input.js';
import { train, type TrainReason } from './train.js';
import { heardOfCustomer, type AgentOnLine } from './without-agent.js';
import { inEnglish } from '../../words/server/say.js';

interface LiveEnrollment {
  context: RequestContext;
  /** Whose voice it may contain besides the person's. */
  line: AgentOnLine;
  gkVoiceprintProfileId: string;
  /** Used in place of a recording, which is not kept. */
  liveCallId: string;
  /** The person has agreed now; otherwise they must have agreed before. */
  consent: boolean;
  heard: EngineResult;
}

export interface LiveEnrollResult extends Pick<EnrollResult, 'enrolled' | 'reason' | 'status'> {
  trained: boolean;
  /** Absent while there are too few segments to try. */
  trainReason?: TrainReason;
}

export async function enrollLive(
  deps: OperationDeps,
  call: Call,
  input: LiveEnrollment,
): Promise<LiveEnrollResult> {
  const { gkVoiceprintProfileId } = input;
  const context = await openFullContext(deps, call, input.context, [
    gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id'),
  ]);
  const audio = await audioOf(await openCall(deps, call, context), input);
  const { enrolled, reason, status } = await deps.store.transaction(async (tx) => {
    await requireConsent(tx, { deps, call, context }, input);
    await tx.processedAudios.insert(audio);
    const result = await addSegment(tx, { deps, call, context }, gkVoiceprintProfileId, audio);
    // Speech that is not enrolled is not kept.
    if (!result.enrolled) await tx.processedAudios.deleteByMedia(context.gkScopeId, input.liveCallId);
    return result;
  });
  const outcome = { enrolled, reason, status, trained: false };
  if (!enrolled || status === 'TRAIN_NOT_POSSIBLE') return outcome;
  const { trained, reason: trainReason } = await train(deps, call, {
    context: input.context,
    gkVoiceprintProfileId,
  });
  return { ...outcome, trained, trainReason };
}

/** The state of a call: that of its last event, and the best matching print. */
interface LiveState {
  state: string;
  gkVoiceprintProfileId?: string;
}

/**
 * Whether a print of the person for whom the call collects speech was compared, by name or in a group, and
 * another voice was heard. If none was compared, a mismatch says nothing about this person.
 */
export async function isSomebodyElse(
  { store, engine }: OperationDeps,
  question: LiveQuestion & { enrollInto: string },
  { state, gkVoiceprintProfileId: matched }: LiveState,
): Promise<boolean> {
  if (state !== 'NO_MATCH' && state !== 'AUTHENTIC') return false;
  const { context, profileIds = [], group, enrollInto } = question;
  const gkScopeId = context.gkScopeId ?? '';
  const { profiles } = store.read;
  const named = await profiles.findMany(gkScopeId, [...new Set([...profileIds, enrollInto])]);
  const owner = named.find((print) => print.gkVoiceprintProfileId === enrollInto)?.gkOwnerId;
  if (owner === undefined) return false;
  const grouped = group
    ? await profiles.listInCollection(gkScopeId, group.gkId, { prints: [], owners: [owner] })
    : [];
  const compared = [
    ...named.filter((print) => profileIds.includes(print.gkVoiceprintProfileId)),
    ...grouped.filter(({ tag }) => !group?.tag || tag === group.tag),
  ].filter(({ gkOwnerId, trained }) => gkOwnerId === owner && trained && isCompatible(trained, engine.model));
  return (
    compared.length > 0 &&
    (state === 'NO_MATCH' || !compared.some((print) => print.gkVoiceprintProfileId === matched))
  );
}

/** As if the speech had been uploaded as a file for enrollment. */
async function audioOf(
  opened: OpenedCall,
  { liveCallId, line, heard: all }: LiveEnrollment,
): Promise<ProcessedAudio> {
  const { parameters } = opened.context;
  const purpose = {
    forEnrollment: true,
    checkpointSeconds: [],
    spoof: { synthetic: false, playback: false },
    printType: 'VOICEPRINT',
  } as const;
  const heard = hasVoice(all) ? await heardOfCustomer(opened, line, all) : undefined;
  if (!heard) throw new AppError('INVALID_REQUEST', inEnglish('nobody spoke in this call'));
  const { voice, quality, speakerChange } = heard;
  const { model } = opened.deps.engine;
  const changes = speakerChange !== undefined && isSecondVoice(speakerChange, model);
  if (changes || !isOneVoice(opened.calibration.model, voice, heard.windows))
    throw new AppError('INVALID_REQUEST', inEnglish('more than one person spoke in this call'));
  const windows = firstWindows(heard.windows, parameters.audio.speechSecondsMaxForEnrollment * 1000);
  const netMs = windows.reduce((sum, window) => sum + window.netMs, 0);
  return recordOf(opened, { gkMediaSegmentId: liveCallId }, purpose, {
    ...heard,
    checkpoints: [],
    windows,
    ...(heard.fingerprint && { fingerprint: endingAt(heard.fingerprint, windows.at(-1)?.endMs ?? 0) }),
    voice: { ...voice, netMs, embedding: voiceOfWindows(windows) },
    verdict: judgeAudio(quality, audioGates(parameters, true)),
  });
}

const hasVoice = (
  heard: EngineResult,
): heard is EngineResult & Required<Pick<EngineResult, 'voice' | 'quality'>> =>
  heard.voice !== undefined && heard.quality !== undefined;

/** Whole windows of this much speech, and at least one. */
function firstWindows(windows: readonly VoiceWindow[], netMsMax: number): VoiceWindow[] {
  let sum = 0;
  return windows.filter((window, at) => {
    sum += window.netMs;
    return at === 0 || sum <= netMsMax;
  });
}

async function requireConsent(
  tx: BiometricsTransaction,
  { deps, call, context }: { deps: OperationDeps; call: Call; context: FullContext },
  { gkVoiceprintProfileId, consent, liveCallId }: LiveEnrollment,
): Promise<void> {
  const person = await agreedPerson(tx, context.gkScopeId, { gkVoiceprintProfileId, consent });
  if (person.consent?.status !== 'OPTED_IN')
    await recordConsent(tx, { deps, call, context }, person, auditDetail({ liveCallId }));
}

/** Refuses what would be refused when the call is over, while the person can still be asked. */
export async function requireAgreed(
  { store }: OperationDeps,
  gkScopeId: string,
  asked: { gkVoiceprintProfileId: string; consent: boolean },
): Promise<void> {
  await agreedPerson(store.read, gkScopeId, asked);
}

async function agreedPerson(
  { profiles, parties }: Pick<Repositories, 'profiles' | 'parties'>,
  gkScopeId: string,
  { gkVoiceprintProfileId, consent }: { gkVoiceprintProfileId: string; consent: boolean },
): Promise<Party> {
  const profile = await profiles.find(gkScopeId, gkVoiceprintProfileId);
  if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  if (profile.ownerType !== 'PERSON')
    throw new AppError('INVALID_REQUEST', inEnglish('speech from a call can only be enrolled for persons'));
  const person = await parties.find(gkScopeId, 'PERSON', profile.gkOwnerId);
  if (!person) throw notFound('person');
  if (person.consent?.status === 'OPTED_IN') return person;
  if (!consent)
    throw invalidFields([
      {
        field: 'consent',
        violation: 'MANDATORY_FIELD_MISSING',
        ...inEnglish('the person has not agreed to a voiceprint: set consent once they have'),
      },
    ]);
  refuseOptedOut(person);
  return person;
}
