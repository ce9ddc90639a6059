// Texts of the home page.
import { core } from './core.js';

export const t = core.home;
