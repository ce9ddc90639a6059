// Texts of persons, fraudsters, groups, watchlists and their voiceprints.
import { more } from './more.js';

export const t = more.people;
