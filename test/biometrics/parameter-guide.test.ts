// The guide's table of parameters is the table that the program uses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parameterGuide, withParameterGuide } from '../../scripts/parameter-guide.js';

it('the guide is current: `npm run generate` would change nothing in it', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/voiceprints.md'), 'utf8');
  expect(withParameterGuide(guide)).toBe(guide);
  expect(parameterGuide()).toContain('| `authentication.falseAcceptRate` | 0.005 | 0.00001 to 0.5 |');
});
