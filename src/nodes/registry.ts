// Which nodes there are: each writes a record to the shared database every few seconds, and reads the records of the others. A
// record that no longer changes belongs to a node that is gone. Only the change counts, never the time of another node's
// clock.
import type { Log } from '../platform.js';

/** Notes of nodes in the database. */
export interface NodeNotes {
  write(nodeId: string, note: string): Promise<void>;
  list(): Promise<{ nodeId: string; note: string }[]>;
  /** Only while it is still this note. */
  remove(nodeId: string, note: string): Promise<void>;
}

interface NodeNote {
  /** The revision of its speaker model. */
  speaks: string;
  /** Whom its tokens are from: the public URL, where nothing else is set. Nodes of earlier versions do not say it. */
  issuer?: string;
  /** Whether its clock goes with the database's. Nodes that cannot say it, or are of earlier versions, do not. */
  keepsTime?: boolean;
  /** Of the program. 0.2.0 does not say it. */
  version?: string;
  beat: number;
}

interface RegistryDeps {
  notes: NodeNotes;
  log: Log;
  /** Milliseconds that only go on, whatever is done to the clock. */
  elapsedMs(): number;
  /** Whether the clock of this node goes with the database's, where that is known. */
  keepsTime?(): boolean | undefined;
}

interface RegistryTimes {
  beatMs: number;
  /** A node whose note has not changed for so long is gone. */
  lostMs: number;
  /** And its note is removed. */
  forgetMs: number;
}

interface Seen extends NodeNote {
  note: string;
  /** When its note was last seen to change. */
  changedAtMs: number;
  /** Its note was seen to change: one that is seen for the first time may have been left by a node that is gone. */
  isBeating: boolean;
}

export class NodeRegistry {
  readonly #deps: RegistryDeps;
  readonly #own: Omit<NodeNote, 'beat'> & { nodeId: string };
  readonly #times: RegistryTimes;
  readonly #seen = new Map<string, Seen>();
  #beat = 0;
  /** As of the last beat: the note is removed only as it was written. */
  #keepsTime: boolean | undefined;
  #readAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** Issuers of other nodes that the log has named. */
  readonly #reported = new Set<string>();

  constructor(deps: RegistryDeps, own: Omit<NodeNote, 'beat'> & { nodeId: string }, times: RegistryTimes) {
    this.#deps = deps;
    this.#own = own;
    this.#times = times;
  }

  /** From when it resolves, others find this node. */
  async start(): Promise<void> {
    await this.beat();
    this.#schedule();
  }

  /** Others no longer find this node. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#deps.notes.remove(this.#own.nodeId, this.#ownNote()).catch(() => {});
  }

  /** Speaker models of other nodes that are there and have not the same one. */
  otherModels(): string[] {
    const others = [...this.#seen.values()].filter((node) => this.#isThere(node)).map(({ speaks }) => speaks);
    return [...new Set(others)].filter((revision) => revision !== this.#own.speaks);
  }

  /** Nodes of 0.2.0, or of before, are there. */
  hasOlder(): boolean {
    return [...this.#seen.values()].some((node) => node.version === undefined && this.#isThere(node));
  }

  /** How long its note has not changed; nothing where there is none. */
  silentMs(nodeId: string): number | undefined {
    const seen = this.#seen.get(nodeId);
    return seen && this.#readAtMs - seen.changedAtMs;
  }

  /** Another node, which has said so just now, has a clock that goes with the database's. */
  isTimeKeptByAnother(withinMs: number): boolean {
    return [...this.#seen.values()].some(
      ({ keepsTime, isBeating, changedAtMs }) =>
        keepsTime === true && isBeating && this.#readAtMs - changedAtMs < withinMs,
    );
  }

  /** Notes this node and looks for the others. */
  async beat(): Promise<void> {
    this.#beat += 1;
    this.#keepsTime = this.#deps.keepsTime?.();
    await this.#asking(async (notes) => {
      await notes.write(this.#own.nodeId, this.#ownNote());
      await this.#compare(await notes.list());
    });
  }

  /** Looks for the others at once. */
  async look(): Promise<void> {
    await this.#asking(async (notes) => this.#compare(await notes.list()));
  }

  async #asking(work: (notes: NodeNotes) => Promise<void>): Promise<void> {
    try {
      await work(this.#deps.notes);
    } catch (cause) {
      // What was known stays: nobody is lost because the database cannot be asked.
      this.#deps.log.debug({ err: cause }, 'nodes could not be looked up');
    }
  }

  async #compare(found: readonly { nodeId: string; note: string }[]): Promise<void> {
    const now = this.#deps.elapsedMs();
    this.#readAtMs = now;
    const there = new Set(found.map(({ nodeId }) => nodeId));
    for (const nodeId of this.#seen.keys()) if (!there.has(nodeId)) this.#seen.delete(nodeId);
    for (const { nodeId, note } of found) {
      if (nodeId === this.#own.nodeId) continue;
      const before = this.#seen.get(nodeId);
      if (before?.note !== note) {
        const read = readNote(note);
        const isBeating = before !== undefined;
        if (read) this.#seen.set(nodeId, { ...read, note, changedAtMs: now, isBeating });
      } else if (now - before.changedAtMs > this.#times.forgetMs) {
        await this.#deps.notes.remove(nodeId, note);
        this.#seen.delete(nodeId);
      }
    }
    this.#tellOtherIssuers();
  }

  /** Nodes refuse the tokens of another issuer, and a caller sees only that: here it is said why. */
  #tellOtherIssuers(): void {
    const { issuer: own } = this.#own;
    if (own === undefined) return;
    for (const node of this.#seen.values()) {
      const { issuer: other } = node;
      if (other === undefined || other === own || !node.isBeating || !this.#isThere(node)) continue;
      if (this.#reported.has(other)) continue;
      this.#reported.add(other);
      this.#deps.log.warn({ own, other }, differentIssuers(own, other));
    }
  }

  #isThere({ changedAtMs }: Seen): boolean {
    return this.#readAtMs - changedAtMs < this.#times.lostMs;
  }

  #ownNote(): string {
    const { speaks, issuer, version } = this.#own;
    const keepsTime = this.#keepsTime;
    return JSON.stringify({
      // Version 0.2.0 reads only notes with an address.
      ...{ address: '', speaks, beat: this.#beat },
      ...(issuer !== undefined && { issuer }),
      ...(version !== undefined && { version }),
      ...(keepsTime !== undefined && { keepsTime }),
    } satisfies NodeNote & { address: string });
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.beat().then(() => this.#schedule());
    }, this.#times.beatMs);
    this.#timer.unref();
  }
}

export const ISSUER_ADVICE =
  'Set publicUrl (or tokens.issuer) to the same address on all nodes: the one at which clients reach them, for example that of the load balancer';

const differentIssuers = (own: string, other: string): string =>
  `NODES HAVE DIFFERENT PUBLIC URLS: ${own} of this one, ${other} of another. They refuse each other's tokens (401). ${ISSUER_ADVICE}`;

/** Nothing where somebody else wrote it. */
export function readNote(note: string): NodeNote | undefined {
  try {
    const { speaks, beat, issuer, version, keepsTime } = JSON.parse(note) as Partial<NodeNote>;
    if (typeof speaks !== 'string' || typeof beat !== 'number') return undefined;
    return {
      ...{ speaks, beat },
      ...(typeof issuer === 'string' && { issuer }),
      ...(typeof version === 'string' && { version }),
      ...(typeof keepsTime === 'boolean' && { keepsTime }),
    };
  } catch {
    return undefined;
  }
}
