// Every table of the program: the union of what the domains' schema files declare.
import type { AuthTables } from './schema/auth.js';
import type { BiometricsTables } from './schema/biometrics.js';
import type { CoreTables } from './schema/core.js';
import type { EngagementTables } from './schema/engagement.js';
import type { EventsTables } from './schema/events.js';
import type { IdempotencyTables } from './schema/idempotency.js';

export type Schema = CoreTables &
  AuthTables &
  EngagementTables &
  EventsTables &
  BiometricsTables &
  IdempotencyTables;
