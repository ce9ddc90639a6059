// Texts of applications, environments, clients and their files.
import { section } from './section.js';

export const t = await section(
  () => import('./en/applications.js'),
  () => import('./de/applications.js'),
);
