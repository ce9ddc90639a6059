// Texts of the frame, of the parts that every page is built from, and of errors.
import { core } from './core.js';

export const t = core.shell;
