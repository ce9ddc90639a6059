// docs/reference/roles.md: which role and which scope allows which operation, from the tables that the server uses.
import {
  permissions,
  rolePermissions,
  scopePermissions,
  tenantRoles,
  type Permission,
} from '../src/auth/roles.js';
import { operationPermissions } from '../src/transport/access.js';

const note = '<!-- Made by scripts/generate-texts.ts; do not edit. -->';

/** The table lets everybody in who sees tenants; the domain then asks for an administrator (src/tenants). */
const forAdministrators = new Set([
  'CreateScope',
  'UpdateScopeDetails',
  'RenameScope',
  'SetScopeState',
  'MarkScopeForDeletion',
  'UnMarkScopeForDeletion',
  'ResetScope',
]);

export function rolesPage(): string {
  return [
    '# Roles and operations',
    '',
    note,
    '',
    'Which roles of people and which scopes of programs allow which operations on voice data: look up the permissions of the',
    'operation, one of which is enough, then who has them. Administrators may call every operation listed here; auditors of the',
    'installation have the role of an auditor in every tenant. What roles are for, and what administrators may not do, is in',
    '[running it for a company](../guides/running-it-for-a-company.md#roles).',
    '',
    '## Permissions',
    '',
    '| Permission | Roles | Scopes |',
    '|---|---|---|',
    ...permissions.map(
      (permission) =>
        `| \`${permission}\` | ${rolesWith(permission).join(', ')} | ${scopesWith(permission).join(', ')} |`,
    ),
    '',
    ...Object.entries(operationPermissions).flatMap(([service, methods]) => [
      `## ${service.split('.').at(-1)}`,
      '',
      '| Permissions | Operations |',
      '|---|---|',
      ...[...byPermissions(methods)].map(([asked, names]) => `| ${asked} | ${names.join(', ')} |`),
      '',
    ]),
  ].join('\n');
}

const rolesWith = (permission: Permission): string[] =>
  tenantRoles.filter((role) => rolePermissions[role].has(permission));

const scopesWith = (permission: Permission): string[] =>
  Object.entries(scopePermissions)
    .filter(([, held]) => held.has(permission))
    .map(([scope]) => `\`${scope}\``);

/** Names of operations under the permissions that they ask for, as a reader sees them. */
function byPermissions(methods: Readonly<Record<string, readonly string[]>>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, asked] of Object.entries(methods)) {
    const key = forAdministrators.has(name)
      ? 'administrators only'
      : asked.map((permission) => `\`${permission}\``).join(', ');
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return groups;
}
