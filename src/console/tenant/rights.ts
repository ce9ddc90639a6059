// What the signed-in user may do in the tenant in use: by the roles that the server reported at sign-in, and
// by the permissions that each operation requires. No page or button is shown that the server would refuse.
import { useCallback } from 'react';
import { operationPermissions } from '../api/operation-permissions.js';
import { isAdministrator, useMe, type Me } from '../api/session.js';
import type { Need } from './needs.js';
import { useTenant } from './tenant.js';

export type May = (need: Need) => boolean;

const AGENTS_PERMISSION = 'agents.state';
/**
 * Required by the server to allow the use of stored calls, in addition to the permission to change config
 * sets.
 */
const STORED_CALLS_PERMISSION = 'voice.manage';
const seesEverything = (me: Me): boolean => isAdministrator(me) || me.role === 'USER_ROLE_AUDITOR';

const setsAgentStates = (me: Me): boolean =>
  me.permissions.some(({ permissions = [] }) => permissions.includes(AGENTS_PERMISSION));

export function useMay(): May {
  const me = useMe();
  const tenantId = useTenant().tenant?.id;
  return useCallback((need) => isAllowed(me, tenantId, need), [me, tenantId]);
}

type OperationName = keyof typeof operationPermissions;

/** Needs that are not about a single operation. `held`: the permissions in the tenant in use. */
const otherNeeds: Readonly<
  Record<Exclude<Need, OperationName>, (me: Me, held: readonly string[]) => boolean>
> = {
  administrator: isAdministrator,
  overview: seesEverything,
  agents: (me) => seesEverything(me) || setsAgentStates(me),
  agentStates: setsAgentStates,
  storedCalls: (_me, held) => held.includes(STORED_CALLS_PERMISSION),
};

const isOperation = (need: Need): need is OperationName => need in operationPermissions;

function isAllowed(me: Me, tenantId: string | undefined, need: Need): boolean {
  const held = heldIn(me, tenantId);
  if (!isOperation(need)) return otherNeeds[need](me, held);
  return operationPermissions[need].some((asked) => held.includes(asked));
}

const heldIn = (me: Me, tenantId: string | undefined): string[] =>
  me.permissions
    .filter(({ gkScopeId }) => !gkScopeId || gkScopeId === tenantId)
    .flatMap(({ permissions }) => permissions ?? []);
