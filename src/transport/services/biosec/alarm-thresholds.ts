// Alarm thresholds from a tenant's own callers: from the report of the domain to the message.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AlarmThresholdReport,
  ProposedLine,
} from '../../../biometrics/accuracy/propose-alarm-thresholds.js';
import type {
  ProposeAlarmThresholdsResponseSchema,
  ProposedAlarmThresholdSchema,
} from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { Decision } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { present, unique } from './shared.js';

export const alarmThresholdsOf = (
  report: AlarmThresholdReport,
): MessageInitShape<typeof ProposeAlarmThresholdsResponseSchema> => ({
  lines: report.lines.map(lineOf),
  detector: report.detector,
  configsetId: report.configsetId,
  targetFalseAlarmRate: report.rate,
  callsPerCaller: report.callsPerCaller,
  calls: report.calls,
  isTruncated: report.isCut,
  excluded: report.excluded,
  ...present('gkConfigsetRevisionId', report.revisionId, unique),
});

function lineOf(line: ProposedLine): MessageInitShape<typeof ProposedAlarmThresholdSchema> {
  const { proposed } = line;
  return {
    bandwidth: line.bandwidth,
    callers: line.callers,
    calls: line.calls,
    genuineCalls: line.genuine,
    callsOfAll: line.callsOfAll,
    callersNeeded: line.needed.callers,
    callsNeeded: line.needed.calls,
    inUse: line.inUse,
    ...(proposed && {
      proposed: { risk: proposed.risk, alarms: proposed.alarms, alarmsOfAll: proposed.alarmsOfAll },
      falseAlarmRate: {
        value: proposed.checked.value,
        lower: proposed.checked.low,
        upper: proposed.checked.high,
      },
      riskWithoutOne: proposed.withoutOne,
    }),
    riskCounts: line.histogram,
    alarmedCalls: line.alarmed,
    ...present('riskWithAlarmed', line.riskWithAlarmed, Number),
    highest: line.highest.map(({ gkSessionId, decision, ...call }) => ({
      ...call,
      gkSessionId: unique(gkSessionId),
      ...present('decision', decision, (word) => Decision[word]),
    })),
  };
}
