// The assessment of a session as a message: the same wherever a session is shown.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { LiveAssessment } from '../../../biometrics/assessment/model.js';
import type { NamedParty, NamedAssessment } from '../../../biometrics/assessment/names.js';
import {
  PartyResult,
  PartyState,
  SessionCaveat,
  SessionHeadline,
  SessionTone,
  type SessionAssessmentSchema,
  type SessionPartySchema,
} from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { present, timestampOf, unique } from './shared.js';

export const liveAssessmentOf = (so: LiveAssessment): MessageInitShape<typeof SessionAssessmentSchema> =>
  assessmentOf({ ...so, whoCalled: [], foundLater: [] });

export const assessmentOf = ({
  headline,
  tone,
  causes,
  caveats,
  whoCalled,
  inheritedFrom,
  foundLater,
  unresolvedChecks,
  missingChecks,
  unavailableChecks,
}: NamedAssessment): MessageInitShape<typeof SessionAssessmentSchema> => ({
  headline: SessionHeadline[headline],
  tone: SessionTone[tone],
  causes: causes.map(({ measures, ...cause }) => ({ ...cause, measures: [...measures] })),
  caveats: caveats.map((name) => SessionCaveat[name]),
  whoCalled: whoCalled.map(partyOf),
  ...present('inheritedFrom', inheritedFrom, (from) => ({
    ...present('gkSessionId', from.gkSessionId || undefined, unique),
    whoCalled: from.whoCalled.map(partyOf),
  })),
  foundLater: foundLater.map(({ check, fraudster, atMs, gkSessionId }) => ({
    check,
    ...present('fraudster', fraudster, partyOf),
    ...present('time', atMs, timestampOf),
    ...present('gkSessionId', gkSessionId, unique),
  })),
  unresolvedChecks: [...unresolvedChecks],
  missingChecks: [...missingChecks],
  unavailableChecks: [...unavailableChecks],
});

const partyOf = ({
  kind,
  gkId,
  id,
  name,
  state,
  result,
  isClaimed,
  isAgent,
}: NamedParty): MessageInitShape<typeof SessionPartySchema> => ({
  ...present(kind === 'PERSON' ? 'gkPersonId' : 'gkFraudsterId', gkId || undefined, unique),
  id,
  name,
  state: PartyState[state],
  result: PartyResult[result],
  isClaimed: isClaimed === true,
  isAgent: isAgent === true,
});
