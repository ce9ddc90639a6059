// What a page or a button of the console can require. An operation is allowed by the roles in the tenant, as the server
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
