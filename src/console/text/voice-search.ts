// Texts of voice search.
import { more } from './more.js';

export const t = more.voiceSearch;
