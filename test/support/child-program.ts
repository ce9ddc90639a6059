// Programs of the tests for processes and threads of their own: transpiled once, on the built sources, so that starting one compiles
// nothing.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
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
  const outfile = placeOf(file);
  onTestFinished(() => rmSync(outfile, { force: true }));
  await transpile(file, outfile);
  return outfile;
}

/** What the threads of a test file run, from its first hook to its last: one that began with TypeScript would load a compiler at every start. */
export function threadProgram(file: string): URL {
  const outfile = placeOf(file);
  beforeAll(() => transpile(file, outfile));
  afterAll(() => rmSync(outfile, { force: true }));
  return pathToFileURL(outfile);
}

/** Below the repository, so that it finds the packages. */
function placeOf(file: string): string {
  const folder = join(ROOT, 'node_modules', '.cache', 'voxgate-test');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${basename(file, '.ts')}-${process.pid}.mjs`);
}

async function transpile(file: string, outfile: string): Promise<void> {
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
}
