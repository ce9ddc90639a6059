// English: sessions, their timelines and the audit trail.
import { many, num } from '../tools.js';
import { verdict } from './session-verdict.js';

export const text = {
  title: 'Sessions and audit',
  about: 'Every interaction and every decision in this tenant, as it happens.',
  tabs: { label: 'What to see', sessions: 'Sessions', audit: 'Audit trail', system: 'Installation audit' },
  list: {
    caption: 'Sessions',
    find: 'Find a session',
    findHint:
      'Reference, phone number, person, case or words of a note. A system identifier opens with Enter.',
    caseNumber: 'Case number',
    ofCase: (number: string) => `All sessions of case ${number}`,
    ofFraudster: 'Only sessions in which {fraudster} was found.',
    state: 'State',
    open: 'Open',
    over: 'Ended',
    decision: 'Decision',
    loading: 'Loading sessions',
    none: 'No sessions yet',
    noneText: 'A session is one interaction with a caller. It appears here as soon as it starts.',
    start: 'Start one in the voice lab',
    noMatch: 'No matching sessions',
    noMatchText: 'Try fewer filters.',
    session: 'Session',
    started: 'Started',
    channel: 'Channel',
    person: 'Person',
    role: 'Known how',
    /** The voice matched somebody's, who is not known any more. */
    gonePerson: 'A person who has been deleted',
    roles: {
      claimed: 'claimed',
      /** Beside somebody else, whom the voice was compared with. */
      claimedUnlike: 'claimed, does not match',
      claimedToo: 'claimed, matches as well',
      matched: 'voice matches',
      SESSION_PERSON_ROLE_UNSPECIFIED: '',
      SESSION_PERSON_ROLE_VERIFIED: 'compared with the voiceprint',
      SESSION_PERSON_ROLE_RECOGNIZED: 'recognized',
      SESSION_PERSON_ROLE_ENROLLED: 'enrolled',
    },
    show: 'Show',
    calls: 'Calls and trials',
    callsOnly: 'Calls only',
    trials: 'Trials only',
    consoleWork: 'Console work',
    everything: 'Everything',
    from: 'Calling from',
    checks: 'Checks',
    recognizedFraudster: 'recognized fraudster',
    enrolledFraudster: 'fraudster enrolled',
    foundAfter: 'found after the call',
    sameVoice: 'fraudster with this voice',
    findings: 'Findings',
    isTrial: 'yes',
    outcome: 'Outcome and case',
    refreshed: (seconds: number) => `Updates every ${num(seconds)} s`,
    held: 'Not updated while sessions are selected',
    exportSelected: 'Export selected as CSV',
    count: (count: number) => many(count, '# session', '# sessions'),
  },
  session: {
    title: (id: string) => `Session ${id}`,
    about: 'Who called, who matched, what was heard, and what to do next.',
    result: 'Result',
    nothingDecided: 'Nothing has been decided yet',
    enrolledAlone: (count: number) =>
      `${many(count, '# recording was', '# recordings were')} added to a voiceprint. Nothing was compared.`,
    person: 'Person',
    fraudster: 'Recognized fraudster',
    trial: 'This is a trial, from the voice lab or the command line. It is not counted in any rate.',
    verdict,
    /** Which check has decided, and why. `where` names a recording, or is empty. */
    decidedBy: {
      comparison: (seconds: number) =>
        `Decided by the voice comparison: ${num(seconds, 1)} s of speech were compared.`,
      mostSpeech: (count: number, seconds: number, where: string, next: number) =>
        `Of ${num(count)} voice comparisons, the one that compared the most speech decides: ${num(seconds, 1)} s${where ? ` in ${where.toLowerCase()}` : ''}; no other compared more than ${num(next, 1)} s.`,
      latest: (count: number, seconds: number, where: string) =>
        `Of ${num(count)} voice comparisons, the latest${where ? `, in ${where.toLowerCase()},` : ''} decides, because none compared more speech than its ${num(seconds, 1)} s.`,
      matchEndsEarly:
        'A comparison ends as soon as a match is clear, so a long recording or call may count with only a few seconds.',
      alarm: (check: string, seconds: number) =>
        `Decided by an alarm, which outweighs every match: ${check.toLowerCase()}, ${num(seconds, 1)} s of speech checked.`,
      clear: (check: string, seconds: number) =>
        `Decided by the check with the highest risk of those that found nothing: ${check.toLowerCase()}, ${num(seconds, 1)} s of speech checked.`,
      open: (check: string, seconds: number) =>
        `Left open by a check that could not judge this audio: ${check.toLowerCase()}, ${num(seconds, 1)} s of speech checked.`,
      earlier: 'Decided by a check in an earlier session of the same engagement.',
    },
    foundLater: 'Found later',
    putOnList: 'Put on a watchlist',
    caller: 'Caller',
    later: 'checked later',
    /** Who was found after the call: `{fraudster}` and `{watchlist}` are links. */
    foundOn: (time: string) => `{fraudster}, on ${time}, watchlist {watchlist}`,
    foundBySearch: (time: string) => `{fraudster}, on ${time}, in a {search}; on watchlist {watchlist}`,
    foundBySearchUnlisted: (time: string) => `{fraudster}, on ${time}, in a {search}; on no watchlist now`,
    search: 'search through stored calls',
    addedOn: 'Put on watchlist {watchlist} as {fraudster}',
    addedAlone: 'Recordings added to {fraudster}',
    doneLater: 'done later',
    foundAlone: (time: string) => `{fraudster}, on ${time}`,
    foundAttack: (attack: string, time: string) => `${attack}, on ${time}`,
    madeIn: 'In session {session}',
    caseNumber: 'Case number',
    note: 'Note',
    loading: 'Loading the session',
    record: 'Record outcome',
    outcome: 'Outcome',
    risk: 'Risk',
    state: 'State',
    open: 'Open',
    over: (time: string) => `Ended ${time}`,
    cutOff: (time: string, why: string) => `Not listened to since ${time}: ${why}`,
    waiting: (time: string) => `Connection lost ${time}, waiting for it to come back`,
    cutOffBadge: 'Cut off',
    erased: 'Data erased',
    keptAsFraud: 'Kept as evidence of fraud. The personal data of a person in this session was erased.',
    keptWithFraudster:
      'Recordings of this engagement are kept because a known fraudster was recognized. The personal data of a person in it was erased.',
    keptOnHold: (count: number) =>
      `${many(count, '# recording is', '# recordings are')} kept on legal hold. The personal data of the person was erased.`,
    alsoNoMatch: 'Also no match',
    secondVoice: 'Another voice',
    /** Where in the call somebody else, or a known fraudster, was heard. */
    stretch: (from: number, to: number) => `heard from ${num(from, 1)} to ${num(to, 1)} s`,
    notCheckedForAttacks: 'Not checked for attacks',
    listNotCompared: 'Watchlist not compared',
    checkMissing: (check: string) => `${check} not checked`,
    oneCheckMissing: 'One kind of attack not checked',
    otherPerson: 'Another person compared',
    circumstances: 'Call details',
    channel: 'Channel',
    purpose: 'Purpose',
    started: 'Started',
    from: 'Calling from',
    claims: 'Claims to be',
    verified: 'Compared with',
    matched: 'Voice matches',
    recognized: 'Recognized as',
    enrolled: 'Voice enrolled for',
    enrolledFraudster: 'Voice enrolled for fraudster',
    identifier: 'Identifier',
    why: 'Reason for the outcome',
    timeline: 'Timeline',
    timelineHint: 'Filled dots are checks that count towards the decision.',
    nothing: 'Nothing has happened yet',
    nothingText: 'Events appear here as they happen.',
    by: (who: string) => `By ${who}`,
    speech: (seconds: number) => `${num(seconds, 1)} s of speech`,
    score: (score: string, words: string) => `score ${score}: ${words}`,
    counts: 'counts towards the decision',
    /** Of a live call: judged again since, on more speech. */
    superseded: 'judged again later',
    details: 'Details',
    voiceprint: 'Voiceprint',
    recording: 'Recording',
    configset: 'Config set revision',
    calibration: 'Calibration revision',
    request: 'Request',
  },
  /** A session that only holds recordings for others. */
  upload: {
    badge: 'Upload',
    title: 'Recordings uploaded',
    /** `{batch}` is a link. */
    forBatch: 'Recordings uploaded for {batch}',
    batch: (id: string) => `batch ${id}`,
    text: 'This is no call, and nothing is decided here. What was found in the recordings is on the pages of the sessions that heard them.',
    unheard: 'This is no call, and nothing is decided here. No session has heard the recordings yet.',
    /** `{batch}` is a link. */
    givenUp: 'Begun for {batch}, which was cancelled',
    givenUpText:
      'This is no call. Nothing was checked here before the batch was cancelled, and nothing is decided.',
    recordings: 'Recordings',
    heardIn: 'Heard in',
    more: (count: number) => `and ${num(count)} more`,
    ofBatch: 'Line of',
  },
  heard: {
    title: 'What was heard',
    recording: (number: number) => `Recording ${num(number)}`,
    hint: 'Listen to it, and see what each check found.',
    hintUnheard: 'See what each check found.',
    none: 'No check has been made yet',
    noneText: 'Recordings and their checks appear here as soon as a voice is checked.',
    noRecording:
      'There is no recording: calls that are listened to live are not kept, others may have been deleted.',
    enrolledFor: 'Enrolled for',
    speech: 'Speech',
    place: 'Where',
    judgedAt: 'Judged at',
    listenedTo: 'Listened to',
    noSpeech: 'none was heard',
    seconds: (seconds: number) => `${num(seconds, 1)} s`,
    attacks: 'Attack checks',
    notChecked: 'Not checked',
    notCheckedText:
      'The application did not ask for attack checks. Computer-generated speech and recordings can pass a comparison, too.',
    /** One of the attack checks was made. */
    missingText: (check: string) => `The application did not ask for this check: ${check.toLowerCase()}.`,
    missingNext:
      'Check this recording now. To have every call checked, have the application ask for both attack checks.',
    missingOther:
      'Do not rely on the other check alone. To have every call checked, have the application ask for both attack checks.',
    notCheckedNext:
      'Check this recording now. To have every call checked, have the application call AnalyzeAudio, or DetectAudioSpoofing as well as Verify.',
    notCheckedOther:
      'Do not rely on the comparison alone. To have every call checked, have the application call AnalyzeAudio, or DetectAudioSpoofing as well as Verify.',
    checkNow: 'Check for attacks',
    checkedBadge: 'Checked now',
    checkedNow: 'Checked just now, see above. The decision of the session stays as it is.',
    /** Beside a match, where the session as a whole says otherwise. */
    doNotRely: 'Do not rely on it: see the result above.',
    /** Beside a check that found nothing, where the session as a whole is not clear. */
    seeResult: 'What all checks say together is in the result above.',
    comparedWith: 'Compared with',
    matched: 'Matched',
    nearest: 'Closest match',
    watchlist: 'Watchlist',
    group: 'Group',
    evidence: 'Evidence',
  },
  next: {
    title: 'Next steps',
    hint: 'Each step is written to the audit trail under your name.',
    watchlist: 'Add caller to a watchlist',
    watchlistText:
      'The caller becomes a new fraudster, with a voiceprint that calls can be checked against. If the recordings are not good enough for one, nothing is made.',
    recordings: 'Recordings of the caller',
    recordingsHint: (seconds: number) =>
      `Choose those in which the fraudster speaks; you can listen to them under “What was heard”. Together they need about ${num(seconds)} s of speech.`,
    choice: (number: number, time: string, seconds: number, decisions: string) =>
      `Recording ${num(number)}, ${time}, at least ${num(seconds, 1)} s of speech: ${decisions}`,
    fraudster: 'Name of the fraudster',
    fraudsterHint: 'Such as the case number. It must be a new name.',
    add: 'Add to watchlist',
    added: (id: string, used: number, leftOut: number) =>
      `${id} is on the watchlist, with a voiceprint made from ${many(used, '# recording', '# recordings')}.${
        leftOut === 0 ? '' : ` ${many(leftOut, '# recording was', '# recordings were')} not good enough.`
      }`,
    toKnown: 'Add to a known fraudster',
    toKnownText:
      'The recordings become part of the fraudster’s voiceprint, which then recognizes the voice better. If they do not sound like the same voice, nothing is changed.',
    recordingsHintKnown: (seconds: number) =>
      `Choose those in which the fraudster speaks; you can listen to them under “What was heard”. Each needs at least ${num(seconds)} s of speech.`,
    addToKnown: 'Add recordings',
    addedToKnown: (id: string, used: number, leftOut: number) =>
      `The voiceprint of ${id} now has ${many(used, '# recording', '# recordings')}.${
        leftOut === 0 ? '' : ` ${many(leftOut, '# recording was', '# recordings were')} not good enough.`
      }`,
    unusable: (recording: string, why: string) => `${recording}: ${why}. Nothing was changed.`,
    noPrint: (why: string) => `${why}. Nothing was changed.`,
    noRecording:
      'There is no recording that could be checked against a watchlist, or made into the voiceprint of a fraudster.',
    goneVoiceprint: 'The voiceprint has been deleted, so there is nothing to lock.',
    noVoiceprint: 'No voice was verified here, so there is no voiceprint to lock.',
    lock: 'Lock the voiceprint',
    note: 'Note and case number',
    noteLabel: 'Note',
    caseNumber: 'Case number',
    save: 'Save',
    noteSaved: 'Note saved.',
    lockAgain: 'Change the reason for the lock',
    isLocked: 'The voiceprint of {owner} is locked',
    lockedBecause: (reason: string, time: string) => `${reason}. Locked ${time}`,
    opensBy: (time: string) => `It unlocks ${time}, unless you lock it yourself.`,
    isAdded: 'Added to the watchlist as {fraudster}.',
  },
  check: {
    title: 'Check against a watchlist',
    action: 'Check now',
    openText:
      'Is this the voice of a known fraudster? The call is still open: the answer counts towards its decision.',
    overText:
      'Is this the voice of a known fraudster? The call has ended: its decision stays as it is. The answer is kept on the page of the call and in the audit trail, and the call is listed with the fraudster who is found.',
    recording: 'Recording',
    recordingHint: (seconds: number) => `A check needs at least ${num(seconds, 1)} s of speech.`,
    answer: 'Answer',
    addTo: (id: string) => `Add the recording to ${id}`,
    onlyList:
      'Only the watchlist was checked here. What all checks say together is on the page of the session.',
  },
  history: {
    person: (id: string) => `Other sessions of ${id}`,
    number: (ani: string) => `Other calls from ${ani}`,
    ofCase: (number: string) => `Other sessions of case ${number}`,
    fraudster: (id: string) => `Other calls of ${id}`,
    none: 'None.',
    all: 'Show all',
    withTrials: 'Show trials, too',
    callsOnly: 'Hide trials',
  },
  outcome: {
    title: 'Record the outcome of this engagement',
    titleMany: (count: number) =>
      many(count, 'Record the outcome of # session', 'Record one outcome for # sessions'),
    replaces: (count: number) =>
      many(
        count,
        '# of them already has an outcome. It is replaced, with its reason.',
        '# of them already have an outcome. They are replaced, with their reasons.',
      ),
    holdsFor: (count: number) =>
      `The outcome holds for the whole engagement: ${num(count)} sessions, whoever was claimed in each of them.`,
    holdsForAll:
      'An outcome holds for every session of its engagement, also for those that are not selected.',
    soFar: (outcome: string) => `Recorded so far: ${outcome}.`,
    recordedBy: (who: string, time: string) => `By ${who}, ${time}.`,
    reasonSoFar: 'Reason:',
    isReplaced: 'It is replaced, with its reason.',
    erases: {
      genuine:
        'The personal data of a person in this engagement was erased, and the rest is only kept as evidence of fraud. With this outcome the recordings and scores of that person are deleted at once, except recordings on legal hold and those in which another person was recognized. This cannot be undone.',
      otherwise:
        'The personal data of a person in this engagement was erased, and the rest is only kept as evidence of fraud. With this outcome the recordings and scores of that person are deleted at once, except recordings on legal hold and those in which another person or a known fraudster was recognized. This cannot be undone.',
    },
    mayErase: {
      genuine:
        'Where the personal data of a person was erased and the rest is only kept as evidence of fraud, the recordings and scores of that person are deleted at once with this outcome, except recordings on legal hold and those in which another person was recognized. This cannot be undone.',
      otherwise:
        'Where the personal data of a person was erased and the rest is only kept as evidence of fraud, the recordings and scores of that person are deleted at once with this outcome, except recordings on legal hold and those in which another person or a known fraudster was recognized. This cannot be undone.',
    },
    what: 'What was it?',
    why: 'Why',
    loss: 'Loss',
    lossOfEach: 'Loss of each engagement',
    lossOfEachHint:
      'Recorded with every engagement, not shared among them: sessions of one engagement count once.',
    lossHint: 'In the currency your tenant reports in. Whole numbers only, such as 1200.',
    lossNotWhole: 'Enter a whole number, such as 1200.',
    save: 'Record outcome',
    saved: 'Outcome recorded.',
    savedMany: (count: number) =>
      many(count, 'Outcome recorded for # session.', 'Outcome recorded for # sessions.'),
    leftAsTheyWere: (count: number, names: string) =>
      many(
        count,
        `# session was left as it was, because somebody else has recorded its outcome in the meantime: ${names}. The list shows it. The session is still selected.`,
        `# sessions were left as they were, because somebody else has recorded their outcome in the meantime: ${names}. The list shows it. They are still selected.`,
      ),
  },
  audit: {
    caption: 'Audit records, newest first',
    dataErased: 'Personal data erased',
    formerPrint: '(voiceprint since deleted)',
    find: 'Find a record',
    findHint: 'The name of a user, an application, a person or a list, or any text inside the record.',
    kind: 'Kind',
    verify: 'Verify the chain',
    verifyFailed: 'The chain could not be checked',
    intact: (count: number) => `The chain is intact: ${many(count, '# record', '# records')} checked`,
    newest: 'Newest hash {hash}',
    broken: (sequence: string) => `The chain is broken at record ${sequence}`,
    loading: 'Loading records',
    none: 'No records yet',
    noneText: 'Everything that is done in this tenant leaves a record here.',
    noMatch: 'No matching records',
    noMatchText: 'Try a shorter search or another kind.',
    number: 'No.',
    time: 'Time',
    what: 'What happened',
    by: 'By',
    session: 'Session',
    object: 'Object',
    objects: {
      RECORD_TYPE_SESSION_EVENT: 'session',
      RECORD_TYPE_SCOPE_EVENT: 'tenant and settings',
      RECORD_TYPE_ENGAGEMENT_EVENT: 'engagement',
      RECORD_TYPE_MEDIA_EVENT: 'recording',
      RECORD_TYPE_AUDIO_EVENT: 'speech',
      RECORD_TYPE_ANTI_SPOOFING_AUDIT_INFO_EVENT: 'speech',
      RECORD_TYPE_CALIBRATION_EVENT: 'calibration',
      RECORD_TYPE_JOBS_EVENT: 'job',
    } as Readonly<Record<string, string>>,
    configset: (name: string) => `config set ${name}`,
    webhook: (host: string) => `webhook to ${host}`,
    batch: 'batch',
    systemAbout:
      'What concerns the whole installation: sign-ins, users, applications, clients, secrets and keys.',
    systemCaption: 'Records of the installation, newest first',
    systemFindHint: 'A user name, an identifier or an operation, such as user.sign-in.',
    details: 'Details',
    personal: 'Personal values',
    masked: 'stored separately, not shown here',
    erased: 'erased',
    noDetails: 'Nothing further was recorded.',
    yes: 'yes',
    no: 'no',
    record: 'Record',
    recordLabel: (sequence: string) => `Record ${sequence}`,
    hash: (hash: string) => `hash ${hash}`,
    count: (count: number) => many(count, '# record', '# records'),
  },
};
