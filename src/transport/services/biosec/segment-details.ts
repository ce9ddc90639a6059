// Enrollment segments as Train and ListEnrollmentSegments answer them.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SegmentView } from '../../../biometrics/profiles/read-profile.js';
import {
  ConsistencyDecision,
  type EnrollmentSegmentDetailsSchema,
} from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { audioDetailsOf, present, unique } from './shared.js';

export function segmentDetailsOf({
  segment,
  audio,
}: SegmentView): MessageInitShape<typeof EnrollmentSegmentDetailsSchema> {
  return {
    gkMediaSegmentId: unique(segment.gkMediaSegmentId),
    gkProcessedAudioId: unique(segment.gkProcessedAudioId),
    ...present('consistencyDecision', segment.consistency, (word) => ConsistencyDecision[word]),
    ...present('consistencyScore', segment.consistencyScore, Number),
    usedForTrain: segment.usedForTrain,
    ...present('audioDetails', audio, (used) => audioDetailsOf(used)),
    ...present('voiceClassScore', audio?.voiceClassScore, Number),
    ...present('gkCalibrationModelRevisionId', audio?.calibrationRevisionId, unique),
  };
}
