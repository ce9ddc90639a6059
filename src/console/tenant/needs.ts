// What each page of the console cannot do without. An operation is allowed by the roles in the tenant, as the server says;
// the rest is a matter of the whole installation.
import type { operationPermissions } from '../api/operation-permissions.js';

/**
 * `overview` is for administrators and auditors, `agentStates` for whoever sets what agents are doing, `agents` for all of
 * them; `storedCalls` for owners, who alone can say that there is a legal basis for using stored calls.
 */
export type Need =
  | keyof typeof operationPermissions
  // What is no matter of one operation.
  | 'administrator'
  | 'overview'
  | 'agents'
  | 'agentStates'
  | 'storedCalls';

/** By the first part of the address. */
export const pageNeeds = {
  '': 'everybody',
  voice: 'Verify',
  people: 'ListPersons',
  sessions: 'ListSessions',
  calls: 'ListCalls',
  'look-back': 'FindCalls',
  accuracy: 'EvaluateScores',
  engagement: 'agents',
  webhooks: 'ListWebhooks',
  batches: 'ListBatches',
  tenants: 'administrator',
  users: 'administrator',
  applications: 'everybody',
  system: 'everybody',
  help: 'everybody',
  profile: 'everybody',
} as const satisfies Readonly<Record<string, Need | 'everybody'>>;

/** Pages lie in these only, so that nobody forgets to say who may open one. */
export type PageArea = keyof typeof pageNeeds;
