// Sessions for a spreadsheet: the contents of the list, in the same words.
import { toCsv } from '../../../manifest/csv.js';
import type { SessionEntryJson, SessionFraudsterJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { caveatNames, headlineWord } from '../../../words/tell.js';
import { t as words } from '../../text/assessment.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { channelWords, verdictWord } from '../biosec/operations.js';
import {
  allMarks,
  allSince,
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

/** As in the row of the list. */
function decisionIn(row: SessionEntryJson): string | undefined {
  const { details = {}, factorCount = 0, refusedCount = 0 } = row;
  const decision = details.riskInfo?.decision;
  if (refusedCount > 0 && isUndecided(decision)) return checks.refused;
  return decision && sessionWord({ session: details, checks: factorCount, marks: row })?.word;
}

/** For a column that only says that something is the case. */
const yesIf = (isSo: boolean | undefined): string => (isSo ? t.list.isTrial : '');

const idsOf = (fraudsters: readonly SessionFraudsterJson[] = []): string =>
  fraudsters.map(({ fraudsterId }) => fraudsterId).join(' ');

/** New columns are added at the end: spreadsheets may refer to them by position. */
const columns: readonly (readonly [
  name: string,
  of: (row: SessionEntryJson) => string | number | undefined,
])[] = [
  ['session', (row) => row.details?.sessionId],
  ['started', (row) => row.details?.creationTimestamp],
  ['ended', (row) => row.details?.completionTimestamp],
  ['channel', (row) => channelWords(row.details?.sessionType)],
  ['number', (row) => row.details?.ani],
  ['claimed_person', (row) => row.claimedPersonId],
  ['person', (row) => personOf(row).id],
  ['person_name', (row) => personOf(row).name],
  ['person_known_by', (row) => personOf(row).how],
  ['fraudster', (row) => idsOf(row.fraudsters)],
  ['found_later', (row) => [...new Set(foundLaterIn(allSince(row)))].join('; ')],
  ['found_later_at', (row) => allSince(row).foundLater[0]?.time],
  ['decision', (row) => decisionIn(row)],
  ['risk', (row) => row.details?.riskInfo?.risk],
  ['checks', (row) => row.factorCount ?? 0],
  ['refused', (row) => row.refusedCount],
  ['trial', (row) => yesIf(row.details?.isTest)],
  ['outcome', (row) => row.verdict && verdictWord(row.verdict)],
  ['loss', (row) => row.amount],
  ['case_number', (row) => row.caseNumber],
  ['system_identifier', (row) => row.details?.gkSessionId?.value],
  ['put_on_watchlist_as', (row) => idsOf(allSince(row).madeFraudsters)],
  ['cut_off', (row) => row.cutOffTime],
  ['live_person_not_confirmed_by', (row) => undecidedIn(allMarks(row)).join('; ')],
  ['enrolled_fraudster', (row) => idsOf(row.enrolledFraudsters)],
  ['also_no_match', (row) => yesIf(row.hasMismatch)],
  ['not_checked_for_attacks', (row) => yesIf(allMarks(row).withoutAttackChecks)],
  ['another_voice', (row) => yesIf(row.hasSecondVoice)],
  ['upload', (row) => yesIf(row.isUpload)],
  ['watchlist_not_compared', (row) => yesIf(allMarks(row).withoutWatchlist)],
  ['another_person_compared', (row) => yesIf(row.hasOtherPerson)],
  ['attack_not_checked', (row) => missingIn(allMarks(row)).join('; ')],
  ['data_erased', (row) => yesIf(row.isErased)],
  ['claimed_person_known_by', (row) => (row.claimedPersonId ? claimOf(row).how : '')],
  ['verified_earlier_as', (row) => verifiedEarlier(row)],
  ['another_person_claimed', (row) => yesIf(row.carried?.isOtherPerson)],
  ['several_persons_match', (row) => yesIf(row.hasSeveralPersons)],
  ['caller_not_checked', (row) => leftOutIn(allMarks(row))],
  ['members_not_compared', (row) => yesIf(allMarks(row).hasLeftOutMembers)],
  ['also_match', (row) => yesIf(isAlsoMatch(row))],
  ['fraudster_recognized_earlier', (row) => idsOf(row.carried?.fraudsters)],
  ['claimed_person_not_compared', (row) => yesIf(row.withoutClaimed)],
  ['assessment', ({ assessment }) => assessment && headlineWord(words, assessment)],
  [
    'caveats',
    ({ assessment = {} }) =>
      caveatNames(assessment)
        .map((name) => words.caveats[name].word)
        .join('; '),
  ],
];

export function sessionsCsv(rows: readonly SessionEntryJson[]): string {
  return toCsv(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, of]) => of(row))),
  );
}
