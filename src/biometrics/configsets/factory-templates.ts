// The templates that exist out of the box: what differs from the defaults for each way of using the service.
import type { ParameterOverrides } from '../model/parameters.js';

interface FactoryTemplate {
  templateId: string;
  description: string;
  overrides: ParameterOverrides;
}

export const factoryTemplates: readonly FactoryTemplate[] = [
  {
    templateId: 'ContactCenterDefault',
    description:
      'Free speech on the telephone: verification while the caller talks to an agent or a dialog system.',
    overrides: {},
  },
  {
    templateId: 'ContactCenterEnroll',
    description: 'Enrollment from free speech: stricter quality, more speech.',
    overrides: {
      audio: { snrDbMinEnroll: 10, EnableSegmentation: true },
      enrollment: { netSpeechSecondsMinPerSegment: 4 },
    },
  },
  {
    templateId: 'CallCenterRealtimeFraudDetection',
    description: 'Known-fraudster detection during the call: early checkpoints, fewer false alarms.',
    overrides: { fraudDetection: { checkpointsForFraudDetection: [6, 10, 20, 40], falseAlarmRate: 0.0005 } },
  },
  {
    templateId: 'IVRTextDependent',
    description: 'A fixed phrase in self-service: short utterances, three of them to enroll.',
    overrides: {
      enrollment: { netSpeechSecondsMinPerSegment: 1, netSpeechSecondsMin: 4, netSpeechSecondsOptimal: 10 },
      authentication: { netSpeechSecondsMin: 1.5, checkpointsForAuthentication: [] },
      fraudDetection: { netSpeechSecondsMin: 1.5, checkpointsForFraudDetection: [] },
    },
  },
  {
    templateId: 'PostCallFraudDetection',
    description: 'Whole recordings after the call: all audio is used, no early stop.',
    overrides: {
      authentication: { checkpointsForAuthentication: [] },
      fraudDetection: { checkpointsForFraudDetection: [], netSpeechSecondsMin: 10 },
    },
  },
];
