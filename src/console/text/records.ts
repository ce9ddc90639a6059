// Texts for the contents of audit records.
import { section } from './section.js';

export const t = await section(
  () => import('./en/records.js'),
  () => import('./de/records.js'),
);
