// Names that only their author understood, and that were replaced by plain ones: none of them comes back. Nor do other spellings.
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/** As words of a name, in its order: `letGo`, `let-go.ts` and `LetGoLater` have `let-go`. */
const privateWords =
  /(^|-)(adding-?\d|at-desk|background-room|breathe|desk|held-calls?|held-port|let-go|next-turn|or-forget|own-door|these)(-|$)/;

/** `file name` of what is called so, the file itself included. */
export function privateNames({ file, tree }: SourceFile): string[] {
  const found = new Set<string>();
  const look = (name: string): void => {
    if (privateWords.test(wordsOf(name))) found.add(`${file} ${name}`);
  };
  look((file.split('/').at(-1) ?? '').replace(/\..*$/, ''));
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) look(node.text);
    node.forEachChild(visit);
  };
  visit(tree);
  return [...found];
}

/** Spelled as in American English, in texts, comments and names alike; what the wire calls CANCELLED keeps its name. */
const britishSpelling =
  /[Cc]ancell(ed|ing)|[Bb]ehaviour|[Rr]ecognis(e|ing)|[Aa]uthoris(e|ing)|[Hh]onour|[Ff]avour/g;

/** `file word` of what is spelled otherwise. */
export const misspelled = (file: string, text: string): string[] =>
  [...text.matchAll(britishSpelling)].map(([word]) => `${file} ${word}`);

const wordsOf = (name: string): string =>
  name
    .replace(/^#/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
