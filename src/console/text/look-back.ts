// Texts of voice search.
import { section } from './section.js';

export const t = await section(
  () => import('./en/look-back.js'),
  () => import('./de/look-back.js'),
);
