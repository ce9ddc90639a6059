// English: batches.
import type { BatchStateJson, LineOutcomeJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import type { SaidCode } from '../../../words/server/say.js';
import { many, num } from '../tools.js';

const states: Record<BatchStateJson, string> = {
  BATCH_STATE_UNSPECIFIED: 'Unknown',
  BATCH_STATE_PENDING: 'Waiting',
  BATCH_STATE_RUNNING: 'Running',
  BATCH_STATE_COMPLETED: 'Completed',
  BATCH_STATE_CANCELLED: 'Canceled',
};

const outcomes: Record<LineOutcomeJson, string> = {
  LINE_OUTCOME_UNSPECIFIED: 'Open',
  LINE_OUTCOME_DONE: 'Done',
  LINE_OUTCOME_SKIPPED: 'Skipped',
  LINE_OUTCOME_REFUSED: 'Refused',
  LINE_OUTCOME_FAILED: 'Failed',
  LINE_OUTCOME_WOULD_BE_DONE: 'Would be done',
};

/** By their codes; others are shown as they are. */
const reasons: Readonly<Record<string, string>> = {
  ENROLLED: 'Enrolled',
  REGISTERED: 'Registered',
  DECIDED: 'Checked',
  WOULD_BE_COMPARED: 'Would be compared with the voiceprint',
  WOULD_BE_ANALYZED: 'Would be checked',
  TOO_FEW_RECORDINGS: 'Probably too few recordings',
  NO_SUCH_CHANNEL: 'No such channel',
  INVALID_REQUEST: 'Could not be done',
  NOT_FOUND: 'Something is missing',
  INTERNAL_ERROR: 'The server failed',
  ALREADY_ENROLLED: 'Already enrolled',
  ADDED_TO_WATCHLIST: 'Added to the watchlist',
  CANCELLED: 'The batch was canceled',
  NO_CONSENT: 'No consent',
  PERSON_OPTED_OUT: 'Has opted out',
  NOT_ENROLLED: 'Not enrolled',
  TAG_NEEDED: 'Several voiceprints: a tag is needed',
  PERSONAL_DATA_DELETED: 'The person’s data was deleted',
  RECORDING_NOT_FOUND: 'Recording not found',
  RECORDING_NOT_ALLOWED: 'The server may not read the recording',
  RECORDING_TOO_LARGE: 'Recording too large',
  RECORDING_EMPTY: 'The recording is empty',
  RECORDING_NOT_AUDIO: 'Not an audio file',
  FRAUDSTER_INDICATION: 'Known fraudster',
  SYNTHETIC_SPEECH_DETECTED: 'Synthetic speech',
  PLAYBACK_INDICATION: 'Signs of a played recording',
  PROFILE_LOCKED: 'The voiceprint is locked',
  VOICEPRINT_MATCH: 'The voice matches',
  VOICEPRINT_NO_MATCH: 'The voice does not match',
  AUDIO_OK: 'Nothing suspicious',
  MISSING_MODEL: 'No voice could be measured',
  TOO_SHORT: 'Too little speech',
  AUDIO_TOO_SHORT: 'Too little speech',
  INVALID_AUDIO: 'The audio could not be used',
  INCONSISTENCY: 'The recordings do not sound like one person',
  NOT_READY_TO_TRAIN: 'Too few recordings or too little speech',
  LOW_RELIABILITY: 'Could not be decided reliably',
};

/** The same in a dry run, which has done nothing. */
const wouldBe: Readonly<Record<string, string>> = {
  ENROLLED: 'Would be enrolled',
  REGISTERED: 'Would be registered',
  ADDED_TO_WATCHLIST: 'Would be added to the watchlist',
  NOT_ENROLLED: 'Would be checked; the person is not enrolled',
  PERSON_OPTED_OUT: 'Would be checked; the person has opted out',
};

/** What the server says of a line, where it would read oddly. Parts of a sentence are told apart by semicolons. */
/** Where the server's own words would read oddly. */
const said: Partial<Record<SaidCode, string>> = {
  ONE_RECORDING: '1 recording',
  NO_BATCH_FOLDER:
    'This server may not read recordings from there. Its operator can allow it with the settings batch.folder and batch.s3Prefixes',
  OUTSIDE_BATCH_FOLDER: 'This is outside of the folder that batches may read (setting batch.folder)',
  RECORDING_TOO_LARGE: 'this recording is larger than {max} bytes: {recording}',
  RECORDING_EMPTY: 'this recording is empty: {recording}',
  RECORDING_NOT_AUDIO: 'this recording is not audio in a format that can be read: {recording}',
  RECORDINGS_NOT_ACCEPTED: 'recordings were not used: {reasons}',
};

export const text = {
  said: said as Readonly<Record<string, string>>,
  title: 'Batches',
  about:
    'Enroll people, register fraudsters or check recordings by the hundreds, from one manifest. Calls always come first.',
  caption: 'Batches',
  loading: 'Loading batches',
  none: 'No batches yet',
  noneText:
    'A manifest is CSV or JSON lines. Those of Amazon Connect Voice ID and Azure Speaker Recognition work as they are.',
  start: 'New batch',
  batch: 'Batch',
  what: 'Operation',
  operations: { ENROLL: 'Enroll people', REGISTER: 'Register fraudsters', CHECK: 'Check recordings' },
  dryRun: 'Dry run',
  state: 'State',
  states,
  progress: 'Progress',
  ended: (ended: number, lines: number) => `${num(ended)} of ${num(lines)}`,
  endedCanceled: (ended: number, lines: number) => `${num(ended)} of ${num(lines)} done, then canceled`,
  started: 'Started',
  description: 'Description',
  descriptionHint: 'To find it again.',
  refusedOrFailed: 'Refused or failed',
  count: (count: number) => num(count),
  details: 'Progress',
  lines: 'Lines',
  cancel: 'Cancel batch',
  cancelText: (left: number) =>
    `${many(left, '# line has no result yet and', '# lines have no result yet and')} will not be processed. Lines already done are not undone.`,
  cancelWord: 'cancel',
  keepRunning: 'Keep running',
  canceled: 'The batch has been canceled.',
  results: 'Results',
  resultsHint: 'One per line of the manifest, kept for 30 days.',
  resultsLoading: 'Loading results',
  noResults: 'No results yet',
  noResultsText: 'They appear here as lines are worked on.',
  noMatch: 'No line ended like this',
  outcome: 'Outcome',
  outcomes,
  reason: 'Reason',
  reasons,
  wouldBe,
  line: 'Line',
  recordings: 'Recordings',
  onChannel: (recording: string, channel: number) => `${recording}, channel ${num(channel)}`,
  owner: 'Person or fraudster',
  fraudster: 'Fraudster',
  decision: 'Decision',
  message: 'Message',
  session: 'Session',
  goneSession: 'Deleted (result as of the check)',
  resultCount: (count: number) => many(count, '# result', '# results'),
  manifest: 'Manifest',
  manifestHint: (header: string) =>
    `CSV with a header such as ${header}, or JSON lines. To upload recordings from a folder, use “voxgate batch run”.`,
  chooseFile: 'Choose a file',
  chosenFile: (name: string, lines: number) => `${name} (${many(lines, '# line', '# lines')})`,
  chosenCsv: (name: string, lines: number) => `${name} (header and ${many(lines, '# line', '# lines')})`,
  dropHint: 'Or drop it here.',
  tag: 'Tag of the voiceprints',
  tagHint: {
    ENROLL: 'Which voiceprint of a person, if there are several.',
    REGISTER: 'Which voiceprint of a fraudster, if there are several.',
    CHECK: 'Which voiceprint of a person, if there are several.',
  },
  existing: { ENROLL: 'People who are enrolled already', REGISTER: 'Fraudsters who are registered already' },
  existings: { EXISTING_ACTION_SKIP: 'Skip them', EXISTING_ACTION_REPLACE: 'Replace their voiceprints' },
  fraudCheck: 'Look for fraudsters first',
  fraudChecks: {
    FRAUD_CHECK_NONE: 'Do not look',
    FRAUD_CHECK_IGNORE: 'Report it, but enroll anyway',
    FRAUD_CHECK_REFUSE: 'Refuse anyone who sounds like one',
  },
  watchlist: 'Watchlist',
  noWatchlist: 'None',
  attackChecks: 'Attack checks',
  attackChecksMade: { yes: 'Yes', no: 'Left out', never: 'Not part of an enrollment' },
  enrollHint:
    'Enrolling does not look for attacks. Use “Check recordings” first if you do not know where they come from.',
  checkHint:
    'Every recording is compared with it, whoever the line names. Past recordings neither lock a voiceprint nor meet a lock.',
  withoutAttackChecks: 'Leave attack checks out',
  withoutAttackChecksHint:
    'Faster, but synthetic speech and played recordings then pass for the person. Each result says that it was not checked.',
  consented: 'Everybody in the manifest has agreed to a voiceprint',
  consentedHint: 'Needed where the manifest has no consent column. It is recorded for each person.',
  dryRunFirst: 'Dry run first',
  dryRunHint: 'Tells what would happen and changes nothing.',
  startDry: 'Start dry run',
  startNow: 'Start batch',
  isDry: 'This was a dry run: nothing has been changed',
  isDryText: (done: number, others: number) =>
    `${many(done, '# line would be done', '# lines would be done')}, ${many(others, '# would not be done', '# would not be done')}.`,
  nothingToStart: 'Correct the manifest as the results below say, and try again.',
  startReal: 'Start this batch',
  tooFew: (count: number) =>
    `For ${many(count, '# more line', '# more lines')} there are probably too few recordings.`,
  startRealText: {
    ENROLL: (count: number) =>
      `${many(count, '# person gets a voiceprint', '# people get a voiceprint')}, and their consent is recorded. A batch cannot be undone as a whole.`,
    REGISTER: (count: number) =>
      `${many(count, '# fraudster gets a voiceprint', '# fraudsters get a voiceprint')}. A batch cannot be undone as a whole.`,
    CHECK: (count: number) =>
      `${many(count, '# recording is checked', '# recordings are checked')}; each check is part of the audit trail.`,
  },
  draftGone: 'To start it, choose the manifest again under “New batch” and leave out the dry run.',
};
