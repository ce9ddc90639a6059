// npm start: from a fresh clone to a running platform. Installs, builds, creates the first
// administrator, tenant and application once, and serves. Further arguments go to `voxgate start`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { helpIfAsked } from './arguments.mjs';
import { build, install, root } from './setup.mjs';

const help = `
usage: npm start [-- OPTIONS]

Installs, builds, creates the first administrator, tenant and application once, and serves.
OPTIONS are those of voxgate start, for example --http HOST:PORT; bin/voxgate start --help
lists them after the first build.`;
if (helpIfAsked(help)) process.exit(0);
install();
await build();

const child = spawn(process.execPath, [join(root, 'bin', 'voxgate'), 'start', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 1)));
