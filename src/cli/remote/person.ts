// `voxgate person`: the people of a tenant, by the IDs that you gave them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { UniqueId, Voxgate } from '../../client/index.js';
import { isNotFound } from '../../client/names.js';
import { AppError } from '../../errors.js';
import type { GetErasureResponseJson } from '../../gen/voxgate/biosec/v1/directory_pb.js';
import { table, text, wholeNumber } from '../flags.js';
import { earlierName, type CliIo } from '../io.js';
import { registerPrivacy } from './privacy.js';
import { addRemoteCommand, administrationSession, take, type Result } from './remote-command.js';
import { inEnglish } from '../../words/server/say.js';

const ROWS_MAX = 100;

export function registerPerson(program: Command, io: CliIo): void {
  const person = program.command('person').description('the people of a tenant, on a running server');
  registerReading(person, io);
  registerChanging(person, io);
  registerConsent(person, io);
  registerPrivacy(person, io, personToErase);
  registerSame(person, io);
}

function registerReading(person: Command, io: CliIo): void {
  addRemoteCommand(person, io, 'list', 'list people', async (voxgate, _args, flags) => {
    const most = wholeNumber(flags, 'limit') ?? wholeNumber(flags, 'most') ?? ROWS_MAX;
    const { context } = voxgate;
    const found = voxgate.each('ListPersons', { context, query: text(flags, 'query') });
    const { rows, isComplete } = await take(found, most);
    const lines = rows.map(
      ({ details = {}, voiceprintProfileCount = 0, trainedProfileCount = 0, lockedProfileCount = 0 }) => [
        details.personId ?? '',
        [details.firstName, details.lastName].filter(Boolean).join(' '),
        `${trainedProfileCount} of ${voiceprintProfileCount} voiceprints trained`,
        lockedProfileCount > 0 ? `${lockedProfileCount} locked` : '',
      ],
    );
    const more = isComplete ? [] : [`more than ${most}: narrow it with --query, or raise --limit`];
    return { value: { persons: rows, complete: isComplete }, lines: [...table(lines, 'no people'), ...more] };
  })
    .option('--query <text>', 'part of an ID, a name or a number')
    .option('--limit <number>', `show at most this many (default: ${ROWS_MAX})`)
    .addOption(earlierName('--most <number>'));

  addRemoteCommand(person, io, 'show <person>', 'show a person', async (voxgate, [id = '']) => {
    const gkPersonId = await voxgate.names.person(id);
    const { context } = voxgate;
    const { details = {} } = await voxgate.call('GetPersonDetails', { context, gkPersonId });
    const { rows: prints } = await take(
      voxgate.each('ListVoiceprintProfiles', { context, gkOwnerId: gkPersonId }),
      ROWS_MAX,
    );
    const consent = details.consentInfo?.status?.replace('CONSENT_STATUS_', '') ?? 'not asked';
    return {
      value: { person: details, prints },
      lines: table(
        [
          ['Person', details.personId ?? ''],
          ['Name', [details.firstName, details.lastName].filter(Boolean).join(' ')],
          ['Consent', consent.toLowerCase().replace('_', ' ')],
          ['Created', details.creationTimestamp ?? ''],
          ...prints.map(({ details: print, segmentCount = 0, enrollStatus = '' }) => [
            'Print',
            `${print?.tag ?? ''}: ${counted(segmentCount, 'recording')}, ${enrollStatus.replace('ENROLL_STATUS_', '')}`,
          ]),
        ],
        '',
      ),
    };
  });
}

function registerChanging(person: Command, io: CliIo): void {
  addRemoteCommand(
    person,
    io,
    'create <person>',
    'create a person',
    async (voxgate, [personId = ''], flags) => {
      const details = { firstName: text(flags, 'firstName'), lastName: text(flags, 'lastName') };
      const { gkPersonId } = await voxgate.inSession(
        ({ context }) => voxgate.call('CreatePerson', { context, personId, details }),
        administrationSession,
      );
      return { value: { personId, gkPersonId: gkPersonId?.value }, lines: [`created ${personId}`] };
    },
  )
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name');

  addRemoteCommand(
    person,
    io,
    'delete <person>',
    'delete a person and their voiceprints; --erase also removes their recordings and personal data, except evidence of fraud, recordings in the voiceprint of a fraudster and what is on legal hold',
    async (voxgate, [personId = ''], flags) => {
      const isErasure = flags['erase'] === true;
      if (flags['dryRun'] === true && !isErasure)
        throw new AppError('INVALID_REQUEST', inEnglish('--dry-run goes with --erase'));
      if (!isErasure) return deletePerson(voxgate, personId);
      const gkPersonId = await personToErase(voxgate, personId);
      return flags['dryRun'] === true
        ? wouldErase(voxgate, personId, gkPersonId)
        : erase(voxgate, personId, gkPersonId);
    },
  )
    .option(
      '--erase',
      'erase everything known about the person; somebody who was deleted before is named by the unique ID',
    )
    .option('--dry-run', 'with --erase: only show what would be deleted and kept; nothing is changed');
}

async function deletePerson(voxgate: Voxgate, personId: string): Promise<Result> {
  const gkPersonId = await voxgate.names.person(personId);
  await voxgate.inSession(
    ({ context }) => voxgate.call('DeletePerson', { context, gkPersonId }),
    administrationSession,
  );
  const { value: uniqueId } = gkPersonId;
  return {
    value: { personId, gkPersonId: uniqueId, erased: false, deleted: true },
    lines: [
      `deleted ${personId}`,
      `recordings stay until their retention period is over; to erase them now: voxgate person delete ${uniqueId} --erase`,
    ],
  };
}

const uniqueIdForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Somebody who was deleted has no ID of yours any more; the server knows whether anything is left of them. */
async function personToErase(voxgate: Voxgate, named: string): Promise<UniqueId> {
  try {
    return await voxgate.names.person(named);
  } catch (thrown) {
    if (!isNotFound(thrown) || !uniqueIdForm.test(named)) throw thrown;
    return { value: named };
  }
}

async function erase(voxgate: Voxgate, personId: string, gkPersonId: UniqueId): Promise<Result> {
  // Afterwards nothing leads from the person to sessions of other people, and to recordings that are also theirs.
  const before = await erasureOf(voxgate, gkPersonId);
  const texts = keptTexts(before);
  const { forOthers } = countsOf(before);
  await voxgate.inSession(
    ({ context }) => voxgate.call('DeletePersonalData', { context, gkPersonId }),
    administrationSession,
  );
  const after = await keptAfter(voxgate, gkPersonId);
  const kept = after && { ...countsOf(after), forOthers };
  return {
    value: { personId, erased: true, deleted: true, ...(kept && { kept }), texts },
    lines: [
      ...(kept
        ? [`erased ${personId}`, ...keptLines(kept, 'kept')]
        : [`erasing ${personId}; the audit trail says when it is done and what was kept`]),
      ...textLines(texts),
    ],
  };
}

/** What an erasure would take and leave, as things are now. */
async function wouldErase(voxgate: Voxgate, personId: string, gkPersonId: UniqueId): Promise<Result> {
  const erasure = await erasureOf(voxgate, gkPersonId);
  const { recordingCount: recordings = 0 } = erasure;
  const texts = keptTexts(erasure);
  const kept = countsOf(erasure);
  return {
    value: { personId, erased: false, deleted: false, recordings, kept, texts },
    lines: [
      `would erase ${personId}, with voiceprints, sessions and ${counted(recordings, 'recording')}; nothing was changed`,
      ...keptLines(kept, 'would be kept'),
      ...textLines(texts),
    ],
  };
}

const textLines = (texts: readonly string[]): string[] =>
  texts.length > 0
    ? ['notes, reasons or custom data may still name the person; look at these sessions:', ...texts]
    : [];

/** Sessions that stay, with texts that may name the person. */
const keptTexts = ({ keptTextSessionIds = [] }: GetErasureResponseJson): string[] =>
  keptTextSessionIds.flatMap(({ value }) => value ?? []);

const erasureOf = (voxgate: Voxgate, gkPersonId: UniqueId): Promise<GetErasureResponseJson> =>
  voxgate.call('GetErasure', { context: voxgate.context, gkPersonId });

const ERASURE_WAIT_MS = 30_000;
const ERASURE_ASK_AGAIN_MS = 500;

/** Waits for the end of an erasure; undefined where it takes longer. */
async function keptAfter(
  voxgate: Voxgate,
  gkPersonId: UniqueId,
): Promise<GetErasureResponseJson | undefined> {
  for (let waited = 0; waited < ERASURE_WAIT_MS; waited += ERASURE_ASK_AGAIN_MS) {
    const erasure = await erasureOf(voxgate, gkPersonId);
    if (erasure.erasedTime && !erasure.isRunning) return erasure;
    await pause(ERASURE_ASK_AGAIN_MS);
  }
  return undefined;
}

const countsOf = ({
  keptAsFraudCount: asFraud = 0,
  keptOnLegalHoldCount: onLegalHold = 0,
  keptWithFraudsterCount: withFraudster = 0,
  keptSessionCount: sessions = 0,
  keptForOthersCount: forOthers = 0,
}: GetErasureResponseJson) => ({ asFraud, onLegalHold, withFraudster, sessions, forOthers });

function keptLines(
  { asFraud, onLegalHold, withFraudster, sessions, forOthers }: ReturnType<typeof countsOf>,
  kept: 'kept' | 'would be kept',
): string[] {
  const line = (why: string, count: number, what: string): string[] =>
    count > 0 ? [`${kept} ${why}: ${counted(count, what)}`] : [];
  const evidence = [
    ...line('as evidence of fraud', asFraud, 'recording'),
    ...line('with the outcome fraud', sessions, 'session'),
    ...line(
      'because a known fraudster was recognized in their calls, or enrolled from them',
      withFraudster,
      'recording',
    ),
    ...line('on legal hold', onLegalHold, 'recording'),
  ];
  const none = kept === 'kept' ? 'nothing was kept' : 'nothing would be kept';
  return [
    ...(evidence.length > 0 ? evidence : [`${none} as evidence of fraud or on legal hold`]),
    ...line('for somebody else, or the voiceprint of a fraudster', forOthers, 'recording'),
  ];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function registerConsent(person: Command, io: CliIo): void {
  addRemoteCommand(
    person,
    io,
    'opt-in <person>',
    'record that a person agrees to a voiceprint',
    async (voxgate, [personId = ''], flags) => consent(voxgate, personId, 'OptPersonIn', flags['text']),
  ).option('--text <text>', 'what the person was told and agreed to; the audit trail keeps it');
  addRemoteCommand(
    person,
    io,
    'opt-out <person>',
    'record that a person does not agree; their voiceprints are deleted at once',
    async (voxgate, [personId = '']) => consent(voxgate, personId, 'OptPersonOut'),
  );
}

function registerSame(person: Command, io: CliIo): void {
  addRemoteCommand(
    person,
    io,
    'same [person] [other]',
    'mark two persons as one person under two names, so that accuracy and thresholds do not treat them as strangers; without names: list such pairs',
    async (voxgate, [personId, otherPersonId], flags) => {
      if (personId === undefined) return samePersons(voxgate);
      if (otherPersonId === undefined)
        throw new AppError('INVALID_REQUEST', inEnglish('name two persons, or none'));
      const { context } = voxgate;
      const isUndone = flags['undo'] === true;
      await voxgate.call(isUndone ? 'UnmarkSamePerson' : 'MarkSamePerson', {
        context,
        gkPersonId: await voxgate.names.person(personId),
        gkOtherPersonId: await voxgate.names.person(otherPersonId),
      });
      return {
        value: { personId, otherPersonId, same: !isUndone },
        lines: [`${personId} and ${otherPersonId} count as ${isUndone ? 'two' : 'one'}`],
      };
    },
  ).option('--undo', 'count them as two again');
}

async function samePersons(voxgate: Voxgate): Promise<Result> {
  const { pairs = [] } = await voxgate.call('ListSamePersons', { context: voxgate.context });
  const lines = pairs.map(({ personId = '', otherPersonId = '', member, createTime = '' }) => [
    personId,
    otherPersonId,
    createTime,
    member?.label || (member?.externalId ?? ''),
  ]);
  return { value: { pairs }, lines: table(lines, 'no pairs') };
}

async function consent(
  voxgate: Voxgate,
  personId: string,
  method: 'OptPersonIn' | 'OptPersonOut',
  text?: unknown,
): Promise<Result> {
  const gkPersonId = await voxgate.names.person(personId);
  await voxgate.inSession(
    ({ context }) =>
      typeof text === 'string'
        ? voxgate.call('RecordConsent', { context, gkPersonId, text })
        : voxgate.call(method, { context, gkPersonId }),
    administrationSession,
  );
  const agrees = method === 'OptPersonIn';
  return {
    value: { personId, consent: agrees },
    lines: [agrees ? `${personId} agrees` : `${personId} does not agree; no voiceprint is left`],
  };
}
