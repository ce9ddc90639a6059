// What is returned and stored of a decision: enough to reproduce it from model, calibration, config revision and score. The factors
// of the session and the audit record; new processed audio; also a verification that a lock refuses, where nothing is heard, but
// somebody tried.
import { auditDetail, type AuditDetail } from '../../audit/model.js';
import { notFound } from '../../errors.js';
import type { AuditAct } from '../../words/audit/english.js';
import { audit } from '../call/audit.js';
import type { FullContext } from '../call/context.js';
import { askedIn, erasedOwnerOf, eraseIfErased, type NamedInCall } from '../call/data-subjects.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { ComparisonOutcome, LockedPrint, Side } from '../model/comparison.js';
import type { MediaSegment, ProcessedAudio } from '../model/media.js';
import type { VoiceprintReason } from '../model/outcome.js';
import type { Profile } from '../model/profiles.js';
import {
  COOLING_OFF,
  REFUSED_FOR_LOCK,
  SPEAKER_CHANGED,
  type Factor,
  type FactorKind,
  type Session,
  type WhyNoPrint,
} from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { heardChannel } from '../rules/heard-channel.js';
import { unreliableFor, type AttackOutcome } from '../rules/judge-attack.js';
import { attackFactors } from '../rules/open-check.js';
import { hasPassedPrompt, wantsPrompt } from '../rules/prompt-wanted.js';
import { isRefusedForLock } from '../rules/usable-print.js';
import type { DecisionRun, PreparedAudio } from './audio-input.js';
import type { OperationDeps } from './deps.js';
import type { OpenedCall } from './opened-call.js';

/** The results of Verify, Identify and DetectKnownFraudsters. */
export interface ComparisonResult {
  outcome: ComparisonOutcome;
  audio: ProcessedAudio;
  calibration: ActiveCalibration;
}

export function comparisonResult(
  { prepared, calibration }: DecisionRun,
  outcome: ComparisonOutcome,
): ComparisonResult {
  return { outcome, audio: prepared.audio, calibration };
}

/** One fact to store about a call: an audit record and, if something was decided, a factor of the session. */
export type DecisionRecord = Decided | Noted | SideEffect;

export interface Decided extends Remembered {
  operation?: never;
  type: 'FACTORS_AUDIT_INFO_EVENT' | 'ANTI_SPOOFING_AUDIT_INFO_EVENT';
  factor: FactorResult;
}

/** Audio was heard, but this decides nothing by itself. */
interface Noted extends Remembered {
  operation?: never;
  type: 'AUDIO_EVENT' | Decided['type'];
  factor?: never;
}

/** What the decision has changed by itself, under its own name. */
interface SideEffect extends Remembered {
  type: 'VOICEPRINT_EVENT';
  operation: AuditAct;
  factor?: never;
}

interface Remembered {
  /** The recording that was judged, if not the one of the call. */
  heard?: PreparedAudio;
  /** Internal IDs of the prints, owners or audio concerned. */
  subjects: readonly string[];
  detail: AuditDetail;
}

type FactorResult = Pick<Factor, 'kind' | 'decision' | 'reason' | 'netSpeechMs'> &
  Partial<
    Pick<
      Factor,
      | 'risk'
      | 'reliability'
      | 'score'
      | 'prints'
      | 'looks'
      | 'gkVoiceprintProfileId'
      | 'gkCollectionId'
      | 'detector'
      | 'bandwidth'
      | 'alarmRisk'
      | 'highestRisk'
      | 'hasClaimed'
      | 'notCompared'
      | 'unreliableFor'
      | 'gkReferenceProcessedAudioId'
      | 'liveCallId'
    >
  >;

/** Enough to find out what happened, while the record stays small. */
const NAMED_MAX = 20;

const collectionMembers = { AUTHENTICATION: 'gkGroupId', FRAUD_DETECTION: 'gkWatchlistId' } as const;

export type RememberedReason =
  | VoiceprintReason
  | typeof REFUSED_FOR_LOCK
  | typeof COOLING_OFF
  | WhyNoPrint
  | typeof SPEAKER_CHANGED;

/**
 * The contract has no word for a lock, for a print that is too new or missing, and for somebody else who
 * speaks in a part; sessions, the audit trail and running calls do.
 */
export function rememberedReason({
  decision,
  reason,
  refused,
  coolingOff,
  whyNoPrint,
  stretch,
}: Pick<
  ComparisonOutcome,
  'decision' | 'reason' | 'refused' | 'coolingOff' | 'whyNoPrint' | 'stretch'
>): RememberedReason {
  if (refused) return REFUSED_FOR_LOCK;
  if (decision === 'UNCERTAIN' && reason === 'LOW_RELIABILITY' && stretch) return SPEAKER_CHANGED;
  if (reason === 'NO_SCORES' && whyNoPrint) return whyNoPrint;
  return reason === 'NO_SCORES' && coolingOff ? COOLING_OFF : reason;
}

/** The nearest one, or the one that a lock kept from being compared. */
export const printOf = ({
  scores: [best],
  refused,
}: ComparisonOutcome): Pick<LockedPrint, 'gkVoiceprintProfileId' | 'gkOwnerId'> | undefined =>
  best?.candidate ?? refused?.print;

/** What is stored of a voice comparison. */
export function comparisonRecord(
  { calibration, prepared, context }: DecisionRun,
  kind: Side,
  outcome: ComparisonOutcome,
): Decided {
  const {
    decision,
    risk,
    prints,
    looks,
    netSpeechMs,
    stretch,
    locked = [],
    gkCollectionId,
    notCompared,
  } = outcome;
  const reason = rememberedReason(outcome);
  const best = outcome.scores[0];
  const print = printOf(outcome);
  return {
    type: 'FACTORS_AUDIT_INFO_EVENT',
    subjects: print ? [print.gkVoiceprintProfileId, print.gkOwnerId] : [],
    detail: auditDetail({
      factor: kind,
      decision,
      reason,
      risk: risk?.risk,
      reliability: risk?.reliability,
      score: best?.llr,
      gkVoiceprintProfileId: print?.gkVoiceprintProfileId,
      printVersion: best?.candidate.version,
      prints,
      ...(looks && { looks }),
      ...(outcome.damaged && { damagedPrints: outcome.damaged.slice(0, NAMED_MAX) }),
      ...(locked.length > 0 && {
        lockedPrints: locked.slice(0, NAMED_MAX).map(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId),
      }),
      ...(gkCollectionId && { [collectionMembers[kind]]: gkCollectionId }),
      ...(notCompared && { notCompared: notCompared.count, ofMembers: notCompared.members }),
      netSpeechMs: Math.round(netSpeechMs),
      ...(outcome.unreliable && { unreliableFor: outcome.unreliable.cause }),
      ...(stretch && {
        stretchFromMs: Math.round(stretch.startMs),
        stretchToMs: Math.round(stretch.endMs),
        stretchScore: stretch.llr,
      }),
      validity: prepared.audio.validity,
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
      model: calibration.model.revision,
      calibrationRevisionId: calibration.revisionId,
    }),
    factor: {
      kind,
      decision,
      reason,
      netSpeechMs,
      bandwidth: prepared.audio.narrowband ? 'narrow' : 'wide',
      prints,
      ...(looks && { looks }),
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(best && { score: best.llr }),
      ...(print && { gkVoiceprintProfileId: print.gkVoiceprintProfileId }),
      ...(gkCollectionId && { gkCollectionId }),
      ...claimedAmong(outcome, kind, context.session.claimedGkPersonId),
      ...(notCompared && { notCompared: notCompared.count }),
      ...(outcome.unreliable && { unreliableFor: [outcome.unreliable.cause] }),
    },
  };
}

/**
 * With several prints: whether one of them is the claimed person's; for a long list only if it is among the
 * nearest.
 */
function claimedAmong(
  { prints, scores }: ComparisonOutcome,
  kind: Side,
  claimed: string | undefined,
): Pick<Factor, 'hasClaimed'> {
  if (kind !== 'AUTHENTICATION' || prints <= 1 || claimed === undefined) return {};
  const isThere = scores.some(({ candidate }) => candidate.gkOwnerId === claimed);
  return isThere || scores.length >= prints ? { hasClaimed: isThere } : {};
}

/** What is stored of an attack check. */
export function attackRecord({ prepared }: DecisionRun, outcome: AttackOutcome): Decided {
  const { kind, decision, reason, risk, score, experimental, doubts, spans, line, bandwidth } = outcome;
  const { detectorRevision: detector, highestRisk } = outcome;
  const unreliable = unreliableFor(outcome);
  return {
    type: 'ANTI_SPOOFING_AUDIT_INFO_EVENT',
    subjects: [prepared.audio.gkProcessedAudioId],
    detail: auditDetail({
      check: kind,
      decision,
      reason,
      risk: risk?.risk,
      reliability: risk?.reliability,
      score,
      detector,
      ...(line && { alarmRisk: line.risk }),
      ...(bandwidth && { bandwidth }),
      ...(experimental && { experimental }),
      ...(doubts.length > 0 && { doubts: doubts.map((doubt) => ({ ...doubt })) }),
      ...(spans.length > 0 && { spans: spans.map((span) => ({ ...span })) }),
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
    }),
    factor: {
      kind: attackFactors[kind],
      decision,
      reason,
      netSpeechMs: prepared.audio.netAudioMs,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
      ...(bandwidth && { bandwidth }),
      ...(line && { alarmRisk: line.risk, ...(detector && { detector }) }),
      ...(highestRisk !== undefined && { highestRisk }),
      ...(unreliable.length > 0 && { unreliableFor: unreliable }),
    },
  };
}

/** The answer of an operation, and what has to be stored about it. */
export interface Conclusion<Result> {
  result: Result;
  /** At least one: every call on audio leaves a trace. */
  records: readonly DecisionRecord[];
}

/** What the answer of every operation that decides may say. */
export interface PromptWanted {
  /** By the config set, the caller should be asked to repeat digits, and has not done so. */
  promptWanted?: true;
}

async function isPromptWanted(
  tx: BiometricsTransaction,
  { context: { gkScopeId, session, parameters }, prepared: { audio } }: DecisionRun,
  records: readonly DecisionRecord[],
): Promise<boolean> {
  if (!records.some(({ factor }) => factor && wantsPrompt(factor, parameters))) return false;
  const made = await tx.factors.listBySession(gkScopeId, session.gkSessionId);
  return !hasPassedPrompt(made, audio.gkMediaSegmentId);
}

interface Concluding<Decided, Result> {
  name: AuditAct;
  conclude(tx: BiometricsTransaction, run: DecisionRun, decided: Decided): Promise<Conclusion<Result>>;
}

/**
 * The work of one transaction. The audio is stored before the rest, because an operation may change what it
 * belongs to. But first comes the person whose voice it is said to be: their erasure begins there too, and in
 * another order the two would wait for each other.
 */
export function storeDecision<Decided, Result>(
  run: DecisionRun,
  operation: Concluding<Decided, Result>,
  { decided, speaker }: { decided: Decided; speaker: string | undefined },
): (tx: BiometricsTransaction) => Promise<Result & PromptWanted> {
  return async (tx) => {
    if (speaker !== undefined) await tx.erasure.hold([speaker]);
    await storeAudio(tx, run.prepared);
    const { result, records } = await operation.conclude(tx, run, decided);
    if (records.length === 0) throw new Error(`${operation.name} left no record of what it heard`);
    for (const record of records)
      await storeRecord(tx, record.heard ? { ...run, prepared: record.heard } : run, operation.name, record);
    if (speaker !== undefined)
      await tx.erasure.noteAsked({
        gkScopeId: run.context.gkScopeId,
        gkPersonId: speaker,
        ...askedIn(run.context),
      });
    const isWanted = await isPromptWanted(tx, run, records);
    return { ...result, ...(isWanted && { promptWanted: true as const }) };
  };
}

/** Newly processed audio. */
export async function storeAudio(tx: BiometricsTransaction, prepared: PreparedAudio): Promise<void> {
  if (!prepared.isNew) return;
  // It may have been deleted, or erased with its person, while it was processed: then nothing of it is kept.
  const stored = await tx.media.find(prepared.audio.gkScopeId, prepared.audio.gkMediaSegmentId);
  if (!stored) throw notFound('media segment');
  await tx.processedAudios.insert(prepared.audio);
  const { lengthMs, sampleRateHz, channels, modifiedAtMs } = prepared.media ?? stored;
  if (stored.lengthMs !== undefined || lengthMs === undefined) return;
  // Into the current row: it may have been put on hold while it was processed.
  await tx.media.update({
    ...stored,
    lengthMs,
    ...(sampleRateHz !== undefined && { sampleRateHz }),
    ...(channels !== undefined && { channels }),
    modifiedAtMs,
  });
}

export async function storeRecord(
  tx: BiometricsTransaction,
  run: DecisionRun,
  operation: AuditAct,
  { type, subjects, detail, factor, operation: own = operation }: DecisionRecord,
): Promise<void> {
  const { call, context, calibration } = run;
  const { gkScopeId, engagement, session, configset } = context;
  if (factor) {
    const { media } = run.prepared;
    await storeFactor(tx, run, {
      operation,
      calibrationRevisionId: calibration.revisionId,
      // Speech of a live call belongs to this session.
      isTest: media !== undefined && (await isOfTrial(tx, session, media)),
      ...(await withoutErased(tx, run, factor)),
      ...(await channelIn(tx, run)),
    });
  }
  await audit(tx, call, {
    type,
    operation: own,
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    configsetId: configset.configsetId,
    subjects,
    detail: { ...detail, configsetRevisionId: configset.gkConfigsetRevisionId },
  });
}

/** For a live call, which has no recording, what the telephone system sends is the caller. */
async function channelIn(
  tx: BiometricsTransaction,
  { prepared: { audio, media } }: DecisionRun,
): Promise<Pick<Factor, 'channel'>> {
  const { gkScopeId, gkMediaSegmentId } = audio;
  const recording = media ?? (gkMediaSegmentId && (await tx.media.find(gkScopeId, gkMediaSegmentId)));
  const channel = recording ? heardChannel(audio, recording) : undefined;
  return channel ? { channel } : {};
}

/** A compared person may have been erased meanwhile, with the print that would link the recording to them. */
async function withoutErased(
  tx: BiometricsTransaction,
  { deps, context: { gkScopeId }, prepared: { audio } }: DecisionRun,
  factor: FactorResult,
): Promise<FactorResult & { gkProcessedAudioId?: string }> {
  const { gkProcessedAudioId, gkMediaSegmentId } = audio;
  const print = factor.gkVoiceprintProfileId;
  const erased = print && (await erasedOwnerOf(tx, gkScopeId, print));
  if (!erased) return { ...factor, gkProcessedAudioId };
  const isSaidOfOne = factor.decision === 'AUTHENTIC' || (factor.prints ?? 0) <= 1;
  if (factor.kind === 'AUTHENTICATION' && isSaidOfOne && gkMediaSegmentId) {
    await tx.media.link(gkScopeId, gkMediaSegmentId, erased);
    await eraseIfErased(deps, tx, { gkScopeId, gkPersonId: erased });
  }
  const { kind, decision, reason, netSpeechMs } = factor;
  return { kind, decision, reason, netSpeechMs };
}

interface Asked {
  operation: AuditAct;
  /** What the call named; it is refused because of the first. */
  prints?: readonly string[] | undefined;
  /** The recording that was sent, as far as it is known here. */
  of: NamedInCall['of'];
}

const KIND: FactorKind = 'AUTHENTICATION';

/** Called before the caller is told. */
export async function recordIfRefused(
  opened: OpenedCall,
  error: unknown,
  { operation, prints: [print] = [], of }: Asked,
): Promise<void> {
  if (print === undefined || !isRefusedForLock(error)) return;
  const { deps, call, context, calibration } = opened;
  const { gkScopeId, engagement, session, configset } = context;
  const owner = (await deps.store.read.profiles.find(gkScopeId, print))?.gkOwnerId;
  await deps.store.transaction(async (tx) => {
    // As in every transaction about somebody's voice: their erasure begins there too.
    if (owner !== undefined) await tx.erasure.hold([owner]);
    const profile = await tx.profiles.find(gkScopeId, print);
    // Deleted meanwhile: there is nobody it would be about.
    if (!profile) return;
    const heard = await knownAudio(tx, gkScopeId, of);
    const media = heard.gkMediaSegmentId && (await tx.media.find(gkScopeId, heard.gkMediaSegmentId));
    const outcome = { decision: 'UNCERTAIN', reason: REFUSED_FOR_LOCK } as const;
    await storeFactor(tx, opened, {
      kind: KIND,
      operation,
      ...outcome,
      netSpeechMs: 0,
      prints: 0,
      gkVoiceprintProfileId: print,
      ...(heard.gkProcessedAudioId && { gkProcessedAudioId: heard.gkProcessedAudioId }),
      calibrationRevisionId: calibration.revisionId,
      isTest: media ? await isOfTrial(tx, session, media) : false,
    });
    await audit(tx, call, {
      type: 'FACTORS_AUDIT_INFO_EVENT',
      operation,
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      configsetId: configset.configsetId,
      subjects: [print, profile.gkOwnerId],
      detail: {
        factor: KIND,
        ...outcome,
        gkVoiceprintProfileId: print,
        ...lockDetail(profile),
        ...heard,
        configsetRevisionId: configset.gkConfigsetRevisionId,
      },
    });
  });
}

/** By whom and why, in words, is stored with the print and in the record of the lock. */
function lockDetail({ lock }: Profile): Record<string, string> {
  const { reason, lockedAtMs, autoUnlockAtMs } = lock;
  return {
    ...(reason && { lockReason: reason }),
    ...(lockedAtMs !== undefined && { lockedAt: new Date(lockedAtMs).toISOString() }),
    ...(autoUnlockAtMs !== undefined && { autoUnlockAt: new Date(autoUnlockAtMs).toISOString() }),
  };
}

/** What the caller names is stored only if it exists: an analyst may listen to it. */
async function knownAudio(
  tx: BiometricsTransaction,
  gkScopeId: string,
  { gkProcessedAudioId, gkMediaSegmentId }: NamedInCall['of'],
): Promise<{ gkProcessedAudioId?: string; gkMediaSegmentId?: string }> {
  if (gkProcessedAudioId) {
    const audio = await tx.processedAudios.find(gkScopeId, gkProcessedAudioId);
    return audio ? { gkProcessedAudioId, gkMediaSegmentId: audio.gkMediaSegmentId } : {};
  }
  if (!gkMediaSegmentId) return {};
  return (await tx.media.find(gkScopeId, gkMediaSegmentId)) ? { gkMediaSegmentId } : {};
}

type Common =
  | 'factorId'
  | 'gkScopeId'
  | 'gkEngagementId'
  | 'gkSessionId'
  // These belong to the call, not to its findings.
  | 'configsetRevisionId'
  | 'createdAtMs';

interface Within {
  deps: Pick<OperationDeps, 'ids' | 'clock'>;
  context: FullContext;
}

/** Inside the caller's transaction. Whatever is done in a test session is a test, whatever the caller says. */
export async function storeFactor(
  tx: BiometricsTransaction,
  { deps, context }: Within,
  { isTest, ...factor }: Omit<Factor, Common | 'isTest'> & { isTest?: boolean },
): Promise<void> {
  const { gkScopeId, engagement, session, configset } = context;
  await tx.factors.insert({
    factorId: deps.ids.uuid(),
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    configsetRevisionId: configset.gkConfigsetRevisionId,
    createdAtMs: deps.clock.now(),
    ...factor,
    ...(wantsPrompt(factor, context.parameters) && { wantsPrompt: true }),
    ...((session.isTest || isTest === true) && { isTest: true }),
  });
  await rememberConfigsetIfNone(tx, session, configset.configsetId, deps.clock.now());
}

/** The config set of a call on audio is remembered if the session has none yet. */
async function rememberConfigsetIfNone(
  tx: Pick<BiometricsTransaction, 'sessions'>,
  session: Session,
  configsetId: string,
  nowMs: number,
): Promise<void> {
  if (session.configsetId) return;
  const current = await tx.sessions.find(session.gkScopeId, session.gkSessionId);
  if (current && !current.configsetId)
    await tx.sessions.update({ ...current, configsetId, modifiedAtMs: nowMs });
}

/** Whether a recording used in this session comes from a trial session: then it stays a trial. */
async function isOfTrial(
  tx: Pick<BiometricsTransaction, 'sessions'>,
  { gkScopeId, gkSessionId }: Pick<Session, 'gkScopeId' | 'gkSessionId'>,
  media: Pick<MediaSegment, 'gkSessionId'>,
): Promise<boolean> {
  if (media.gkSessionId === gkSessionId) return false;
  return (await tx.sessions.find(gkScopeId, media.gkSessionId))?.isTest === true;
}
