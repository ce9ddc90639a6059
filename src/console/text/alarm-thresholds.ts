// Texts of alarm thresholds for synthetic speech.
import { section } from './section.js';

export const t = await section(
  () => import('./en/alarm-thresholds.js'),
  () => import('./de/alarm-thresholds.js'),
);
