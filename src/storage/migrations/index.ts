// The schema's history, oldest first. A released step is never edited; a change is a new step at the end.
import { baseline } from './0049-baseline.js';
import { evidenceHolds } from './0063-evidence-holds.js';
import { assessmentsAndFormerPrints } from './0067-assessments-and-former-prints.js';
import { livenessPrompts } from './0068-liveness-prompts.js';
import type { Migration } from './migration.js';

/** The version of the program whose schema the first step creates. */
export const OLDEST_RELEASE = '0.2.0';

export const migrations: readonly Migration[] = [
  baseline,
  evidenceHolds,
  assessmentsAndFormerPrints,
  livenessPrompts,
];
