// The tests run on the sources as they are built: Node loads `dist/x.js` where a test imports `src/x.js`. The runner then has
// only the tests to translate, what is tested runs as fast as it does for users, and threads start without a compiler.
// The console is no part of that: its modules are bundled for browsers.
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';
// @ts-expect-error -- a script of the repository, without types
import { buildServer } from '../../scripts/setup.mjs';

const ROOT = dirname(dirname(import.meta.dirname));
const SOURCES = join(ROOT, 'src');
const BUILT = join(ROOT, 'dist');

/** What the runner leaves to Node. */
export const builtFiles = new RegExp(`^${BUILT.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}/.*\\.js$`);

export function builtSources(): Plugin {
  return {
    name: 'built-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !/^[./]/.test(source)) return undefined;
      const path = relative(SOURCES, resolve(dirname(importer), source));
      if (path.startsWith('..') || path.startsWith(`console${sep}`) || !/\.[jt]s$/.test(path))
        return undefined;
      return join(BUILT, path.replace(/\.ts$/, '.js'));
    },
  };
}

/** Vitest's global set-up. `npm test` has built them; a single file after a change has not. */
export default buildServer as () => Promise<void>;
