// Texts of persons, fraudsters, groups, watchlists and their voiceprints.
import { core } from './core.js';

export const t = core.people;
