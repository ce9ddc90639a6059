// Texts of what the server refuses.
import { section } from './section.js';

export const t = await section(
  () => import('./en/refusals.js'),
  () => import('./de/refusals.js'),
);
