// AnalyzeAudio: several checks on the same audio in one call, in any combination (persons, a group, a watchlist, synthetic
// speech, playback), and one decision on all of them.
import { missingField, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { RequestContext } from '../call/context.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { ProcessedAudio } from '../model/media.js';
import type { OwnerType } from '../model/outcome.js';
import type { WhyNoPrint } from '../model/sessions.js';
import { combineOutcomes, type OverallOutcome } from '../rules/combine-outcomes.js';
import { judgeAttack, type AttackKind, type AttackOutcome } from '../rules/judge-attack.js';
import type { AudioInput, DecisionRun, PreparedAudio } from './audio-input.js';
import { collectionFaults, findPrints, listFaults, listPrints, type CollectionAndTag } from './candidates.js';
import type { OperationDeps } from './deps.js';
import { forgetMismatches } from './forget-mismatches.js';
import type { OpenedCall } from './opened-call.js';
import { attackRecord, comparisonRecord, type DecisionRecord, type PromptWanted } from './record.js';
import { runDecision } from './run-decision.js';
import { Comparison, comparisonPurpose } from './score-candidates.js';
import { say } from '../../words/server/say.js';

export interface AttackChecks {
  synthetic: boolean;
  playback: boolean;
}

export interface AttackOutcomes {
  synthetic?: AttackOutcome;
  playback?: AttackOutcome;
}

/** What an audio is checked for. */
export interface AnalyzeTarget {
  profileIds?: readonly string[];
  group?: CollectionAndTag;
  watchlist?: CollectionAndTag;
  checks: AttackChecks;
  /** Locked prints are compared with as well: for recordings of the past. */
  despiteLocks?: boolean;
  /** For a running call: how many looks share the target rate of false accepts with this one. */
  looks?: number;
  /**
   * A person without a trained print was requested: that question stays open, whatever the other checks say.
   */
  whyNoPrint?: WhyNoPrint;
}

interface AnalyzeInput extends AnalyzeTarget {
  context: RequestContext;
  audio: AudioInput;
  ignoreCheckpoints: boolean;
}

export interface Judged extends AttackOutcomes {
  authentication?: ComparisonOutcome;
  fraud?: ComparisonOutcome;
}

export interface AnalyzeResult extends OverallOutcome, Judged {
  audio: ProcessedAudio;
  calibration: ActiveCalibration;
}

export function analyzeAudio(
  deps: OperationDeps,
  call: Call,
  input: AnalyzeInput,
): Promise<AnalyzeResult & PromptWanted> {
  const { checks, ignoreCheckpoints } = input;
  return runDecision(deps, call, {
    name: 'AnalyzeAudio',
    request: input,
    faults: inputFaults(input),
    find: (opened) => findAll(opened, input),
    named: { prints: input.profileIds },
    purpose: ({ context }, { persons, fraudsters }) => {
      const comparisons = [persons, fraudsters].filter((comparison) => comparison !== undefined);
      return comparisonPurpose(context.parameters, comparisons, ignoreCheckpoints, checks);
    },
    judge: (run, found) => judge(run, found, checks),
    speaker: ({ persons }) => persons?.solePerson,
    conclude: async (tx, run, { judged }) => {
      const decided = overall(judged);
      // An old recording says nothing about who is calling now.
      if (!input.despiteLocks) await forgetMismatches(tx, run, decided.decision, judged.authentication);
      return {
        result: { ...decided, ...judged, audio: run.prepared.audio, calibration: run.calibration },
        records: recordsOf(run, judged),
      };
    },
  });
}

/** At least one of these is required. */
const analyzable = [
  'gk_voiceprint_profile_ids',
  'group',
  'watchlist',
  'syntheticSpeechDetectionParameters',
  'channelPlaybackDetectionParameters',
];

export function inputFaults({ profileIds, group, watchlist, checks }: AnalyzeTarget): FieldFault[] {
  const names = (profileIds?.length ?? 0) > 0 || group || watchlist;
  if (!names && !checks.synthetic && !checks.playback)
    return analyzable.map((field) => ({
      ...missingField(field),
      ...say('NOTHING_TO_ANALYZE'),
    }));
  return [
    ...listFaults(profileIds),
    ...collectionFaults(group, 'group'),
    ...collectionFaults(watchlist, 'watchlist'),
  ];
}

interface Found {
  persons?: Comparison;
  fraudsters?: Comparison;
}

export async function findAll(
  opened: OpenedCall,
  target: AnalyzeTarget & { ignoreCheckpoints: boolean },
): Promise<Found> {
  const { profileIds = [], group, watchlist, ignoreCheckpoints, despiteLocks = false, whyNoPrint } = target;
  const looks = target.looks ?? 1;
  // The list may name prints of both kinds; each is compared for its own purpose.
  const listed = profileIds.length > 0 ? await listPrints(opened, profileIds) : [];
  const comparisonWith = async (ownerType: OwnerType, collection: CollectionAndTag | undefined) => {
    const named = listed.filter((print) => print.ownerType === ownerType);
    const why = ownerType === 'PERSON' ? whyNoPrint : undefined;
    if (named.length === 0 && !collection && !why) return undefined;
    const found = await findPrints(opened, ownerType, { ...(collection && { collection }) });
    const side = ownerType === 'PERSON' ? 'AUTHENTICATION' : 'FRAUD_DETECTION';
    const prints = { ...found, listed: named, despiteLocks, ...(why && { whyNoPrint: why }) };
    const shared = ownerType === 'PERSON' ? looks : 1;
    return Comparison.withPrints(opened, prints, { side, ignoreCheckpoints, looks: shared });
  };
  const persons = await comparisonWith('PERSON', group);
  const fraudsters = await comparisonWith('FRAUDSTER', watchlist);
  return { ...(persons && { persons }), ...(fraudsters && { fraudsters }) };
}

export async function judge(
  run: DecisionRun,
  { persons, fraudsters }: Found,
  checks: AttackChecks,
): Promise<Judged> {
  const { audio } = run.prepared;
  return {
    ...(persons && { authentication: await persons.outcome(audio) }),
    ...(fraudsters && { fraud: await fraudsters.outcome(audio) }),
    ...checkAttacks(run, checks),
  };
}

/** The attack checks that a call requests on its audio. */
export function checkAttacks(
  { deps, context, prepared }: OpenedCall & { prepared: PreparedAudio },
  checks: AttackChecks,
): AttackOutcomes {
  const judged = (kind: AttackKind) =>
    judgeAttack(
      kind,
      {
        validity: prepared.audio.validity,
        measure: prepared.spoof[kind],
        detector: deps.engine.detectors[kind],
        bandwidth: prepared.audio.narrowband ? 'narrow' : 'wide',
      },
      context.parameters,
    );
  return {
    ...(checks.synthetic && { synthetic: judged('synthetic') }),
    ...(checks.playback && { playback: judged('playback') }),
  };
}

export function overall({ authentication, fraud, synthetic, playback }: Judged): OverallOutcome {
  const attacks = [synthetic, playback].filter((outcome) => outcome !== undefined);
  return combineOutcomes(authentication, fraud, attacks);
}

export function recordsOf(
  run: DecisionRun,
  { authentication, fraud, synthetic, playback }: Judged,
): DecisionRecord[] {
  return [
    ...(authentication ? [comparisonRecord(run, 'AUTHENTICATION', authentication)] : []),
    ...(fraud ? [comparisonRecord(run, 'FRAUD_DETECTION', fraud)] : []),
    ...(synthetic ? [attackRecord(run, synthetic)] : []),
    ...(playback ? [attackRecord(run, playback)] : []),
  ];
}
