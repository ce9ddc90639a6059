// AddVoiceToWatchlist: in one transaction, the voice of some stored calls becomes a fraudster with a trained print on a
// watchlist, or part of the print of a fraudster who is already known.
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import { auditedBy } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openFullContext, type FullContext, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { parametersOfPrint } from '../configsets/print-parameters.js';
import { insertParty } from '../entities/create-party.js';
import { insertMember } from '../entities/membership.js';
import { partyOrThrow } from '../entities/party-rules.js';
import { searchLater } from '../entities/search-later.js';
import type { Party } from '../model/entities.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Parameters } from '../model/parameters.js';
import type { EnrollmentSegment, Profile } from '../model/profiles.js';
import type { HeardFinding } from '../ports/findings.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import { insertProfile } from '../profiles/create-profile.js';
import { addSegment } from '../operations/enroll.js';
import type { OperationDeps } from '../operations/deps.js';
import { openCall, type OpenedCall } from '../operations/opened-call.js';
import { renewSegments, storeRenewed, type RenewWork } from '../operations/renew-segments.js';
import { trainProfile, type TrainResult } from '../operations/train.js';
import type { EnrollReason } from '../rules/enrollment-status.js';
import { listedVoice, type ListedVoice } from './listed-voice.js';
import { placesOf } from './stored-calls.js';
import { hearWhole, storeWhole } from './whole-recordings.js';
import { say } from '../../words/server/say.js';

interface AddVoiceInput {
  context: RequestContext;
  /** Empty: an existing fraudster stays on their current lists. */
  gkWatchlistId: string;
  /** ID of the fraudster to be created; empty for an existing one. */
  fraudsterId: string;
  /** For an existing one. */
  gkFraudsterId: string;
  /** Empty: the only print of an existing fraudster. */
  tag: string;
  gkProcessedAudioIds: readonly string[];
  /** If the voice is on the list under another name, nothing is changed. */
  refuseListedVoice: boolean;
  /** Processes the recordings in full; audio processed for a check ends where it decided. */
  wholeRecordings: boolean;
}

interface AddedVoice {
  gkFraudsterId: string;
  gkVoiceprintProfileId: string;
  segments: number;
  excluded: { gkProcessedAudioId: string; reason: EnrollReason }[];
  /** Who was on the list with this voice before. */
  alreadyListed?: ListedVoice;
}

const RECORDINGS_MAX = 100;
/** For the first print of a fraudster. */
const TAG_DEFAULT = 'main';
const LIST_FIELD = 'gk_processed_audio_ids';

export async function addVoiceToWatchlist(
  deps: OperationDeps,
  call: Call,
  asked: AddVoiceInput,
): Promise<AddedVoice> {
  const context = await openFullContext(deps, call, asked.context, faultsOf(asked).found);
  const openedCall = await openCall(deps, call, context);
  const { calibration } = openedCall;
  const whole = await hearWhole(openedCall, asked.gkProcessedAudioIds, asked.wholeRecordings);
  const input = { ...asked, gkProcessedAudioIds: whole.ids };
  const known = await knownPrint(deps.store.read, context.gkScopeId, input);
  const own = known ? await parametersOfPrint(deps, deps.store.read, known, context.parameters) : undefined;
  const parameters = forOneVoice(own ?? context.parameters);
  const renewed = known ? await renewSegments(deps, known, parameters, workOf(call)) : [];
  const alreadyListed = await voiceAlreadyListed(openedCall, input, whole.audios);
  const opened = { deps, call, opened: context };
  return deps.store.transaction(async (tx) => {
    await storeWhole(tx, whole);
    const fraudster = await fraudsterOf(tx, opened, input);
    const print = await printOf(tx, opened, fraudster, input);
    await storeRenewed(tx, print, renewed, {
      calibrationRevisionId: calibration.revisionId,
      nowMs: deps.clock.now(),
    });
    const before = await tx.enrollment.list(print.gkVoiceprintProfileId);
    const excluded = await enrollAll(tx, { deps, call, context }, print.gkVoiceprintProfileId, input);
    const profile = (await tx.profiles.find(context.gkScopeId, print.gkVoiceprintProfileId)) ?? print;
    const trained = await trainProfile(deps, tx, profile, calibration, parameters);
    refuseUnfit(trained, before, excluded, input);
    await list(tx, opened, trained.profile, input);
    const gkVoiceprintProfileId = print.gkVoiceprintProfileId;
    const sessions = await noteInCalls(tx, opened, print, input, excluded);
    await audit(tx, call, {
      type: 'VOICEPRINT_EVENT',
      operation: 'AddVoiceToWatchlist',
      gkScopeId: context.gkScopeId,
      gkEngagementId: context.engagement.gkEngagementId,
      gkSessionId: context.session.gkSessionId,
      configsetId: context.configset.configsetId,
      subjects: [
        gkVoiceprintProfileId,
        fraudster.gkId,
        ...(input.gkWatchlistId ? [input.gkWatchlistId] : []),
      ],
      detail: {
        segments: trained.validSegments,
        leftOut: excluded.length,
        sessions,
        ...(alreadyListed && { alreadyListedAs: alreadyListed.gkFraudsterId, score: alreadyListed.llr }),
        model: calibration.model.revision,
      },
    });
    return {
      gkFraudsterId: fraudster.gkId,
      gkVoiceprintProfileId,
      segments: trained.validSegments,
      // By the IDs that the caller knows.
      excluded: excluded.map(({ gkProcessedAudioId: id, reason }) => ({
        gkProcessedAudioId: whole.askedAs.get(id) ?? id,
        reason,
      })),
      ...(alreadyListed && { alreadyListed }),
    };
  });
}

/** Records the finding on the page of each call that a recording belongs to; returns those calls. */
async function noteInCalls(
  tx: BiometricsTransaction,
  { deps, call, opened }: Opened,
  { gkVoiceprintProfileId, gkOwnerId: gkFraudsterId }: Profile,
  { gkProcessedAudioIds, gkWatchlistId }: AddVoiceInput,
  excluded: AddedVoice['excluded'],
): Promise<string[]> {
  const { gkScopeId, session } = opened;
  const skipped = new Set(excluded.map(({ gkProcessedAudioId }) => gkProcessedAudioId));
  const used = [...new Set(gkProcessedAudioIds)].filter((id) => !skipped.has(id));
  const audios = await tx.processedAudios.findMany(gkScopeId, used);
  const places = await placesOf(tx, gkScopeId, audios);
  const findings = audios.flatMap(({ gkMediaSegmentId, gkProcessedAudioId }): HeardFinding[] =>
    (places.get(gkProcessedAudioId) ?? [])
      .filter(({ gkSessionId }) => gkSessionId !== session.gkSessionId)
      .map(({ gkSessionId }) => ({
        gkScopeId,
        gkSessionId,
        gkFraudsterId,
        operation: 'AddVoiceToWatchlist',
        gkVoiceprintProfileId,
        gkMediaSegmentId,
        gkProcessedAudioId,
        ...(gkWatchlistId && { gkWatchlistId }),
        madeInGkSessionId: session.gkSessionId,
        ...auditedBy(call),
        createdAtMs: deps.clock.now(),
      })),
  );
  await tx.findings.note(findings);
  return [...new Set(findings.map(({ gkSessionId }) => gkSessionId))];
}

/** Who is on the list with this voice; throws the refusal, if requested. */
async function voiceAlreadyListed(
  opened: OpenedCall,
  { gkWatchlistId, gkFraudsterId, refuseListedVoice }: AddVoiceInput,
  audios: readonly ProcessedAudio[],
): Promise<ListedVoice | undefined> {
  if (!gkWatchlistId) return undefined;
  const listed = await listedVoice(opened, gkWatchlistId, audios, gkFraudsterId);
  if (!listed || !refuseListedVoice) return listed;
  throw new AppError('ALREADY_EXISTS', say('VOICE_LISTED', { fraudster: listed.fraudsterId }), {
    diagnostics: [
      {
        code: 'VOICE_ALREADY_LISTED',
        extras: { gk_fraudster_id: listed.gkFraudsterId, fraudster_id: listed.fraudsterId },
      },
    ],
  });
}

const workOf = (call: Call): RenewWork => ({
  signal: call.signal,
  ...(call.deadlineAtMs !== undefined && { deadlineAtMs: call.deadlineAtMs }),
  client: call.caller.clientId,
});

/** Adds them to the named watchlist; a listed fraudster is then searched for with the new voice. */
async function list(
  tx: BiometricsTransaction,
  opened: Opened,
  print: Profile,
  { gkWatchlistId }: AddVoiceInput,
): Promise<void> {
  const { gkScopeId, gkOwnerId } = print;
  if (gkWatchlistId && !(await tx.collections.hasMember(gkScopeId, gkWatchlistId, gkOwnerId)))
    await insertMember(tx, opened, { kind: 'WATCHLIST', gkId: gkWatchlistId, memberGkId: gkOwnerId });
  else if (await tx.collections.isListed(gkScopeId, gkOwnerId))
    await searchLater(tx, opened.deps, opened.call, [print]);
}

interface Opened {
  deps: OperationDeps;
  call: Call;
  opened: FullContext;
}

function fraudsterOf(tx: BiometricsTransaction, opened: Opened, input: AddVoiceInput): Promise<Party> {
  const { fraudsterId: externalId, gkFraudsterId } = input;
  return gkFraudsterId
    ? partyOrThrow(tx.parties, opened.opened.gkScopeId, 'FRAUDSTER', gkFraudsterId)
    : insertParty(tx, opened, { kind: 'FRAUDSTER', externalId });
}

/** The existing fraudster's print that is meant; undefined if there is none yet. */
async function knownPrint(
  { profiles }: Pick<Repositories, 'profiles'>,
  gkScopeId: string,
  { gkFraudsterId, tag }: AddVoiceInput,
): Promise<Profile | undefined> {
  if (!gkFraudsterId) return undefined;
  const prints = await profiles.listByOwner(gkScopeId, gkFraudsterId);
  if (tag) return prints.find((print) => print.tag === tag);
  if (prints.length > 1)
    throw invalidFields([{ field: 'tag', violation: 'OTHER', ...say('FRAUDSTER_TAG_NEEDED') }]);
  return prints[0];
}

async function printOf(
  tx: BiometricsTransaction,
  opened: Opened,
  fraudster: Party,
  input: AddVoiceInput,
): Promise<Profile> {
  const { gkScopeId } = opened.opened;
  const known = await knownPrint(tx, gkScopeId, input);
  if (known) return known;
  const owner = { kind: 'FRAUDSTER', gkId: fraudster.gkId, tag: input.tag || TAG_DEFAULT } as const;
  const made = await insertProfile(tx, opened, fraudster, { context: input.context, owner });
  const print = await tx.profiles.find(gkScopeId, made);
  if (!print) throw notFound('voiceprint profile');
  return print;
}

/**
 * Throws if the print did not come about, or would have become another voice's, so that nothing of it stays.
 */
function refuseUnfit(
  { trained, reason, segments }: TrainResult,
  before: readonly EnrollmentSegment[],
  excluded: AddedVoice['excluded'],
  { gkProcessedAudioIds }: AddVoiceInput,
): void {
  if (!trained) throw notOneVoice(reason, excluded);
  if (excluded.length === new Set(gkProcessedAudioIds).size)
    throw notOneVoice('NOT_READY_TO_TRAIN', excluded);
  const used = new Set(
    segments.filter(({ segment }) => segment.usedForTrain).map(({ segment }) => segment.gkProcessedAudioId),
  );
  // With two voices in equal parts, nobody can say whose print it should be.
  if (2 * used.size <= segments.length) throw notOneVoice('INCONSISTENCY', excluded);
  if (before.length === 0) return;
  const skipped = new Set(excluded.map(({ gkProcessedAudioId }) => gkProcessedAudioId));
  const wanted = [
    ...before.filter(({ usedForTrain }) => usedForTrain).map(({ gkProcessedAudioId }) => gkProcessedAudioId),
    ...gkProcessedAudioIds.filter((id) => !skipped.has(id)),
  ];
  if (!wanted.every((id) => used.has(id))) throw notOneVoice('INCONSISTENCY', excluded);
}

function faultsOf(input: AddVoiceInput): Faults {
  const { gkWatchlistId, fraudsterId, gkFraudsterId, tag, gkProcessedAudioIds } = input;
  const faults = new Faults();
  if (!gkFraudsterId)
    faults.required('gk_watchlist_id', gkWatchlistId).id('fraudster_id', fraudsterId).id('tag', tag);
  else if (tag) faults.id('tag', tag);
  if (gkFraudsterId && fraudsterId)
    faults.add({
      field: 'fraudster_id',
      violation: 'FIELD_CONFLICT',
      ...say('ONLY_FOR_NEW_FRAUDSTER'),
    });
  if (gkProcessedAudioIds.length === 0) faults.add(missingField(LIST_FIELD));
  if (gkProcessedAudioIds.length > RECORDINGS_MAX)
    faults.add({
      field: LIST_FIELD,
      violation: 'TOO_LONG',
      ...say('TOO_MANY_ENTRIES', { max: RECORDINGS_MAX }),
    });
  return faults;
}

/** A fraudster cannot be asked for another recording: one with enough speech is sufficient. */
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
): Promise<AddedVoice['excluded']> {
  const excluded: AddedVoice['excluded'] = [];
  const { gkScopeId } = enrolling.context;
  const audios = await tx.processedAudios.findMany(gkScopeId, [...new Set(gkProcessedAudioIds)]);
  const byId = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio]));
  for (const [index, id] of gkProcessedAudioIds.entries()) {
    const found = byId.get(id);
    if (!found) throw notFound('processed audio', `${LIST_FIELD}[${index}]`);
    // Of a live call, nothing else remains than what a check heard.
    const { heardInCheck: _isTaken, ...audio } = found;
    const { enrolled, reason } = await addSegment(tx, enrolling, gkVoiceprintProfileId, audio);
    if (!enrolled) excluded.push({ gkProcessedAudioId: id, reason });
  }
  return excluded;
}

/** The codes say why there is no print, followed by what was wrong with the recordings that were left out. */
function notOneVoice(reason: TrainResult['reason'], excluded: AddedVoice['excluded']): AppError {
  const reasons = [...new Set(excluded.map((one) => one.reason))];
  const why = reasons.join(', ');
  const tooLittle = why ? say('TOO_LITTLE_SPEECH_LEFT', { reasons: why }) : say('TOO_LITTLE_SPEECH');
  const said = reason === 'INCONSISTENCY' ? say('NOT_ONE_VOICE') : tooLittle;
  return new AppError('INVALID_REQUEST', said, {
    fields: [{ field: LIST_FIELD, violation: 'OTHER', ...said }],
    diagnostics: [reason, ...reasons].map((code) => ({ code })),
  });
}
