// Texts of error rates, thresholds and revisions.
import { section } from './section.js';

export const t = await section(
  () => import('./en/accuracy.js'),
  () => import('./de/accuracy.js'),
);
