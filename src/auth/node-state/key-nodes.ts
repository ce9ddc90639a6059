// Which servers trust the signing keys of this database, and which state of the keys each of them has.
// Servers report this themselves, whenever they look for changes; dropping a compromised key waits until all
// of them have dropped it. No token is issued or checked based on what is written here.
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../errors.js';
import { DAY_MS, type Clock, type Log } from '../../platform.js';
import type { Changes, ServerNotes } from '../ports.js';
import type { ChangeFeed } from './change-feed.js';
import type { SigningKeys } from './signing-keys.js';
import type { VerifiedTokens } from './verified-tokens.js';

/** A server that has been silent for this long is stopped, or cut off from the database. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;
const FORGET_MS = DAY_MS;

interface KeyNodesDeps {
  notes: ServerNotes;
  rows: Changes;
  changes: ChangeFeed;
  keys: SigningKeys;
  verified: VerifiedTokens;
  clock: Clock;
  log: Log;
  /** Of this server: an identifier, and the name by which operators know it. */
  serverId: string;
  serverName: string;
  /** How often a server reports that it is alive. */
  beatMs: number;
}

interface ServerNote {
  name: string;
  /** The last change of the keys that the server has seen, and acted upon. */
  version: string;
  atMs: number;
}

export class KeyNodes {
  readonly #deps: KeyNodesDeps;
  #version = '';
  #isServing = false;
  #writtenAtMs = 0;

  constructor(deps: KeyNodesDeps) {
    this.#deps = deps;
  }

  /** Once it resolves, others wait for this server. */
  async join(): Promise<void> {
    this.#isServing = true;
    await this.#say();
  }

  async leave(): Promise<void> {
    if (!this.#isServing) return;
    this.#isServing = false;
    await this.#deps.notes.remove(this.#deps.serverId).catch(() => {});
  }

  /**
   * After every read of other nodes' changes: reloads the keys if they have changed, retrying until that
   * succeeds, and reports it.
   */
  async settle(): Promise<void> {
    const { changes, keys, verified, clock, beatMs } = this.#deps;
    const version = changes.versionOf('keys', 'all') ?? '';
    const isNew = version !== this.#version;
    if (isNew) {
      await keys.reloadFresh();
      verified.clear();
      this.#version = version;
    }
    if (this.#isServing && (isNew || Math.abs(clock.now() - this.#writtenAtMs) >= beatMs)) await this.#say();
  }

  async #say(): Promise<void> {
    const { notes, clock, serverId, serverName } = this.#deps;
    this.#writtenAtMs = clock.now();
    const note: ServerNote = { name: serverName, version: this.#version, atMs: this.#writtenAtMs };
    await notes.write(serverId, JSON.stringify(note));
  }

  /**
   * Waits until every other server has the keys as this one left them; returns the names of those that have
   * not reported so.
   */
  async confirmed(signal: AbortSignal): Promise<string[]> {
    const { rows, changes, notes, log } = this.#deps;
    const version = changes.versionOf('keys', 'all') ?? '';
    const endAtMs = performance.now() + WAIT_MS;
    for (;;) {
      // A later change is as good: a server that has seen that one has seen this one.
      const latest = (await rows.get('keys', 'all'))?.version;
      const waiting = (await this.#others()).filter(
        ({ note }) => note.version !== version && note.version !== latest,
      );
      if (waiting.length === 0) return [];
      if (performance.now() >= endAtMs || signal.aborted) {
        const names = waiting.map(({ note }) => note.name);
        log.warn({ servers: names }, 'servers have not confirmed that a compromised key is dropped');
        // A server that is alive after all will report again.
        for (const { serverId } of signal.aborted ? [] : waiting) await notes.remove(serverId);
        return names;
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  async #others(): Promise<{ serverId: string; note: ServerNote }[]> {
    const found = await this.#deps.notes.list();
    return found.flatMap(({ serverId, note }) =>
      serverId === this.#deps.serverId ? [] : { serverId, note: JSON.parse(note) as ServerNote },
    );
  }

  /** Drops the notes of servers that ended without removing them. */
  async forgetLost(): Promise<void> {
    const { notes, clock, log } = this.#deps;
    for (const { serverId, note } of await this.#others()) {
      if (clock.now() - note.atMs < FORGET_MS) continue;
      await notes.remove(serverId).catch((cause: unknown) => {
        if (!isOutage(cause)) log.warn({ err: cause }, 'cannot drop the note of a server');
      });
    }
  }
}
