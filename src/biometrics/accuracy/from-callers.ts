// CalibrateFromCallers: thresholds that fit a tenant's own strangers, from calls that nobody has labeled. Only if the tenant's
// config set SCOPE allows it. The thresholds are reported next to those in use and, if a name is given, saved as a validated
// calibration revision, which takes effect only when somebody activates it.
import { auditDetail } from '../../audit/model.js';
import { AppError } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import { callerThresholds, TooFew } from '../../voice/calibration/caller-thresholds.js';
import { thresholdForFar } from '../../voice/scoring/risk.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { pauseBetweenSlices } from '../call/pause.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { OperationDeps } from '../operations/deps.js';
import { keepRevision } from '../calibration/change-revision.js';
import { activeCalibration, FACTORY_CALIBRATION_ID, type CalibrationContent } from '../calibration/active.js';
import { alikeCallers, type AlikeCaller } from './alike-callers.js';
import { callerTrials } from './caller-trials.js';
import { requireCallersAllowed } from './callers-allowed.js';
import { callerWarnings, type ComparedThreshold } from './caller-warnings.js';
import { type Said, inEnglish, say } from '../../words/server/say.js';

interface FromCallersInput {
  context: RequestContext;
  /** Calls since then; if absent, the config set's number of days. */
  fromMs?: number;
  /** Stores the thresholds under this name; empty: only reports them. */
  calibrationModelId: string;
  /** The level of all intervals; 0: the default. */
  level: number;
}

export interface FromCallersReport {
  callers: number;
  owners: number;
  trials: number;
  calls: number;
  /** Speaker model, and the calibration whose thresholds are `before`. */
  model: string;
  activeRevisionId: string;
  thresholds: ComparedThreshold[];
  /** ID of the revision that stores the thresholds. */
  revisionId?: string;
  level: number;
  warnings: Said[];
  /** The most alike first. */
  alike: AlikeCaller[];
}

/** The rates that shipped models state, and the service's default between them. */
const rates = [0.01, 0.005, 0.001, 0.0001] as const;
const LEVEL_DEFAULT = 0.95;

export async function calibrateFromCallers(
  deps: OperationDeps,
  call: Call,
  input: FromCallersInput,
): Promise<FromCallersReport> {
  const level = input.level || LEVEL_DEFAULT;
  const gkScopeId = await openTenant(deps, call, input.context, faultsOf(input).found);
  const parameters = await tenantParameters(deps, gkScopeId);
  requireCallersAllowed(parameters);
  const { calibration, authentication } = parameters;
  const { model, revisionId: activeRevisionId } = await activeCalibration(
    deps.store,
    gkScopeId,
    deps.engine.model,
  );
  const { trials, calls, warnings } = await callerTrials(deps, call, gkScopeId, model, {
    fromMs: input.fromMs ?? deps.clock.now() - calibration.callersDays * DAY_MS,
    netSpeechMsMin: 1000 * authentication.netSpeechSecondsMin,
  });
  const fitted = await callerThresholds(trials, rates, {
    level,
    pause: pauseBetweenSlices(call),
    strangerSpread: model.cohort?.strangerSpread,
  }).catch((fault: unknown) => tooFew(fault, input));
  const thresholds = fitted.thresholds.map((threshold) => {
    const before = thresholdForFar(model, threshold.far);
    const accepted = trials.filter(({ score }) => score >= before).length / trials.length;
    return { ...threshold, before: { llr: before, accepted } };
  });
  const alike = alikeCallers(trials);
  warnings.push(...callerWarnings(thresholds), ...(await onePersonWarnings(deps, gkScopeId, alike, model)));
  const kept = input.calibrationModelId
    ? await keep(deps, call, { gkScopeId, activeRevisionId, input, thresholds, fitted })
    : undefined;
  return {
    callers: fitted.callers,
    owners: fitted.owners,
    trials: fitted.trials,
    calls,
    model: model.revision,
    activeRevisionId,
    thresholds,
    ...(kept && { revisionId: kept }),
    level,
    warnings,
    alike,
  };
}

function faultsOf({ calibrationModelId, level }: FromCallersInput): Faults {
  const faults = new Faults();
  if (calibrationModelId) faults.id('calibration_model_id', calibrationModelId);
  if (calibrationModelId === FACTORY_CALIBRATION_ID)
    faults.add({
      field: 'calibration_model_id',
      violation: 'FIELD_CONFLICT',
      ...say('FACTORY_NAME'),
      value: calibrationModelId,
    });
  if (level < 0 || level >= 1 || Number.isNaN(level))
    faults.add({
      field: 'confidence_level',
      violation: 'OUT_OF_RANGE',
      ...say('NOT_A_SHARE'),
      value: String(level),
    });
  return faults;
}

/**
 * Of the callers since the requested time; otherwise of all there are, which no field of the request can
 * change.
 */
function tooFew(fault: unknown, { fromMs }: FromCallersInput): never {
  if (!(fault instanceof RangeError)) throw fault;
  const said = fault instanceof TooFew ? fault.said : inEnglish(fault.message);
  throw new AppError('INVALID_REQUEST', said, {
    ...(fromMs !== undefined && {
      fields: [{ field: 'start_time', violation: 'OUT_OF_RANGE', ...said }],
    }),
    diagnostics: [{ code: 'TOO_FEW_CALLERS' }],
  });
}

/** Strangers reach such a score once in ten thousand times. */
const ONE_PERSON_FAR = 0.0001;
const PAIRS_NAMED = 3;

/**
 * People with prints so alike that they may be one person: their pairs count as strangers who are accepted.
 */
async function onePersonWarnings(
  { store }: OperationDeps,
  gkScopeId: string,
  pairs: readonly AlikeCaller[],
  model: SpeakerModel,
): Promise<Said[]> {
  const line = thresholdForFar(model, ONE_PERSON_FAR);
  const alike = pairs
    .filter(({ gkPersonId, score }) => gkPersonId !== undefined && score >= line)
    .slice(0, PAIRS_NAMED);
  const people = await store.read.parties.findMany(
    gkScopeId,
    alike.flatMap(({ gkPersonId = '', owner }) => [gkPersonId, owner]),
  );
  const nameOf = new Map(people.map(({ gkId, externalId }) => [gkId, externalId]));
  const warnings: Said[] = [];
  for (const { gkPersonId = '', owner, score } of alike) {
    const [one, two] = [nameOf.get(gkPersonId), nameOf.get(owner)].sort();
    if (one !== undefined && two !== undefined)
      warnings.push(say('ONE_PERSON_TWO_NAMES', { one, other: two, score: score.toFixed(2) }));
  }
  return warnings;
}

async function keep(
  deps: OperationDeps,
  call: Call,
  made: {
    gkScopeId: string;
    activeRevisionId: string;
    input: FromCallersInput;
    thresholds: FromCallersReport['thresholds'];
    fitted: { callers: number; owners: number; trials: number };
  },
): Promise<string> {
  const { gkScopeId, activeRevisionId, input, thresholds, fitted } = made;
  const { callers, owners, trials } = fitted;
  return deps.store.transaction(async (tx) => {
    const active = await tx.calibrations.find(gkScopeId, activeRevisionId);
    // The tenant's own weights, with which the scores were made, stay with the thresholds.
    const own =
      active && active.gkScopeId === gkScopeId
        ? (JSON.parse(active.content || '{}') as CalibrationContent)
        : {};
    return keepRevision(deps, tx, call, {
      gkScopeId,
      calibrationModelId: input.calibrationModelId,
      content: {
        ...(own.scoring && { scoring: own.scoring }),
        thresholds: thresholds.map(({ far, llr }) => ({ far, llr: Number(llr.value.toFixed(4)) })),
      },
      description: `From ${callers} callers against the voiceprints of ${owners} people (${trials} pairs)`,
      operation: 'CalibrateFromCallers',
      detail: auditDetail({ callers, owners, trials }),
    });
  });
}
