// What a session means, in the words that all of Voxgate uses.
import { core } from './core.js';

export const t = core.assessment;
