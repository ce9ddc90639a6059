// FindCalls: which stored calls of the last days contain a fraudster's voice. It uses stored embeddings only, requires that
// the tenant has a legal basis, and records who asked.
import { auditedBy, auditDetail } from '../../audit/model.js';
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { farForThreshold, fraudRisk, thresholdForFar } from '../../voice/scoring/risk.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { Template } from '../../voice/scoring/template.js';
import type { RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { Profile } from '../model/profiles.js';
import type { CallVoice } from '../ports/call-voices.js';
import type { HeardFinding } from '../ports/findings.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { OperationDeps } from '../operations/deps.js';
import { searchableHere } from '../operations/candidates.js';
import { mostAlike } from './most-alike.js';
import { openSearch, recordSearch, type OpenSearch } from './open-search.js';
import type { Heard } from './read-voices.js';
import { callsOf, type StoredCall } from './stored-calls.js';

interface FindCallsInput {
  context: RequestContext;
  /** Of a fraudster. */
  gkVoiceprintProfileId: string;
  /** 0: as many as the tenant allows. */
  days: number;
}

export interface FoundCall extends StoredCall {
  llr: number;
  reliability: number;
  risk: number;
  /** How many of the searched calls would be as alike if all of them were other people's. */
  expectedByChance: number;
}

interface FoundCalls extends Heard {
  calls: FoundCall[];
  fromMs: number;
}

/** The most similar calls are compared in full; those found among them are reported. */
const COMPARED_MAX = 1000;
export const FOUND_MAX = 200;
/** About some seconds of one core. */
const CALLS_MAX = 1_000_000;
/** A call that may be chance more often than this, over the whole search, is not reported. */
const EXPECTED_BY_CHANCE_MAX = 1;

export async function findCalls(deps: OperationDeps, call: Call, input: FindCallsInput): Promise<FoundCalls> {
  const faults = new Faults().required('gk_voiceprint_profile_id', input.gkVoiceprintProfileId);
  const search = await openSearch(deps, call, input, faults);
  const print = await deps.store.read.profiles.find(search.gkScopeId, input.gkVoiceprintProfileId);
  if (!print) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  const { found, record } = await searchFor(deps, call, search, print);
  await deps.store.transaction(record);
  return found;
}

/** Further details for the record. */
type SearchDetail = Readonly<{ gkJobId?: string }>;

/** Returns what was found, and its record, which the caller writes. */
export async function searchFor(
  deps: OperationDeps,
  call: Call,
  search: OpenSearch,
  print: Profile,
  detail: SearchDetail = {},
): Promise<{ found: FoundCalls; record: (tx: BiometricsTransaction) => Promise<void> }> {
  const { gkScopeId, parameters, model, fromMs } = search;
  const { template } = await searchableHere(deps, print, model);
  const question = { gkScopeId, model, template, fromMs, callsMax: CALLS_MAX, wanted: COMPARED_MAX };
  const { heard, alike } = await mostAlike(deps, call, question);
  heard.liveCalls = await deps.store.read.factors.countLiveSessions(gkScopeId, fromMs);
  const segments = await deps.store.read.enrollment.list(print.gkVoiceprintProfileId);
  // The print's own recordings are no discovery, nor is anything else computed from them.
  const own = new Set(segments.map(({ gkProcessedAudioId }) => gkProcessedAudioId));
  const ownMedia = new Set(segments.map(({ gkMediaSegmentId }) => gkMediaSegmentId));
  const scored = scoredCalls(model, template, alike, {
    searched: heard.searched,
    falseAlarmRate: parameters.fraudDetection.falseAlarmRate,
  }).filter(({ gkProcessedAudioId }) => !own.has(gkProcessedAudioId));
  const calls = await callsOf(deps, gkScopeId, scored, FOUND_MAX, ownMedia);
  const facts = {
    operation: 'FindCalls' as const,
    subjects: [print.gkVoiceprintProfileId, print.gkOwnerId],
    detail: auditDetail({
      found: calls.length,
      sessions: calls.map(({ gkSessionId }) => gkSessionId),
      ...detail,
    }),
  };
  return {
    found: { ...heard, calls, fromMs },
    record: async (tx) => {
      await tx.findings.note(calls.map((one) => findingOf(deps, call, print, one, detail)));
      await recordSearch(tx, call, search, heard, facts);
    },
  };
}

/** The page of the call, and lists, say who was found. */
function findingOf(
  { clock }: OperationDeps,
  call: Call,
  { gkScopeId, gkVoiceprintProfileId, gkOwnerId: gkFraudsterId }: Profile,
  { gkSessionId, gkMediaSegmentId, gkProcessedAudioId }: FoundCall,
  { gkJobId }: SearchDetail,
): HeardFinding {
  return {
    gkScopeId,
    gkSessionId,
    gkFraudsterId,
    operation: 'FindCalls' as const,
    gkVoiceprintProfileId,
    gkMediaSegmentId,
    gkProcessedAudioId,
    ...(gkJobId && { gkJobId }),
    ...auditedBy(call),
    createdAtMs: clock.now(),
  };
}

type Scored = Pick<FoundCall, 'gkProcessedAudioId' | 'llr' | 'reliability' | 'risk' | 'expectedByChance'>;

/** Those that are unlikely to be chance, best first. */
function scoredCalls(
  model: SpeakerModel,
  template: Template,
  voices: readonly CallVoice[],
  { searched, falseAlarmRate }: { searched: number; falseAlarmRate: number },
): Scored[] {
  const alarmLlr = thresholdForFar(model, falseAlarmRate);
  const scored = voices.map(({ gkProcessedAudioId, voice }) => {
    const { llr, reliability } = scoreSample(model, template, voice);
    const rate = farForThreshold(model, llr) ?? 0;
    return {
      gkProcessedAudioId,
      llr,
      reliability,
      risk: fraudRisk(llr, alarmLlr),
      expectedByChance: rate * searched,
    };
  });
  return scored
    .filter(({ llr, expectedByChance }) => llr >= alarmLlr && expectedByChance <= EXPECTED_BY_CHANCE_MAX)
    .sort((a, b) => b.llr - a.llr);
}
