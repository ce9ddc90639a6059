// `voxgate session`: what was decided in which conversation, and on what.
import type { Command } from 'commander';
import { table, text, wholeNumber, type Flags } from '../flags.js';
import { earlierName, type CliIo } from '../io.js';
import type {
  GetSessionTimelineResponseJson,
  LaterCheckJson,
  SessionEntryJson,
} from '../../gen/voxgate/biosec/v1/activity_pb.js';
import { addRemoteCommand, take } from './remote-command.js';
import {
  decisionIn,
  enrolledWords,
  recognizedWords,
  marksIn,
  notComparedWords,
  outcomeIn,
  peopleIn,
} from './session-words.js';

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
    .option('--case <number>', 'case number, or the beginning of one');
  addMarkOptions(list)
    .option('--since <time>', 'started at or after this time, such as 2026-01-31T12:00:00Z')
    .option('--limit <number>', `show at most this many (default: ${ROWS_MAX})`)
    .addOption(earlierName('--most <number>'));
}

/** Those that ask for sessions with one of the marks. */
function addMarkOptions(list: Command): Command {
  return list
    .option('--found-later', 'only those in which a fraudster or an attack was found after the call')
    .option('--cut-off', 'only live calls that were not heard to their end')
    .option(
      '--not-confirmed',
      'only those in which an attack check could not tell whether a live person spoke, and nothing else is open',
    )
    .option('--not-checked', 'only those that passed and were never checked for attacks')
    .option('--watchlist-not-compared', 'only those whose watchlist could not be compared')
    .option('--one-not-checked', 'only those in which one of the two attack checks was not made')
    .option(
      '--another-person',
      'only those in which the voice was compared with somebody other than the person claimed',
    )
    .option(
      '--another-claimed',
      'only those decided by an earlier session in which somebody other than the person claimed matched',
    )
    .option('--several-persons', 'only those in which more than one person matches')
    .option(
      '--claimed-not-compared',
      'only those in which the voice was not compared with the person claimed',
    )
    .option(
      '--caller-not-checked',
      'only those in which the caller was not checked alone: on no channel, or mixed with others',
    )
    .option('--members-not-compared', 'only those in which some of a list could not be compared')
    .option('--another-voice', 'only those in which another voice is heard')
    .option(
      '--also-no-match',
      'only those that passed although the voice did not match in another comparison',
    );
}

function filterIn(flags: Flags) {
  return {
    query: text(flags, 'query'),
    caseNumber: text(flags, 'case'),
    startTime: text(flags, 'since'),
    isFoundLater: flags['foundLater'] === true,
    isCutOff: flags['cutOff'] === true,
    hasUndecidedChecks: flags['notConfirmed'] === true,
    hasMismatch: flags['alsoNoMatch'] === true,
    withoutAttackChecks: flags['notChecked'] === true,
    withoutWatchlist: flags['watchlistNotCompared'] === true,
    hasMissingChecks: flags['oneNotChecked'] === true,
    hasOtherPerson: flags['anotherPerson'] === true,
    hasSecondVoice: flags['anotherVoice'] === true,
    hasOtherClaim: flags['anotherClaimed'] === true,
    hasSeveralPersons: flags['severalPersons'] === true,
    withoutClaimed: flags['claimedNotCompared'] === true,
    hasLeftOutCaller: flags['callerNotChecked'] === true,
    hasLeftOutMembers: flags['membersNotCompared'] === true,
  };
}

function listLine(row: SessionEntryJson): string[] {
  const { details = {}, factorCount = 0, refusedCount = 0, caseNumber = '', isUpload } = row;
  return [
    details.gkSessionId?.value ?? '',
    details.isActive ? 'open' : 'over',
    details.sessionType?.replace('SESSION_TYPE_', '').toLowerCase() ?? '',
    details.isTest ? 'trial' : isUpload ? 'upload' : '',
    decisionIn(row),
    peopleIn(row).join(', '),
    `${factorCount} checks`,
    refusedCount > 0 ? `${refusedCount} refused` : '',
    caseNumber,
    outcomeIn(row),
    marksIn(row).join(', '),
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
      const listed = await voxgate.call('ListSessions', { context, gkSessionIds: [id] });
      // What the list says of it: all marks, and who it is about.
      const [entry = {}] = listed.sessions ?? [];
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
        value: { ...timeline, entry },
        lines: [...headOf(entry, timeline), ...table([...lines, ...later], 'nothing happened')],
      };
    },
  );
}

/** What stands above the timeline. */
function headOf(entry: SessionEntryJson, timeline: GetSessionTimelineResponseJson): string[] {
  const { isKeptAsFraud, isKeptWithFraudster, heldRecordingCount = 0, enrolledAs = [] } = timeline;
  const { engagementFraudsters = [] } = timeline;
  const told = { decision: decisionIn(entry), people: peopleIn(entry).join(', '), outcome: outcomeIn(entry) };
  const from = entry.carried?.gkSessionId?.value;
  return [
    ...Object.entries(told).flatMap(([name, words]) => (words ? [`${name}: ${words}`] : [])),
    ...marksIn(entry).map((mark) => `mark: ${mark}`),
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
