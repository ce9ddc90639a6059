// npm run release: everything of this version that people install, in dist/release/, the same bytes every time.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../arguments.mjs';
import { build, install, root, say } from '../setup.mjs';
import { gzip, tar, told } from './archive.mjs';

const { values } = readArguments(
  `
usage: npm run release [-- --sign KEY]

Makes everything of this version that people install in dist/release/: the server and the image for x64 and arm64, the clients, the
chart, a bill of materials and checksums. KEY is a file with a private Ed25519 key (openssl genpkey -algorithm ed25519), with which the
checksums are signed. It rebuilds dist, and needs a checkout without changes, GNU tar and, for the image, Debian's mmdebstrap.`,
  { sign: { type: 'string' } },
);
const out = join(root, 'dist', 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Read before anything is made, so that a wrong key costs no time.
const key = values.sign === undefined ? undefined : createPrivateKey(readFileSync(values.sign));
if (key !== undefined && key.asymmetricKeyType !== 'ed25519')
  throw new Error('the key must be an Ed25519 key');
const git = (...args) => told('git', args, { cwd: root }).trim();
if (git('status', '--porcelain') !== '')
  throw new Error('the checkout has changes: a release is of a commit');
/** The time of whatever is in an archive: that of the commit. */
const seconds = Number(git('log', '-1', '--format=%ct'));

install();
// Without the pieces of earlier builds, which are kept for programs that still run on them.
rmSync(join(root, 'dist'), { recursive: true, force: true });
await build();
// Not before, as they need what is installed.
const { packServer, stageServer } = await import('./server.mjs');
const { packClient } = await import('./client.mjs');
const { packPython } = await import('./python.mjs');
const { packImage } = await import('./image.mjs');
const { billOfMaterials } = await import('./bill.mjs');

const work = mkdtempSync(join(tmpdir(), 'voxgate-release-'));
mkdirSync(out, { recursive: true });
try {
  await makeAll();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function makeAll() {
  const hasDebian = told('sh', ['-c', 'command -v mmdebstrap || true']) !== '';
  for (const arch of ['x64', 'arm64']) {
    const folder = join(work, arch);
    const bytes = stageServer(folder, arch);
    packServer(folder, arch, join(out, `voxgate-${version}-linux-${arch}.tgz`), seconds);
    say(`The server for ${arch}: ${Math.round(bytes / 1e6)} MB when installed.`);
    const image = join(out, `voxgate-image-${version}-linux-${arch}.tar`);
    if (hasDebian) packImage(folder, arch, image, { work: join(work, `image-${arch}`), seconds, version });
  }
  if (!hasDebian)
    say('There is no mmdebstrap (apt-get install mmdebstrap), and so NO IMAGE in this release.');
  packClient(join(work, 'client'), join(out, `voxgate-client-${version}.tgz`), seconds);
  await packPython(join(work, 'python'), out, seconds);
  const chart = join(work, 'chart.tar');
  tar(chart, join(root, 'deploy', 'helm'), ['voxgate'], { seconds });
  gzip(chart, join(out, `voxgate-chart-${version}.tgz`));
  const bill = await billOfMaterials(seconds);
  writeFileSync(join(out, `voxgate-${version}.cdx.json`), `${JSON.stringify(bill, null, 1)}\n`);
  const sums = readdirSync(out)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  if (key !== undefined) {
    writeFileSync(join(out, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums.join('')), key));
    writeFileSync(join(out, 'voxgate.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  }
  for (const name of readdirSync(out).sort())
    say(`${(statSync(join(out, name)).size / 1e3).toFixed(0).padStart(8)} kB  ${name}`);
}
