// Sessions for a spreadsheet: the contents of the list, in the same words.
import { toCsv } from '../../../manifest/csv.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { causeWords, caveatNames, headlineWord, shownParties } from '../../../words/tell.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/sessions.js';
import { channelWords, verdictWord } from '../biosec/operations.js';

type Row = SessionEntryJson;

const several = (values: readonly string[]): string => [...new Set(values.filter(Boolean))].join('; ');

const tonesOf = ({ assessment }: Row): string =>
  (assessment?.tone ?? '').replace('SESSION_TONE_', '').toLowerCase();

/** New columns are added at the end: spreadsheets may refer to them by position. */
const columns: readonly (readonly [name: string, of: (row: Row) => string | number | undefined])[] = [
  ['session', (row) => row.details?.sessionId],
  ['started', (row) => row.details?.creationTimestamp],
  ['ended', (row) => row.details?.completionTimestamp],
  ['channel', (row) => channelWords(row.details?.sessionType)],
  ['number', (row) => row.details?.ani],
  ['person', ({ assessment = {} }) => several(shownParties(words, assessment).map(({ name }) => name))],
  ['person_name', ({ assessment }) => several((assessment?.whoCalled ?? []).map(({ name = '' }) => name))],
  [
    'person_known_by',
    ({ assessment = {} }) => several(shownParties(words, assessment).map(({ role }) => role)),
  ],
  ['assessment', ({ assessment = {} }) => headlineWord(words, assessment)],
  ['tone', tonesOf],
  [
    'caveats',
    ({ assessment = {} }) => several(caveatNames(assessment).map((name) => words.caveats[name].word)),
  ],
  ['risk', (row) => row.details?.riskInfo?.risk],
  ['checks', (row) => row.factorCount ?? 0],
  ['trial', (row) => (row.details?.isTest ? t.list.isTrial : '')],
  ['outcome', (row) => row.verdict && verdictWord(row.verdict)],
  ['loss', (row) => row.amount],
  ['case_number', (row) => row.caseNumber],
  ['system_identifier', (row) => row.details?.gkSessionId?.value],
  ['found_later_at', ({ assessment }) => assessment?.foundLater?.find(({ time }) => time)?.time],
  ['causes', ({ assessment = {} }) => several(causeWords(words, assessment))],
  ['case_state', (row) => t.case.states[row.caseState ?? 'CASE_STATE_UNSPECIFIED']],
  ['assigned_to', (row) => row.assignedTo?.label || row.assignedTo?.externalId],
];

export function sessionsCsv(rows: readonly Row[]): string {
  return toCsv(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, of]) => of(row))),
  );
}
