// Takes out of an installed and built copy of Voxgate what its server never reads: sources, tests, training, other platforms'
// libraries, types and maps. `node deploy/slim.mjs FOLDER`; prints what is left. Never run it in a checkout of your own.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a running server needs of the repository. */
const kept = new Set([
  'bin',
  'deploy',
  'dist',
  'models',
  'node_modules',
  'package.json',
  'LICENSE',
  'THIRD-PARTY-NOTICES',
]);
const keptOfDeploy = new Set(['health.mjs', 'systemd']);
const uselessFile = /\.(?:map|md|markdown|d\.[cm]?ts|tsbuildinfo)$/i;
const uselessFolder = new Set([
  'dist-types',
  'dist-es',
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  '.github',
]);
/** Folders of these names hold code in these packages. */
const spared = new Set(['node_modules/fastify/docs']);

export function slim(root, { platform = process.platform, arch = process.arch } = {}) {
  if (existsSync(join(root, '.git'))) throw new Error(`${root} is a checkout: it would lose its sources`);
  for (const name of readdirSync(root)) if (!kept.has(name)) remove(root, name);
  for (const name of readdirSync(join(root, 'deploy')))
    if (!keptOfDeploy.has(name)) remove(root, 'deploy', name);
  slimOnnx(join(root, 'node_modules', 'onnxruntime-node', 'bin'), platform, arch);
  slimLibsql(join(root, 'node_modules', '@libsql'), platform, arch);
  for (const name of ['.bin', '.package-lock.json', '.voxgate-installed']) remove(root, 'node_modules', name);
  slimFolder(root, join(root, 'node_modules'));
  slimFolder(root, join(root, 'dist'));
  return bytesOf(root);
}

/** It carries its library for every platform; one is used. */
function slimOnnx(bin, platform, arch) {
  if (!existsSync(bin)) return;
  for (const version of readdirSync(bin))
    for (const system of readdirSync(join(bin, version)))
      for (const machine of readdirSync(join(bin, version, system)))
        if (system !== platform || machine !== arch) remove(bin, version, system, machine);
}

/** npm installs it for both C libraries of a platform; the voice library runs with glibc alone, so that is what images have. */
function slimLibsql(packages, platform, arch) {
  if (!existsSync(packages)) return;
  for (const name of readdirSync(packages))
    if (/-(?:gnu|musl)$/.test(name) && name !== `${platform}-${arch}-gnu`) remove(packages, name);
}

function slimFolder(root, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (uselessFolder.has(entry.name) && isOfPackage(folder) && !spared.has(relative(root, path)))
        remove(path);
      else slimFolder(root, path);
    } else if (uselessFile.test(entry.name)) remove(path);
  }
}

/** Only right below a package: deeper down a folder of this name may be part of its code. */
function isOfPackage(folder) {
  return existsSync(join(folder, 'package.json'));
}

function remove(...path) {
  rmSync(join(...path), { recursive: true, force: true });
}

function bytesOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = process.argv[2];
  if (root === undefined) throw new Error('usage: node deploy/slim.mjs FOLDER');
  process.stdout.write(`${Math.round(slim(root) / 1e6)} MB are left in ${root}\n`);
}
