// The marks beside the decision of a session, as the API has them, and the filters that find them.
import type { MarkName, Marks } from '../../../biometrics/model/sessions.js';
import type { ListSessionsRequest } from '../../../gen/voxgate/biosec/v1/activity_pb.js';

export const marksOf = ({
  undecidedChecks = [],
  isUnchecked,
  missingChecks = [],
  isListOpen,
  leftOutCaller,
  hasLeftOutMembers,
}: Marks) => ({
  leftOutCaller: leftOutCaller ?? '',
  hasLeftOutMembers: hasLeftOutMembers === true,
  undecidedChecks: [...undecidedChecks],
  missingChecks: [...missingChecks],
  withoutAttackChecks: isUnchecked === true,
  withoutWatchlist: isListOpen === true,
});

/** By the filter. */
export function marksSought(request: ListSessionsRequest): MarkName[] {
  const sought: Readonly<Record<MarkName, boolean>> = {
    UNDECIDED_CHECKS: request.hasUndecidedChecks,
    UNCHECKED: request.withoutAttackChecks,
    MISSING_CHECKS: request.hasMissingChecks,
    OPEN_LIST: request.withoutWatchlist,
    MISMATCH: request.hasMismatch,
    SECOND_VOICE: request.hasSecondVoice,
    OTHER_PERSON: request.hasOtherPerson,
    OTHER_CLAIMED: request.hasOtherClaim,
    SEVERAL_PERSONS: request.hasSeveralPersons,
    OPEN_CLAIM: request.withoutClaimed,
    LEFT_OUT_CALLER: request.hasLeftOutCaller,
    LEFT_OUT_MEMBERS: request.hasLeftOutMembers,
  };
  return (Object.keys(sought) as MarkName[]).filter((mark) => sought[mark]);
}
