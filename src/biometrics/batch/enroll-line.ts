// A line that enrolls a person or registers a fraudster: consent, recordings, the comparison with a watchlist, and then owner,
// print and result in one transaction. A line that does not end in a trained print leaves nothing behind except its
// recordings.
import { openFullContext, type RequestContext } from '../call/context.js';
import { createParty } from '../entities/create-party.js';
import { optPersonIn } from '../entities/consent.js';
import { addMember } from '../entities/membership.js';
import { listedVoice, type ListedVoice } from '../voice-search/listed-voice.js';
import type { Party, PartyKind } from '../model/entities.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Profile } from '../model/profiles.js';
import { analyzeAudio } from '../operations/analyze-audio.js';
import { enroll } from '../operations/enroll.js';
import { openCall } from '../operations/opened-call.js';
import { processAudio } from '../operations/process-audio.js';
import { train, type TrainResult } from '../operations/train.js';
import { attackFactors } from '../rules/open-check.js';
import { deleteVoiceprintProfile } from '../profiles/change-profile.js';
import { createVoiceprintProfile } from '../profiles/create-profile.js';
import { updateSession } from '../sessions/update-session.js';
import {
  fetchRecording,
  saidOfExcluded,
  readFirst,
  recordingsOf,
  requireRecordings,
  SoundlessRecording,
} from './fetch-recording.js';
import { dryRunOutcome } from './dry-run.js';
import { fraudsterOf, refused, type Changed, type LineEnd, type LineRun } from './line.js';
import { sessionOf } from './line-session.js';
import type { Recording } from '../../manifest/lines.js';
import type { LineResult } from '../model/batches.js';
import { type Said, say } from '../../words/server/say.js';

const ALREADY_ENROLLED = 'ALREADY_ENROLLED';

interface Known {
  owner?: Party;
  /** The one with the batch's tag. */
  print?: Profile;
}

export async function enrollLine(run: LineRun): Promise<LineEnd> {
  const { settings } = run;
  const known = await knownOf(run);
  const reason = whyNot(run, known);
  if (reason) return reason.reason === ALREADY_ENROLLED ? knownAlready(run, reason) : reason;
  const { recordings, excluded } = await recordingsOf(run);
  if (settings.dryRun) await requireRecordings(run, recordings);
  else await readFirst(run, recordings);
  const doneReason = settings.operation === 'ENROLL' ? 'ENROLLED' : 'REGISTERED';
  if (settings.dryRun) {
    const { said, isEnough } = await dryRunOutcome(run, recordings);
    return {
      outcome: 'WOULD_BE_DONE',
      reason: isEnough ? doneReason : 'TOO_FEW_RECORDINGS',
      said: [...said, ...saidOfExcluded(excluded)],
    };
  }
  const context = await sessionOf(run);
  const audios = await listen(run, context, recordings);
  const fraud = await fraudCheck(run, context, audios);
  const facts = { ...fraud, ...(context.gkSessionId && { gkSessionId: context.gkSessionId }) };
  if (fraud.decision === 'FRAUD' && settings.fraudCheck === 'REFUSE')
    return {
      ...refused('FRAUDSTER_INDICATION', say('SOUNDS_LIKE_FRAUDSTER')),
      ...facts,
    };
  const listed = await listedAs(run, context, { known, audios });
  return {
    change: async () => {
      const { result, isKept } = await makePrint(run, { context, known, audios, excluded });
      return {
        isKept,
        result: {
          ...result,
          ...(result.outcome === 'DONE' && { reason: doneReason, ...notLookedFor(run) }),
          ...facts,
          ...(listed && result.outcome === 'DONE' && withListed(result, listed)),
        },
      };
    },
  };
}

/**
 * Says that attacks were not checked: readers must know that a print may have been made from synthetic
 * speech.
 */
function notLookedFor({ settings: { operation, fraudCheck } }: LineRun): Pick<LineResult, 'notMade'> {
  if (operation !== 'ENROLL') return {};
  const list = fraudCheck === 'NONE' ? (['FRAUD_DETECTION'] as const) : [];
  return { notMade: [...list, ...Object.values(attackFactors)] };
}

/**
 * Processes all recordings with any sound; in a folder, one without sound is no reason to skip the others.
 */
async function listen(
  run: LineRun,
  context: RequestContext,
  recordings: readonly Recording[],
): Promise<ProcessedAudio[]> {
  const audios: ProcessedAudio[] = [];
  let soundless: SoundlessRecording | undefined;
  for (const recording of recordings) {
    try {
      const audio = await fetchRecording(run, context, recording);
      audios.push(await processAudio(run.deps, run.call, { context, audio, forEnrollment: true }));
    } catch (cause) {
      if (!(cause instanceof SoundlessRecording)) throw cause;
      soundless ??= cause;
    }
  }
  if (soundless && audios.length === 0) throw soundless;
  return audios;
}

const kindOf = ({ settings }: LineRun): PartyKind =>
  settings.operation === 'ENROLL' ? 'PERSON' : 'FRAUDSTER';

async function knownOf({ deps, job, owner, settings }: LineRun): Promise<Known> {
  if (!owner) return {};
  const prints = await deps.store.read.profiles.listByOwner(job.gkScopeId, owner.gkId);
  const print = prints.find(({ tag }) => tag === settings.tag);
  return { owner, ...(print && { print }) };
}

/** Reasons to end a line before any processing. */
function whyNot({ settings, line }: LineRun, { owner, print }: Known): LineResult | undefined {
  if (settings.operation === 'ENROLL' && line.consent === false)
    return refused('NO_CONSENT', say('NO_CONSENT'));
  if (owner?.consent?.status === 'OPTED_OUT') return refused('PERSON_OPTED_OUT', say('HAS_OPTED_OUT'));
  if (owner && print?.trained && settings.existing === 'SKIP')
    return {
      outcome: 'SKIPPED',
      reason: ALREADY_ENROLLED,
      said: [say('ALREADY_TRAINED')],
      gkOwnerId: owner.gkId,
      gkVoiceprintProfileId: print.gkVoiceprintProfileId,
    };
  return undefined;
}

/** A fraudster who already has a print still belongs on the watchlist. */
async function knownAlready(run: LineRun, skipped: LineResult): Promise<LineEnd> {
  const { deps, job, settings } = run;
  const { gkWatchlistId } = settings;
  const { gkOwnerId } = skipped;
  if (kindOf(run) !== 'FRAUDSTER' || gkWatchlistId === '' || gkOwnerId === undefined) return skipped;
  if (await deps.store.read.collections.hasMember(job.gkScopeId, gkWatchlistId, gkOwnerId)) return skipped;
  const result: LineResult = { ...skipped, outcome: 'DONE', reason: 'ADDED_TO_WATCHLIST' };
  if (settings.dryRun) return { ...result, outcome: 'WOULD_BE_DONE' };
  const context = await sessionOf(run);
  return {
    change: async () => {
      await putOnWatchlist(run, context, gkOwnerId);
      return {
        isKept: true,
        result: { ...result, ...(context.gkSessionId && { gkSessionId: context.gkSessionId }) },
      };
    },
  };
}

const putOnWatchlist = (
  { deps, call, settings }: LineRun,
  context: RequestContext,
  memberGkId: string,
): Promise<void> =>
  addMember(deps, call, { context, kind: 'WATCHLIST', gkId: settings.gkWatchlistId, memberGkId });

/** Undefined if no check was requested; otherwise the first hit, if any. */
async function fraudCheck(
  { deps, call, settings }: LineRun,
  context: RequestContext,
  audios: readonly ProcessedAudio[],
): Promise<Pick<LineResult, 'decision' | 'gkFraudsterId'>> {
  let facts: Pick<LineResult, 'decision' | 'gkFraudsterId'> = {};
  if (settings.fraudCheck === 'NONE') return facts;
  for (const { gkProcessedAudioId, model } of audios) {
    if (!model) continue;
    const found = await analyzeAudio(deps, call, {
      context,
      audio: { gkProcessedAudioId },
      watchlist: { gkId: settings.gkWatchlistId },
      checks: { synthetic: false, playback: false },
      ignoreCheckpoints: true,
    });
    facts = { decision: found.decision, ...(found.fraud && fraudsterOf(found.fraud)) };
    if (found.decision === 'FRAUD') break;
  }
  return facts;
}

/** Who is already on the watchlist with this voice: two entries for one voice split what is known about it. */
async function listedAs(
  { deps, call, settings }: LineRun,
  context: RequestContext,
  { known, audios }: Pick<Enrollment, 'known' | 'audios'>,
): Promise<ListedVoice | undefined> {
  const { operation, gkWatchlistId } = settings;
  if (operation !== 'REGISTER' || gkWatchlistId === '') return undefined;
  const opened = await openCall(deps, call, await openFullContext(deps, call, context, []));
  return listedVoice(opened, gkWatchlistId, audios, known.owner?.gkId);
}

const withListed = ({ said }: LineResult, { gkFraudsterId }: ListedVoice): Partial<LineResult> => ({
  said: [...said, say('VOICE_LISTED_OTHERWISE')],
  gkFraudsterId,
});

interface Enrollment {
  context: RequestContext;
  known: Known;
  audios: readonly ProcessedAudio[];
  excluded: number;
}

async function makePrint(run: LineRun, { context, known, audios, excluded }: Enrollment): Promise<Changed> {
  const { deps, call, settings } = run;
  const kind = kindOf(run);
  const { tag } = settings;
  const gkOwnerId = known.owner?.gkId ?? (await newOwner(run, context));
  if (kind === 'PERSON' && known.owner?.consent?.status !== 'OPTED_IN')
    await optPersonIn(deps, call, { context, gkPersonId: gkOwnerId });
  const old = known.print;
  if (old?.trained)
    await deleteVoiceprintProfile(deps, call, {
      context,
      gkVoiceprintProfileId: old.gkVoiceprintProfileId,
      reason: 'replaced by a batch',
    });
  const gkVoiceprintProfileId =
    old && !old.trained
      ? old.gkVoiceprintProfileId
      : await createVoiceprintProfile(deps, call, { context, owner: { kind, gkId: gkOwnerId, tag } });
  const reasons: string[] = [];
  for (const { gkProcessedAudioId, validity } of audios) {
    const { reason, enrolled } = await enroll(deps, call, {
      context,
      gkVoiceprintProfileId,
      gkProcessedAudioId,
    });
    if (!enrolled) reasons.push(validity === 'INVALID_AUDIO' ? validity : reason);
  }
  const trained = await train(deps, call, { context, gkVoiceprintProfileId });
  if (!trained.trained) return { isKept: false, result: notTrained(trained, reasons) };
  if (kind === 'FRAUDSTER' && settings.gkWatchlistId !== '') await putOnWatchlist(run, context, gkOwnerId);
  const { validSegments, segments } = trained;
  // A print that was begun earlier has other segments too.
  const all = segments.length + reasons.filter((reason) => reason !== 'ALREADY_ADDED').length;
  const said = [
    say('RECORDINGS_USED', { used: validSegments, all }),
    ...notTaken(reasons),
    ...saidOfExcluded(excluded),
    ...(kind === 'PERSON' ? [say('ATTACKS_NOT_CHECKED')] : []),
  ];
  return {
    isKept: true,
    result: { outcome: 'DONE', reason: '', said, gkOwnerId, gkVoiceprintProfileId },
  };
}

/** The session was started before the person existed, and claims them from now on. */
async function newOwner(run: LineRun, context: RequestContext): Promise<string> {
  const { deps, call, line } = run;
  const kind = kindOf(run);
  const gkOwnerId = await createParty(deps, call, { context, kind, externalId: line.ownerId, details: {} });
  if (kind === 'PERSON')
    await updateSession(deps, call, { context, details: {}, claimedGkPersonId: gkOwnerId });
  return gkOwnerId;
}

const notTaken = (reasons: readonly string[]): Said[] =>
  reasons.length > 0 ? [say('RECORDINGS_NOT_ACCEPTED', { reasons: [...new Set(reasons)].join(', ') })] : [];

/** What was wrong with a recording says more than that there were not enough. */
function notTrained(trained: TrainResult, reasons: readonly string[]): LineResult {
  const { reason, segments, segmentsMin, netSpeechMsMin } = trained;
  const [first = reason] = reasons;
  const speechMs = segments.reduce((sum, { audio }) => sum + (audio?.netAudioMs ?? 0), 0);
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const said = [
    ...notTaken(reasons),
    reason === 'NOT_READY_TO_TRAIN'
      ? say(reason, {
          ...{ recordings: segments.length, recordingsMin: segmentsMin },
          ...{ seconds: seconds(speechMs), secondsMin: seconds(netSpeechMsMin) },
        })
      : say('NO_PRINT_MADE'),
  ];
  return { outcome: 'FAILED', reason: reason === 'NOT_READY_TO_TRAIN' ? first : reason, said };
}
