// The prints of one group or watchlist in memory, ready to be compared with: a copy of what the store holds,
// brought up to date print by print.
import { PrintGallery, type Nearest } from '../../voice/search/print-gallery.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { Profile } from '../profiles/model.js';

export type PrintDetails = Pick<
  Profile,
  'gkVoiceprintProfileId' | 'gkOwnerId' | 'ownerType' | 'tag' | 'version'
>;

interface Label extends PrintDetails {
  /** 0 when it is not locked; automatic locks end at their time, others never. */
  lockedUntil: number;
}

/** A print that cannot be scored: not trained, or made by another speaker model. */
export interface UnusablePrint extends PrintDetails {
  trained?: { calibrationRevisionId: string; modelRevision: string };
}

export class Gallery {
  readonly #prints: PrintGallery<Label>;
  readonly #unusable = new Map<string, UnusablePrint>();

  constructor(model: Pick<SpeakerModel, 'revision' | 'dim'>) {
    this.#prints = new PrintGallery(model.revision, model.dim);
  }

  /** All prints, scorable or not. */
  get size(): number {
    return this.#prints.size + this.#unusable.size;
  }

  put(profile: Profile): void {
    const { gkVoiceprintProfileId: id, trained } = profile;
    this.remove(id);
    const details = detailsOf(profile);
    const usable =
      trained?.template.modelRevision === this.#prints.modelRevision &&
      trained.template.embedding.every(Number.isFinite);
    if (usable) {
      const { locked, autoUnlockAt } = profile.lock;
      const lockedUntil = locked ? (autoUnlockAt ?? Number.POSITIVE_INFINITY) : 0;
      this.#prints.add(id, trained.template, { ...details, lockedUntil });
      return;
    }
    this.#unusable.set(id, {
      ...details,
      ...(trained && {
        trained: {
          calibrationRevisionId: trained.calibrationRevisionId,
          modelRevision: trained.template.modelRevision,
        },
      }),
    });
  }

  remove(gkVoiceprintProfileId: string): void {
    if (!this.#prints.remove(gkVoiceprintProfileId)) this.#unusable.delete(gkVoiceprintProfileId);
  }

  removeOwners(gkOwnerIds: ReadonlySet<string>): void {
    if (gkOwnerIds.size === 0) return;
    const owned = [...this.#prints.labels(), ...this.#unusable.values()].filter((print) =>
      gkOwnerIds.has(print.gkOwnerId),
    );
    for (const { gkVoiceprintProfileId } of owned) this.remove(gkVoiceprintProfileId);
  }

  /** The part of the gallery that one comparison is about. */
  at(now: number, tag: string | undefined): GalleryView {
    const hasTag = (print: PrintDetails) => !tag || print.tag === tag;
    const admits = (label: Label) => label.lockedUntil <= now && hasTag(label);
    const prints = this.#prints;
    return {
      trained: count(prints.labels(), hasTag),
      scorable: count(prints.labels(), admits),
      unusable: [...this.#unusable.values()].filter(hasTag),
      has: (id) => prints.has(id),
      nearest: (model, sample, limit) => prints.nearest(model, sample, limit, admits),
    };
  }
}

export interface GalleryView {
  /** Trained by the speaker model in use, locked ones included. */
  trained: number;
  /** Those that may be compared with now. */
  scorable: number;
  unusable: readonly UnusablePrint[];
  has(gkVoiceprintProfileId: string): boolean;
  nearest(model: SpeakerModel, sample: VoiceSample, limit: number): Nearest<PrintDetails>[];
}

export function detailsOf(profile: PrintDetails): PrintDetails {
  const { gkVoiceprintProfileId, gkOwnerId, ownerType, tag, version } = profile;
  return { gkVoiceprintProfileId, gkOwnerId, ownerType, tag, version };
}

function count<T>(items: readonly T[], fits: (item: T) => boolean): number {
  let sum = 0;
  for (const item of items) if (fits(item)) sum += 1;
  return sum;
}
