// Texts of the help pages; the guides themselves are in English.
import { section } from './section.js';

export const t = await section(
  () => import('./en/help.js'),
  () => import('./de/help.js'),
);
