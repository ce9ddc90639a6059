// Texts of persons, fraudsters, groups, watchlists and their voiceprints.
import { section } from './section.js';

export const t = await section(
  () => import('./en/people.js'),
  () => import('./de/people.js'),
);
