// What the signed-in person may do in the tenant in use: by what the server said of their roles when they signed in, and
// by what each operation asks for. Nobody is shown a page or a button that the server would refuse.
import { useCallback } from 'react';
import { operationPermissions } from '../api/operation-permissions.js';
import { isAdministrator, useMe, type Me } from '../api/session.js';
import type { Need } from './needs.js';
import { useTenant } from './tenant.js';

export type May = (need: Need) => boolean;

const AGENTS_PERMISSION = 'agents.state';
/** The server asks for it where stored calls are allowed to be used, beside that of changing config sets. */
const STORED_CALLS_PERMISSION = 'voice.manage';
const seesEverything = (me: Me): boolean => isAdministrator(me) || me.role === 'USER_ROLE_AUDITOR';

const setsAgentStates = (me: Me): boolean =>
  me.permissions.some(({ permissions = [] }) => permissions.includes(AGENTS_PERMISSION));

export function useMay(): May {
  const me = useMe();
  const tenantId = useTenant().tenant?.id;
  return useCallback((need) => isAllowed(me, tenantId, need), [me, tenantId]);
}

function isAllowed(me: Me, tenantId: string | undefined, need: Need): boolean {
  switch (need) {
    case 'administrator':
      return isAdministrator(me);
    case 'overview':
      return seesEverything(me);
    case 'agents':
      return seesEverything(me) || setsAgentStates(me);
    case 'agentStates':
      return setsAgentStates(me);
    case 'storedCalls':
      return heldIn(me, tenantId).includes(STORED_CALLS_PERMISSION);
    default: {
      const held = heldIn(me, tenantId);
      return operationPermissions[need].some((asked) => held.includes(asked));
    }
  }
}

const heldIn = (me: Me, tenantId: string | undefined): string[] =>
  me.permissions
    .filter(({ gkScopeId }) => !gkScopeId || gkScopeId === tenantId)
    .flatMap(({ permissions }) => permissions ?? []);
