// Texts of looking back through stored calls.
import { section } from './section.js';

export const t = await section(
  () => import('./en/look-back.js'),
  () => import('./de/look-back.js'),
);
