// Texts of what the server refuses.
import { core } from './core.js';

export const t = core.refusals;
