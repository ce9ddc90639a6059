// The texts of what is shown first, and of most pages: one file for each language, so that a page asks for few.
import { section } from './section.js';

export const core = await section(
  () => import('./en/core.js'),
  () => import('./de/core.js'),
);
