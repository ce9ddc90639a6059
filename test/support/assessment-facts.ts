/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// What the assessment of a session tells, by short names, beside the rest of the entry or page.

export function withFacts(entry: any): any {
  const assessment = entry?.assessment;
  if (!assessment) return entry;
  const { caveats = [], whoCalled = [], foundLater = [], inheritedFrom } = assessment;
  const has = (name: string): boolean => caveats.includes(`SESSION_CAVEAT_${name}`);
  const claimed = whoCalled.find((party: any) => party.isClaimed);
  const own = foundLater.filter((found: any) => !found.gkSessionId);
  const there = foundLater.filter((found: any) => found.gkSessionId);
  return {
    ...entry,
    ...(has('DATA_ERASED') && { isErased: true }),
    ...(assessment.headline === 'SESSION_HEADLINE_UPLOAD' && { isUpload: true }),
    ...(claimed && { claimedResult: results[claimed.result] }),
    ...(claimed?.state === 'PARTY_STATE_ERASED' && { isClaimErased: true }),
    ...(has('OTHER_PERSON') && { hasOtherPerson: true }),
    ...(has('CLAIM_NOT_CONFIRMED') && { withoutClaimed: true }),
    ...(has('ATTACK_CHECK_MISSING') && { withoutAttackChecks: true }),
    ...(has('LIST_NOT_FULLY_COMPARED') && { withoutWatchlist: true }),
    ...findings(own),
    ...(inheritedFrom && {
      inherited: {
        ...(inheritedFrom.gkSessionId && { gkSessionId: inheritedFrom.gkSessionId }),
        fraudsters: (inheritedFrom.whoCalled ?? []).filter((one: any) => one.gkFraudsterId).map(fraudsterOf),
        ...findings(there),
      },
    }),
  };
}

const results: Readonly<Record<string, string>> = {
  PARTY_RESULT_MATCHED: 'MATCHED',
  PARTY_RESULT_NOT_MATCHED: 'NO_MATCH',
  PARTY_RESULT_UNDECIDED: 'UNDECIDED',
  PARTY_RESULT_NOT_COMPARED: 'NOT_COMPARED',
  PARTY_RESULT_ENROLLED: 'NOT_COMPARED',
};

const fraudsterOf = ({ gkFraudsterId, id, name, state }: any): object => ({
  gkFraudsterId,
  ...(id && { fraudsterId: id }),
  ...(name && { name }),
  ...(state === 'PARTY_STATE_DELETED' && { isDeleted: true }),
});

function findings(all: readonly any[]): object {
  const later = all.filter(({ check }) => check !== 'ENROLLMENT');
  const made = all.filter(({ check }) => check === 'ENROLLMENT');
  return {
    ...(later.length > 0 && {
      foundLater: later.map(({ check, fraudster, time }) => ({
        check,
        ...(fraudster && { fraudster: fraudsterOf(fraudster) }),
        time,
      })),
    }),
    ...(made.length > 0 && { enrolledLater: made.map(({ fraudster }) => fraudsterOf(fraudster)) }),
  };
}
