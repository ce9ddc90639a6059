// docs/reference/roles.md: which role and which scope allows which operation, from the tables that the server uses.
import { permissions, rolePermissions, scopePermissions, tenantRoles } from '../src/auth/roles.js';
import { operationPermissions } from '../src/transport/access.js';

const note = '<!-- Made by scripts/generate-texts.ts; do not edit. -->';
const mark = (held: ReadonlySet<string>, asked: readonly string[]): string =>
  asked.some((permission) => held.has(permission)) ? 'yes' : '';

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
  const scopes = Object.keys(scopePermissions);
  const columns = [...tenantRoles, ...scopes.map((scope) => `\`${scope}\``)];
  const head = (first: string): string[] => [
    `| ${first} | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
  ];
  const row = (name: string, asked: readonly string[]): string => {
    const held = [
      ...tenantRoles.map((role) => rolePermissions[role]),
      ...scopes.map((scope) => scopePermissions[scope] ?? new Set<string>()),
    ];
    return `| ${name} | ${held.map((each) => mark(each, asked)).join(' | ')} |`;
  };
  const services = Object.entries(operationPermissions).map(([service, methods]) =>
    [
      `## ${service.split('.').at(-1)}`,
      '',
      ...head('Operation'),
      ...Object.entries(methods).map(([method, asked]) =>
        forAdministrators.has(method) ? row(`${method} (administrators only)`, []) : row(method, asked),
      ),
    ].join('\n'),
  );
  return [
    '# Roles and operations',
    '',
    note,
    '',
    'Which roles of people and which scopes of programs allow which operations on voice data. Administrators may call every',
    'operation listed here; auditors of the installation have the role of an auditor in every tenant. The guide explains what',
    'roles are for, and what administrators may not do: [running it for a company](../guides/running-it-for-a-company.md#roles).',
    '',
    '## Permissions',
    '',
    ...head('Permission'),
    ...permissions.map((permission) => row(`\`${permission}\``, [permission])),
    '',
    services.join('\n\n'),
    '',
  ].join('\n');
}
