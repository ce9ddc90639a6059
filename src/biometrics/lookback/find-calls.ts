// FindCalls: which stored calls of the last days a fraudster's voice was in. By stored embeddings alone, only where the tenant has
// a legal basis for it, and with a record of who asked.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { dot } from '../../voice/embedding/vector.js';
import { farForThreshold, fraudRisk, thresholdForFar } from '../../voice/scoring/risk.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { Template } from '../../voice/scoring/template.js';
import { Best } from '../../voice/search/best.js';
import { activeCalibration } from '../calibration/active.js';
import { audit } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { CallVoice } from '../ports/call-voices.js';
import type { OperationDeps } from '../operations/deps.js';
import { searchable } from '../rules/usable-print.js';
import { callsOf, type StoredCall } from './stored-calls.js';
import { allowedParameters, dayFaults, eachVoice, startOf, type Heard } from './read-voices.js';

export interface FindCallsInput {
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
  /** So many of the calls that were searched would be as alike if all of them were other people's. */
  expectedByChance: number;
}

export interface FoundCalls extends Heard {
  calls: FoundCall[];
  fromMs: number;
}

/** Those most alike are compared in full; of these the found ones are reported. */
const COMPARED_MAX = 1000;
const FOUND_MAX = 200;
/** A tenth of a second per ten thousand. */
const CALLS_MAX = 1_000_000;
/** Of a call that may be chance more often than this, over the whole search, nobody is told. */
const EXPECTED_BY_CHANCE_MAX = 1;

export async function findCalls(deps: OperationDeps, call: Call, input: FindCallsInput): Promise<FoundCalls> {
  const faults = dayFaults(input.days).required('gk_voiceprint_profile_id', input.gkVoiceprintProfileId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const parameters = await allowedParameters(deps, gkScopeId);
  const { model } = await activeCalibration(deps.store, gkScopeId, deps.engine.model);
  const print = await deps.store.read.profiles.find(gkScopeId, input.gkVoiceprintProfileId);
  if (!print) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  const { template } = searchable(print, model);
  const fromMs = startOf(deps.clock.now(), input.days, parameters);
  const { heard, alike } = await mostAlike(deps, call, gkScopeId, { model, template, fromMs });
  const segments = await deps.store.read.enrollment.list(print.gkVoiceprintProfileId);
  // What the print was made from is no discovery.
  const own = new Set(segments.map(({ gkProcessedAudioId }) => gkProcessedAudioId));
  const scored = scoredCalls(model, template, alike, {
    searched: heard.searched,
    falseAlarmRate: parameters.fraudDetection.falseAlarmRate,
  }).filter(({ gkProcessedAudioId }) => !own.has(gkProcessedAudioId));
  const calls = await callsOf(deps, gkScopeId, scored, FOUND_MAX);
  await deps.store.transaction((tx) =>
    audit(tx, call, {
      type: 'VOICEPRINT_EVENT',
      operation: 'FindCalls',
      gkScopeId,
      subjects: [print.gkVoiceprintProfileId, print.gkOwnerId],
      detail: {
        since: new Date(fromMs).toISOString(),
        searched: heard.searched,
        otherModel: heard.otherModel,
        found: calls.length,
        sessions: calls.map(({ gkSessionId }) => gkSessionId),
        model: model.revision,
      },
    }),
  );
  return { ...heard, calls, fromMs };
}

interface Question {
  model: SpeakerModel;
  template: Template;
  fromMs: number;
}

async function mostAlike(
  deps: OperationDeps,
  call: Call,
  gkScopeId: string,
  { model, template, fromMs }: Question,
): Promise<{ heard: Heard; alike: CallVoice[] }> {
  const best = new Best(COMPARED_MAX);
  const kept = new Map<number, CallVoice>();
  let row = 0;
  const span = { model, fromMs, callsMax: CALLS_MAX };
  const heard = await eachVoice(deps, call, gkScopeId, span, (voice) => {
    const cosine = dot(template.embedding, voice.voice.embedding);
    if (cosine <= best.worst) return;
    best.offer(cosine, row);
    kept.set(row++, voice);
    if (kept.size > 2 * COMPARED_MAX) forgetOthers(kept, best.rows);
  });
  return { heard, alike: best.rows.flatMap((index) => kept.get(index) ?? []) };
}

function forgetOthers(kept: Map<number, CallVoice>, rows: readonly number[]): void {
  const wanted = new Set(rows);
  for (const row of [...kept.keys()]) if (!wanted.has(row)) kept.delete(row);
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
