// Texts of the calls that are listened to now.
import { section } from './section.js';

export const t = await section(
  () => import('./en/calls.js'),
  () => import('./de/calls.js'),
);
