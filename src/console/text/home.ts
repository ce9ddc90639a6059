// Texts of the home page.
import { section } from './section.js';

export const t = await section(
  () => import('./en/home.js'),
  () => import('./de/home.js'),
);
