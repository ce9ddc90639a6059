// Accuracy: error rates on the tenant's own data, thresholds, and revisions in the shadow.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import {
  evaluate,
  suggestThreshold,
  type AccuracyReport,
  type TrialSource,
} from '../../../biometrics/accuracy/evaluate.js';
import { isAboveTarget } from '../../../biometrics/accuracy/caller-warnings.js';
import type { Evidence, TrialList as ListInput } from '../../../biometrics/accuracy/listed-trials.js';
import type { OwnPrints as OwnInput } from '../../../biometrics/accuracy/own-trials.js';
import {
  clearShadowRevision,
  getShadowReport,
  setShadowRevision,
} from '../../../biometrics/accuracy/shadow.js';
import {
  listSamePersons,
  markSamePerson,
  unmarkSamePerson,
} from '../../../biometrics/accuracy/same-persons.js';
import type { Actors, AuditReader } from '../../../audit/ports.js';
import { replaceActiveRevision } from '../../../biometrics/accuracy/replace-active-revision.js';
import { calibrateFromCallers } from '../../../biometrics/accuracy/from-callers.js';
import { proposeAlarmThresholds } from '../../../biometrics/accuracy/propose-alarm-thresholds.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import type { OwnerType as OwnerWord } from '../../../biometrics/model/outcome.js';
import { invalidFields, missingField, refuseFaults } from '../../../errors.js';
import { Decision, OwnerType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  Accuracy,
  type AccuracyReportSchema,
  type FairnessReportSchema,
  type MarkSamePersonRequest,
  type OwnPrints,
  type Trial,
  type TrialList,
  type UnmarkSamePersonRequest,
} from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import type { Fairness } from '../../../voice/evaluation/fairness.js';
import type { Interval, OperatingPoint } from '../../../voice/evaluation/metrics.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { alarmThresholdsOf } from './alarm-thresholds.js';
import {
  biosecAccess,
  contextOf,
  memberOf,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';
import { type Said, say } from '../../../words/server/say.js';
import { localized } from '../../status.js';

export function accuracyService(
  deps: OperationDeps & { actors: Actors; audit: AuditReader },
): ServiceBinding {
  return bindService(Accuracy, biosecAccess, {
    evaluateScores: async (call, request) => {
      const source: TrialSource = { own: ownOf(request.ownPrints) };
      const report = await evaluate(deps, call, {
        context: contextOf(request),
        source,
        level: request.confidenceLevel,
        groupBy: request.groupBy,
      });
      return { report: reportOf(report) };
    },
    evaluateTrials: async (call, request) => {
      const { trials } = request;
      const source: TrialSource = { list: listOf(trials ?? { trials: [], text: '' }) };
      const report = await evaluate(deps, call, {
        context: { ...contextOf(request), ...(!trials && { faults: [missingField('trials')] }) },
        source,
        level: request.confidenceLevel,
      });
      return { report: reportOf(report) };
    },
    suggestThreshold: async (call, request) => {
      const { source } = request;
      const suggestion = await suggestThreshold(deps, call, {
        context: contextOf(request),
        source: source.case === 'trials' ? { list: listOf(source.value) } : { own: ownOf(source.value) },
        level: request.confidenceLevel,
        targetFalseAcceptRate: request.targetFalseAcceptRate,
      });
      return {
        threshold: estimateOf(suggestion.threshold),
        falseAcceptRate: estimateOf(suggestion.falseAccept),
        falseRejectRate: estimateOf(suggestion.miss),
        lowRiskThreshold: suggestion.riskLow,
        targetTrials: suggestion.targets,
        nontargetTrials: suggestion.nontargets,
        warnings: suggestion.warnings.map(messageOf),
        warningsSaid: suggestion.warnings.map(localized),
        ...present('configuredFalseAcceptRate', suggestion.falseAcceptRate, Number),
        speakers: suggestion.speakers,
        objections: suggestion.objections.map(messageOf),
        objectionsSaid: suggestion.objections.map(localized),
      };
    },
    calibrateFromCallers: async (call, request) => {
      const report = await calibrateFromCallers(deps, call, {
        context: contextOf(request),
        ...present('fromMs', request.startTime, timestampMs),
        calibrationModelId: request.calibrationModelId,
        level: request.confidenceLevel,
      });
      return {
        thresholds: report.thresholds.map((each) => ({
          targetFalseAcceptRate: each.far,
          threshold: estimateOf(each.llr),
          accepted: estimateOf(each.accepted),
          ...(Number.isFinite(each.checked) && { acceptedInCheck: each.checked }),
          thresholdBefore: each.before.llr,
          acceptedBefore: each.before.accepted,
          isExtrapolated: each.extrapolated,
          isAboveTarget: isAboveTarget(each),
        })),
        callers: report.callers,
        printOwners: report.owners,
        nontargetTrials: report.trials,
        calls: report.calls,
        modelRevision: report.model,
        gkActiveRevisionId: unique(report.activeRevisionId),
        ...present('gkCalibrationModelRevisionId', report.revisionId, unique),
        confidenceLevel: report.level,
        warnings: report.warnings.map(messageOf),
        warningsSaid: report.warnings.map(localized),
        alikeCallers: report.alike.map(({ gkPersonId, gkSessionId, owner, score }) => ({
          ...present('gkPersonId', gkPersonId, unique),
          gkSessionId: unique(gkSessionId),
          gkPrintOwnerId: unique(owner),
          score,
        })),
      };
    },
    proposeAlarmThresholds: async (call, request) =>
      alarmThresholdsOf(
        await proposeAlarmThresholds(deps, call, {
          context: contextOf(request),
          ...present('fromMs', request.startTime, timestampMs),
          rate: request.targetFalseAlarmRate,
          callsPerCaller: request.callsPerCaller,
          keep: request.save,
        }),
      ),
    markSamePerson: async (call, request) => {
      await markSamePerson(deps, call, pairOf(request));
      return {};
    },
    unmarkSamePerson: async (call, request) => {
      await unmarkSamePerson(deps, call, pairOf(request));
      return {};
    },
    listSamePersons: async (call, request) => {
      const pairs = await listSamePersons(deps, call, { context: contextOf(request) });
      return {
        pairs: pairs.map(({ actor, actorName, createdAtMs, ...pair }) => ({
          gkPersonId: unique(pair.gkPersonId),
          gkOtherPersonId: unique(pair.gkOtherPersonId),
          personId: pair.personId,
          otherPersonId: pair.otherPersonId,
          member: memberOf({ ...actor, name: actorName }),
          createTime: timestampOf(createdAtMs),
        })),
      };
    },
    replaceActiveRevision: async (call, request) => {
      await replaceActiveRevision(deps, call, {
        context: contextOf(request),
        gkConfigsetRevisionId: valueOf(request.gkConfigsetRevisionId),
        expected: valueOf(request.expectedGkConfigsetRevisionId) || undefined,
      });
      return {};
    },
    setShadowRevision: async (call, request) => {
      await setShadowRevision(deps, call, {
        context: contextOf(request),
        configsetId: request.configsetId,
        gkConfigsetRevisionId: valueOf(request.gkConfigsetRevisionId),
      });
      return {};
    },
    clearShadowRevision: async (call, request) => {
      await clearShadowRevision(deps, call, {
        context: contextOf(request),
        configsetId: request.configsetId,
      });
      return {};
    },
    getShadowReport: async (call, request) => {
      const report = await getShadowReport(deps, call, {
        context: contextOf(request),
        configsetId: request.configsetId,
        ...present('fromMs', request.startTime, timestampMs),
        ...present('toMs', request.endTime, timestampMs),
      });
      return {
        ...present('gkActiveRevisionId', report.activeRevisionId, unique),
        ...present('gkShadowRevisionId', report.shadowRevisionId, unique),
        ...present('gkComparedRevisionId', report.comparedRevisionId, unique),
        ...present('since', report.sinceAtMs, timestampOf),
        ...present('until', report.endedAtMs, timestampOf),
        calls: BigInt(report.calls),
        pairs: report.pairs.map(({ active, shadow, count }) => ({
          active: Decision[active],
          shadow: Decision[shadow],
          count: BigInt(count),
        })),
        differences: report.differences.map(({ session, factor, active, shadow }) => ({
          time: timestampOf(session.createdAtMs),
          gkSessionId: unique(session.gkSessionId),
          operation: factor.operation,
          active: Decision[active],
          shadow: Decision[shadow],
          ...present('score', factor.score, Number),
        })),
      };
    },
  });
}

const pairOf = (request: MarkSamePersonRequest | UnmarkSamePersonRequest) => ({
  context: contextOf(request),
  gkPersonId: valueOf(request.gkPersonId),
  gkOtherPersonId: valueOf(request.gkOtherPersonId),
});

function ownOf(prints: OwnPrints | undefined): OwnInput {
  const nontargetMax = prints?.maxNontargetTrials ?? 0;
  if (nontargetMax < 0) {
    throw invalidFields([
      {
        field: 'own_prints.max_nontarget_trials',
        violation: 'OUT_OF_RANGE',
        ...say('NEGATIVE'),
      },
    ]);
  }
  return {
    ownerType: wordOf<OwnerWord>(OwnerType, prints?.ownerType ?? OwnerType.UNSPECIFIED) ?? 'PERSON',
    ...present('gkGroupId', prints?.gkGroupId?.value, String),
    ...present('tag', prints?.tag, String),
    nontargetMax,
    sameVoice: pairsOf(prints?.sameVoice ?? []),
  };
}

const PAIRS_MAX = 100;

function pairsOf(pairs: OwnPrints['sameVoice']): OwnInput['sameVoice'] {
  const field = 'own_prints.same_voice';
  if (pairs.length > PAIRS_MAX)
    throw invalidFields([{ field, violation: 'TOO_LONG', ...say('TOO_MANY_PAIRS', { max: PAIRS_MAX }) }]);
  refuseFaults(
    pairs.flatMap(({ gkOwnerId, gkOtherOwnerId }, index) => [
      valueOf(gkOwnerId) ? undefined : missingField(`${field}[${index}].gk_owner_id`),
      valueOf(gkOtherOwnerId) ? undefined : missingField(`${field}[${index}].gk_other_owner_id`),
    ]),
  );
  return pairs.map(({ gkOwnerId, gkOtherOwnerId }) => [valueOf(gkOwnerId), valueOf(gkOtherOwnerId)]);
}

function listOf({ trials, text }: Pick<TrialList, 'trials' | 'text'>): ListInput {
  return {
    trials: trials.map(({ isTarget, evidence }) => ({
      target: isTarget,
      ...present('evidence', evidenceOf(evidence), (known) => known),
    })),
    text,
  };
}

function evidenceOf(evidence: Trial['evidence']): Evidence | undefined {
  switch (evidence.case) {
    case 'score':
      return { score: evidence.value };
    case 'media':
      return {
        enrollment: valueOf(evidence.value.gkEnrollmentMediaSegmentId),
        test: valueOf(evidence.value.gkTestMediaSegmentId),
      };
    case 'print':
      return {
        print: valueOf(evidence.value.gkVoiceprintProfileId),
        test: valueOf(evidence.value.gkMediaSegmentId),
      };
    case undefined:
      return undefined;
  }
}

function reportOf(report: AccuracyReport): MessageInitShape<typeof AccuracyReportSchema> {
  const { histogram, curves, active } = report;
  return {
    targetTrials: report.targets,
    nontargetTrials: report.nontargets,
    speakers: report.speakers,
    histogram: {
      start: histogram.start,
      binWidth: histogram.binWidth,
      targetCounts: histogram.target,
      nontargetCounts: histogram.impostor,
    },
    detPoints: curves.det.map(pointOf),
    thresholdPoints: curves.byThreshold.map(pointOf),
    equalErrorRate: estimateOf(report.eer),
    equalErrorThreshold: report.eerThreshold,
    ...(active && {
      activeThreshold: active.threshold,
      activeFalseAcceptRate: estimateOf(active.falseAccept),
      activeFalseRejectRate: estimateOf(active.miss),
    }),
    cllr: report.cllr,
    confidenceLevel: report.level,
    warnings: report.warnings.map(messageOf),
    warningsSaid: report.warnings.map(localized),
    alikePairs: report.alike.map(({ owner, other, score }) => ({
      gkOwnerId: unique(owner),
      gkOtherOwnerId: unique(other),
      score,
    })),
    fairness: report.fairness.map(fairnessOf),
  };
}

function fairnessOf(fairness: Fairness): MessageInitShape<typeof FairnessReportSchema> {
  return {
    by: fairness.by,
    groups: fairness.groups.map(({ group, speakers, targets, nontargets, falseAccept, miss }) => ({
      group,
      speakers,
      targetTrials: targets,
      nontargetTrials: nontargets,
      falseAcceptRate: estimateOf(falseAccept),
      falseRejectRate: estimateOf(miss),
    })),
    ...present('falseAcceptRatio', fairness.falseAcceptRatio, Number),
    ...present('falseRejectRatio', fairness.missRatio, Number),
    ...present('garbe', fairness.garbe, Number),
    warnings: fairness.warnings.map(messageOf),
    warningsSaid: fairness.warnings.map(localized),
  };
}

const messageOf = ({ message }: Said): string => message;

const estimateOf = ({ value, low, high }: Interval) => ({ value, lower: low, upper: high });

const pointOf = ({ threshold, falseAccept, miss }: OperatingPoint) => ({
  threshold,
  falseAcceptRate: falseAccept,
  falseRejectRate: miss,
});
