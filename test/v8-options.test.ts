// Options of V8 are set when the program starts, and by nothing that runs later.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { builtProgram } from './support/built-program.js';

const run = promisify(execFile);
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

beforeAll(() => builtProgram());

/** Tells whether the collector is accessible and the instructions of the coarse look are there. */
const LOOK = `import { runInNewContext } from 'node:vm';
const zeros = [0xfd, 0x0c, ...Array(16).fill(0)];
const product = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 43, 1, 41, 0, ...zeros, ...zeros, 0xfd, 0x92, 0x02, 11]);
const look = () => console.error('V8 has', JSON.stringify([
  runInNewContext('typeof gc') === 'function', WebAssembly.validate(product)]));
`;
const asCode = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

async function seenIn(...args: string[]): Promise<unknown> {
  const { stderr } = await run(process.execPath, args);
  return JSON.parse(/V8 has (.*)/.exec(stderr)?.[1] ?? 'null');
}

it('begins with the options that it needs', async () => {
  const atTheEnd = asCode(`${LOOK} process.on('exit', look);`);
  expect(await seenIn('--import', atTheEnd, `${DIST}main.js`, '--version')).toEqual([true, true]);
});

it('changes no option where it did not begin so', async () => {
  const before = await seenIn('--input-type=module', '-e', `${LOOK} look();`);
  const after = `${LOOK}
    await import(${JSON.stringify(`${DIST}voice/search/coarse-look.js`)});
    const { collectGarbage } = await import(${JSON.stringify(`${DIST}inference/collect-garbage.js`)});
    collectGarbage();
    look();`;
  expect(await seenIn('--input-type=module', '-e', after)).toEqual(before);
});
