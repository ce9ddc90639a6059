// A line that checks a recording: for attacks and known fraudsters, and against the print of the person if it names one. All
// of it is one AnalyzeAudio, so that nothing is hidden by a match, or by the name of somebody who has no print. The print
// neither counts mismatches nor adapts, and locks do not apply to old recordings (ADR 0081).
import { AppError } from '../../errors.js';
import { analyzeAudio, type AnalyzeResult } from '../operations/analyze-audio.js';
import { rememberedReason } from '../operations/record.js';
import type { RequestContext } from '../call/context.js';
import type { LineResult } from '../model/batches.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Decision } from '../model/outcome.js';
import { NOT_ENROLLED, OPTED_OUT, type FactorKind, type WhyNoPrint } from '../model/sessions.js';
import type { Recording } from '../../manifest/lines.js';
import type { AudioInput } from '../operations/audio-input.js';
import { combineOutcomes } from '../rules/combine-outcomes.js';
import { attackFactors, hasComparedNobody, hasUndecided } from '../rules/open-check.js';
import {
  fetchRecording,
  saidOfExcluded,
  readFirst,
  recordingsOf,
  requireRecordings,
} from './fetch-recording.js';
import { channelsTogether, requireSoundIn } from './dry-run.js';
import { fraudsterOf, refused, type LineEnd, type LineRun } from './line.js';
import { closeSessions, sessionOf } from './line-session.js';
import { type Said, type SaidCode, say } from '../../words/server/say.js';

export async function checkLine(run: LineRun): Promise<LineEnd> {
  const { settings, line } = run;
  const named: Named = line.ownerId === '' ? {} : await printOf(run);
  if ('outcome' in named) return named;
  const { recordings, excluded } = await recordingsOf(run);
  if (settings.dryRun) await requireRecordings(run, recordings.slice(0, 1));
  else await readFirst(run, recordings);
  // There is one, otherwise the line would have been refused.
  const recording = recordings[0] as Recording;
  const left = saidOfExcluded(excluded + recordings.length - 1);
  if (settings.dryRun) {
    await requireSoundIn(run, recording);
    const { print, missing } = named;
    const reason = print ? 'WOULD_BE_COMPARED' : (missing ?? 'WOULD_BE_ANALYZED');
    const together = saidOfChannels(await channelsTogether(run, recording));
    const why = missing ? [say(missingWords[missing])] : [];
    const said = [say('ONE_RECORDING'), ...why, ...together, ...left];
    return { outcome: 'WOULD_BE_DONE', reason, said };
  }
  const context = await sessionOf(run);
  const audio = await fetchRecording(run, context, recording);
  return {
    change: async () => {
      const { together, ...facts } = await checked(run, { context, audio, named });
      const said = [...facts.said, ...saidOfChannels(together), ...left];
      return { isKept: true, result: { ...facts, said } };
    },
  };
}

/** Who spoke on which channel is then not considered: a match, or its absence, may be an agent's. */
function saidOfChannels(count: number): Said[] {
  if (count < 2) return [];
  return [count === 2 ? say('BOTH_CHANNELS_HEARD') : say('ALL_CHANNELS_HEARD', { count })];
}

/** Identical channels count as one. */
const channelsHeardAsOne = ({
  selectedChannel,
  mediaChannels = 1,
  isOneSound,
}: AnalyzeResult['audio']): number => (selectedChannel === 0 && !isOneSound ? mediaChannels : 1);

interface Heard {
  context: RequestContext;
  audio: AudioInput;
  named: Whom;
}

async function checked(
  run: LineRun,
  { context, audio, named: { print, missing } }: Heard,
): Promise<LineResult & { together: number }> {
  const { deps, call, settings } = run;
  const { gkWatchlistId, withoutAttackChecks = false } = settings;
  const checks = { synthetic: !withoutAttackChecks, playback: !withoutAttackChecks };
  const target = {
    ...(print && { profileIds: [print.gkVoiceprintProfileId] }),
    ...(missing && { whyNoPrint: missing }),
    ...(gkWatchlistId !== '' && { watchlist: { gkId: gkWatchlistId } }),
  };
  const analyzed = await analyzeAudio(deps, call, {
    ...{ context, audio, ...target, checks },
    ignoreCheckpoints: true,
    despiteLocks: true,
  });
  const nobodyOn = await emptyList(run, analyzed);
  const result = nobodyOn === undefined ? analyzed : withoutList(analyzed);
  const decision = (await settled(run, context)) ?? result.decision;
  const { authentication, fraud, synthetic, playback } = result;
  const compared = authentication ?? fraud;
  const best = (decision === 'FRAUD' && fraud?.decision === 'FRAUD' ? fraud : compared)?.scores[0];
  const risk = riskOf(result, decision);
  // If the comparison is positive, or none was requested or possible, an attack check has left it open.
  const answered = missing ? fraud : compared;
  const otherwise = decision === 'UNCERTAIN' ? (answered?.decision ?? 'NO_RISK_DETECTED') : decision;
  const facts = {
    found: alarmsIn(result).map(({ kind }) => kind),
    notMade: [
      ...(missing ? (['AUTHENTICATION'] as const) : []),
      ...(gkWatchlistId === '' || nobodyOn !== undefined ? (['FRAUD_DETECTION'] as const) : []),
      ...(withoutAttackChecks ? Object.values(attackFactors) : []),
    ],
  };
  return {
    outcome: 'DONE',
    decision,
    reason: reasonOf(result, decision),
    said: [
      ...(missing ? [say(missingWords[missing])] : []),
      ...(nobodyOn === undefined ? [] : [say('NOBODY_ON_WATCHLIST', { watchlist: nobodyOn })]),
      ...wordsOf(result, { ...facts, isOpen: hasUndecided(otherwise, [synthetic, playback]) }),
    ],
    ...(context.gkSessionId && { gkSessionId: context.gkSessionId }),
    ...print,
    netSpeechMs: compared?.netSpeechMs ?? analyzed.fraud?.netSpeechMs ?? result.audio.netAudioMs,
    ...(best && { score: best.llr }),
    ...(risk && { risk }),
    ...(fraud && fraudsterOf(fraud)),
    ...(synthetic?.risk && { syntheticRisk: synthetic.risk }),
    ...(playback?.risk && { playbackRisk: playback.risk }),
    ...facts,
    together: channelsHeardAsOne(result.audio),
  };
}

/** The watchlist's own ID, if nobody on it could be compared with. */
async function emptyList(
  { deps, job, settings }: LineRun,
  { fraud }: AnalyzeResult,
): Promise<string | undefined> {
  if (!fraud || !hasComparedNobody({ kind: 'FRAUD_DETECTION', reason: fraud.reason })) return undefined;
  const { gkWatchlistId } = settings;
  const [list] = await deps.store.read.collections.findMany(job.gkScopeId, [gkWatchlistId]);
  return list?.externalId ?? gkWatchlistId;
}

/** The result without the list: an empty list neither found nor cleared anybody. */
function withoutList(analyzed: AnalyzeResult): AnalyzeResult {
  const { fraud: _nobody, risk: _risk, ...rest } = analyzed;
  const { authentication, synthetic, playback } = rest;
  const attacks = [synthetic, playback].filter((attack) => attack !== undefined);
  return { ...rest, ...combineOutcomes(authentication, undefined, attacks) };
}

/** The session ends with its line, and has the line's result. */
async function settled(run: LineRun, { gkScopeId = '', gkSessionId = '' }: RequestContext) {
  await closeSessions(run);
  const session = await run.deps.store.read.sessions.find(gkScopeId, gkSessionId);
  return session?.decision?.decision;
}

interface Alarm {
  kind: FactorKind;
  reason: string;
  risk: number;
}

/** What speaks against the recording, worst first. */
function alarmsIn({ fraud, synthetic, playback }: AnalyzeResult): Alarm[] {
  const alarms: Alarm[] = [];
  if (fraud?.decision === 'FRAUD')
    alarms.push({ kind: 'FRAUD_DETECTION', reason: fraud.reason, risk: fraud.risk?.risk ?? 0 });
  for (const attack of [synthetic, playback])
    if (attack?.decision === 'FRAUD') {
      const { kind, reason, risk } = attack;
      alarms.push({ kind: attackFactors[kind], reason, risk: risk?.risk ?? 0 });
    }
  return alarms.sort((one, other) => other.risk - one.risk);
}

/** The specific finding, rather than that there is one. */
function reasonOf(result: AnalyzeResult, decision: Decision): string {
  const { authentication, reason } = result;
  const [worst] = alarmsIn(result);
  if (decision === 'FRAUD' && worst) return worst.reason;
  return reason === 'NO_SCORES' && authentication ? rememberedReason(authentication) : reason;
}

function riskOf({ risk, authentication }: AnalyzeResult, decision: Decision) {
  return decision === authentication?.decision ? (authentication.risk ?? risk) : risk;
}

function* wordsOf(
  result: AnalyzeResult,
  { found, notMade, isOpen }: Pick<LineResult, 'found' | 'notMade'> & { isOpen: boolean },
): Generator<Said> {
  if (found?.includes('FRAUD_DETECTION')) yield say('FRAUDSTER_FOUND');
  if (found?.includes('SYNTHETIC_SPEECH')) yield say('SYNTHETIC_SPEECH_FOUND');
  if (found?.includes('CHANNEL_PLAYBACK')) yield say('PLAYBACK_FOUND');
  // In that case the decision does not tell.
  if (found?.length) yield* matchIn(result.authentication);
  if (isOpen) yield say('LIVENESS_UNDECIDED');
  const { notCompared } = result.fraud ?? {};
  if (notCompared) yield say('NOT_COMPARED', { count: notCompared.count, members: notCompared.members });
  if (notMade?.includes('SYNTHETIC_SPEECH')) yield say('ATTACKS_NOT_CHECKED');
}

function* matchIn(authentication: ComparisonOutcome | undefined): Generator<Said> {
  if (authentication?.decision === 'AUTHENTIC') yield say('VOICE_MATCHES');
  if (authentication?.decision === 'NO_MATCH') yield say('VOICE_DOES_NOT_MATCH');
}

interface EnrolledPrint {
  gkOwnerId: string;
  gkVoiceprintProfileId: string;
}

/** The print that the recording is compared with, or why the person named in the line has none. */
interface Whom {
  print?: EnrolledPrint;
  missing?: WhyNoPrint;
}

const missingWords = {
  [NOT_ENROLLED]: 'NO_TRAINED_PRINT',
  [OPTED_OUT]: 'HAS_OPTED_OUT',
} as const satisfies Record<WhyNoPrint, SaidCode>;

type Named = Whom | LineResult;

async function printOf({ deps, job, owner: person, settings }: LineRun): Promise<Named> {
  const { profiles } = deps.store.read;
  const prints = person ? await profiles.listByOwner(job.gkScopeId, person.gkId) : [];
  const { tag: wanted, gkWatchlistId, withoutAttackChecks } = settings;
  const [print, ...others] = prints.filter(
    ({ tag, trained }) => trained && (wanted === '' || tag === wanted),
  );
  if (!person || !print) {
    const hasObjected = person?.consent?.status === 'OPTED_OUT';
    const missing = hasObjected ? OPTED_OUT : NOT_ENROLLED;
    // There is nothing else to check.
    if (withoutAttackChecks && gkWatchlistId === '')
      throw new AppError('NOT_FOUND', say(missingWords[missing]), { diagnostics: [{ code: missing }] });
    return { missing };
  }
  if (others.length > 0) {
    const tags = [print, ...others].map(({ tag }) => tag).sort();
    return refused('TAG_NEEDED', say('TAG_NEEDED', { tags: tags.join(', ') }));
  }
  return { print: { gkOwnerId: person.gkId, gkVoiceprintProfileId: print.gkVoiceprintProfileId } };
}
