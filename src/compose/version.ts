// The version of the program, from the package it was installed as.
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  // The manifest lies two folders above this file, in src/ as in dist/.
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
