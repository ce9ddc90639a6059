// Further texts that several pages share, in one file for each language.
import { section } from './section.js';

export const more = await section(
  () => import('./en/more.js'),
  () => import('./de/more.js'),
);
