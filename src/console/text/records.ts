// Texts for the contents of audit records.
import { more } from './more.js';

export const t = more.records;
