// The container image, put together from its layers without a container tool: the C library from Debian's packages, Node, and the server as
// it is installed. The same as what `deploy/Containerfile` describes, as an OCI archive that docker and podman load, too.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { gzip, tar, told } from './archive.mjs';

/** As npm has it, with the checksum that its registry tells. */
const NODE_VERSION = '22.23.3';
const nodeChecksums = {
  x64: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  arm64: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
};
const architectures = { x64: 'amd64', arm64: 'arm64' };
const DEBIAN = ['bookworm', 'http://deb.debian.org/debian'];
/** What Node and the voice library are linked with, and nothing that could be run. */
const DEBIAN_PACKAGES = 'base-files,libc6,libgcc-s1,libstdc++6';
const USER = 65532;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** `folder`/lib is the server; `work` is for what is made on the way. */
export function packImage(folder, arch, target, { work, seconds, version }) {
  mkdirSync(join(work, 'blobs', 'sha256'), { recursive: true });
  const layers = [
    debianLayer(work, arch, seconds),
    nodeLayer(work, arch, seconds),
    serverLayer(folder, work, seconds),
  ].map((file) => layerOf(file, work));
  const config = addBlob(
    work,
    'application/vnd.oci.image.config.v1+json',
    imageConfig(arch, layers, seconds, version),
  );
  const manifest = addBlob(work, 'application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layers.map(({ descriptor }) => descriptor),
  });
  const name = `voxgate:${version}`;
  const annotations = {
    'io.containerd.image.name': `docker.io/library/${name}`,
    'org.opencontainers.image.ref.name': version,
  };
  const platform = { architecture: architectures[arch], os: 'linux' };
  const pathOf = ({ digest }) => `blobs/${digest.replace(':', '/')}`;
  const texts = {
    'oci-layout': { imageLayoutVersion: '1.0.0' },
    'index.json': { schemaVersion: 2, manifests: [{ ...manifest, platform, annotations }] },
    // What docker looks for first.
    'manifest.json': [
      {
        Config: pathOf(config),
        RepoTags: [name],
        Layers: layers.map(({ descriptor }) => pathOf(descriptor)),
      },
    ],
  };
  for (const [file, value] of Object.entries(texts)) writeFileSync(join(work, file), JSON.stringify(value));
  tar(target, work, ['blobs', ...Object.keys(texts)], { seconds });
}

function debianLayer(work, arch, seconds) {
  const file = join(work, 'debian.tar');
  const [suite, mirror] = DEBIAN;
  const what = [
    '--variant=extract',
    `--architectures=${architectures[arch]}`,
    `--include=${DEBIAN_PACKAGES}`,
  ];
  told('mmdebstrap', ['--quiet', ...what, suite, file, mirror], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
  });
  return file;
}

function nodeLayer(work, arch, seconds) {
  const name = `node-linux-${arch}`;
  const [{ filename, integrity }] = JSON.parse(
    told('npm', ['pack', '--json', '--loglevel=error', `${name}@${NODE_VERSION}`], { cwd: work }),
  );
  if (integrity !== nodeChecksums[arch])
    throw new Error(`${name}@${NODE_VERSION} is not what it was: ${integrity}`);
  told('tar', ['-xzf', filename, 'package/bin/node', 'package/LICENSE'], { cwd: work });
  const file = join(work, 'node.tar');
  const tree = join(work, 'tree');
  cpSync(join(work, 'package/bin/node'), join(tree, 'usr/local/bin/node'));
  chmodSync(join(tree, 'usr/local/bin/node'), 0o755);
  cpSync(join(work, 'package/LICENSE'), join(tree, 'usr/local/share/doc/node/LICENSE'));
  mkdirSync(join(tree, 'etc'));
  writeFileSync(
    join(tree, 'etc/passwd'),
    `root:x:0:0:root:/root:/sbin/nologin\nvoxgate:x:${USER}:${USER}::/var/lib/voxgate:/sbin/nologin\n`,
  );
  writeFileSync(join(tree, 'etc/group'), `root:x:0:\nvoxgate:x:${USER}:\n`);
  mkdirSync(join(tree, 'var/lib/voxgate'), { recursive: true });
  tar(file, tree, ['etc/group', 'etc/passwd', 'usr'], { seconds });
  tar(file, tree, ['var/lib/voxgate'], { seconds, owner: USER, mode: '0700', append: true });
  return file;
}

function serverLayer(folder, work, seconds) {
  const file = join(work, 'server.tar');
  tar(file, join(folder, 'lib'), readdirSync(join(folder, 'lib')), { seconds, prefix: 'opt/voxgate' });
  return file;
}

function layerOf(file, work) {
  const packed = `${file}.gz`;
  gzip(file, packed);
  const bytes = readFileSync(packed);
  const descriptor = addBlob(work, 'application/vnd.oci.image.layer.v1.tar+gzip', bytes);
  return { descriptor, diffId: `sha256:${sha256(gunzipSync(bytes))}` };
}

function addBlob(work, mediaType, content) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const digest = sha256(bytes);
  writeFileSync(join(work, 'blobs/sha256', digest), bytes);
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
}

/** As in the Containerfile. */
function imageConfig(arch, layers, seconds, version) {
  return {
    created: new Date(seconds * 1000).toISOString(),
    architecture: architectures[arch],
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
      Env: [
        'PATH=/usr/local/bin:/usr/bin:/bin',
        'NODE_ENV=production',
        'VOXGATE_HOME=/var/lib/voxgate',
        'VOXGATE_HTTP_ADDRESS=0.0.0.0:8080',
        'VOXGATE_GRPC_ADDRESS=0.0.0.0:8081',
      ],
      Entrypoint: ['/usr/local/bin/node', '/opt/voxgate/dist/main.js'],
      Cmd: ['serve'],
      Volumes: { '/var/lib/voxgate': {} },
      WorkingDir: '/opt/voxgate',
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', '/usr/local/bin/node', '/opt/voxgate/deploy/health.mjs'],
        ...{ Interval: 10e9, Timeout: 3e9, StartPeriod: 60e9, Retries: 3 },
      },
      Labels: {
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  };
}
