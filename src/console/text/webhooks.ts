// Texts of webhooks: where the events of a tenant are sent, and how that goes.
import { section } from './section.js';

export const t = await section(
  () => import('./en/webhooks.js'),
  () => import('./de/webhooks.js'),
);
