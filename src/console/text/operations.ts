// Texts about what was done, and to what.
import { section } from './section.js';

export const t = await section(
  () => import('./en/operations.js'),
  () => import('./de/operations.js'),
);
