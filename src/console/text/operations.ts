// Texts about actions and their targets.
import { core } from './core.js';

export const t = core.operations;
