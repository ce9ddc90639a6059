// The files that the house rules look at, each read and parsed once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  file: string;
  text: string;
  /** Parsed when somebody asks. */
  readonly tree: ts.SourceFile;
}

export function sourceFile(file: string, text: string): SourceFile {
  let tree: ts.SourceFile | undefined;
  return {
    file,
    text,
    get tree() {
      return (tree ??= ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
    },
  };
}

export class SourceFiles {
  readonly #root: string;
  readonly #read = new Map<string, SourceFile>();

  constructor(root: string) {
    this.#root = root;
  }

  get(file: string): SourceFile {
    const known = this.#read.get(file);
    if (known) return known;
    const text = readFileSync(join(this.#root, file), 'utf8');
    const source = sourceFile(file, text);
    this.#read.set(file, source);
    return source;
  }

  /** Trees are large, and other test files follow in the same process. */
  forget(): void {
    this.#read.clear();
  }
}
