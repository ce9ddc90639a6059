// Galleries of the groups and watchlists in use. Each is read once, then follows the journal of changes that every
// node writes; one number per call tells whether there is anything to follow. Memory is bounded: the gallery that
// was not used for longest goes first, and what nobody asked for in a while goes too. Templates are open only here,
// in memory; at rest they stay sealed.
import { AppError } from '../../errors.js';
import type { Clock } from '../../platform.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { BiometricsStore } from '../ports.js';
import type { Profile } from '../profiles/model.js';
import { Gallery } from './gallery.js';

export interface GalleriesDeps {
  store: BiometricsStore;
  clock: Clock;
  model: Pick<SpeakerModel, 'revision' | 'dim'>;
}

export interface GalleryLimits {
  /** Most prints of one group or watchlist. */
  collectionPrintsMax: number;
  /** Most prints in memory, over all galleries; about 1.4 kB each. */
  printsMax: number;
  /** Unused for so long, a gallery is forgotten. */
  idleMs: number;
}

export const galleryLimits: GalleryLimits = {
  collectionPrintsMax: 1_000_000,
  printsMax: 1_000_000,
  idleMs: 30 * 60_000,
};

/** Members that are read at once: few enough that other calls are served in between. */
const pageMembers = 200;
/** Behind by more than this, reading everything again is quicker. */
const changesMax = 2000;

interface Held {
  gkScopeId: string;
  collectionGkId: string;
  gallery: Gallery;
  /** The change up to which the gallery is current. */
  seq: number;
  usedAt: number;
}

export class Galleries {
  /** Least recently used first. */
  readonly #held = new Map<string, Held>();
  /** Work on a gallery, so that it is read once however many calls wait for it. */
  readonly #working = new Map<string, Promise<Held>>();

  constructor(
    private readonly deps: GalleriesDeps,
    private readonly limits: GalleryLimits = galleryLimits,
  ) {}

  /** The gallery as it is now, whoever changed it last. */
  async open(gkScopeId: string, collectionGkId: string, field: string): Promise<Gallery> {
    const wanted = await this.deps.store.read.printChanges.last(gkScopeId);
    const key = `${gkScopeId}/${collectionGkId}`;
    for (;;) {
      const held = this.#held.get(key);
      if (held && held.seq >= wanted) {
        this.#keep(key, held);
        return held.gallery;
      }
      let work = this.#working.get(key);
      if (!work) {
        work = (held ? this.#follow(held, field) : this.#load(gkScopeId, collectionGkId, field)).finally(() =>
          this.#working.delete(key),
        );
        this.#working.set(key, work);
      }
      this.#keep(key, await work);
    }
  }

  /** Forgets what a scope had: its content is deleted. */
  forget(gkScopeId: string): void {
    for (const [key, held] of this.#held) if (held.gkScopeId === gkScopeId) this.#held.delete(key);
  }

  get stats(): { galleries: number; prints: number } {
    let prints = 0;
    for (const { gallery } of this.#held.values()) prints += gallery.size;
    return { galleries: this.#held.size, prints };
  }

  async #load(gkScopeId: string, collectionGkId: string, field: string): Promise<Held> {
    const { store, model, clock } = this.deps;
    // Read before the prints: what changes meanwhile is followed afterwards, and following twice does no harm.
    const seq = await store.read.printChanges.last(gkScopeId);
    const gallery = new Gallery(model);
    let after: string | undefined = '';
    while (after !== undefined) {
      const page: { profiles: Profile[]; next?: string } = await store.read.profiles.listByMembers(
        gkScopeId,
        collectionGkId,
        pageMembers,
        after,
      );
      for (const profile of page.profiles) gallery.put(profile);
      if (gallery.size > this.limits.collectionPrintsMax)
        throw tooLarge(field, this.limits.collectionPrintsMax);
      after = page.next;
    }
    return { gkScopeId, collectionGkId, gallery, seq, usedAt: clock.now() };
  }

  async #follow(held: Held, field: string): Promise<Held> {
    const { gkScopeId, collectionGkId, gallery } = held;
    const { read } = this.deps.store;
    const changes = await read.printChanges.since(gkScopeId, held.seq, changesMax);
    if (!changes?.length || changes.length >= changesMax || changes.some(({ kind }) => kind === 'ALL'))
      return this.#load(gkScopeId, collectionGkId, field);
    const prints = new Set<string>();
    const owners = new Set<string>();
    for (const change of changes) {
      if (change.kind === 'PRINT') prints.add(change.gkVoiceprintProfileId);
      if (change.kind === 'MEMBER' && change.collectionGkId === collectionGkId) owners.add(change.memberGkId);
    }
    const current = await read.profiles.listInCollection(gkScopeId, collectionGkId, {
      prints: [...prints],
      owners: [...owners],
    });
    // From here on nothing waits: a comparison sees the gallery before all of this or after.
    for (const id of prints) gallery.remove(id);
    gallery.removeOwners(owners);
    for (const profile of current) gallery.put(profile);
    if (gallery.size > this.limits.collectionPrintsMax) {
      this.#held.delete(`${gkScopeId}/${collectionGkId}`);
      throw tooLarge(field, this.limits.collectionPrintsMax);
    }
    return { ...held, seq: held.seq + changes.length };
  }

  #keep(key: string, held: Held): void {
    const now = this.deps.clock.now();
    this.#held.delete(key);
    this.#held.set(key, { ...held, usedAt: now });
    let { prints } = this.stats;
    for (const [other, { gallery, usedAt }] of this.#held) {
      if (other === key || (prints <= this.limits.printsMax && now - usedAt < this.limits.idleMs)) continue;
      this.#held.delete(other);
      prints -= gallery.size;
    }
  }
}

function tooLarge(field: string, max: number): AppError {
  const message = `holds more than ${max} prints: split it`;
  return new AppError('TOO_LARGE', `${field}: ${message}`, {
    fields: [{ field, violation: 'TOO_LONG', message }],
  });
}
