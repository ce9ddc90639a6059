// Texts of what is held about a person, evidence holds, and certificates of erasure.
import { more } from './more.js';

export const t = more.privacy;
