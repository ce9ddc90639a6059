// `voxgate enroll`, `verify` and `identify`: recordings to voiceprints, and recordings to decisions.
import { basename } from 'node:path';
import type { Command } from 'commander';
import type {
  CheckOptions,
  CheckResult,
  EnrolledRecording,
  PrintOwner,
  SessionOptions,
  Voxgate,
} from '../../client/index.js';
import { headlineName } from '../../words/tell.js';
import { text, wholeNumber } from '../flags.js';
import { readInput } from '../input-file.js';
import type { CliIo } from '../io.js';
import { assessmentLines } from './assessment-lines.js';
import { addRemoteCommand, type Result, type RemoteFlags } from './remote-command.js';

/** A clear answer that is not the hoped-for one; 1 is a failure. */
export const NOT_CONFIRMED = 2;

export function registerVoices(program: Command, io: CliIo): void {
  registerEnroll(program, io);
  registerVerify(program, io);
  registerIdentify(program, io);
}

function ownerOf(id: string, flags: RemoteFlags): PrintOwner {
  const tag = text(flags, 'tag');
  return flags['fraudster'] === true ? { fraudsterId: id, tag } : { personId: id, tag };
}

function registerEnroll(program: Command, io: CliIo): void {
  addRemoteCommand(
    program,
    io,
    'enroll <person> <files...>',
    'make a voiceprint from recordings, or add to one',
    async (voxgate, [id = '', ...files], flags) => {
      // Read before anything is made: a wrong name of a file leaves nothing half done.
      const recordings = files.map(readInput);
      const made = await voxgate.enroll(ownerOf(id, flags), recordings, {
        consent: flags['consent'] === true,
        train: flags['train'] !== false,
        onRecording: (done, index) => {
          if (!flags.json) io.err(`${basename(files[index] ?? '')}: ${recordingInWords(done)}`);
        },
      });
      const isDone = made.trained || flags['train'] === false;
      return {
        value: {
          ...made,
          recordings: made.recordings.map((done, index) => ({ file: files[index], ...done })),
        },
        lines: [
          made.trained
            ? `trained: ${id} can be ${flags['fraudster'] === true ? 'put on a watchlist' : 'verified'} now`
            : notTrained(made.status, made.trainReason),
        ],
        ...(!isDone && { code: NOT_CONFIRMED }),
      };
    },
  )
    .option('--tag <tag>', 'which voiceprint of the person, where there are several (default: main)')
    .option('--consent', 'record that the person agrees to a voiceprint')
    .option('--fraudster', 'the voice is that of a fraudster, for watchlists')
    .option('--no-train', 'only add the recordings; do not train');
}

function notTrained(status: string, reason: string | undefined): string {
  if (reason === 'INCONSISTENCY') return 'not trained: the recordings sound like different people';
  if (reason !== undefined) return `not trained: ${reason}`;
  return status === 'TRAIN_NOT_POSSIBLE' ? 'not trained: more recordings are needed' : 'not trained';
}

function recordingInWords({ enrolled, reason, validity, netSpeechSeconds }: EnrolledRecording): string {
  const speech = `${(netSpeechSeconds ?? 0).toFixed(1)} s of speech`;
  if (enrolled) return `added, ${speech}`;
  return `not added: ${validity === 'AUDIO_OK' ? reason : validity}, ${speech}`;
}

function registerVerify(program: Command, io: CliIo): void {
  const command = addRemoteCommand(
    program,
    io,
    'verify <person> <file>',
    'check whether a recording is the voice of a person; exits with 0 if the result is Verified, with 2 otherwise',
    async (voxgate, [id = '', file = ''], flags) => {
      const made = await voxgate.verify(ownerOf(id, flags), readInput(file), checkOptions(flags));
      return assessed(voxgate, made, 'AUTHENTIC');
    },
  ).option('--tag <tag>', 'which voiceprint of the person, where there are several (default: main)');
  checkFlags(command);
}

function registerIdentify(program: Command, io: CliIo): void {
  const command = addRemoteCommand(
    program,
    io,
    'identify <group> <file>',
    'find whose voice a recording is, among the people of a group; exits with 2 if nobody was found',
    async (voxgate, [group = '', file = ''], flags) => {
      const found = await voxgate.identify(group, readInput(file), checkOptions(flags));
      const isFound = found.decision === 'AUTHENTIC' && found.ownerId !== undefined;
      const { context } = voxgate;
      const gkPersonId = { value: found.ownerId };
      const { details } = isFound ? await voxgate.call('GetPersonDetails', { context, gkPersonId }) : {};
      const result = await assessed(voxgate, found, 'AUTHENTIC');
      const personId = details?.personId;
      return personId === undefined
        ? result
        : { ...result, value: { ...result.value, personId }, lines: [personId, ...result.lines] };
    },
  );
  checkFlags(command);
}

/** Flags of everything that compares a recording. */
export function checkFlags(command: Command): Command {
  return command
    .option('--channel <number>', 'channel of the recording, from 1 (default: all of them as one)')
    .option('--whole', 'listen to all of it instead of stopping as soon as the decision is certain')
    .option(
      '--call',
      'it is a real call: otherwise it is listed as a trial, and it is not counted in any rate',
    );
}

export function checkOptions(flags: RemoteFlags): CheckOptions & SessionOptions {
  return {
    channel: wholeNumber(flags, 'channel'),
    wholeRecording: flags['whole'] === true,
    isTest: flags['call'] !== true,
  };
}

/** What the session of a check means, for people, programs and shells. */
export async function assessed(
  voxgate: Voxgate,
  result: CheckResult,
  hopedFor: 'AUTHENTIC' | 'NO_RISK_DETECTED',
): Promise<Result> {
  const { risk, score, netSpeechSeconds, notCompared } = result;
  const { context } = voxgate;
  const { sessions } = await voxgate.call('ListSessions', { context, gkSessionIds: [result.gkSessionId] });
  const assessment = sessions?.[0]?.assessment ?? {};
  const facts = [
    ...(risk === undefined ? [] : [`risk ${risk} of 1000`]),
    ...(score === undefined ? [] : [`score ${score.toFixed(2)}`]),
    ...(netSpeechSeconds === undefined ? [] : [`${netSpeechSeconds.toFixed(1)} s of speech`]),
  ];
  const lines = [
    ...assessmentLines(assessment),
    ...(facts.length === 0 ? [] : [facts.join(', ')]),
    ...(notCompared ? [notComparedText(notCompared)] : []),
  ];
  const isHopedFor = headlineName(assessment) === hopedFor;
  return { value: { ...result, assessment }, lines, code: isHopedFor ? 0 : NOT_CONFIRMED };
}

/** A result of "nobody on the list" does not cover these. */
function notComparedText({ count, members }: NonNullable<CheckResult['notCompared']>): string {
  return `${count} of ${members} members ${count === 1 ? 'was' : 'were'} not compared: no usable voiceprint`;
}
