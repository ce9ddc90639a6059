// English: sessions, their timelines and the audit trail.
import { many, num } from '../tools.js';

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
    person: 'Person',
    fraudster: 'Recognized fraudster',
    trial: 'This is a trial, from the voice lab or the command line. It is not counted in any rate.',
    /** What to do, by what all checks together say. */
    verdict: {
      refused: {
        title: 'Verification was refused, because the voiceprint is locked',
        next: 'The voice was not compared. Listen to the recording, and unlock the voiceprint only when its owner has confirmed the call.',
        nextUnheard:
          'The voice was not compared. Ask a fraud analyst to listen to the recording: the voiceprint should be unlocked only when its owner has confirmed the call.',
      },
      erased: {
        title: 'The personal data of this call was erased',
        next: 'Who called and the scores of the checks are no longer known. The decisions below are kept for the record only.',
      },
      notChecked: {
        title: 'The voice matches, but attack checks were not made',
        next: 'Whether a live person spoke is not known. Check the recording for attacks before you rely on the match.',
        nextUnkept:
          'Whether a live person spoke is not known, and there is no recording to check. Confirm who it was in another way.',
      },
      clearNotChecked: {
        title: 'No known fraudster was recognized, but attack checks were not made',
        next: 'Whether a live person spoke is not known. Check the recording for attacks before you rely on it.',
        nextUnkept:
          'Whether a live person spoke is not known, and there is no recording to check. Confirm who it was in another way.',
      },
      checkUncertain: {
        title: 'The voice matches, but an attack check could not decide',
        next: 'Whether a live person spoke is not known. Listen to the recording, and confirm who it is in another way.',
        nextUnkept: 'Whether a live person spoke is not known. Confirm who it is in another way.',
      },
      /** It matches elsewhere in the same session. */
      mismatch: {
        inRecordings: (recordings: string) => `The voice matches, but not in ${recordings.toLowerCase()}`,
        sinceThen: 'The voice matched at first, and no longer does',
        otherPrint: 'The voice matches one voiceprint, and not another one it was compared with',
        next: 'More than one person may have spoken. Listen to the recordings, and confirm who it is in another way.',
        nextUnkept: 'More than one person may have spoken. Confirm who it is in another way.',
      },
      listUncertain: {
        title: 'The voice matches, but a watchlist check could not decide',
        next: 'Whether a known fraudster spoke is not known. Listen to the recording, and check it against the watchlist again.',
        nextUnheard:
          'Whether a known fraudster spoke is not known. Ask a fraud analyst to check the call against the watchlist again.',
        nextUnkept: 'Whether a known fraudster spoke is not known. Confirm who it is in another way.',
      },
      matchCutOff: {
        title: 'The voice matched until listening was cut off',
        next: 'What was said after that was not checked. If the call goes on, verify the caller again.',
      },
      /** Nobody on the watchlist has this voice. */
      notListed: {
        title: (checks: string) =>
          `Not a known fraudster, but an attack check could not decide: ${checks.toLowerCase()}`,
        next: 'Whether a live person spoke is not known. Listen to the recording, and confirm who it is in another way.',
        nextUnkept: 'Whether a live person spoke is not known. Confirm who it is in another way.',
      },
      clearInPart: {
        title: (checks: string) =>
          `Nothing suspicious was found, but not every check could decide: ${checks.toLowerCase()}`,
        next: 'Treat the call as not checked for that. Listen to the recording, and confirm who it is in another way.',
        nextUnkept: 'Treat the call as not checked for that, and confirm who it is in another way.',
      },
      clearCutOff: {
        title: 'Nothing suspicious was found until listening was cut off',
        next: 'What was said after listening was cut off was not checked. If the call goes on, check it again.',
      },
      /** Beside the names of attacks. */
      listCheck: 'Known fraudsters',
      comparison: 'Voice comparison',
      fraudster: { title: 'The voice of a known fraudster was recognized' },
      otherVoice: { title: 'The voice is clearly not that of the claimed person' },
      fraudsterLater: {
        title: 'A known fraudster was found in this call later',
        next: 'The session was decided before that. Listen to the recording, and record the outcome.',
        nextUnheard:
          'The session was decided before that. Ask a fraud analyst to listen to the recording and to record the outcome.',
      },
      attackLater: {
        title: (attacks: string) =>
          `Signs of an attack were found in this call later: ${attacks.toLowerCase()}`,
        next: 'The session was decided before that. Listen to the recording, and record the outcome.',
        nextUnheard:
          'The session was decided before that. Ask a fraud analyst to listen to the recording and to record the outcome.',
      },
    },
    /** Which check has decided, and why. `where` names a recording, or is empty. */
    decidedBy: {
      comparison: (seconds: number) =>
        `Decided by the voice comparison: ${num(seconds, 1)} s of speech were compared.`,
      mostSpeech: (count: number, seconds: number, where: string, next: number) =>
        `Of ${num(count)} voice comparisons, the one that compared the most speech decides: ${num(seconds, 1)} s${where ? ` in ${where.toLowerCase()}` : ''}; no other compared more than ${num(next, 1)} s.`,
      latest: (count: number, seconds: number, where: string) =>
        `Of ${num(count)} voice comparisons, the latest${where ? `, in ${where.toLowerCase()},` : ''} decides, because none compared more speech than its ${num(seconds, 1)} s.`,
      matchEndsEarly:
        'A comparison ends as soon as a match is clear, so a long recording may count with only a few seconds.',
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
    cutOffBadge: 'Cut off',
    erased: 'Data erased',
    alsoNoMatch: 'Also no match',
    notCheckedForAttacks: 'Not checked for attacks',
    circumstances: 'Call details',
    channel: 'Channel',
    purpose: 'Purpose',
    started: 'Started',
    from: 'Calling from',
    claims: 'Claims to be',
    verified: 'Compared with',
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
    details: 'Details',
    voiceprint: 'Voiceprint',
    recording: 'Recording',
    configset: 'Config set revision',
    calibration: 'Calibration revision',
    request: 'Request',
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
    seconds: (seconds: number) => `${num(seconds, 1)} s`,
    attacks: 'Attack checks',
    notChecked: 'Not checked',
    notCheckedText:
      'The application only compared the voice. Computer-generated speech and recordings can pass, too.',
    notCheckedNext:
      'Check this recording now. To have every call checked, have the application call AnalyzeAudio, or DetectAudioSpoofing as well as Verify.',
    notCheckedOther:
      'Do not rely on the comparison alone. To have every call checked, have the application call AnalyzeAudio, or DetectAudioSpoofing as well as Verify.',
    checkNow: 'Check for attacks',
    checkedBadge: 'Checked now',
    checkedNow: 'Checked just now, see above. The decision of the session stays as it is.',
    /** Beside a match, where the session as a whole says otherwise. */
    doNotRely: 'Do not rely on it: see the result above.',
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
    what: 'What was it?',
    why: 'Why',
    loss: 'Loss',
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
