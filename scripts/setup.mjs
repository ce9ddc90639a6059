// Brings a checkout to the state where the program can run: dependencies installed, sources built.
// Both steps are skipped when nothing they depend on has changed. Only Node's own modules are used,
// because this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, 'node_modules', '.voxgate-installed');
const buildStamp = join(root, 'dist', '.voxgate-built');

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a program with its output on stderr, so that a command's own stdout stays machine-readable. */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['inherit', 2, 2],
    shell: false,
  });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    if (quiet)
      process.stderr.write(
        Buffer.concat([result.stdout ?? Buffer.alloc(0), result.stderr ?? Buffer.alloc(0)]),
      );
    say(`${command} ${args.join(' ')} failed`);
    process.exit(result.status ?? 1);
  }
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(relative(root, file));
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

export function install() {
  const wanted = fingerprint([join(root, 'package-lock.json')]);
  if (readStamp(installStamp) === wanted) return;
  say('Installing dependencies (once) ...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  run(npm, ['ci', '--prefer-offline', '--loglevel=error']);
  writeFileSync(installStamp, wanted);
}

export function isBuilt() {
  return readStamp(buildStamp) === sourceFingerprint();
}

function sourceFingerprint() {
  return fingerprint([
    ...filesBelow(join(root, 'src')),
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.json'),
  ]);
}

/** Transpiles the server file by file and bundles the console. Type errors are the test command's business. */
export async function build() {
  if (isBuilt()) return;
  say('Building ...');
  const started = Date.now();
  const stamp = sourceFingerprint();
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const sources = filesBelow(join(root, 'src')).filter(
    (file) => !relative(root, file).startsWith(join('src', 'console')),
  );
  const { build: esbuild } = await import('esbuild');
  await esbuild({
    entryPoints: sources.filter((file) => file.endsWith('.ts')),
    outbase: join(root, 'src'),
    outdir: dist,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
  for (const file of sources.filter((file) => !file.endsWith('.ts'))) {
    const target = join(dist, relative(join(root, 'src'), file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
  if (existsSync(join(root, 'src', 'console', 'vite.config.ts'))) {
    const config = join(root, 'src', 'console', 'vite.config.ts');
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    // As it ships, whoever asks for it: a test run would bundle the development build of its libraries.
    run(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
      env: { NODE_ENV: 'production' },
    });
  }
  writeFileSync(buildStamp, stamp);
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}
