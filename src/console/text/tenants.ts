// Texts of tenants.
import { section } from './section.js';

export const t = await section(
  () => import('./en/tenants.js'),
  () => import('./de/tenants.js'),
);
