// English: persons, fraudsters, groups, watchlists and their voiceprints.
import type { LockReasonJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { ConsentStatusJson } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import type { VoiceprintProfileStatusJson } from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { many, num } from '../tools.js';

const consent: Record<ConsentStatusJson, string> = {
  CONSENT_STATUS_UNSPECIFIED: 'Not asked',
  CONSENT_STATUS_OPTED_IN: 'Opted in',
  CONSENT_STATUS_OPTED_OUT: 'Opted out',
};

const states: Record<VoiceprintProfileStatusJson, string> = {
  VOICEPRINT_PROFILE_STATUS_UNSPECIFIED: '–',
  VOICEPRINT_PROFILE_STATUS_NOT_TRAINED: 'Not trained yet',
  VOICEPRINT_PROFILE_STATUS_BASIC_TRAINED: 'Trained',
  VOICEPRINT_PROFILE_STATUS_OPTIMAL_TRAINED: 'Trained with plenty of speech',
};

const lockReasons: Record<LockReasonJson, string> = {
  LOCK_REASON_UNSPECIFIED: '',
  LOCK_REASON_CONSECUTIVE_MISMATCHES: 'Too many failed verifications in a row',
  LOCK_REASON_OTHER: 'Locked manually',
};

export const text = {
  title: 'People and watchlists',
  about:
    'Whose voices are known here, which groups and watchlists they are in, and what may be done with them.',
  lists: 'Lists',
  consent,
  states,
  lockReasons,
  person: {
    title: 'Persons',
    add: 'Add person',
    find: 'Find a person',
    findHint: 'Identifier, name or phone number.',
    loading: 'Loading persons',
    none: 'No persons yet',
    noneText: 'Persons appear here when they are enrolled by your applications or in the voice lab.',
    recordFirst: 'Record the first voice',
    noMatch: 'No matching persons',
    noMatchText: 'Try a shorter part of the identifier or name, or fewer filters.',
    about: 'A person whose voice can be verified.',
    missing: 'There is no such person in this tenant',
    delete: 'Delete person',
    deleteSelected: 'Delete persons',
    addTo: 'Add to group',
    addToMember: 'Add to a group',
    collection: 'Group',
    noCollection: 'There is no group yet.',
    firstCollection: 'There is no group yet. Name the first one.',
    createAndAdd: 'Create group and add',
    identifierOf: 'Person',
    deleteText: (prints: number) =>
      `The person and ${many(prints, '# voiceprint', '# voiceprints')} will be deleted. Sessions and audit records stay, but sessions no longer name the person. This cannot be undone.`,
    deleteManyText: (count: number) =>
      `${many(count, '# person and their voiceprints', '# persons and their voiceprints')} will be deleted. Sessions and audit records stay, but sessions no longer name them. This cannot be undone.`,
    count: (count: number) => many(count, '# person', '# persons'),
  },
  fraudster: {
    title: 'Fraudsters',
    add: 'Add fraudster',
    find: 'Find a fraudster',
    findHint: 'Identifier or name.',
    loading: 'Loading fraudsters',
    none: 'No fraudsters yet',
    noneText: 'Add known fraudsters and their voices, then put them on a watchlist.',
    recordFirst: '',
    noMatch: 'No matching fraudsters',
    noMatchText: 'Try a shorter part of the identifier or name.',
    about: 'A known fraudster.',
    withVoice: 'Calls that are checked against its watchlists are compared with this voice.',
    unlisted:
      'The voiceprint is trained, but the fraudster is on no watchlist: no call is compared with this voice yet.',
    withoutVoice: 'There is no trained voiceprint yet: no call can be compared with this voice.',
    missing: 'There is no such fraudster in this tenant',
    delete: 'Delete fraudster',
    deleteSelected: 'Delete fraudsters',
    addTo: 'Add to watchlist',
    addToMember: 'Add to a watchlist',
    collection: 'Watchlist',
    noCollection: 'There is no watchlist yet.',
    firstCollection: 'There is no watchlist yet. Name the first one.',
    createAndAdd: 'Create watchlist and add',
    identifierOf: 'Fraudster',
    deleteText: (prints: number) =>
      `The fraudster and ${many(prints, '# voiceprint', '# voiceprints')} will be deleted, and this voice raises no alarms any more. Past calls still name the fraudster. This cannot be undone.`,
    deleteManyText: (count: number) =>
      `${many(count, '# fraudster and their voiceprints', '# fraudsters and their voiceprints')} will be deleted, and these voices raise no alarms any more. Past calls still name them. This cannot be undone.`,
    count: (count: number) => many(count, '# fraudster', '# fraudsters'),
  },
  group: {
    title: 'Groups',
    add: 'Add group',
    find: 'Find a group',
    findHint: 'Identifier.',
    loading: 'Loading groups',
    none: 'No groups yet',
    noMatch: 'No matching groups',
    about: 'The people a voice is compared with when you ask who is speaking.',
    delete: 'Delete group',
    deleteText: 'The group will be deleted. Its members and their voiceprints stay.',
    comparesNobody: 'A search in it compares the voice with nobody.',
    removeText: (id: string, from: string) =>
      `Voices are no longer compared with ${id} when they are looked for in ${from}. The person and their voiceprints stay.`,
    removeLast: (from: string) =>
      `Nobody else in ${from} has a trained voiceprint: a search in it will then compare the voice with nobody.`,
    addMember: 'Add person',
    members: (count: number) => many(count, '# person', '# persons'),
    count: (count: number) => many(count, '# group', '# groups'),
  },
  watchlist: {
    title: 'Watchlists',
    add: 'Add watchlist',
    find: 'Find a watchlist',
    findHint: 'Identifier.',
    loading: 'Loading watchlists',
    none: 'No watchlists yet',
    noMatch: 'No matching watchlists',
    about: 'Voices of known fraudsters. A call is checked against them if its application names the list.',
    delete: 'Delete watchlist',
    deleteText:
      'Calls are no longer checked against it. Its members and their voiceprints stay, and past calls still name it.',
    comparesNobody: 'Calls checked against it are compared with nobody.',
    removeText: (id: string, from: string) =>
      `Calls are no longer compared with ${id} when they are checked against ${from}. The fraudster, their voiceprints and past findings stay.`,
    removeLast: (from: string) =>
      `Nobody else on ${from} has a trained voiceprint: calls checked against it will then be compared with nobody.`,
    addMember: 'Add fraudster',
    members: (count: number) => many(count, '# fraudster', '# fraudsters'),
    count: (count: number) => many(count, '# watchlist', '# watchlists'),
  },
  columns: {
    identifier: 'Identifier',
    name: 'Name',
    voiceprints: 'Voiceprints',
    consent: 'Consent',
    added: 'Added',
    members: 'Members',
    voice: 'Voice',
  },
  erased: '(erased)',
  missingText: 'It may have been deleted, or the link may belong to another tenant.',
  order: 'Sort by',
  orders: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    identifier: 'Identifier, A to Z',
    identifierDown: 'Identifier, Z to A',
  },
  anyVoiceprint: 'With or without',
  withVoiceprint: 'With a trained voiceprint',
  withoutVoiceprint: 'Without a trained voiceprint',
  prints: {
    none: 'none',
    trained: (count: number) => many(count, '# trained', '# trained'),
    notTrained: 'not trained',
    locked: 'locked',
  },
  trained: 'Trained',
  noTrained: 'No trained voiceprint',
  identifierHint: 'Chosen by you. Applications use it to refer to this entry.',
  addButton: 'Add',
  added: (id: string) => `${id} added.`,
  removed: (id: string, from: string) => `${id} removed from ${from}.`,
  deleted: (id: string) => `${id} deleted.`,
  deletedMany: (count: number) => many(count, '# entry deleted.', '# entries deleted.'),
  addedMany: (count: number, to: string) =>
    many(count, `# entry added to ${to}.`, `# entries added to ${to}.`),
  alreadyIn: (count: number) => many(count, '# was in it already.', '# were in it already.'),
  bulkConfirm: 'delete',
  andMore: (count: number) => `and ${many(count, '# other', '# others')}`,
  notInSight: (count: number) =>
    many(
      count,
      '# of them is hidden by the current search and filters.',
      '# of them are hidden by the current search and filters.',
    ),
  csvFile: 'people',
  collection: {
    members: 'Members',
    membersOf: (id: string) => `Members of ${id}`,
    none: 'No members yet',
    noneText: 'Add the first one with the button above.',
    try: 'Try it in the lab',
    remove: 'Remove',
    removeOne: (id: string) => `Remove ${id}`,
    removeFrom: (id: string, from: string) => `Remove ${id} from ${from}?`,
    loading: 'Loading members',
    addTitle: (what: string, to: string) => `${what} to ${to}`,
  },
  party: {
    untrainedAbout: 'A person whose voice cannot be verified yet: it takes a trained voiceprint.',
    optedOutAbout: 'A person who has opted out: their voice must not be enrolled or verified.',
    aboutTitle: 'About',
    identifier: 'Identifier',
    systemIdentifier: 'System identifier',
    name: 'Name',
    phone: 'Phone numbers',
    added: 'Added',
    consentTitle: 'Consent',
    since: (time: string) => `since ${time}`,
    reason: (reason: string) => `Reason: ${reason}`,
    askAgain: (time: string) => `May be asked again from ${time}`,
    optIn: 'Opt in',
    optOut: 'Opt out',
    erase: 'Erase personal data',
    voiceprints: 'Voiceprints',
    loadingVoiceprints: 'Loading voiceprints',
    noVoiceprint: 'No voiceprint yet',
    noVoiceprintText: 'A voiceprint is made from a few recordings of speech.',
    optedOutText: 'This person has opted out: none can be created until they opt in.',
    begin: 'Create a voiceprint',
    verify: 'Verify in the voice lab',
    sessions: 'Recent sessions',
  },
  optIn: {
    title: (id: string) => `Opt in ${id}`,
    intro: 'By opting in, the person agrees that this organization may:',
    items: [
      'record their voice and make a voiceprint from it;',
      'compare their voice with that voiceprint to verify who is calling;',
      'check recordings for synthetic speech, playback and known fraudsters;',
      'keep the voiceprint until they opt out or are deleted.',
    ],
    objected: (time: string, reason: string) =>
      `This person opted out on ${time}${reason ? `, for this reason: ${reason}` : ''}.`,
    notBefore: (time: string) =>
      `They may be asked again only from ${time}. Opt them in before that only if they have asked for it themselves.`,
    confirm: 'The person has been told this and has agreed',
    done: (id: string) => `${id} has opted in.`,
  },
  optOut: {
    title: (id: string) => `Opt out ${id}`,
    losesAll: (prints: number, recordings: number) =>
      `${many(prints, '# voiceprint', '# voiceprints')} of this person, made from ${many(recordings, '# recording', '# recordings')}, will be deleted now. This cannot be undone.`,
    losesNothing: 'This person has no voiceprint, so nothing is deleted.',
    text: 'Voice biometrics will no longer be used for this person. Enrollment and verification are refused until they opt in again.',
    reason: 'Reason',
    days: 'Days until they may be asked again',
    daysRange: (most: number) => `Enter a whole number from 1 to ${num(most)}, or nothing.`,
    done: (id: string) => `${id} has opted out.`,
    already: (time: string, reason: string) =>
      `This person opted out already, on ${time}${reason ? `, for this reason: ${reason}` : ', without a reason'}. That stands, and their voiceprints were deleted then. Nothing was changed now.`,
  },
  erase: {
    title: (id: string) => `Erase the personal data of ${id}`,
    text: 'Voiceprints, names and everything else that identifies this person is destroyed, in old records too. This cannot be undone.',
    counting: 'Counting what goes and what is kept',
    goes: (count: number, kept: number) =>
      `${many(count, '# recording', '# recordings')} will be deleted, ${num(kept)} kept.`,
    kept: {
      asFraud: (count: number) =>
        `${many(count, '# recording is', '# recordings are')} kept as evidence of fraud, until the outcome changes.`,
      sessions: (count: number) =>
        `${many(count, '# session with the outcome Fraud is', '# sessions with the outcome Fraud are')} kept with decisions and scores.`,
      onHold: (count: number) =>
        `${many(count, '# recording is', '# recordings are')} on hold, until the hold ends.`,
      withFraudster: (count: number) =>
        `${many(count, '# recording is', '# recordings are')} kept because of a known fraudster, until the outcome Genuine is recorded or the voiceprint made from it deleted.`,
      forOthers: (count: number) =>
        `${many(count, '# recording is', '# recordings are')} kept because somebody else is or may be heard, without this person’s name and scores.`,
    },
    texts: (count: number) =>
      `${many(count, '# session that stays has', '# sessions that stay have')} notes, reasons or custom data. Read them and remove what names this person: {sessions}`,
    done: (id: string) => `The personal data of ${id} has been erased.`,
    begun: (id: string) => `The personal data of ${id} is being erased; the audit says when that is done.`,
    erased: 'The personal data of this person was erased',
    erasedOn: (time: string) => `Erased ${time}.`,
    running: 'It is still being erased.',
  },
  stay: {
    text: (days: number) =>
      days > 0
        ? `Recordings of this voice stay in their sessions until they are ${many(days, '# day', '# days')} old, or longer on legal hold.`
        : 'Recordings of this voice stay in their sessions until their retention period is over.',
    erase:
      '“Erase personal data” deletes them now, with everything else that identifies the person. This also works after the person was deleted.',
    eraseInstead: 'Erase personal data instead',
    keptForPrint:
      'A recording of an erased person that was only kept for this voiceprint is deleted at once.',
  },
  rest: {
    text: 'Recordings of a person who was deleted stay in their sessions until their retention period is over. They can be erased before that.',
    action: 'Erase what is left',
    title: 'Erase what is left of this person',
    word: 'erase',
    nothing: 'Nothing is left of this person here: there is nothing to erase.',
    done: 'What was left of this person has been erased.',
    begun: 'What is left of this person is being erased; the audit says when that is done.',
  },
  profile: {
    title: (tag: string) => `Voiceprint “${tag}”`,
    titlePlain: 'Voiceprint',
    loading: 'Loading the voiceprint',
    addRecording: 'Add a recording',
    record: 'Record',
    train: 'Train',
    lock: 'Lock',
    unlock: 'Unlock',
    keepLocked: 'Keep locked',
    delete: 'Delete voiceprint',
    deleteText: (owner: string, tag: string, recordings: number) =>
      `The voiceprint “${tag}” of ${owner}, made from ${many(recordings, '# recording', '# recordings')}, will be deleted. This cannot be undone.`,
    deleteLast: (owner: string) => `${owner} can then no longer be recognized by voice.`,
    deleteOthers: (owner: string, others: number) =>
      many(
        others,
        `# other voiceprint of ${owner} stays, and calls can still be compared with it.`,
        `# other voiceprints of ${owner} stay, and calls can still be compared with them.`,
      ),
    /** Of a fraudster. */
    deleteFindings:
      'Calls in which this voice was recognized still name the fraudster, even if that was found later.',
    deleted: 'Voiceprint deleted; its recordings stay in their sessions.',
    deletedOfFraudster:
      'Voiceprint deleted; its recordings stay in their sessions, except those of erased persons that were only kept for it.',
    unlocked: 'Voiceprint unlocked.',
    locked: 'Voiceprint locked.',
    state: 'State',
    lockLabel: 'Lock',
    lockedBadge: 'Locked',
    open: 'Unlocked',
    opensAt: (time: string) => `, unlocks ${time}`,
    mismatches: (count: number) =>
      many(count, ', # failed verification in a row', ', # failed verifications in a row'),
    canTrain: 'There is enough to train the voiceprint now. More recordings make it better.',
    needs: (wanted: number, there: number) =>
      `A voiceprint is trained from at least ${many(wanted, '# recording', '# recordings')}: ${num(there)} so far.`,
    trainedAt: 'Trained',
    calibration: 'Calibration',
    lockTitle: 'Lock the voiceprint',
    lockText:
      'Verification with the voiceprint “{tag}” of {owner} is refused until it is unlocked. Nothing is deleted.',
    lockOthers:
      'Only this one is locked: calls can still be compared with other voiceprints of the same owner.',
    lockReason: 'Reason',
  },
  segments: {
    caption: 'Recordings of this voiceprint',
    loading: 'Loading recordings',
    none: 'No recordings yet.',
    recording: 'Recording',
    nth: (number: number) => `recording ${num(number)}`,
    /** `{session}` is a link. */
    source: 'from session {session}',
    speech: 'Speech',
    seconds: (value: number) => `${num(value, 1)} s`,
    snr: 'Signal-to-noise ratio',
    consistent: 'Sounds like the others',
    used: 'Used for training',
    remove: 'Remove',
    removeOne: (which: string) => `Remove ${which}`,
    removeTitle: (which: string) => `Remove ${which}?`,
    removeText:
      'The recording will no longer be part of the voiceprint. Train the voiceprint again afterwards. This cannot be undone.',
    removeAction: 'Remove recording',
    removed: 'Recording removed.',
    word: 'remove',
  },
  fraudsterCalls: {
    title: 'Calls in which this voice was found',
    none: 'No check has found this voice in a call yet.',
  },
  listedVoice: {
    title: 'This voice is already on the list as {fraudster}.',
    hint: 'Add the recordings to the existing entry, or add a second one if these are two people.',
    addTo: (name: string) => `Add the recordings to ${name}`,
    addAnyway: 'Add as a second entry',
  },
  watchlistField: {
    label: 'Watchlist',
    choose: 'Choose…',
    none: 'There is no watchlist yet. Name the first one.',
    create: 'Create watchlist',
  },
};
