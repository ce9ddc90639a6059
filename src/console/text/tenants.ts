// Texts of tenants.
import { core } from './core.js';

export const t = core.tenants;
