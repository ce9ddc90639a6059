// Several nodes of one installation: each a process with a home of its own, all on one PostgreSQL and one S3 store. Calls take
// turns, as behind a load balancer that notices a dead node only after a while.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { envName } from '../../src/config.js';
import { startPostgres, stopPostgres } from '../../test/support/postgres-server.js';
import { startS3 } from '../../test/support/s3/server.js';
import type { Place } from '../chaos/check.js';
import type { Targets } from '../chaos/client.js';
import { Server, type Target } from '../chaos/server.js';

const MASTER_KEY = Buffer.alloc(32, 5).toString('base64');
/** How often a load balancer asks nodes whether they are ready. */
const ASKED_EVERY_MS = 250;
/** How long a load balancer goes on sending calls to a node that is dead. */
const NOTICED_AFTER_MS = 1000;

export interface Installation {
  place: Omit<Place, 'tenantId'>;
  /** A home of its own for one more node, with settings, variables and a version of its own where it has any. */
  node(more?: Record<string, string>, variables?: Record<string, string>, program?: string): Server;
  end(): Promise<void>;
}

export async function install(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-nodes-'));
  const postgres = await startPostgres();
  const s3 = await startS3();
  const settings = {
    'sealing.masterKey': MASTER_KEY,
    'media.store': `s3://${s3.bucket}`,
    'media.s3.endpoint': s3.endpoint,
    'media.s3.accessKeyId': s3.credentials.accessKeyId,
    'media.s3.secretAccessKey': s3.credentials.secretAccessKey,
    'engine.workers': '1',
    'rateLimits.tokenRequestsPerMinute': '1000000',
    'rateLimits.tokenRequestsPerAddressPerMinute': '1000000',
  };
  let nodes = 0;
  return {
    place: { home: join(folder, 'check'), databaseUrl: postgres.url, settings },
    node(more = {}, variables = {}, program) {
      const given = Object.entries({ ...settings, ...more });
      const env = Object.fromEntries(given.map(([name, value]) => [envName(name), value]));
      const home = join(folder, `node-${++nodes}`);
      const version = program === undefined ? {} : { program };
      return new Server({ home, databaseUrl: postgres.url, env: { ...env, ...variables }, ...version });
    },
    async end() {
      await s3.stop();
      await stopPostgres(postgres.folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export class Fleet implements Targets {
  readonly nodes: Server[];
  readonly #known = new Map<Server, Target>();
  #turns = 0;
  #secret: string;

  /** The secret of the application, where earlier nodes have made it. */
  constructor(nodes: readonly Server[], secret = '') {
    this.nodes = [...nodes];
    this.#secret = secret;
  }

  /** The next node in turn, of those that are believed to be there. */
  get target(): Target | undefined {
    const known = [...this.#known.values()];
    return known[this.#turns++ % known.length];
  }

  /** As above, but not the one where a call just failed, unless there is no other. */
  readonly otherThan = (failed: Target | undefined): Target | undefined => {
    const next = this.target;
    return next?.http === failed?.http ? this.target : next;
  };

  /** The first one makes the first application, whose secret it says once. */
  async start(): Promise<void> {
    for (const node of this.nodes) await this.#begin(node);
  }

  /** Some of its nodes, which run already, as a fleet of their own. */
  part(nodes: readonly Server[]): Fleet {
    const part = new Fleet(nodes, this.#secret);
    for (const node of nodes) part.#know(node);
    return part;
  }

  /** Killed without a word, noticed late, started again. */
  async killAndRestart(node: Server): Promise<void> {
    await node.end('SIGKILL');
    await sleep(NOTICED_AFTER_MS);
    this.#known.delete(node);
    await this.#begin(node);
  }

  /** As in a rolling upgrade: the next one is there before this one goes, which says so first and ends what it has begun. */
  async replace(node: Server, next: Server): Promise<void> {
    this.nodes.push(next);
    await this.#begin(next);
    const http = this.#known.get(node)?.http;
    const gone = node.end('SIGTERM');
    while (http !== undefined && (await isReady(http))) await sleep(ASKED_EVERY_MS);
    this.#known.delete(node);
    await gone;
    this.nodes.splice(this.nodes.indexOf(node), 1);
  }

  /** Killed without a word; calls go to the others from then on. */
  async lose(node: Server | undefined): Promise<void> {
    if (!node) return;
    this.#known.delete(node);
    await node.end('SIGKILL');
  }

  /** Processor time of all nodes together, in seconds. */
  cpuSeconds(): number {
    return this.nodes.reduce((sum, node) => sum + (node.cpuSeconds() ?? 0), 0);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#known.clear();
    await Promise.all(this.nodes.map((node) => node.end(signal)));
  }

  async #begin(node: Server): Promise<void> {
    await node.start();
    this.#know(node);
  }

  #know(node: Server): void {
    if (!node.target) return;
    this.#secret ||= node.target.clientSecret;
    this.#known.set(node, { ...node.target, clientSecret: this.#secret });
  }
}

async function isReady(http: string): Promise<boolean> {
  const answer = await fetch(`${http}/readyz`).catch(() => undefined);
  return answer?.status === 200;
}
