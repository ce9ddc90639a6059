// Texts of the server's refusals, fetched with the first refusal.
import { section } from './section.js';

export const t = await section(
  () => import('./en/refusals.js'),
  () => import('./de/refusals.js'),
);
