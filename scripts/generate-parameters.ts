// Writes the table of config-set parameters into the guide. Part of `npm run generate`; by itself:
//   npx tsx scripts/generate-parameters.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { withParameterGuide } from './parameter-guide.js';

const guide = new URL('../docs/guides/voiceprints.md', import.meta.url);
const before = readFileSync(guide, 'utf8');
const after = withParameterGuide(before);
if (after !== before) writeFileSync(guide, after);
console.log(after === before ? 'current: docs/guides/voiceprints.md' : '~ docs/guides/voiceprints.md');
