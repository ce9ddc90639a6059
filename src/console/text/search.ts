// Texts of the search over everything.
import { section } from './section.js';

export const t = await section(
  () => import('./en/search.js'),
  () => import('./de/search.js'),
);
