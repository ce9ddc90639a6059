// Texts for the contents of audit records.
import { core } from './core.js';

export const t = core.records;
