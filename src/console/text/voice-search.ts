// Texts of voice search.
import { core } from './core.js';

export const t = core.voiceSearch;
