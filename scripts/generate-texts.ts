// Writes the texts that are made from the sources. Part of `npm run generate`; by itself:
//   npx tsx scripts/generate-texts.ts
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generatedTexts } from './generated-texts.js';

for (const [path, content] of Object.entries(generatedTexts())) {
  const file = new URL(`../${path}`, import.meta.url);
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === content;
  if (!isCurrent) writeFileSync(file, content);
  console.log(isCurrent ? `current: ${path}` : `~ ${path}`);
}
