// English: the calls that are listened to now.
import { num } from '../tools.js';

export const text = {
  title: 'Live calls',
  about: 'Calls whose audio is arriving now, with the decision so far.',
  caption: 'Live calls, newest first',
  loading: 'Loading live calls',
  none: 'No calls at the moment',
  noneText: 'A call appears here as soon as a telephone system begins to send its audio.',
  refreshed: (seconds: number) => `Updates every ${num(seconds)} s`,
  session: 'Session',
  from: 'Calling from',
  started: 'Started',
  door: 'Source',
  state: 'Decision so far',
  listening: 'Listening',
  risk: 'Risk',
  speech: 'Speech',
  speechOf: (speech: string, length: string) => `${speech} of ${length}`,
  person: 'Person',
  recognized: 'recognized',
  listenedTo: 'Open, being listened to now: {calls}',
  seconds: (seconds: number) => `${num(seconds)} s`,
  actions: 'Actions',
  end: 'Stop listening',
  endTitle: (session: string) => `Stop listening to ${session}?`,
  endText:
    'The call itself continues, but Voxgate stops listening: if somebody else takes over the telephone, nobody will know. Listening cannot be resumed, and the session will say from when on the call was not heard.',
  endRecorded: 'Your name and the time are written to the audit trail.',
  ended: 'Listening has stopped. Decisions made so far are kept.',
};
