// Texts of the calls that are listened to now.
import { core } from './core.js';

export const t = core.calls;
