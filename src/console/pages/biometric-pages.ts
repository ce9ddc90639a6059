// Pages about voices: lab, people and watchlists, sessions and audit, accuracy, system.
import type { PageEntry } from './registry.js';

export const biometricPages: readonly PageEntry[] = [
  { path: '/voice', nav: { group: 'Try', label: 'Voice lab', icon: 'voice' }, load: async () => (await import('./voice/voice-lab.js')).VoiceLabPage },
];
