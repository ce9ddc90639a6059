// Which servers trust the signing keys of this database, and which state of the keys each of them has. They say so themselves, beside the
// look for changes that they take anyway; whoever drops a compromised key waits until all of them have dropped it. No token is
// issued or checked by what is written here.
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../errors.js';
import { DAY_MS, type Clock, type Log } from '../../platform.js';
import type { Changes, ServerNotes } from '../ports.js';
import type { ChangeFeed } from './change-feed.js';
import type { SigningKeys } from './signing-keys.js';
import type { VerifiedTokens } from './verified-tokens.js';

/** A server that has said nothing for so long is stopped, or cut off from the database. */
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
  /** Of this server: an identifier, and what an operator knows it by. */
  serverId: string;
  serverName: string;
  /** How often a server says that it is there. */
  beatMs: number;
}

interface ServerNote {
  name: string;
  /** The change of the keys that the server has seen last, and acted upon. */
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

  /** From when it resolves, others wait for this server. */
  async join(): Promise<void> {
    this.#isServing = true;
    await this.#say();
  }

  async leave(): Promise<void> {
    if (!this.#isServing) return;
    this.#isServing = false;
    await this.#deps.notes.remove(this.#deps.serverId).catch(() => {});
  }

  /** After every look at the changes of others: reads the keys anew where they have changed, again and again until that succeeds, and says so. */
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

  /** Waits until every other server has the keys as this one left them; answers the names of those that have not said so. */
  async confirmed(signal: AbortSignal): Promise<string[]> {
    const { rows, changes, notes, log } = this.#deps;
    const version = changes.versionOf('keys', 'all') ?? '';
    const endAtMs = performance.now() + WAIT_MS;
    for (;;) {
      // A later change is as good: whoever has seen that has seen this one.
      const latest = (await rows.get('keys', 'all'))?.version;
      const waiting = (await this.#others()).filter(
        ({ note }) => note.version !== version && note.version !== latest,
      );
      if (waiting.length === 0) return [];
      if (performance.now() >= endAtMs || signal.aborted) {
        const names = waiting.map(({ note }) => note.name);
        log.warn({ servers: names }, 'servers have not confirmed that a compromised key is dropped');
        // Whoever is there after all says so again.
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

  /** Drops what servers have left behind that ended without a word. */
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
