// Shadow runs: what another revision of a config set would have decided. A run has no effect: on request, the factors that
// were measured anyway (score, reliability, speech, prints) are decided again under both revisions, call by call. So a run
// also covers calls from before it was set, and can be read after it has ended. A call that a checkpoint stopped early is
// judged by the score that it was stopped with.
import { invalidFields, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration } from '../calibration/active.js';
import { auditConfigset, inContent } from '../configsets/create-revision.js';
import type { ConfigsetRevision } from '../model/configsets.js';
import { validateDocument } from '../configsets/validate.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { OperationDeps } from '../operations/deps.js';
import { compareCall, isDecision, type Compared, type Measured } from '../rules/decide-again.js';
import type { Decision } from '../model/outcome.js';
import { consoleTypes, type Factor, type Session } from '../model/sessions.js';
import type { ShadowRun } from '../ports/shadows.js';
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

/** Ending a run that does not exist is no error: a retry must succeed. */
export async function clearShadowRevision(
  deps: OperationDeps,
  call: Call,
  input: ShadowTarget,
): Promise<void> {
  const faults = new Faults().required('configset_id', input.configsetId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const run = await tx.shadows.find(gkScopeId, input.configsetId);
    if (!run || !(await tx.shadows.end(gkScopeId, input.configsetId, deps.clock.now()))) return;
    const revision = await tx.configsets.find(gkScopeId, run.gkConfigsetRevisionId);
    if (revision) await auditConfigset(tx, call, revision, 'ClearShadowRevision');
  });
}

interface ShadowDifference extends Compared {
  session: Session;
}

interface ShadowReport {
  activeRevisionId?: string;
  /** Set while a run is active. */
  shadowRevisionId?: string;
  /** The reported run, even if it is over. */
  comparedRevisionId?: string;
  sinceAtMs?: number;
  endedAtMs?: number;
  calls: number;
  pairs: { active: Decision; shadow: Decision; count: number }[];
  /** Newest first. */
  differences: ShadowDifference[];
}

const DIFFERENCES_MAX = 100;
const PAGE_SIZE = 200;
/** Work in the console opens sessions of these types, which are not calls. */

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
    ...(shadow && run && shadowFields(run)),
    calls: 0,
    pairs: [],
    differences: [],
  };
  if (!active || !shadow || !run) return report;
  const judge = await judgeOf(deps, gkScopeId, revisions, active, shadow);
  const counts = new Map<string, ShadowReport['pairs'][number]>();
  const pause = pauseBetweenSlices(call);
  let after: string | undefined;
  do {
    const page = { limit: PAGE_SIZE, ...(after && { after }) };
    const { sessions, next } = await read.sessions.list(gkScopeId, stretchOf(run, input), page);
    const calls = sessions.filter(
      ({ isTest, sessionType }) => !isTest && !consoleTypes.includes(sessionType),
    );
    const factors = await read.factors.listBySessions(
      gkScopeId,
      calls.map(({ gkSessionId }) => gkSessionId),
    );
    for (const session of calls) {
      const decided = judge(factors.get(session.gkSessionId) ?? []);
      if (!decided) continue;
      const { active: one, shadow: other } = decided;
      report.calls += 1;
      const pair = counts.get(`${one}/${other}`) ?? { active: one, shadow: other, count: 0 };
      counts.set(`${one}/${other}`, { ...pair, count: pair.count + 1 });
      if (one !== other && report.differences.length < DIFFERENCES_MAX)
        report.differences.push({ session, ...decided });
    }
    after = next;
    await pause();
  } while (after);
  return { ...report, pairs: [...counts.values()].sort((a, b) => b.count - a.count) };
}

function shadowFields({ gkConfigsetRevisionId, sinceAtMs, endedAtMs }: ShadowRun): Partial<ShadowReport> {
  return {
    comparedRevisionId: gkConfigsetRevisionId,
    sinceAtMs,
    ...(endedAtMs === undefined ? { shadowRevisionId: gkConfigsetRevisionId } : { endedAtMs }),
  };
}

/** When calls must have begun to be compared. */
function stretchOf(
  { sinceAtMs, endedAtMs }: ShadowRun,
  { fromMs = sinceAtMs, toMs = endedAtMs }: { fromMs?: number; toMs?: number },
): { fromMs: number; toMs?: number } {
  return { fromMs, ...(toMs !== undefined && { toMs }) };
}

const sameSet = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

type Judge = (factors: readonly Factor[]) => Compared | undefined;

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
  const under = {
    active: deps.configsetCache.parametersOf(active),
    shadow: deps.configsetCache.parametersOf(shadow),
  };
  return (factors) => {
    const measured = factors.flatMap((factor): Measured[] => {
      const own = parameters.get(factor.configsetRevisionId);
      // Factors of other config sets do not belong to this run; scores of another calibration mean something
      // else, and trials do not count.
      return own && !factor.isTest && factor.calibrationRevisionId === revisionId && isDecision(factor)
        ? [{ factor, own }]
        : [];
    });
    return compareCall(measured, model, under);
  };
}
