// Compiles src/voice/kernels/kernels.wat (needs wat2wasm of the WebAssembly Binary Toolkit, Debian package `wabt`) and writes
// the bytes into src/voice/kernels/kernels-binary.ts, so that the product needs no toolchain and no file at run time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = new URL('../src/voice/kernels/', import.meta.url).pathname;
const temp = mkdtempSync(join(tmpdir(), 'voxgate-kernels-'));
execFileSync('wat2wasm', [join(folder, 'kernels.wat'), '-o', join(temp, 'k.wasm')]);
const text = readFileSync(join(temp, 'k.wasm')).toString('base64');
rmSync(temp, { recursive: true });
const lines = text.match(/.{1,120}/g).map((line) => `  '${line}',`);
writeFileSync(
  join(folder, 'kernels-binary.ts'),
  `/** kernels.wat compiled by scripts/build-kernels.mjs; not edited by hand. */\nexport const kernelsBase64 = [\n${lines.join('\n')}\n].join('');\n`,
);
