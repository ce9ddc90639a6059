// The client for Python as a wheel and as a source distribution, by the formats' own rules (PEP 427, PEP 566, PEP 625), so that neither
// Python nor its tools are needed to make them.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { gzip, tar } from './archive.mjs';

const source = join(root, 'packages', 'python');

/** Answers the names of the two files. */
export async function packPython(folder, out, seconds) {
  const { zipSync } = await import('fflate');
  const pyproject = readFileSync(join(source, 'pyproject.toml'), 'utf8');
  const field = (name) => new RegExp(`^${name} = "([^"]+)"`, 'm').exec(pyproject)?.[1] ?? '';
  const [name, version] = [field('name'), field('version')];
  const metadata = Buffer.from(
    [
      'Metadata-Version: 2.1',
      `Name: ${name}`,
      `Version: ${version}`,
      `Summary: ${field('description')}`,
      'License: Apache-2.0',
      `Requires-Python: ${field('requires-python')}`,
      'Description-Content-Type: text/markdown',
      '',
      readFileSync(join(source, 'README.md'), 'utf8'),
    ].join('\n'),
  );
  const modules = readdirSync(join(source, name))
    .filter((file) => file.endsWith('.py'))
    .sort();
  const license = readFileSync(join(root, 'LICENSE'));

  const about = `${name}-${version}.dist-info`;
  const files = {
    ...Object.fromEntries(modules.map((file) => [`${name}/${file}`, readFileSync(join(source, name, file))])),
    [`${about}/LICENSE`]: license,
    [`${about}/METADATA`]: metadata,
    [`${about}/WHEEL`]: Buffer.from(
      'Wheel-Version: 1.0\nGenerator: voxgate\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
  };
  const record = Object.entries(files).map(
    ([path, bytes]) =>
      `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}\n`,
  );
  files[`${about}/RECORD`] = Buffer.from(`${record.join('')}${about}/RECORD,,\n`);
  // Of the year in which the times of a zip begin: it has them in the zone of whoever makes it.
  const wheel = `${name}-${version}-py3-none-any.whl`;
  writeFileSync(join(out, wheel), zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) }));

  const top = join(folder, `${name}-${version}`);
  mkdirSync(top, { recursive: true });
  for (const file of ['README.md', 'pyproject.toml', 'examples'])
    cpSync(join(source, file), join(top, file), { recursive: true });
  for (const file of modules) cpSync(join(source, name, file), join(top, name, file));
  writeFileSync(join(top, 'PKG-INFO'), metadata);
  writeFileSync(join(top, 'LICENSE'), license);
  tar(`${top}.tar`, folder, [`${name}-${version}`], { seconds });
  gzip(`${top}.tar`, join(out, `${name}-${version}.tar.gz`));
}
