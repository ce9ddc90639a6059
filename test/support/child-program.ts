// Programs of the tests for processes of their own: transpiled once, on the built sources, so that starting one compiles
// nothing.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';
import { builtProgram } from './built-program.js';

const ROOT = dirname(dirname(import.meta.dirname));

/** `src/x.js` is `dist/x.js`, loaded from there. */
const builtSources: Plugin = {
  name: 'built-sources',
  setup({ onResolve }) {
    onResolve({ filter: /\/src\// }, ({ path, resolveDir }) => {
      const file = relative(join(ROOT, 'src'), join(resolveDir, path));
      return { path: pathToFileURL(join(ROOT, 'dist', file)).href, external: true };
    });
  },
};

/** The file to give to Node; removed after the test. */
export async function childProgram(file: string): Promise<string> {
  await builtProgram();
  // Below the repository, so that it finds the packages.
  const folder = join(ROOT, 'node_modules', '.cache', 'voxgate-test');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${basename(file, '.ts')}-${process.pid}.mjs`);
  onTestFinished(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [builtSources],
  });
  return outfile;
}
