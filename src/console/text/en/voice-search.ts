// English: voice search, in stored calls.
import { many, num } from '../tools.js';

export const text = {
  title: 'Voice search',
  about: 'Search the calls of the past days for a voice. The audit trail keeps each search under your name.',
  notAllowed: 'Searching stored calls is switched off for this tenant',
  notAllowedText:
    'An owner of the tenant or an administrator can switch it on, if the law allows it: it compares the voices of all callers.',
  notAllowedYours:
    'Switch it on under {settings}, if the law allows it: it compares the voices of all callers.',
  days: 'Days to search back',
  daysHint: 'Leave empty for as many as the config set allows.',
  search: 'Search stored calls',
  result: 'Result',
  none: 'Not heard in any stored call',
  found: (count: number) => many(count, 'Heard in # call.', 'Heard in # calls.'),
  foundCaption: 'Calls in which the voice was heard, closest match first',
  searched: (count: number, since: string) =>
    many(count, `# recording since ${since} was compared.`, `# recordings since ${since} were compared.`),
  otherModel: (count: number) =>
    many(
      count,
      '# was processed by another speaker model and could not be compared.',
      '# were processed by another speaker model and could not be compared.',
    ),
  unreadable: (count: number) =>
    many(count, 'The stored voice of # is damaged.', 'The stored voices of # are damaged.'),
  liveCalls: (count: number) =>
    many(
      count,
      '# live call could not be searched: nothing of its voice is kept.',
      '# live calls could not be searched: nothing of their voices is kept.',
    ),
  partial: 'There are more recordings; the newest were compared.',
  columns: {
    time: 'Time',
    session: 'Session',
    claimed: 'Person',
    gone: 'Deleted',
    speech: 'Speech',
    evidence: 'Evidence',
    byChance: 'Expected by chance',
    actions: 'Actions',
  },
  byChanceText:
    '“Expected by chance”: how many would sound this similar if all were of other people. Listen before you act.',
  seconds: (seconds: number) => `${num(seconds, 1)} s`,
  count: (count: number) => num(count),
  lessThan: (value: string) => `less than ${value}`,
  listen: 'Listen',
  listenTo: (time: string) => `Listen to the call of ${time}`,
  recording: 'Recording',
  fraudster: {
    tab: 'Calls of a fraudster',
    title: 'Find the calls of a fraudster',
    hint: 'Which of the stored calls were theirs, and under which names',
    label: 'Fraudster',
    unknown: 'There is no fraudster with this name. Choose one from the list.',
    noPrint:
      'This fraudster has no trained voiceprint, so there is no voice to look for. Add recordings on the fraudster’s page first.',
    ofVoice: 'Stored calls with this voice',
    ofVoiceHint: 'Also those made under other names',
  },
  voices: {
    tab: 'One voice, many names',
    title: 'Find voices that call under several names',
    hint: 'Among the newest 5,000 recordings; this can take a few seconds',
    none: 'No voice called under more than one name',
    found: (count: number) =>
      many(count, '# voice called under more than one name.', '# voices called under more than one name.'),
    voice: (number: number) => `Voice ${num(number)}`,
    about: (identities: number, calls: number) =>
      `${many(identities, '# name', '# names')}, ${many(calls, '# call', '# calls')}`,
    caption: (number: number) => `Calls of voice ${num(number)}`,
    add: 'Put this voice on a watchlist',
    addAction: 'Put on the watchlist',
    consequence: (recordings: number) =>
      `A fraudster with a voiceprint is made from ${many(recordings, '# recording', '# recordings')}. Calls in which this voice is heard are then reported as fraud. Family members can sound alike: listen first.`,
    name: 'Name of the fraudster',
    nameHint: 'Such as the case number. It must be new.',
    added: (name: string, recordings: number) =>
      `${name} is on the watchlist, with ${many(recordings, '# recording', '# recordings')}.`,
  },
  searches: {
    tab: 'Automatic searches',
    title: 'Automatic searches',
    hint: 'Kept for 30 days',
    loading: 'Loading searches',
    none: 'No automatic searches yet',
    noneText:
      'If that is switched on under “Settings”, stored calls are searched for a voice right away when somebody is added to a watchlist.',
    asked: 'Started',
    fraudster: 'Fraudster',
    state: 'State',
    states: {
      SEARCH_STATE_UNSPECIFIED: 'Unknown',
      SEARCH_STATE_PENDING: 'Waiting',
      SEARCH_STATE_STARTED: 'Searching',
      SEARCH_STATE_COMPLETED: 'Finished',
      SEARCH_STATE_FAILED: 'Failed',
    },
    found: 'Calls found',
    show: 'Show calls',
    showOf: (name: string) => `Show calls of ${name}`,
    foundOf: (name: string) => `Calls of ${name}`,
    expired: 'What this search found is no longer kept. Search for the fraudster again.',
  },
  settings: {
    tab: 'Settings',
    title: 'Settings of voice search',
    hint: 'They apply to the whole tenant. Each change is written to the audit trail.',
    loading: 'Loading settings',
    on: 'Yes',
    off: 'No',
    isAllowed: 'There is a legal basis for searching stored calls',
    isAllowedHint:
      'A search compares the voices of all callers. Ask your data protection officer whether the law allows it.',
    basis: 'Legal basis, for the record',
    basisHint: 'Such as the number and date of your assessment.',
    offMeans:
      'Stored calls can no longer be searched, earlier results are hidden, and the search data is deleted within an hour.',
    days: 'How many days back may be searched',
    daysHint: 'From 1 to 3650. Recordings that are deleted sooner cannot be found.',
    daysRange: 'Enter a whole number from 1 to 3650.',
    isAutomatic: 'Search automatically for new fraudsters',
    isAutomaticHint:
      'As soon as somebody is put on a watchlist. Results appear under “Automatic searches” and on the pages of the calls.',
    save: 'Save settings',
    needsBasis: 'Enter the legal basis first.',
    unchanged: 'Nothing has been changed.',
    savedOn: 'Saved: stored calls can be searched.',
    savedOff: 'Saved: stored calls cannot be searched.',
    notSaved: 'The settings were not saved',
    description: (basis: string) => `Searching stored calls allowed: ${basis}`,
    changed: 'Settings of voice search changed in the console',
    notYours: 'Only an owner of the tenant or an administrator can change this.',
  },
};
