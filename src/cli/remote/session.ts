// `voxgate session`: what was decided in which conversation, and on what.
import { InvalidArgumentError, Option, type Command } from 'commander';
import type {
  CaseStateJson,
  EngagementFraudsterJson,
  EnrolledAsJson,
  GetSessionTimelineResponseJson,
  LaterCheckJson,
  SessionEntryJson,
} from '../../gen/voxgate/biosec/v1/activity_pb.js';
import type { SessionCaveatJson, SessionHeadlineJson } from '../../gen/voxgate/biosec/v1/assessment_pb.js';
import { text as words } from '../../words/english.js';
import { caveatNames, headlineWord } from '../../words/tell.js';
import { collect, list as listFlag, table, text, wholeNumber, type Flags } from '../flags.js';
import { earlierName, type CliIo } from '../io.js';
import { assessmentLines, peopleIn } from './assessment-lines.js';
import { addRemoteCommand, take } from './remote-command.js';

const ROWS_MAX = 50;

export function registerSession(program: Command, io: CliIo): void {
  const session = program
    .command('session')
    .description('conversations and their decisions, on a running server');
  registerList(session, io);
  registerShow(session, io);
}

function registerList(session: Command, io: CliIo): void {
  const list = addRemoteCommand(
    session,
    io,
    'list',
    'list sessions, newest first',
    async (voxgate, _args, flags) => {
      const most = wholeNumber(flags, 'limit') ?? wholeNumber(flags, 'most') ?? ROWS_MAX;
      const request = { context: voxgate.context, ...filterIn(flags) };
      const { rows, isComplete } = await take(voxgate.each('ListSessions', request), most);
      return {
        value: { sessions: rows, complete: isComplete },
        lines: table(rows.map(listLine), 'no sessions'),
      };
    },
  )
    .option('--query <text>', 'part of a reference, a number, the ID or name of the person, or a note')
    .option('--case <number>', 'case number, or the beginning of one')
    .option('--assigned-to <user>', 'only cases of this user, by user name or ID');
  list
    .addOption(
      choices('--headline <name>', 'only those with any of these headlines', Object.keys(words.headlines)),
    )
    .addOption(choices('--caveat <name>', 'only those with all of these caveats', Object.keys(words.caveats)))
    .addOption(choices('--case-state <name>', 'only cases in any of these states', caseStates))
    .option('--incomplete', 'only those in which something was not checked, or not to its end')
    .option('--since <time>', 'started at or after this time, such as 2026-01-31T12:00:00Z')
    .option('--limit <number>', `show at most this many (default: ${ROWS_MAX})`)
    .addOption(earlierName('--most <number>'));
}

const caseStates = ['OPEN', 'IN_PROGRESS', 'CLOSED'];

/** By the names of the API, in the spelling of flags. */
const flagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

function choices(flag: string, about: string, names: readonly string[]): Option {
  const known = names.map(flagOf);
  return new Option(flag, `${about}: ${known.join(', ')}`).argParser((value, before?: readonly string[]) => {
    if (!known.includes(value)) throw new InvalidArgumentError(`must be one of ${known.join(', ')}`);
    return collect(value, before);
  });
}

function filterIn(flags: Flags) {
  return {
    query: text(flags, 'query'),
    caseNumber: text(flags, 'case'),
    assignedTo: text(flags, 'assignedTo'),
    caseState: soughtIn(flags, 'caseState', 'CASE_STATE') as CaseStateJson[],
    isIncomplete: flags['incomplete'] === true,
    startTime: text(flags, 'since'),
    headline: soughtIn(flags, 'headline', 'SESSION_HEADLINE') as SessionHeadlineJson[],
    caveat: soughtIn(flags, 'caveat', 'SESSION_CAVEAT') as SessionCaveatJson[],
  };
}

const soughtIn = (flags: Flags, name: string, prefix: string): string[] =>
  listFlag(flags, name).map((value) => `${prefix}_${value.toUpperCase().replaceAll('-', '_')}`);

const lowered = (constant: string): string => constant.toLowerCase().replaceAll('_', ' ');

/** What people found out afterwards, with the money involved. */
function outcomeWords(verdict: string | undefined, amount: string | null | undefined): string {
  if (!verdict || verdict === 'ENGAGEMENT_VERDICT_UNSPECIFIED') return '';
  const word = lowered(verdict.replace('ENGAGEMENT_VERDICT_', ''));
  return amount === undefined || amount === null ? `outcome ${word}` : `outcome ${word}, amount ${amount}`;
}

/** How far the case is, and who has it. */
const caseWords = ({ caseState, assignedTo }: Pick<SessionEntryJson, 'caseState' | 'assignedTo'>): string =>
  caseState
    ? ['case', lowered(caseState.replace('CASE_STATE_', '')), assignedTo?.label || assignedTo?.externalId]
        .filter(Boolean)
        .join(' ')
    : '';

function listLine(row: SessionEntryJson): string[] {
  const { details = {}, factorCount = 0, caseNumber = '', assessment = {}, verdict, amount } = row;
  return [
    details.gkSessionId?.value ?? '',
    details.isActive ? 'open' : 'over',
    details.sessionType?.replace('SESSION_TYPE_', '').toLowerCase() ?? '',
    details.isTest ? 'trial' : '',
    headlineWord(words, assessment),
    peopleIn(assessment),
    `${factorCount} checks`,
    caseNumber,
    caseWords(row),
    outcomeWords(verdict, amount),
    caveatNames(assessment)
      .map((name) => words.caveats[name].word)
      .join(', '),
  ];
}

function registerShow(session: Command, io: CliIo): void {
  addRemoteCommand(
    session,
    io,
    'show <session>',
    'show what happened in a session, by its ID',
    async (voxgate, [id = '']) => {
      const { context } = voxgate;
      const request = { context, gkSessionId: { value: id } };
      const { status: _status, ...timeline } = await voxgate.call('GetSessionTimeline', request);
      const lines = (timeline.events ?? []).map(
        ({ time = '', operation = '', decision, reason = '', risk, attributes }) => [
          time,
          operation,
          decision?.replace('DECISION_', '') ?? '',
          reason,
          risk === undefined ? '' : `risk ${risk}`,
          notComparedWords(attributes),
        ],
      );
      const later = (timeline.laterChecks ?? []).map(laterLine);
      return {
        value: timeline,
        lines: [...headOf(timeline), ...table([...lines, ...later], 'nothing happened')],
      };
    },
  );
}

/** What stands above the timeline. */
function headOf(timeline: GetSessionTimelineResponseJson): string[] {
  const {
    assessment = {},
    engagement,
    isKeptAsFraud,
    isKeptWithFraudster,
    heldRecordingCount = 0,
  } = timeline;
  const { enrolledAs = [], engagementFraudsters = [] } = timeline;
  const { verdict, amount } = engagement?.verdictInfo ?? {};
  const from = assessment.inheritedFrom?.gkSessionId?.value;
  return [
    ...assessmentLines(assessment, {
      case: caseWords(timeline).replace('case ', ''),
      outcome: outcomeWords(verdict, amount).replace('outcome ', ''),
      judged: engagement?.verdictInfo ?? {},
    }),
    ...(from ? [`decided in session: ${from}`] : []),
    ...enrolledAs.map((one) => `enrolled as fraudster: ${enrolledWords(one)}`),
    ...engagementFraudsters.map((one) => `recognized in the engagement: ${recognizedWords(one)}`),
    ...(isKeptAsFraud ? ['kept as evidence of fraud; the personal data of a person in it was erased'] : []),
    ...(isKeptWithFraudster ? [keptWithFraudster(timeline)] : []),
    ...(heldRecordingCount > 0
      ? [`recordings of an erased person kept on legal hold: ${heldRecordingCount}`]
      : []),
  ];
}

/** An outcome only takes back what was found before it. */
function keptWithFraudster({
  engagement,
  keptWithFraudsterSessionIds = [],
}: GetSessionTimelineResponseJson): string {
  const sessions = keptWithFraudsterSessionIds.map(({ value = '' }) => value).join(', ');
  const isGenuine = engagement?.verdictInfo?.verdict === 'ENGAGEMENT_VERDICT_AUTHENTIC';
  const until = isGenuine
    ? 'until the outcome genuine is recorded again'
    : 'until the outcome genuine is recorded';
  return `kept ${until}, because a known fraudster was recognized or made from session ${sessions}; the personal data of a person in it was erased`;
}

/** What was done after the call: who was found in which list, or by a search through stored calls, or made from it. */
function laterLine({ event = {}, fraudster, watchlistId, listedOn = [] }: LaterCheckJson): string[] {
  const lists = watchlistId ? [watchlistId] : listedOn.map((list) => list.watchlistId ?? '');
  const { time = '', operation = '', decision, reason = '', risk } = event;
  return [
    time,
    operation,
    decision?.replace('DECISION_', '') ?? '',
    reason,
    risk === undefined ? '' : `risk ${risk}`,
    ['later', fraudster?.fraudsterId, lists.length > 0 && `on ${lists.join(', ')}`].filter(Boolean).join(' '),
  ];
}

/** As whom the voice is enrolled now, and where that fraudster is listed. */
function enrolledWords({ fraudster = {}, watchlists = [], isUntrained }: EnrolledAsJson): string {
  const { fraudsterId = '', isDeleted } = fraudster;
  const lists = watchlists.map(({ watchlistId = '' }) => watchlistId).join(', ');
  const untrained = isUntrained ? ', without a trained voiceprint' : '';
  const name = isDeleted ? words.deleted(fraudsterId) : fraudsterId;
  return `${name}, ${lists ? `on watchlist ${lists}` : 'on no watchlist'}${untrained}`;
}

/** Of a check of a group or a watchlist, in the attributes of its event. */
const notComparedWords = ({ notCompared, ofMembers }: Readonly<Record<string, string>> = {}): string =>
  notCompared ? `${notCompared} of ${ofMembers ?? '?'} members not compared` : '';

/** Of whoever may not be named, only where they were recognized. */
const recognizedWords = ({ fraudster, gkSessionIds = [] }: EngagementFraudsterJson): string =>
  `${fraudster?.fraudsterId ?? 'a known fraudster'} in session ${gkSessionIds.map(({ value = '' }) => value).join(', ')}`;
