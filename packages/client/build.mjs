// Builds the package @voxgate/client out of src/client: bundles for Node and browsers, and declarations in which the types of the
// contract stand without the library that they are generated for. `npm pack` and `npm publish` in this folder run it first.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../scripts/arguments.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
readArguments(`
usage: node packages/client/build.mjs

Builds the package @voxgate/client in packages/client/dist; npm pack and npm publish in packages/client do so themselves.`);
// After the arguments: a compiler takes a second to load, which nobody who asks for help waits for.
const { build } = await import('esbuild');
const { default: ts } = await import('typescript');
const { ContractTypes } = await import('./contract-types.mjs');
const out = join(here, 'dist');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: {
    index: join(root, 'src/client/index.ts'),
    microphone: join(root, 'src/client/browser/index.ts'),
    'recorder-worklet': join(root, 'src/client/browser/recorder-worklet.ts'),
  },
  outdir: out,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  // Comments are in the declarations, where editors look for them.
  minify: true,
  logLevel: 'warning',
});
declarations();
copyFileSync(join(root, 'LICENSE'), join(here, 'LICENSE'));

/** Of our own files the compiler makes them one by one; what they and the operations speak of is one file beside them. */
function declarations() {
  const gen = join(root, 'src/gen');
  const generated = filesBelow(gen).filter((file) => /(_pb|calls)\.ts$/.test(file));
  const contract = new ContractTypes(gen, generated);
  const wanted = new Set(['Calls']);
  for (const file of filesBelow(join(root, 'src/client'))) {
    const text = readFileSync(join(root, 'src/client', file), 'utf8');
    const target = join(out, 'types', file.replace(/\.ts$/, '.d.ts'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, declarationOf(file, text, contract, wanted));
  }
  writeFileSync(join(out, 'types/contract-types.d.ts'), contract.declarations(wanted));
}

/** Names of the contract are taken from its one file, under the names that they have there. */
function declarationOf(fileName, text, contract, wanted) {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, strict: true };
  const { outputText, diagnostics } = ts.transpileDeclaration(text, { fileName, compilerOptions: options });
  for (const { messageText } of diagnostics ?? [])
    throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  return (
    outputText
      // The compiler declares a generator under a symbol twice.
      .replace(/^ *\[Symbol\.asyncIterator\]: .*\n/gm, '')
      .replace(/\{ ([^}]*) \} from '(?:\.\.\/)+gen\/([^']*)\.js'/g, (_all, names, module) => {
        const renamed = names.split(', ').map((name) => {
          const there = contract.nameOf(`${module}.ts`, name);
          wanted.add(there);
          return there === name ? name : `${there} as ${name}`;
        });
        return `{ ${renamed.join(', ')} } from '${'../'.repeat(fileName.split('/').length - 1) || './'}contract-types.js'`;
      })
  );
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort();
}
