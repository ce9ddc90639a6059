// Texts of what is held about a person, evidence holds, and certificates of erasure.
import { core } from './core.js';

export const t = core.privacy;
