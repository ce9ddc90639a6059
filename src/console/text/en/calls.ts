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
  unknown: 'Live person not confirmed',
  secondVoice: (at: string) => `Another voice, noticed at ${at}`,
  risk: 'Risk',
  speech: 'Speech',
  length: 'Length',
  seconds: (seconds: number) => `${num(seconds)} s`,
  actions: 'Actions',
  end: 'Stop listening',
  endTitle: (session: string) => `Stop listening to session ${session}?`,
  endText:
    'The call itself goes on, but what is said from now on is not checked. Listening to this call cannot be started again.',
  ended: 'Listening has stopped. Decisions made so far are kept.',
};
