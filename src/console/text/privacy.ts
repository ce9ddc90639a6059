// Texts of what is held about a person, evidence holds, and certificates of erasure.
import { section } from './section.js';

export const t = await section(
  () => import('./en/privacy.js'),
  () => import('./de/privacy.js'),
);
