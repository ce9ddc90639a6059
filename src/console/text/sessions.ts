// Texts of sessions, their timelines and the audit trail.
import { section } from './section.js';

export const t = await section(
  () => import('./en/sessions.js'),
  () => import('./de/sessions.js'),
);
