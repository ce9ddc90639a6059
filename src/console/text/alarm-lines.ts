// Texts of alarm lines for synthetic speech.
import { section } from './section.js';

export const t = await section(
  () => import('./en/alarm-lines.js'),
  () => import('./de/alarm-lines.js'),
);
