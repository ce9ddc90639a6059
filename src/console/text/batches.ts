// Texts of batches: many recordings by one manifest, and what became of each.
import { section } from './section.js';

export const t = await section(
  () => import('./en/batches.js'),
  () => import('./de/batches.js'),
);
