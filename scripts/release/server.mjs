// The server as it is installed: built, with the libraries of one platform, without anything that it does not read.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slim } from '../../deploy/slim.mjs';
import { root } from '../setup.mjs';
import { gzip, tar, told } from './archive.mjs';

const brought = [
  'LICENSE',
  'THIRD-PARTY-NOTICES',
  'bin',
  'deploy',
  'models',
  'package.json',
  'package-lock.json',
  '.npmrc',
];

/** Makes it in `folder`/lib, and answers how many bytes it has. */
export function stageServer(folder, arch) {
  const lib = join(folder, 'lib');
  mkdirSync(lib, { recursive: true });
  for (const name of brought) cpSync(join(root, name), join(lib, name), { recursive: true });
  for (const name of readdirSync(join(root, 'dist')).filter(
    (each) => each !== 'release' && !each.startsWith('.'),
  ))
    cpSync(join(root, 'dist', name), join(lib, 'dist', name), { recursive: true });
  const platform = [`--os=linux`, `--cpu=${arch}`, '--libc=glibc'];
  told('npm', ['ci', '--omit=dev', ...platform, '--prefer-offline', '--loglevel=error'], { cwd: lib });
  return slim(lib, { platform: 'linux', arch });
}

/**
 * The package for npm. Its libraries are part of the program instead of dependencies: npm then fetches nothing, runs nothing, and what
 * is checked by its checksum is all that runs.
 */
export function packServer(folder, arch, target, seconds) {
  const { name, version, description, license, engines, repository } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const manifest = {
    ...{ name, version, description, license, repository, engines },
    ...{ os: ['linux'], cpu: [arch], libc: ['glibc'] },
    bin: { voxgate: 'lib/bin/voxgate' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'docs/guides/installing.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const plain = `${folder}.tar`;
  tar(plain, folder, ['LICENSE', 'README.md', 'lib', 'package.json'], { seconds, prefix: 'package' });
  gzip(plain, target);
}
