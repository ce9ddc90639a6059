// What a session means, in the words that all of Voxgate uses.
import { section } from './section.js';

export const t = await section(
  () => import('../../words/english.js'),
  () => import('../../words/german.js'),
);
