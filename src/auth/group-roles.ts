// From the groups that a company's identity provider names to roles here: `GROUP=administrator`, `GROUP=auditor`,
// `GROUP=member`, and `GROUP=<gk_scope_id>:<role>` for a role in one tenant. Pure; the settings hold the text.
import type { TenantGrant, UserRole } from './model.js';
import { isTenantRole } from './roles.js';

export type GroupRule = { group: string; role: UserRole } | { group: string; grant: TenantGrant };

/** Everybody who can sign in at the provider. */
const EVERYBODY = '*';
const ranks: readonly UserRole[] = ['member', 'auditor', 'administrator'];

/** Undefined if the text is not a list of rules. */
export function parseGroupRules(text: string): GroupRule[] | undefined {
  const rules: GroupRule[] = [];
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const equals = part.lastIndexOf('=');
    const group = part.slice(0, Math.max(0, equals)).trim();
    const target = part.slice(equals + 1).trim();
    const colon = target.lastIndexOf(':');
    const role = target.slice(colon + 1);
    if (equals < 1 || group === '') return undefined;
    if (colon < 0) {
      const found = ranks.find((rank) => rank === target);
      if (!found) return undefined;
      rules.push({ group, role: found });
    } else {
      if (colon === 0 || !isTenantRole(role)) return undefined;
      rules.push({ group, grant: { tenantId: target.slice(0, colon), role } });
    }
  }
  return rules;
}

export interface MappedRoles {
  role: UserRole;
  tenantRoles: TenantGrant[];
}

/** Undefined if no rule admits the person. The first rule that names a tenant decides about it. */
export function rolesOfGroups(
  rules: readonly GroupRule[],
  groups: ReadonlySet<string>,
): MappedRoles | undefined {
  const holding = rules.filter(({ group }) => group === EVERYBODY || groups.has(group));
  if (holding.length === 0) return undefined;
  const tenantRoles: TenantGrant[] = [];
  let rank = 0;
  for (const rule of holding) {
    if ('role' in rule) rank = Math.max(rank, ranks.indexOf(rule.role));
    else if (!tenantRoles.some(({ tenantId }) => tenantId === rule.grant.tenantId))
      tenantRoles.push(rule.grant);
  }
  return { role: ranks[rank] ?? 'member', tenantRoles };
}
