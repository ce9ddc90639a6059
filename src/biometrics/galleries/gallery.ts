// The prints of one group or watchlist in memory, ready to be compared with: a copy of what the store holds,
// brought up to date print by print.
import { PrintGallery, type Nearest } from '../../voice/search/print-gallery.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { ComparablePrint, PrintDetails } from '../model/profiles.js';
import { yieldToEventLoop } from '../call/yield-to-event-loop.js';

interface Label extends PrintDetails {
  calibrationRevisionId: string;
  /** 0 when it is not locked; automatic locks end at their time, others never. */
  lockedUntilMs: number;
}

/** A print that cannot be scored: not trained, made by another speaker model, or damaged. */
export interface UnusablePrint extends PrintDetails {
  trained?: { calibrationRevisionId: string; modelRevision: string };
  damaged?: true;
}

/** What a print must have been made by. */
export type GalleryModel = Pick<SpeakerModel, 'revision' | 'dim'>;

export class Gallery {
  readonly #prints: PrintGallery<Label>;
  readonly #unusable = new Map<string, UnusablePrint>();
  // Kept along, because looking through a million labels for each comparison would take longer than the comparison.
  readonly #tags = new Map<string, number>();
  readonly #locked = new Map<string, Label>();
  /** Each text once: a million prints share a few calibrations. */
  readonly #calibrations = new Map<string, string>();
  readonly #owned = new Map<string, string | readonly string[]>();
  #comparing = 0;
  #waiting: (() => void)[] = [];

  constructor(model: GalleryModel) {
    this.#prints = new PrintGallery(model.revision, model.dim);
  }

  /** All prints, scorable or not. */
  get size(): number {
    return this.#prints.size + this.#unusable.size;
  }

  /** Changes the gallery in one go: a comparison, which takes turns with other work, sees all of it or nothing. */
  async change(work: () => void): Promise<void> {
    while (this.#comparing > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    work();
  }

  put(print: ComparablePrint): void {
    const { gkVoiceprintProfileId: id, gkOwnerId, trained } = print;
    this.remove(id);
    const owned = this.#owned.get(gkOwnerId);
    this.#owned.set(gkOwnerId, owned === undefined ? id : [...listOf(owned), id]);
    const details = detailsOf(print);
    const { modelRevision, dim } = this.#prints;
    if (trained?.template.modelRevision === modelRevision && trained.template.embedding.length === dim) {
      const { locked, autoUnlockAtMs } = print.lock;
      // A lock protects a person's print from guessing; it must never hide a fraudster.
      const isShut = locked && print.ownerType === 'PERSON';
      const lockedUntilMs = isShut ? (autoUnlockAtMs ?? Number.POSITIVE_INFINITY) : 0;
      const label = { ...details, lockedUntilMs, calibrationRevisionId: this.#shared(trained) };
      this.#prints.add(id, trained.template, label);
      this.#countTag(label.tag, 1);
      if (isShut) this.#locked.set(id, label);
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
      ...(print.damaged && { damaged: true }),
    });
  }

  remove(gkVoiceprintProfileId: string): void {
    const label = this.#prints.remove(gkVoiceprintProfileId);
    if (label) {
      this.#countTag(label.tag, -1);
      this.#locked.delete(gkVoiceprintProfileId);
    }
    const gkOwnerId = (label ?? this.#unusable.get(gkVoiceprintProfileId))?.gkOwnerId;
    if (gkOwnerId === undefined) return;
    this.#unusable.delete(gkVoiceprintProfileId);
    const left = listOf(this.#owned.get(gkOwnerId)).filter((id) => id !== gkVoiceprintProfileId);
    if (left.length > 0) this.#owned.set(gkOwnerId, left);
    else this.#owned.delete(gkOwnerId);
  }

  removeOwners(gkOwnerIds: Iterable<string>): void {
    for (const gkOwnerId of gkOwnerIds) for (const id of listOf(this.#owned.get(gkOwnerId))) this.remove(id);
  }

  /** The part of the gallery that one comparison is about. */
  at(now: number, tag: string | undefined): GalleryView {
    const hasTag = (print: PrintDetails) => !tag || print.tag === tag;
    const admits = (label: Label) => label.lockedUntilMs <= now && hasTag(label);
    const prints = this.#prints;
    const trained = tag ? (this.#tags.get(tag) ?? 0) : prints.size;
    let shut = 0;
    for (const label of this.#locked.values()) if (hasTag(label) && label.lockedUntilMs > now) shut += 1;
    return {
      trained,
      scorable: trained - shut,
      unusable: [...this.#unusable.values()].filter(hasTag),
      calibrated: function* () {
        for (const label of prints.labels) if (hasTag(label)) yield label;
      },
      has: (id) => prints.has(id),
      nearest: (model, sample, limit) => this.#nearest(prints.search(model, sample, limit, admits)),
    };
  }

  async #nearest(search: Generator<void, Nearest<Label>[]>): Promise<Nearest<Label>[]> {
    this.#comparing += 1;
    try {
      for (;;) {
        const step = search.next();
        if (step.done) return step.value;
        await yieldToEventLoop();
      }
    } finally {
      this.#comparing -= 1;
      if (this.#comparing === 0) for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  #shared({ calibrationRevisionId }: { calibrationRevisionId: string }): string {
    const known = this.#calibrations.get(calibrationRevisionId);
    if (known === undefined) this.#calibrations.set(calibrationRevisionId, calibrationRevisionId);
    return known ?? calibrationRevisionId;
  }

  #countTag(tag: string, by: number): void {
    const count = (this.#tags.get(tag) ?? 0) + by;
    if (count > 0) this.#tags.set(tag, count);
    else this.#tags.delete(tag);
  }
}

export interface GalleryView {
  /** Trained by the speaker model in use, locked ones included. */
  trained: number;
  /** Those that may be compared with now. */
  scorable: number;
  unusable: readonly UnusablePrint[];
  /** All that were trained by the speaker model in use, with the calibration they were trained under. */
  calibrated(): Iterable<PrintDetails & { calibrationRevisionId: string }>;
  has(gkVoiceprintProfileId: string): boolean;
  nearest(model: SpeakerModel, sample: VoiceSample, limit: number): Promise<Nearest<PrintDetails>[]>;
}

export function detailsOf(profile: PrintDetails): PrintDetails {
  const { gkVoiceprintProfileId, gkOwnerId, ownerType, tag, version } = profile;
  return { gkVoiceprintProfileId, gkOwnerId, ownerType, tag, version };
}

/** Most owners have one print, which then needs no list of its own. */
function listOf(ids: string | readonly string[] | undefined): readonly string[] {
  if (ids === undefined) return [];
  return typeof ids === 'string' ? [ids] : ids;
}
