// Every table of the program: the union of what the domains' schema files declare.
import type { CoreTables } from './schema/core.js';

export type Schema = CoreTables;
