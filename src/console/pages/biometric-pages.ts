// Pages about voices: lab, people and watchlists, sessions and audit, accuracy, system.
import type { PageEntry } from './registry.js';

export const biometricPages: readonly PageEntry[] = [
  {
    path: '/voice',
    nav: { group: 'Try', label: 'Voice lab', icon: 'voice' },
    load: async () => (await import('./voice/voice-lab.js')).VoiceLabPage,
  },
  {
    path: '/people',
    nav: { group: 'Understand', label: 'People and watchlists', icon: 'people' },
    load: async () => (await import('./people/people.js')).PeoplePage,
  },
  {
    path: '/people/persons/:gkPersonId',
    under: '/people',
    load: async () => (await import('./people/party.js')).PersonPage,
  },
  {
    path: '/people/fraudsters/:gkFraudsterId',
    under: '/people',
    load: async () => (await import('./people/party.js')).FraudsterPage,
  },
  {
    path: '/people/groups/:gkId',
    under: '/people',
    load: async () => (await import('./people/collection.js')).GroupPage,
  },
  {
    path: '/people/watchlists/:gkId',
    under: '/people',
    load: async () => (await import('./people/collection.js')).WatchlistPage,
  },
  {
    path: '/sessions',
    nav: { group: 'Understand', label: 'Sessions and audit', icon: 'sessions' },
    load: async () => (await import('./sessions/sessions.js')).SessionsPage,
  },
  {
    path: '/sessions/:gkSessionId',
    under: '/sessions',
    load: async () => (await import('./sessions/session.js')).SessionPage,
  },
  {
    path: '/accuracy',
    nav: { group: 'Understand', label: 'Accuracy', icon: 'accuracy' },
    load: async () => (await import('./accuracy/accuracy.js')).AccuracyPage,
  },
  {
    path: '/system',
    nav: { group: 'Operate', label: 'System', icon: 'system' },
    load: async () => (await import('./system/system.js')).SystemPage,
  },
];
