// Brings a checkout to the state where the program can run: dependencies installed, sources built.
// Both steps are skipped when nothing they depend on has changed. Only Node's own modules are used,
// because this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, 'node_modules', '.voxgate-installed');
const dist = join(root, 'dist');
/** What is built by itself, from which folders of `src`, and where its fingerprint is kept. */
const parts = {
  server: { stamp: join(dist, '.voxgate-built'), isOwn: (room) => room !== 'console' },
  console: {
    stamp: join(dist, '.voxgate-built-console'),
    isOwn: (room) => ['console', 'client', 'gen', 'manifest'].includes(room),
  },
};

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
  return Object.values(parts).every(isCurrent);
}

function isCurrent(part) {
  return readStamp(part.stamp) === fingerprintOf(part);
}

function fingerprintOf({ isOwn }) {
  return fingerprint([
    ...filesBelow(join(root, 'src')).filter((file) => isOwn(roomOf(file))),
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.json'),
  ]);
}

const roomOf = (file) => relative(join(root, 'src'), file).split(sep)[0];

/** Transpiles the server file by file and bundles the console. Type errors are the test command's business. */
export async function build() {
  if (isBuilt()) return;
  say('Building ...');
  const started = Date.now();
  await buildServer();
  buildConsole();
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** The server alone. Only files that change are written, so that a program that runs on them meanwhile is not disturbed. */
export async function buildServer() {
  const part = parts.server;
  if (isCurrent(part)) return;
  const stamp = fingerprintOf(part);
  const sources = filesBelow(join(root, 'src')).filter((file) => part.isOwn(roomOf(file)));
  const { build: esbuild } = await import('esbuild');
  const { outputFiles } = await esbuild({
    entryPoints: sources.filter((file) => file.endsWith('.ts')),
    outbase: join(root, 'src'),
    outdir: dist,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    write: false,
    logLevel: 'warning',
  });
  const made = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  for (const file of sources.filter((file) => !file.endsWith('.ts')))
    made.set(join(dist, relative(join(root, 'src'), file)), readFileSync(file));
  for (const [file, contents] of made) writeIfChanged(file, contents);
  for (const file of filesBelow(dist).filter((each) => !made.has(each) && !isKept(relative(dist, each))))
    rmSync(file, { force: true });
  writeFileSync(part.stamp, stamp);
}

/** The console, and the fingerprints. */
const isKept = (path) => path.startsWith(`console${sep}`) || path.startsWith('.');

function writeIfChanged(file, contents) {
  if (existsSync(file) && readFileSync(file).equals(contents)) return;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, contents);
  renameSync(fresh, file);
}

function buildConsole() {
  const part = parts.console;
  const config = join(root, 'src', 'console', 'vite.config.ts');
  if (isCurrent(part) || !existsSync(config)) return;
  const stamp = fingerprintOf(part);
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  // As it ships, whoever asks for it: a test run would bundle the development build of its libraries.
  run(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
    env: { NODE_ENV: 'production' },
  });
  writeFileSync(part.stamp, stamp);
}
