// Texts of voice search.
import { section } from './section.js';

export const t = await section(
  () => import('./en/voice-search.js'),
  () => import('./de/voice-search.js'),
);
