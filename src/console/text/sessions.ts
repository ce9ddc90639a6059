// Texts of sessions, their timelines and the audit trail.
import { core } from './core.js';

export const t = core.sessions;
