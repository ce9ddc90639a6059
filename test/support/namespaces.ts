// Several machines on this one: network namespaces with addresses of their own on one switch, which is a namespace, too, so that nothing
// of it touches the network of this machine. Sockets in the file system are what leads in and out.
import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

const SWITCH = 'lan';
const SWITCH_ADDRESS = '10.0.0.1';

/** What keeps this machine from making them; nothing if it can. */
export function namespacesFault(): string {
  if (process.platform !== 'linux') return 'they are of Linux';
  const name = nameOf('probe');
  const { error, status, stderr } = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (error) return 'iproute2 is not installed';
  if (status !== 0) return stderr.trim();
  const bridge = spawnSync('ip', ['-n', name, 'link', 'add', 'bridge', 'type', 'bridge'], {
    encoding: 'utf8',
  });
  ip('netns', 'del', name);
  return bridge.status === 0 ? '' : bridge.stderr.trim();
}

const nameOf = (host: string): string => `voxgate-${process.pid}-${host}`;
const ip = (...args: string[]): Buffer => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });

/** Each pair: where it listens, and what it passes connections on to; `HOST:PORT`, or the path of a socket. */
const RELAY = `
const net = require('node:net');
const at = (end) => end.startsWith('/') ? { path: end } : { host: end.split(':')[0], port: Number(end.split(':')[1]) };
for (const [from, to] of JSON.parse(process.argv[1])) {
  net.createServer((near) => {
    const far = net.connect(at(to));
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(at(from), () => console.log(from));
}`;

export class Namespaces {
  readonly #hosts: string[] = [SWITCH];
  readonly #processes: ChildProcess[] = [];

  /** The addresses of hosts by their names. */
  constructor(hosts: Readonly<Record<string, string>>) {
    const lan = nameOf(SWITCH);
    ip('netns', 'add', lan);
    ip('-n', lan, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', lan, 'addr', 'add', `${SWITCH_ADDRESS}/24`, 'dev', 'bridge');
    for (const device of ['lo', 'bridge']) ip('-n', lan, 'link', 'set', device, 'up');
    for (const [host, address] of Object.entries(hosts)) {
      const name = nameOf(host);
      ip('netns', 'add', name);
      this.#hosts.push(host);
      ip('-n', lan, 'link', 'add', host, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('-n', lan, 'link', 'set', host, 'master', 'bridge', 'up');
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
    }
  }

  /** From where calls come that reach a host through a relay of the switch. */
  readonly caller = SWITCH_ADDRESS;

  start(host: string, command: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn('ip', ['netns', 'exec', nameOf(host), ...command], options);
    this.#processes.push(child);
    return child;
  }

  /** Waits until all of them listen. */
  async relay(host: string, pairs: readonly (readonly [from: string, to: string])[]): Promise<void> {
    const command = [process.execPath, '-e', RELAY, JSON.stringify(pairs)];
    const child = this.start(host, command, { stdio: ['ignore', 'pipe', 'inherit'] });
    let lines = 0;
    while (lines < pairs.length) {
      const [piece] = (await once(child.stdout!, 'data')) as [Buffer];
      lines += piece.toString().split('\n').length - 1;
    }
  }

  async stop(): Promise<void> {
    const running = this.#processes.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    const ended = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(ended);
    for (const host of this.#hosts) ip('netns', 'del', nameOf(host));
  }
}
