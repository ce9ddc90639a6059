// Texts of the voice lab and of every place where audio is recorded, shown or played.
import { more } from './more.js';

export const t = more.voice;
