// Texts of the frame, of the parts that every page is built from, and of errors.
import { section } from './section.js';

export const t = await section(
  () => import('./en/shell.js'),
  () => import('./de/shell.js'),
);
