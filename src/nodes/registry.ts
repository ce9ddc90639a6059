// Which nodes there are: each notes itself in the database that they share, again every few seconds, and reads the notes of the others.
// A note that no longer changes is of a node that is gone. Only the change counts, never the time of another node's clock.
import type { Log } from '../platform.js';

/** Notes of nodes in the database. */
export interface NodeNotes {
  write(nodeId: string, note: string): Promise<void>;
  list(): Promise<{ nodeId: string; note: string }[]>;
  /** Only while it is still this note. */
  remove(nodeId: string, note: string): Promise<void>;
}

export interface NodeNote {
  /** HOST:PORT at which the node answers others. */
  address: string;
  /** Which questions and answers it understands; nodes ask only those that understand the same. */
  speaks: string;
  beat: number;
}

export interface RegistryDeps {
  notes: NodeNotes;
  log: Log;
  /** Milliseconds that only go on, whatever is done to the clock. */
  elapsedMs(): number;
}

export interface RegistryTimes {
  beatMs: number;
  /** A node whose note has not changed for so long is gone. */
  lostMs: number;
  /** And its note is removed. */
  forgetMs: number;
}

const registryTimes: RegistryTimes = { beatMs: 3000, lostMs: 10_000, forgetMs: 60_000 };

interface Seen extends NodeNote {
  note: string;
  /** When its note was last seen to change. */
  changedAtMs: number;
  /** It did not answer since its note has changed. */
  isSuspect: boolean;
}

export class NodeRegistry {
  readonly #deps: RegistryDeps;
  readonly #own: Omit<NodeNote, 'beat'> & { nodeId: string };
  readonly #times: RegistryTimes;
  readonly #seen = new Map<string, Seen>();
  #beat = 0;
  #readAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: RegistryDeps, own: Omit<NodeNote, 'beat'> & { nodeId: string }, times = registryTimes) {
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

  /** The nodes that are there and speak as this one does, this one among them. */
  nodes(): string[] {
    const others = [...this.#seen].flatMap(([nodeId, node]) => (this.#isThere(node) ? nodeId : []));
    return [this.#own.nodeId, ...others];
  }

  /** What others speak that are there and do not speak as this one does. */
  otherSpeech(): string[] {
    const others = [...this.#seen.values()].filter((node) => this.#isAlive(node)).map(({ speaks }) => speaks);
    return [...new Set(others)].filter((speaks) => speaks !== this.#own.speaks);
  }

  /** How long its note has not changed; nothing where there is none. */
  silentMs(nodeId: string): number | undefined {
    const seen = this.#seen.get(nodeId);
    return seen && this.#readAtMs - seen.changedAtMs;
  }

  addressOf(nodeId: string): string | undefined {
    return this.#seen.get(nodeId)?.address;
  }

  /** A node did not answer: it counts as gone until its note changes. */
  suspect(nodeId: string): void {
    const seen = this.#seen.get(nodeId);
    if (seen) seen.isSuspect = true;
  }

  /** Notes this node and looks for the others. */
  async beat(): Promise<void> {
    this.#beat += 1;
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
        if (read) this.#seen.set(nodeId, { ...read, note, changedAtMs: now, isSuspect: false });
      } else if (now - before.changedAtMs > this.#times.forgetMs) {
        await this.#deps.notes.remove(nodeId, note);
        this.#seen.delete(nodeId);
      }
    }
  }

  #isThere(node: Seen): boolean {
    return node.speaks === this.#own.speaks && this.#isAlive(node);
  }

  #isAlive({ changedAtMs, isSuspect }: Seen): boolean {
    return !isSuspect && this.#readAtMs - changedAtMs < this.#times.lostMs;
  }

  #ownNote(): string {
    const { address, speaks } = this.#own;
    return JSON.stringify({ address, speaks, beat: this.#beat } satisfies NodeNote);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.beat().then(() => this.#schedule());
    }, this.#times.beatMs);
    this.#timer.unref();
  }
}

/** Nothing where somebody else wrote it. */
export function readNote(note: string): NodeNote | undefined {
  try {
    const { address, speaks, beat } = JSON.parse(note) as Partial<NodeNote>;
    const isNote = typeof address === 'string' && typeof speaks === 'string' && typeof beat === 'number';
    return isNote ? { address, speaks, beat } : undefined;
  } catch {
    return undefined;
  }
}
