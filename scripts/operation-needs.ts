// src/console/api/operation-permissions.ts: what each operation asks for, from the table that the server uses. The console
// shows nobody a page or a button that would be refused.
import { operationPermissions } from '../src/transport/access.js';

export function operationNeeds(): string {
  const lines = Object.values(operationPermissions)
    .flatMap((methods) => Object.entries(methods))
    .map(([method, asked]) => `  ${method}: [${asked.map((each) => `'${each}'`).join(', ')}],`);
  return [
    '// Which permissions an operation on voice data asks for: any of those named.',
    '// Made by scripts/generate-texts.ts from src/transport/access.ts; do not edit.',
    'export const operationPermissions = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}
