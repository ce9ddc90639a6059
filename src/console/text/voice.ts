// Texts of the voice lab and of every place where audio is recorded, shown or played.
import { core } from './core.js';

export const t = core.voice;
