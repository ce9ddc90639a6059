// Sessions for a spreadsheet: what a list shows of them, in the same words.
import { toCsv } from '../../../manifest/csv.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { channelWords, verdictWord } from '../biosec/operations.js';
import {
  allMarks,
  claimOf,
  foundLaterIn,
  isAlsoMatch,
  isUndecided,
  leftOutIn,
  missingIn,
  personOf,
  sessionWord,
  undecidedIn,
  verifiedEarlier,
} from '../biosec/session-words.js';

/** As the row of the list has it. */
function decisionIn(row: SessionEntryJson): string | undefined {
  const { details = {}, factorCount = 0, refusedCount = 0 } = row;
  const decision = details.riskInfo?.decision;
  if (refusedCount > 0 && isUndecided(decision)) return checks.refused;
  return decision && sessionWord({ session: details, checks: factorCount, marks: row })?.word;
}

export function sessionsCsv(rows: readonly SessionEntryJson[]): string {
  return toCsv(
    [
      'session',
      'started',
      'ended',
      'channel',
      'number',
      'claimed_person',
      'person',
      'person_name',
      'person_known_by',
      'fraudster',
      'found_later',
      'found_later_at',
      'decision',
      'risk',
      'checks',
      'refused',
      'trial',
      'outcome',
      'loss',
      'case_number',
      'system_identifier',
      'put_on_watchlist_as',
      'cut_off',
      'live_person_not_confirmed_by',
      'enrolled_fraudster',
      'also_no_match',
      'not_checked_for_attacks',
      'another_voice',
      'upload',
      'watchlist_not_compared',
      'another_person_compared',
      'attack_not_checked',
      'data_erased',
      'claimed_person_known_by',
      'verified_earlier_as',
      'another_person_claimed',
      'several_persons_match',
      'caller_not_checked',
      'members_not_compared',
      'also_match',
      'fraudster_recognized_earlier',
      'claimed_person_not_compared',
    ],
    rows.map((row) => {
      const { details = {}, claimedPersonId, factorCount = 0, verdict, amount, caseNumber } = row;
      const { id, name, how } = personOf(row);
      const later = foundLaterIn(row);
      const marks = allMarks(row);
      const fraudsters = (row.fraudsters ?? []).map(({ fraudsterId }) => fraudsterId).join(' ');
      return [
        details.sessionId,
        details.creationTimestamp,
        details.completionTimestamp,
        channelWords(details.sessionType),
        details.ani,
        claimedPersonId,
        id,
        name,
        how,
        fraudsters,
        later.join('; '),
        row.foundLater?.[0]?.time,
        decisionIn(row),
        details.riskInfo?.risk,
        factorCount,
        row.refusedCount,
        details.isTest ? t.list.isTrial : '',
        verdict && verdictWord(verdict),
        amount,
        caseNumber,
        details.gkSessionId?.value,
        (row.madeFraudsters ?? []).map(({ fraudsterId }) => fraudsterId).join(' '),
        row.cutOffTime,
        undecidedIn(marks).join('; '),
        (row.enrolledFraudsters ?? []).map(({ fraudsterId }) => fraudsterId).join(' '),
        row.hasMismatch ? t.list.isTrial : '',
        marks.withoutAttackChecks ? t.list.isTrial : '',
        row.hasSecondVoice ? t.list.isTrial : '',
        row.isUpload ? t.list.isTrial : '',
        marks.withoutWatchlist ? t.list.isTrial : '',
        row.hasOtherPerson ? t.list.isTrial : '',
        missingIn(marks).join('; '),
        row.isErased ? t.list.isTrial : '',
        row.claimedPersonId ? claimOf(row).how : '',
        verifiedEarlier(row),
        row.carried?.isOtherPerson ? t.list.isTrial : '',
        row.hasSeveralPersons ? t.list.isTrial : '',
        leftOutIn(marks),
        marks.hasLeftOutMembers ? t.list.isTrial : '',
        isAlsoMatch(row) ? t.list.isTrial : '',
        (row.carried?.fraudsters ?? []).map(({ fraudsterId }) => fraudsterId).join(' '),
        row.withoutClaimed ? t.list.isTrial : '',
      ];
    }),
  );
}
