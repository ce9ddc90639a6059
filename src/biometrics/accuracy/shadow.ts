// Shadow runs: what another revision of a config set would have decided. Nothing acts on it: the factors that
// were measured anyway (score, reliability, speech, prints) are decided again under both revisions when somebody
// asks, so a run also covers what happened before it was set. What was stopped early by a checkpoint is judged by
// the score that it was stopped with.
import { invalidFields, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { activeCalibration } from '../calibration/active.js';
import { auditConfigset, inContent } from '../configsets/create-revision.js';
import type { ConfigsetRevision } from '../model/configsets.js';
import type { Parameters } from '../model/parameters.js';
import { validateDocument } from '../configsets/validate.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { OperationDeps } from '../operations/deps.js';
import { decideScore } from '../rules/decide-score.js';
import type { Decision } from '../model/outcome.js';
import type { Factor } from '../model/sessions.js';
import { pauseBetweenSlices } from '../call/pause.js';

interface ShadowTarget {
  context: RequestContext;
  configsetId: string;
}

export async function setShadowRevision(
  deps: OperationDeps,
  call: Call,
  input: ShadowTarget & { gkConfigsetRevisionId: string },
): Promise<void> {
  const { configsetId, gkConfigsetRevisionId } = input;
  const faults = new Faults()
    .required('configset_id', configsetId)
    .required('gk_configset_revision_id', gkConfigsetRevisionId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const revision = await tx.configsets.find(gkScopeId, gkConfigsetRevisionId);
    if (revision?.configClass !== 'CONFIGSET' || !sameSet(revision.configsetId, configsetId)) {
      throw notFound('revision of this config set', 'gk_configset_revision_id');
    }
    const validation = validateDocument(revision.content);
    if (!validation.ok) throw invalidFields(validation.faults.map(inContent));
    await tx.shadows.put({ gkScopeId, configsetId, gkConfigsetRevisionId, sinceAtMs: deps.clock.now() });
    await auditConfigset(tx, call, revision, 'SetShadowRevision');
  });
}

/** Ending a run that is not there is no error: a retry must succeed. */
export async function clearShadowRevision(
  deps: OperationDeps,
  call: Call,
  input: ShadowTarget,
): Promise<void> {
  const faults = new Faults().required('configset_id', input.configsetId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const run = await tx.shadows.find(gkScopeId, input.configsetId);
    if (!run) return;
    await tx.shadows.delete(gkScopeId, input.configsetId);
    const revision = await tx.configsets.find(gkScopeId, run.gkConfigsetRevisionId);
    if (revision) await auditConfigset(tx, call, revision, 'ClearShadowRevision');
  });
}

export interface ShadowDifference {
  factor: Factor;
  active: Decision;
  shadow: Decision;
}

export interface ShadowReport {
  activeRevisionId?: string;
  shadowRevisionId?: string;
  sinceAtMs?: number;
  calls: number;
  pairs: { active: Decision; shadow: Decision; count: number }[];
  /** Newest first. */
  differences: ShadowDifference[];
}

const DIFFERENCES_MAX = 100;
const PAGE_SIZE = 500;

export async function getShadowReport(
  deps: OperationDeps,
  call: Call,
  input: ShadowTarget & { fromMs?: number; toMs?: number },
): Promise<ShadowReport> {
  const faults = new Faults().required('configset_id', input.configsetId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const { read } = deps.store;
  const revisions = await read.configsets.list(gkScopeId, 'CONFIGSET', { configsetId: input.configsetId });
  if (revisions.length === 0) throw notFound('config set', 'configset_id');
  const active = revisions.find((revision) => revision.state === 'ACTIVE');
  const run = await read.shadows.find(gkScopeId, input.configsetId);
  const shadow = revisions.find((revision) => revision.gkConfigsetRevisionId === run?.gkConfigsetRevisionId);
  const report: ShadowReport = {
    ...(active && { activeRevisionId: active.gkConfigsetRevisionId }),
    ...(shadow && run && { shadowRevisionId: shadow.gkConfigsetRevisionId, sinceAtMs: run.sinceAtMs }),
    calls: 0,
    pairs: [],
    differences: [],
  };
  if (!active || !shadow || !run) return report;
  const stretch = {
    fromMs: input.fromMs ?? run.sinceAtMs,
    ...(input.toMs !== undefined && { toMs: input.toMs }),
  };
  const judge = await judgeOf(deps, gkScopeId, revisions, active, shadow);
  const counts = new Map<string, ShadowReport['pairs'][number]>();
  const pause = pauseBetweenSlices(call);
  let after: string | undefined;
  do {
    const page = await read.factors.list(gkScopeId, stretch, { limit: PAGE_SIZE, ...(after && { after }) });
    for (const factor of page.factors) {
      const decided = judge(factor);
      if (!decided) continue;
      report.calls += 1;
      const key = `${decided.active}/${decided.shadow}`;
      const pair = counts.get(key) ?? { ...decided, count: 0 };
      counts.set(key, { ...pair, count: pair.count + 1 });
      const differs = decided.active !== decided.shadow;
      if (differs && report.differences.length < DIFFERENCES_MAX)
        report.differences.push({ factor, ...decided });
    }
    after = page.next;
    await pause();
  } while (after);
  return { ...report, pairs: [...counts.values()].sort((a, b) => b.count - a.count) };
}

const sameSet = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

type Judge = (factor: Factor) => { active: Decision; shadow: Decision } | undefined;

async function judgeOf(
  deps: OperationDeps,
  gkScopeId: string,
  revisions: readonly ConfigsetRevision[],
  active: ConfigsetRevision,
  shadow: ConfigsetRevision,
): Promise<Judge> {
  const { model, revisionId } = await activeCalibration(deps.store, gkScopeId, deps.engine.model);
  const parameters = new Map(
    revisions.map((revision) => [revision.gkConfigsetRevisionId, deps.configsetCache.parametersOf(revision)]),
  );
  const underActive = deps.configsetCache.parametersOf(active);
  const underShadow = deps.configsetCache.parametersOf(shadow);
  return (factor) => {
    const own = parameters.get(factor.configsetRevisionId);
    // Factors of other config sets are not this run's business; scores of another calibration mean something else.
    if (!own || factor.calibrationRevisionId !== revisionId || !isDecision(factor)) return undefined;
    const under = (settings: Parameters) =>
      settings === own ? factor.decision : decideAgain(factor, model, settings, own);
    return { active: under(underActive), shadow: under(underShadow) };
  };
}

function isDecision({ kind }: Factor): boolean {
  return kind !== 'ENROLLMENT' && kind !== 'AUDIO';
}

/** `own` are the parameters that the factor was decided under when it was measured. */
function decideAgain(factor: Factor, model: SpeakerModel, parameters: Parameters, own: Parameters): Decision {
  const { kind, score, risk, reliability, netSpeechMs } = factor;
  // Without a score the audio was at fault, and no threshold mends that.
  if (score === undefined || reliability === undefined) return factor.decision;
  if (kind === 'AUTHENTICATION' || kind === 'FRAUD_DETECTION') {
    const { netSpeechSecondsMin } =
      kind === 'AUTHENTICATION' ? parameters.authentication : parameters.fraudDetection;
    if (netSpeechMs < netSpeechSecondsMin * 1000) return 'UNCERTAIN';
    return decideScore({ side: kind, model, parameters }, { llr: score, reliability }, factor.prints ?? 1)
      .decision;
  }
  const { riskHigh, reliabilityMin } = parameters.attackChecks;
  // A detector that did not trust itself on this audio does not do so under other settings either.
  const distrusted = factor.decision === 'UNCERTAIN' && reliability >= own.attackChecks.reliabilityMin;
  if (risk === undefined || distrusted || reliability < reliabilityMin) return 'UNCERTAIN';
  return risk >= riskHigh ? 'FRAUD' : 'NO_RISK_DETECTED';
}
