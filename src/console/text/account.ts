// Texts of the profile, credentials and users.
import { section } from './section.js';

export const t = await section(
  () => import('./en/account.js'),
  () => import('./de/account.js'),
);
