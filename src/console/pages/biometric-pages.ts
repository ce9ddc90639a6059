// Pages about voices: lab, people and watchlists, sessions and audit, live calls, voice search, accuracy, system.
import type { PageEntry } from './page.js';

export const biometricPages: readonly PageEntry[] = [
  {
    path: '/voice',
    nav: { group: 'try', name: 'voice', icon: 'voice' },
    load: async () => (await import('./voice/voice-lab.js')).VoiceLabPage,
  },
  {
    path: '/people',
    nav: { group: 'understand', name: 'people', icon: 'people' },
    load: async () => (await import('./people/people.js')).PeoplePage,
  },
  {
    path: '/people/persons/:gkPersonId',
    under: '/people',
    ofTenant: true,
    load: async () => (await import('./people/party.js')).PersonPage,
  },
  {
    path: '/people/fraudsters/:gkFraudsterId',
    under: '/people',
    ofTenant: true,
    load: async () => (await import('./voice-search/fraudster-page.js')).FraudsterCallsPage,
  },
  {
    path: '/people/groups/:gkId',
    under: '/people',
    ofTenant: true,
    load: async () => (await import('./people/collection.js')).GroupPage,
  },
  {
    path: '/people/watchlists/:gkId',
    under: '/people',
    ofTenant: true,
    load: async () => (await import('./people/collection.js')).WatchlistPage,
  },
  {
    path: '/sessions',
    nav: { group: 'understand', name: 'sessions', icon: 'sessions' },
    load: async () => (await import('./sessions/sessions.js')).SessionsPage,
  },
  {
    path: '/sessions/:gkSessionId',
    under: '/sessions',
    ofTenant: true,
    load: async () => (await import('./sessions/session.js')).SessionPage,
  },
  {
    path: '/calls',
    nav: { group: 'understand', name: 'calls', icon: 'calls' },
    load: async () => (await import('./calls/calls.js')).CallsPage,
  },
  {
    path: '/voice-search',
    nav: { group: 'understand', name: 'voiceSearch', icon: 'clock' },
    load: async () => (await import('./voice-search/voice-search.js')).VoiceSearchPage,
  },
  {
    path: '/accuracy',
    nav: { group: 'understand', name: 'accuracy', icon: 'accuracy' },
    load: async () => (await import('./accuracy/accuracy.js')).AccuracyPage,
  },
  {
    path: '/system',
    nav: { group: 'operate', name: 'system', icon: 'system' },
    load: async () => (await import('./system/system.js')).SystemPage,
  },
];
