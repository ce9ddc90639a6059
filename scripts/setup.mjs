// Brings a checkout to the state where the program can run: dependencies installed, sources built.
// Both steps are skipped when nothing they depend on has changed. Only Node's own modules are used,
// because this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, 'node_modules', '.voxgate-installed');
const dist = join(root, 'dist');
/** What is built by itself, from which folders of `src`, and where its fingerprint is kept. */
const parts = {
  server: { stamp: join(dist, '.voxgate-built'), isOwn: (room) => room !== 'console' },
  console: {
    stamp: join(dist, '.voxgate-built-console'),
    isOwn: (room) => ['console', 'client', 'gen', 'manifest', 'words'].includes(room),
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
    fileURLToPath(import.meta.url),
  ]);
}

const roomOf = (file) => relative(join(root, 'src'), file).split(sep)[0];

/** Transpiles the server file by file, and bundles the program made of it and the console. Type errors are the test command's business. */
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
  const options = {
    outdir: dist,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    write: false,
    logLevel: 'warning',
  };
  const [program, files] = await Promise.all([
    esbuild({ ...options, ...programOptions(sources) }),
    esbuild({
      ...options,
      entryPoints: sources.filter((file) => file.endsWith('.ts')),
      outbase: join(root, 'src'),
    }),
  ]);
  const made = new Map();
  for (const { path, contents } of [...program.outputFiles, ...files.outputFiles]) made.set(path, contents);
  for (const [name, entry] of Object.entries(entries)) {
    const up = relative(dirname(join(dist, entry)), join(dist, PROGRAM_FOLDER, `${name}.js`));
    made.set(join(dist, entry.replace(/ts$/, 'js')), Buffer.from(`import './${up.replaceAll(sep, '/')}';\n`));
    made.delete(join(dist, entry.replace(/ts$/, 'js.map')));
  }
  for (const file of sources.filter((file) => !file.endsWith('.ts')))
    made.set(join(dist, relative(join(root, 'src'), file)), readFileSync(file));
  for (const [file, contents] of made) writeIfChanged(file, contents);
  for (const file of filesBelow(dist).filter((each) => !made.has(each) && !isKept(relative(dist, each))))
    rmSync(file, { force: true });
  writeFileSync(part.stamp, stamp);
}

/** The console, releases, the fingerprints, and pieces that a program of the build before may still ask for. */
const isKept = (path) =>
  path.startsWith(`console${sep}`) ||
  path.startsWith(`release${sep}`) ||
  path.startsWith('.') ||
  (path.startsWith(`${PROGRAM_FOLDER}${sep}`) &&
    Date.now() - statSync(join(dist, path)).mtimeMs < PIECES_KEPT_MS);

/** As in src/transport/encodings.ts. */
const COMPRESSED_BYTES_MIN = 1024;
const PROGRAM_FOLDER = 'program';
const PIECES_KEPT_MS = 24 * 3_600_000;
/** What is started: the program, and its threads with the models. */
const entries = { main: 'main.ts', 'engine-worker': join('inference', 'pool', 'engine-worker.ts') };

/** Packages of hundreds of small files that nobody replaces or observes: they are part of the pieces. */
const ownPackages = ['@bufbuild/protobuf', 'jose', 'kysely', 'openid-client'];

/**
 * The program in few pieces, of which a command loads those that it needs: opening a thousand files one by one takes longer than most
 * commands run. Other packages stay where they are, for those who replace or observe them.
 */
function programOptions(sources) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const outside = Object.keys(dependencies).filter((name) => !ownPackages.includes(name));
  const here = sources.filter(
    (file) => file.endsWith('.ts') && readFileSync(file).includes('import.meta.url'),
  );
  return {
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [`${PROGRAM_FOLDER}/${name}`, join(root, 'src', entry)]),
    ),
    chunkNames: `${PROGRAM_FOLDER}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    external: outside.flatMap((name) => [name, `${name}/*`]),
    plugins: [
      {
        // What lies beside a file is looked for beside what is built of it.
        name: 'own-address',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            if (!here.includes(path)) return undefined;
            const built = relative(join(root, 'src'), path).replaceAll(sep, '/').replace(/ts$/, 'js');
            const address = `new URL('../${built}', import.meta.url).href`;
            return {
              contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address),
              loader: 'ts',
            };
          });
        },
      },
    ],
  };
}

function writeIfChanged(file, contents) {
  if (existsSync(file) && readFileSync(file).equals(contents)) return;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, contents);
  renameSync(fresh, file);
}

/** Beside each file, what servers send instead of it: made once, as small as it gets. */
function compressBelow(folder) {
  for (const file of filesBelow(folder)) {
    const bytes = readFileSync(file);
    if (bytes.length < COMPRESSED_BYTES_MIN || !/\.(?:css|html|js|svg)$/.test(file)) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
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
  compressBelow(join(dist, 'console'));
  writeFileSync(part.stamp, stamp);
}
