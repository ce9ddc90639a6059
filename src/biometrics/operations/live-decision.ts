// Decides while a call is running: the checks of AnalyzeAudio on what has been heard so far, repeated at every checkpoint. A
// decision that differs from the previous one is stored with its factors and audit records before it is reported; so is the
// last one.
import { auditDetail } from '../../audit/model.js';
import { AppError, invalidFields, notFound, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { CheckpointReached, ProcessOptions } from '../../voice/engine.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import { endedError, openFullContext, type RequestContext } from '../call/context.js';
import { askedIn, refusingErased } from '../call/data-subjects.js';
import { refuseOptedOut } from '../profiles/create-profile.js';
import type { Decision, RiskResult, SpoofReason } from '../model/outcome.js';
import { LIVE_OPERATION, type Factor } from '../model/sessions.js';
import { assessLive } from '../assessment/gather.js';
import { listening, withoutNames, type LiveAssessment } from '../assessment/model.js';
import type { OverallOutcome } from '../rules/combine-outcomes.js';
import { liveCheckpointsMs } from '../rules/checkpoints.js';
import { isBorderline, isEarly, looksLike } from '../rules/looks.js';
import { hasPassedPrompt, wantsPrompt } from '../rules/prompt-wanted.js';
import type { LatchedAlarms } from '../rules/latched-alarms.js';
import {
  findAll,
  inputFaults,
  judge,
  overall,
  recordsOf,
  type AnalyzeTarget,
  type Judged,
} from './analyze-audio.js';
import { forgetMismatches } from './forget-mismatches.js';
import { comparisonPurpose } from './score-candidates.js';
import type { OperationDeps } from './deps.js';
import { openCall, type OpenedCall, openSpeakerContext } from './opened-call.js';
import type { BiometricsTransaction } from '../ports/store.js';
import {
  printOf,
  type DecisionRecord,
  rememberedReason,
  type RememberedReason,
  storeRecord,
} from './record.js';
import { type DecisionRun, engineOptions, recordOf } from './audio-input.js';
import {
  agentPrint,
  heardOfCustomer,
  mayHearAgent,
  type AgentOnLine,
  verdictOn,
  type KnownWindows,
} from './without-agent.js';
import { inEnglish } from '../../words/server/say.js';

export interface LiveQuestion extends AnalyzeTarget, AgentOnLine {
  context: RequestContext;
  /** The print that the call's speech is collected for. */
  enrollInto?: string;
}

export interface LiveDecision {
  decision: Decision;
  /** For an alarm, what was found; for a voice that no longer is the one that matched, that. */
  reason: SpoofReason | RememberedReason;
  risk?: RiskResult;
  score?: number;
  gkVoiceprintProfileId?: string;
  netSpeechMs: number;
  assessment?: LiveAssessment;
}

/** The result of one look at a call. */
export interface LiveFinding {
  /** The customer's speech only. */
  netSpeechMs: number;
  /** Absent if that is too little. */
  decided?: LiveDecision;
  /** What was decided about, without the agent's. */
  voice?: VoiceSample;
}

/** Prints that may be the customer's. */
const printsOfCustomer = ({ profileIds = [], enrollInto }: LiveQuestion): string[] => [
  ...new Set([...profileIds, ...(enrollInto ? [enrollInto] : [])]),
];

/** All prints that the call names, for any purpose: without one of them it cannot go on. */
export const printsIn = (question: LiveQuestion): string[] => [
  ...new Set([...printsOfCustomer(question), ...(question.agent ? [question.agent] : [])]),
];

/** Fields that AnalyzeAudio names differently. */
const liveNames: Readonly<Record<string, string>> = {
  syntheticSpeechDetectionParameters: 'synthetic_speech',
  channelPlaybackDetectionParameters: 'playback',
};
const liveField = (field: string): string => `target.${liveNames[field] ?? field}`;

const faultsIn = (question: LiveQuestion): FieldFault[] => [
  ...inputFaults(question).map((fault) => ({ ...fault, field: liveField(fault.field) })),
  ...(question.agent && printsOfCustomer(question).includes(question.agent) ? [agentIsCustomer] : []),
];

/** Everything that such a customer says would be left out. */
const agentIsCustomer: FieldFault = {
  field: 'target.agent',
  violation: 'FIELD_CONFLICT',
  ...inEnglish('must not be a print that the call is compared with, or that it collects speech for'),
};

interface OpenedLive {
  ids: { gkScopeId: string; gkEngagementId: string; gkSessionId: string };
  options: ProcessOptions;
  pausesWhenDecided: boolean;
  /** The agent may be heard beside the customer. */
  isShared: boolean;
  /** The person whom the call asks for, if only one; and the person for whom it collects speech. */
  speakers: readonly string[];
}

/** Checks the question as for a call, before any audio is accepted. */
export async function openLive(deps: OperationDeps, call: Call, question: LiveQuestion): Promise<OpenedLive> {
  const named = { prints: printsOfCustomer(question), of: {} };
  const context = await openSpeakerContext(deps, call, {
    context: question.context,
    faults: faultsIn(question),
    named,
  });
  const opened = await openCall(deps, call, context);
  const { gkScopeId } = context;
  const { persons } = await refusingErased(
    deps,
    { gkScopeId, ...named, askedIn: askedIn(context) },
    async () => {
      if (question.enrollInto) await requirePersons(opened, question.enrollInto);
      return findAll(opened, { ...question, ignoreCheckpoints: true });
    },
  );
  if (question.agent) await agentPrint(opened, question.agent);
  const {
    checkpointsMs: _checkpoints,
    enableSegmentation: _segmentation,
    ...options
  } = engineOptions(
    context.parameters,
    { channel: undefined },
    comparisonPurpose(context.parameters, [], true, question.checks),
  );
  return {
    ids: {
      gkScopeId,
      ...askedIn(context),
    },
    speakers: await speakersOf(opened, question, persons?.solePerson),
    isShared: mayHearAgent(question, context.parameters),
    pausesWhenDecided: context.parameters.authentication.pauseLiveAudioWhenDecided,
    options: { ...options, client: call.caller.clientId, priority: 'live' },
  };
}

/** Refused as it would be when the call is over. */
async function requirePersons({ deps, context }: OpenedCall, gkVoiceprintProfileId: string): Promise<void> {
  const [print] = await deps.store.read.profiles.findMany(context.gkScopeId, [gkVoiceprintProfileId]);
  if (!print) throw notFound('voiceprint profile', 'target.enroll_into');
  if (print.ownerType === 'PERSON') return;
  const message = 'must be the print of a person';
  throw invalidFields([{ field: 'target.enroll_into', violation: 'FIELD_CONFLICT', ...inEnglish(message) }]);
}

async function speakersOf(
  { deps, context: { gkScopeId } }: OpenedCall,
  { enrollInto }: LiveQuestion,
  compared: string | undefined,
): Promise<string[]> {
  const speakers = new Set(compared === undefined ? [] : [compared]);
  if (enrollInto) {
    const { profiles, erasure } = deps.store.read;
    const [print] = await profiles.findMany(gkScopeId, [enrollInto]);
    if (print?.ownerType === 'PERSON') speakers.add(print.gkOwnerId);
    for (const former of (await erasure.formerOwners(gkScopeId, [enrollInto])).values()) speakers.add(former);
  }
  return [...speakers];
}

/** What was heard so far, and the current decision. */
interface LiveHearing {
  liveCallId: string;
  heard: CheckpointReached;
  before: Decision | undefined;
  /** With less of the customer's speech, nothing is judged. */
  dueMs: number;
  /** The call is over: the final result is stored, even if it repeats the previous decision. */
  isLast: boolean;
  /** What the call has learned about its windows. */
  known: KnownWindows;
  /** What its attack checks have found before. */
  alarms: LatchedAlarms;
}

/** Runs a transaction that records a decision, with anything else to be stored with it. */
type StoreDecision = (
  decided: LiveDecision,
  record: (tx: BiometricsTransaction) => Promise<void>,
) => Promise<void>;

/** Opens the context again, so that a session that has ended in the meantime, or a print that was locked, is noticed. */
export async function decideLive(...asked: Parameters<typeof decide>): Promise<LiveFinding> {
  try {
    return await decide(...asked);
  } catch (error) {
    const [deps, , question] = asked;
    const isDeleted = error instanceof AppError && error.code === 'NOT_FOUND';
    // The reason may be an erasure: then the call ends like everything else with that person.
    if (isDeleted && (await namesErased(deps, question)))
      throw endedError('session', 'context.gk_session_id', { isErased: true });
    // Or because the person no longer wants it.
    if (isDeleted) await refuseObjectors(deps, question);
    throw error;
  }
}

async function refuseObjectors({ store: { read } }: OperationDeps, question: LiveQuestion): Promise<void> {
  const gkScopeId = question.context.gkScopeId ?? '';
  const owners = await read.erasure.formerOwners(gkScopeId, printsIn(question));
  for (const gkPersonId of new Set(owners.values())) {
    const person = await read.parties.find(gkScopeId, 'PERSON', gkPersonId);
    if (person) refuseOptedOut(person);
  }
}

async function namesErased({ store }: OperationDeps, question: LiveQuestion): Promise<boolean> {
  const gkVoiceprintProfileIds = printsIn(question);
  const erased = await store.read.erasure.erasedAmong({ gkSessionIds: [], gkVoiceprintProfileIds });
  return erased.size > 0;
}

async function decide(
  deps: OperationDeps,
  call: Call,
  question: LiveQuestion,
  { liveCallId, heard, before, dueMs, isLast, known, alarms }: LiveHearing,
  store: StoreDecision,
): Promise<LiveFinding> {
  const context = await openFullContext(deps, call, question.context, faultsIn(question));
  const opened = await openCall(deps, call, context);
  // The engine here knows nothing about a part of the call that another node has heard.
  const whole = { ...heard, verdict: verdictOn(opened, heard.quality) };
  const point = await heardOfCustomer(opened, question, whole, known);
  const netSpeechMs = point?.voice.netMs ?? 0;
  if (!point || netSpeechMs < dueMs) return { netSpeechMs };
  const { parameters } = context;
  const look = { netMs: netSpeechMs, isLast };
  const looks = looksLike(look, liveCheckpointsMs, parameters);
  const found = await findAll(opened, { ...question, ignoreCheckpoints: true, looks });
  const run = listened(opened, question, point);
  const judged = alarms.with(await judge(run, found, question.checks), heard.voice.netMs);
  const isThere = await isPromptPassed(opened, liveCallId);
  const { decision, reason, risk } = overall(isThere ? withoutUnresolved(judged) : judged);
  // More speech will tell: until then, whatever was decided before stands.
  if (decision === 'NO_MATCH' && isEarly(look, parameters) && isBorderline(risk?.risk ?? 0, parameters))
    return { netSpeechMs };
  const best = (decision === 'FRAUD' ? judged.fraud : judged.authentication)?.scores[0];
  const decided: LiveDecision = {
    decision,
    reason: attackIn(judged, decision) ?? wordFor(judged, { decision, reason }),
    ...(risk && { risk }),
    ...(best && { score: best.llr, gkVoiceprintProfileId: best.candidate.gkVoiceprintProfileId }),
    netSpeechMs,
    assessment: await assessmentOf(run, judged, liveCallId),
  };
  if (decision !== before || isLast)
    await store(decided, async (tx) => {
      // Until it is over, somebody else may take the telephone.
      if (isLast) await forgetMismatches(tx, run, decision, judged.authentication);
      for (const { detail, ...record } of recordsOfCall(run, judged, liveCallId)) {
        // Other readers must know which call it belongs to, and whether another one will follow.
        const told = auditDetail({ ...detail, liveCallId, final: isLast });
        await storeRecord(tx, run, LIVE_OPERATION, { ...record, detail: told });
      }
    });
  return { netSpeechMs, decided, voice: point.voice };
}

/** Its caller has repeated random digits in time. */
async function isPromptPassed({ deps, context }: OpenedCall, liveCallId: string): Promise<boolean> {
  const { gkScopeId, session } = context;
  const made = await deps.store.read.factors.listBySession(gkScopeId, session.gkSessionId);
  return hasPassedPrompt(made, liveCallId);
}

function withoutUnresolved({ synthetic, playback, ...compared }: Judged): Judged {
  return {
    ...compared,
    ...(synthetic && synthetic.decision !== 'UNCERTAIN' && { synthetic }),
    ...(playback && playback.decision !== 'UNCERTAIN' && { playback }),
  };
}

const recordsOfCall = (run: DecisionRun, judged: Judged, liveCallId: string): DecisionRecord[] =>
  recordsOf(run, judged).map((record) =>
    record.factor ? { ...record, factor: { ...record.factor, liveCallId } } : record,
  );

/** As the lists will say it, if nothing more is heard. */
async function assessmentOf(run: DecisionRun, judged: Judged, liveCallId: string): Promise<LiveAssessment> {
  const { deps, context } = run;
  const { gkScopeId, configset } = context;
  // Remembered with its first check.
  const session = { ...context.session, configsetId: context.session.configsetId || configset.configsetId };
  const ofSession = {
    gkScopeId,
    gkSessionId: session.gkSessionId,
    gkEngagementId: session.gkEngagementId,
    factorId: '',
    configsetRevisionId: '',
    calibrationRevisionId: '',
    createdAtMs: deps.clock.now(),
  };
  const made = recordsOfCall(run, judged, liveCallId).flatMap(({ factor }): Factor[] =>
    factor
      ? [
          {
            ...factor,
            ...ofSession,
            operation: LIVE_OPERATION,
            ...(wantsPrompt(factor, context.parameters) && { wantsPrompt: true as const }),
          },
        ]
      : [],
  );
  const named = [judged.authentication, judged.fraud].flatMap((one) => (one && printOf(one)) ?? []);
  const ownerOf = new Map(named.map((one) => [one.gkVoiceprintProfileId, one.gkOwnerId]));
  const assessed = await assessLive(deps, session, made, ownerOf);
  return assessed ? withoutNames(assessed) : listening;
}

/** If the comparison has decided, the session's wording: results of files have no word for some reasons. */
function wordFor(
  { authentication }: Judged,
  { decision, reason }: Pick<OverallOutcome, 'decision' | 'reason'>,
): LiveDecision['reason'] {
  const isOfIt = authentication?.decision === decision && authentication.reason === reason;
  return isOfIt ? rememberedReason(authentication) : reason;
}

/**
 * If only an attack check has raised the alarm, or did so in the first seconds and has blocked the caller
 * since: which one.
 */
function attackIn(
  { authentication, fraud, synthetic, playback }: Judged,
  decision: Decision,
): SpoofReason | undefined {
  if (authentication?.decision === decision || fraud?.decision === decision) return undefined;
  return [synthetic, playback].find((outcome) => outcome?.decision === decision && isAttack(outcome.reason))
    ?.reason;
}

const isAttack = (reason: SpoofReason): boolean =>
  reason === 'SYNTHETIC_SPEECH_DETECTED' || reason === 'PLAYBACK_INDICATION';

/** What was heard so far, in the form of an operation on a file. The audio itself is not kept. */
function listened(opened: OpenedCall, question: LiveQuestion, point: CheckpointReached): DecisionRun {
  const { voice, windows, speakerChange, verdict, quality, spoof = {} } = point;
  const purpose = comparisonPurpose(opened.context.parameters, [], true, question.checks);
  // There is no recording.
  const audio = recordOf(opened, { gkMediaSegmentId: '' }, purpose, {
    verdict,
    quality,
    voice,
    checkpoints: [],
    windows,
    ...(speakerChange && { speakerChange }),
    spoof,
    speech: [],
    modelRevision: voice.modelRevision,
    timingsMs: {},
  });
  return { ...opened, prepared: { audio: { ...audio, gkProcessedAudioId: '' }, isNew: false, spoof } };
}
