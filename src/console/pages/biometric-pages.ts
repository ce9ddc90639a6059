// Pages about voices: lab, people and watchlists, sessions and audit, accuracy, system.
import type { PageEntry } from './registry.js';

export const biometricPages: readonly PageEntry[] = [];
