// ProposeAlarmThresholds: finds the risk at which synthetic speech should raise an alarm, so that no more than the wanted share of
// a tenant's own callers would raise one, based on what the check heard in their stored calls. Only if the tenant's config set
// SCOPE allows it. Nothing takes effect by itself: the lines are reported next to those in use and, on request, saved as a
// validated revision of the config set.
import { AppError } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import {
  alarmsAt,
  linesByBand,
  LEAST_CALLERS,
  recordingsFor,
  type AlarmThreshold,
} from '../../voice/calibration/alarm-threshold.js';
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import { ALARM_RISK } from '../../voice/spoof/detector.js';
import { openContext, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { createConfigset } from '../configsets/create-revision.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import type { ConfigsetRevision } from '../model/configsets.js';
import type { ParameterOverrides, Parameters } from '../model/parameters.js';
import type { OperationDeps } from '../operations/deps.js';
import { alarmRisk } from '../rules/judge-attack.js';
import { requireCallersAllowed } from './callers-allowed.js';
import { storedChecks, type CountedCall, type ExclusionReason, type StoredChecks } from './stored-checks.js';
import { say } from '../../words/server/say.js';

interface ProposeInput {
  /** The config set whose lines they are; SCOPE if it names none. */
  context: RequestContext;
  /** Calls since then; if absent, the config set's number of days. */
  fromMs?: number;
  /** Share of honest calls that may raise an alarm; 0: the default. */
  rate: number;
  /** How many calls of one person, and of one number, count at most; 0: the default. */
  callsPerCaller: number;
  /** Saves the lines as a revision of the config set. */
  keep: boolean;
}

/** A risk, and its effect on the stored calls. */
interface CountedAt {
  risk: number;
  /** Among the calls that set the line. */
  alarms: number;
  /** Among all calls that the check could judge, including those left out. */
  alarmsOfAll: number;
}

/** The line of one bandwidth; absent if it cannot be set. */
export interface ProposedLine {
  bandwidth: Bandwidth;
  callers: number;
  calls: number;
  /** How many of these somebody has recorded as the right person's. */
  genuine: number;
  callsOfAll: number;
  needed: { callers: number; calls: number };
  inUse: CountedAt;
  proposed?: CountedAt & Pick<AlarmThreshold, 'checked' | 'checkedAlarms' | 'withoutOne'>;
  /** Calls that raised an alarm by a line of the tenant's own, and that nobody has recorded as genuine. */
  alarmed: number;
  /** Where the line would be if these were honest; absent if they do not raise it, and so count. */
  riskWithAlarmed?: number;
  /** Calls by risk, in steps of `RISK_STEP`. */
  histogram: number[];
  /** Highest risk first. */
  highest: Pick<CountedCall, 'gkSessionId' | 'sessionId' | 'risk' | 'isGenuine' | 'isAlarm' | 'decision'>[];
}

export interface AlarmThresholdReport {
  detector: string;
  configsetId: string;
  rate: number;
  callsPerCaller: number;
  /** How many were examined. */
  calls: number;
  isCut: boolean;
  lines: ProposedLine[];
  excluded: { reason: ExclusionReason; calls: number }[];
  /** The config set's revision with these lines. */
  revisionId?: string;
}

const DEFAULT_SET = 'SCOPE';
const RATE_DEFAULT = 0.01;
const [RATE_MIN, RATE_MAX] = [0.001, 0.1];
const CALLS_PER_CALLER_MIN = 1;
const CALLS_PER_CALLER_MAX = 10;
const RISK_STEP = 20;
const HIGHEST_NAMED = 5;

const inTenant = { engagement: 'unused', session: 'unused', configset: 'optional' } as const;

export async function proposeAlarmThresholds(
  deps: OperationDeps,
  call: Call,
  input: ProposeInput,
): Promise<AlarmThresholdReport> {
  const { configsetId = DEFAULT_SET } = input.context;
  const rate = input.rate || RATE_DEFAULT;
  const callsPerCaller = input.callsPerCaller || CALLS_PER_CALLER_MIN;
  const { gkScopeId, parameters, configset } = await openContext(
    deps,
    call,
    { ...input.context, configsetId },
    { ...inTenant, faults: faultsOf(input).found },
  );
  const ofTenant = await tenantParameters(deps, gkScopeId);
  requireCallersAllowed(ofTenant);
  const detector = deps.engine.detectors.synthetic?.revision;
  if (!detector) throw new AppError('INVALID_REQUEST', say('NO_SYNTHETIC_DETECTOR'));
  const checks = await storedChecks(deps, call, gkScopeId, {
    fromMs: input.fromMs ?? deps.clock.now() - ofTenant.calibration.callersDays * DAY_MS,
    detector,
    reliabilityMin: parameters.attackChecks.reliabilityMin,
    callsPerCaller,
  });
  const lines = linesByBand(checks.counted, rate).map((band) =>
    proposedLine(band, checks, { rate, attackChecks: parameters.attackChecks }),
  );
  const held = lines.reduce((sum, line) => sum + (line.riskWithAlarmed === undefined ? 0 : line.alarmed), 0);
  const revisionId = input.keep
    ? await keep(deps, call, { gkScopeId, configset, configsetId, lines })
    : undefined;
  return {
    detector,
    configsetId,
    rate,
    callsPerCaller,
    calls: checks.calls,
    isCut: checks.isCut,
    lines,
    excluded: [
      ...[...checks.excluded].map(([reason, calls]) => ({ reason, calls })),
      ...(held > 0 ? [{ reason: 'OWN_ALARM' as const, calls: held }] : []),
    ],
    ...(revisionId && { revisionId }),
  };
}

function faultsOf({ rate, callsPerCaller }: ProposeInput): Faults {
  const faults = new Faults();
  if (rate !== 0 && !(rate >= RATE_MIN && rate <= RATE_MAX))
    faults.add({
      field: 'target_false_alarm_rate',
      violation: 'OUT_OF_RANGE',
      ...say('OUT_OF_RANGE', { min: RATE_MIN, max: RATE_MAX }),
      value: String(rate),
    });
  if (callsPerCaller < 0 || callsPerCaller > CALLS_PER_CALLER_MAX)
    faults.add({
      field: 'calls_per_caller',
      violation: 'OUT_OF_RANGE',
      ...say('OUT_OF_RANGE', { min: CALLS_PER_CALLER_MIN, max: CALLS_PER_CALLER_MAX }),
      value: String(callsPerCaller),
    });
  return faults;
}

type Band = ReturnType<typeof linesByBand<CountedCall>>[number];

/** Nobody knows whether such a call was a detected attack or an honest call. */
const isUnconfirmedAlarm = ({ isAlarm, isGenuine }: CountedCall): boolean => isAlarm && !isGenuine;

/** Above the shipped line the detector's answer does not count: risks between the two would be cleared. */
const riskOf = ({ riskHigh }: AlarmThreshold): number => Math.min(riskHigh, ALARM_RISK);

/**
 * Leaves out the calls that raised an alarm by the line in use, if they would raise the line: attacks that it
 * caught would undo it. They may keep it where it is: if they were left out for good, every new line would be
 * lower than the last one.
 */
function drawnFrom(whole: Band, inUse: number, rate: number): Band & { riskWithAlarmed?: number } {
  const rest = whole.callers.filter((call) => !isUnconfirmedAlarm(call));
  const isRaised = whole.line !== undefined && riskOf(whole.line) > inUse;
  if (!isRaised || rest.length === whole.callers.length || !whole.line) return whole;
  const riskWithAlarmed = riskOf(whole.line);
  const [band] = linesByBand(rest, rate);
  const { line: _line, ...empty } = { ...whole, callers: rest };
  if (!band?.line) return { ...empty, people: band?.people ?? 0, riskWithAlarmed };
  return { ...band, line: { ...band.line, riskHigh: Math.max(band.line.riskHigh, inUse) }, riskWithAlarmed };
}

function proposedLine(
  whole: Band,
  { judged }: StoredChecks,
  { rate, attackChecks }: { rate: number; attackChecks: Parameters['attackChecks'] },
): ProposedLine {
  const { bandwidth } = whole;
  const used = alarmRisk('synthetic', bandwidth, attackChecks);
  const { callers, people, line, riskWithAlarmed } = drawnFrom(whole, used, rate);
  const all = judged.filter((heard) => heard.bandwidth === bandwidth);
  const at = (risk: number): CountedAt => ({
    risk,
    alarms: alarmsAt(callers, risk),
    alarmsOfAll: alarmsAt(all, risk),
  });
  const histogram = Array.from({ length: 1000 / RISK_STEP }, () => 0);
  for (const { risk } of callers) {
    const bin = Math.min(histogram.length - 1, Math.floor(risk / RISK_STEP));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  return {
    bandwidth,
    callers: people,
    calls: callers.length,
    genuine: callers.filter(({ isGenuine }) => isGenuine).length,
    callsOfAll: all.length,
    needed: { callers: LEAST_CALLERS, calls: recordingsFor(rate) },
    inUse: at(used),
    ...(line && { proposed: { ...line, ...at(riskOf(line)) } }),
    alarmed: whole.callers.filter(isUnconfirmedAlarm).length,
    ...(riskWithAlarmed !== undefined && { riskWithAlarmed }),
    histogram,
    highest: whole.callers
      .toSorted((a, b) => b.risk - a.risk)
      .slice(0, HIGHEST_NAMED)
      .map(({ gkSessionId, sessionId, risk, isGenuine, isAlarm, decision }) => ({
        ...{ gkSessionId, sessionId, risk, isGenuine, isAlarm },
        ...(decision && { decision }),
      })),
  };
}

const members = { narrow: 'syntheticRiskHighNarrow', wide: 'syntheticRiskHighWide' } as const;

/** Everything else as currently in use. */
async function keep(
  deps: OperationDeps,
  call: Call,
  made: {
    gkScopeId: string;
    configset: ConfigsetRevision | undefined;
    configsetId: string;
    lines: readonly ProposedLine[];
  },
): Promise<string> {
  const { gkScopeId, configset, configsetId } = made;
  const drawn = made.lines.flatMap(({ proposed, ...line }) => (proposed ? [{ ...line, proposed }] : []));
  if (drawn.length === 0)
    throw new AppError('INVALID_REQUEST', say('TOO_FEW_CALLS'), {
      diagnostics: [{ code: 'TOO_FEW_CALLERS' }],
    });
  const before = JSON.parse(configset?.content || '{}') as ParameterOverrides;
  const attackChecks = {
    ...before.attackChecks,
    ...Object.fromEntries(drawn.map(({ bandwidth, proposed }) => [members[bandwidth], proposed.risk])),
  };
  const words = drawn.map(
    ({ bandwidth, proposed, calls, callers }) =>
      `${bandwidth === 'narrow' ? 'telephone' : 'wide band'} ${proposed.risk} (${calls} calls of ${callers} callers)`,
  );
  return createConfigset(deps, call, {
    context: { gkScopeId },
    configsetId: configset?.configsetId ?? configsetId,
    type: configset?.type ?? 'OPERATIONAL',
    description: `Alarm thresholds for synthetic speech from own callers: ${words.join(', ')}`,
    source: { kind: 'document', content: JSON.stringify({ ...before, attackChecks }, null, 2) },
    performValidation: true,
  });
}
