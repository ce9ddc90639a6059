// Texts of engagement clients, sites, agents and opening hours.
import { section } from './section.js';

export const t = await section(
  () => import('./en/engagement.js'),
  () => import('./de/engagement.js'),
);
