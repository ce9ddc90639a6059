// Texts about actions and their targets.
import { section } from './section.js';

export const t = await section(
  () => import('./en/operations.js'),
  () => import('./de/operations.js'),
);
