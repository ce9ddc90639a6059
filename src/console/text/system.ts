// Texts of the installation itself.
import { section } from './section.js';

export const t = await section(
  () => import('./en/system.js'),
  () => import('./de/system.js'),
);
