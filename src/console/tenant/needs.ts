// What each page of the console requires. An operation is allowed by the roles in the tenant, as the server
// says; the rest concerns the whole installation.
import type { operationPermissions } from '../api/operation-permissions.js';

/**
 * `overview` is for administrators and auditors, `agentStates` for users who set what agents are doing,
 * `agents` for all of them; `storedCalls` for owners, who alone can declare a legal basis for using stored
 * calls.
 */
export type Need =
  | keyof typeof operationPermissions
  // Needs that are not about a single operation.
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
  'voice-search': 'FindCalls',
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

/** Pages are only in these areas, so that nobody forgets to say who may open one. */
export type PageArea = keyof typeof pageNeeds;
