// Texts about checks: decisions, reasons with advice, operations, records, channels.
import { section } from './section.js';

export const t = await section(
  () => import('./en/checks.js'),
  () => import('./de/checks.js'),
);
