// Texts about checks: decisions, reasons with advice, operations, records, channels.
import { core } from './core.js';

export const t = core.checks;
