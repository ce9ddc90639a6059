// Texts of the voice lab and of every place where audio is recorded, shown or played.
import { section } from './section.js';

export const t = await section(
  () => import('./en/voice.js'),
  () => import('./de/voice.js'),
);
