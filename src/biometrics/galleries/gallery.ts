// The prints of one group or watchlist in memory, ready to be compared with: a copy of what the store holds,
// brought up to date print by print.
import type { Scanner } from '../../voice/search/block-scan.js';
import { Pieces } from '../../voice/search/columns.js';
import { PrintGallery, type Asked, type Nearest } from '../../voice/search/print-gallery.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { ComparablePrint, PrintDetails } from '../model/profiles.js';
import { yieldToEventLoop } from '../../platform.js';
import { countByModel } from '../rules/other-models.js';
import { judgeList, type UnusablePrint } from './consistency.js';
import type { GalleryView, NearestPrint } from './gallery-view.js';
import { PrintLabels, type PrintKind } from './print-labels.js';

/** The model that a print must have been made with. */
export type GalleryModel = Pick<SpeakerModel, 'revision' | 'dim'>;

/** Rows that are indexed without a pause. */
const STEP_ROWS = 4096;

/** Texts that rows refer to by number. */
interface Named {
  /** Identifiers of prints and owners that are not UUIDs. */
  texts: readonly string[];
  ownerTexts: readonly string[];
  kinds: readonly PrintKind[];
}

/** The data of a gallery besides its rows. */
export interface GalleryMetadata extends Named {
  /** Until when; null: until somebody unlocks it. */
  locked: readonly (readonly [gkVoiceprintProfileId: string, untilMs: number | null])[];
  unusable: readonly UnusablePrint[];
}

/** A copy in progress while the gallery goes on changing. */
interface Copying {
  /** Rows that were read. */
  rows: number;
  /** Prints that moved from after that position to before it, and would be missed. */
  missed: Set<string>;
}

export class Gallery {
  readonly #prints: PrintGallery;
  readonly #labels = new PrintLabels();
  readonly #unusable = new Map<string, UnusablePrint>();
  /** Until when, by print ID: automatic locks end at their time, others never. */
  readonly #lockedUntilMs = new Map<string, number>();
  #copying: Copying | undefined;
  #comparing = 0;
  #waiting: (() => void)[] = [];

  readonly #scanner: Scanner | undefined;

  /** Without a scanner, or if it fails, comparisons are made here, in turns with other work. */
  constructor(model: GalleryModel, scanner?: Scanner) {
    this.#prints = new PrintGallery(model.revision, model.dim);
    this.#scanner = scanner;
  }

  /** All prints, scorable or not. */
  get size(): number {
    return this.#prints.size + this.#unusable.size;
  }

  /** Bytes of the arrays that hold the prints. */
  memoryBytes(): number {
    return this.#prints.memoryBytes() + this.#labels.memoryBytes();
  }

  /** Changes the gallery in one go: a comparison, which runs in turns, sees all of it or nothing. */
  async change(work: () => void): Promise<void> {
    while (this.#comparing > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    work();
  }

  put(print: ComparablePrint): void {
    const { gkVoiceprintProfileId: id, trained } = print;
    this.remove(id);
    const details = detailsOf(print);
    const { modelRevision, dim } = this.#prints;
    if (trained?.template.modelRevision === modelRevision && trained.template.embedding.length === dim) {
      const { calibrationRevisionId } = trained;
      this.#labels.put(this.#prints.add(id, trained.template), { ...details, calibrationRevisionId });
      const { locked, autoUnlockAtMs } = print.lock;
      // A lock protects a person's print from guessing; it must never hide a fraudster.
      if (locked && print.ownerType === 'PERSON')
        this.#lockedUntilMs.set(id, autoUnlockAtMs ?? Number.POSITIVE_INFINITY);
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
    this.#unusable.delete(gkVoiceprintProfileId);
    this.#lockedUntilMs.delete(gkVoiceprintProfileId);
    const removed = this.#prints.remove(gkVoiceprintProfileId);
    if (!removed) return;
    const { row, last } = removed;
    this.#labels.remove(row, last);
    const copying = this.#copying;
    if (copying && row < copying.rows && copying.rows <= last) copying.missed.add(this.#prints.ids.id(row));
  }

  removeOwners(gkOwnerIds: ReadonlySet<string>): void {
    for (const gkOwnerId of gkOwnerIds) {
      const rows = this.#labels.owners.rows(gkOwnerId);
      for (const id of rows.map((row) => this.#prints.ids.id(row))) this.remove(id);
    }
    if (gkOwnerIds.size === 0) return;
    for (const [id, print] of this.#unusable) if (gkOwnerIds.has(print.gkOwnerId)) this.#unusable.delete(id);
  }

  /** The part of the gallery that one comparison is about. */
  at(nowMs: number, tag?: string): Omit<GalleryView, 'members'> {
    const [prints, labels] = [this.#prints, this.#labels];
    const trained = labels.count(tag);
    const shut = this.#shut(nowMs, tag);
    const unusable = this.#unusableOf(tag);
    return {
      trained,
      scorable: trained - shut.size,
      get owners() {
        return labels.ownersOf(tag, prints.size, shut);
      },
      unusable: unusable.length,
      unusableTrained: unusable.filter((print) => print.trained).length,
      ofOtherModels: countByModel(unusable.flatMap((print) => print.trained?.modelRevision ?? [])),
      damaged: unusable.flatMap((print) => (print.damaged ? print.gkVoiceprintProfileId : [])),
      // A print with another tag counts too: a caller that names it means the same one.
      has: (id) => prints.rowOf(id) !== undefined,
      scores: async (model, samples, id) => {
        const row = prints.rowOf(id);
        if (row === undefined) return undefined;
        return samples.map((sample) => {
          const { llr, reliability } = prints.score(model, sample, row);
          return { llr, reliability };
        });
      },
      nearest: (asked) => this.#nearest(asked, nowMs, tag),
      consistency: async (required, limit) => judgeList(this.#judged(tag), required, limit),
    };
  }

  #unusableOf(tag: string | undefined): UnusablePrint[] {
    return [...this.#unusable.values()].filter((print) => !tag || print.tag === tag);
  }

  /** The selected rows that a lock excludes from comparison. */
  #shut(nowMs: number, tag: string | undefined): Set<number> {
    const isMeant = this.#labels.tester(tag);
    const shut = new Set<number>();
    for (const [id, untilMs] of this.#lockedUntilMs) {
      const row = untilMs > nowMs ? this.#prints.rowOf(id) : undefined;
      if (row !== undefined && isMeant(row)) shut.add(row);
    }
    return shut;
  }

  /**
   * The rows of the gallery as bytes, some at a time; it may change in between. A print may appear twice: the
   * later one counts, and changes since the beginning have to be looked up anyway. One copy at a time.
   */
  *copy(partRows: number): Generator<{ rows: number; columns: Uint8Array[] }> {
    const copying: Copying = { rows: 0, missed: new Set() };
    this.#copying = copying;
    try {
      while (copying.rows < this.#prints.size) {
        const first = copying.rows;
        const rows = Math.min(partRows, this.#prints.size - first);
        copying.rows += rows;
        yield { rows, columns: this.#read(first, rows) };
      }
      const { modelRevision: revision, dim } = this.#prints;
      const missed = new Gallery({ revision, dim });
      let rows = 0;
      for (const id of copying.missed) {
        const row = this.#prints.rowOf(id);
        if (row !== undefined) missed.#write(rows++, 1, new Pieces(this.#read(row, 1)));
      }
      if (rows > 0) yield { rows, columns: missed.#read(0, rows) };
    } finally {
      this.#copying = undefined;
    }
  }

  #read(first: number, rows: number): Uint8Array[] {
    return [...this.#prints.read(first, rows), ...this.#labels.read(first, rows)];
  }

  get #named(): Named {
    const { kinds, owners } = this.#labels;
    return { texts: this.#prints.ids.texts, ownerTexts: owners.texts, kinds: kinds.all };
  }

  get rest(): GalleryMetadata {
    return {
      ...this.#named,
      locked: [...this.#lockedUntilMs].map(([id, ms]) => [id, Number.isFinite(ms) ? ms : null] as const),
      unusable: [...this.#unusable.values()],
    };
  }

  /** Appends rows of a copy, in consistent steps. If a print is already here, the later one counts. */
  *append(rows: number, columns: Pieces, { texts, ownerTexts, kinds }: Named): Generator<void> {
    const { ids } = this.#prints;
    const { owners } = this.#labels;
    const first = this.#prints.size;
    this.#write(first, rows, columns);
    ids.renumber(first, rows, ids.numbersOf(texts));
    owners.renumber(first, rows, owners.numbersOf(ownerTexts));
    const numbers = kinds.map((kind) => this.#labels.kinds.number(kind));
    this.#labels.renumber(first, rows, numbers);
    for (let index = 0; index < rows; index++) {
      if (index > 0 && index % STEP_ROWS === 0) yield;
      this.#labels.know(first + index, this.#prints.know(first + index));
    }
  }

  /** Adds the rest of a copy, after its rows. */
  adopt({ locked, unusable }: Pick<GalleryMetadata, 'locked' | 'unusable'>): void {
    for (const [id, untilMs] of locked) this.#lockedUntilMs.set(id, untilMs ?? Number.POSITIVE_INFINITY);
    // A print that was trained during the copy is also among the rows, and counts as changed: it is looked up
    // again.
    for (const print of unusable) this.#unusable.set(print.gkVoiceprintProfileId, print);
  }

  /** Makes space for this many rows, so that tables need not grow repeatedly. */
  reserve(rows: number): void {
    this.#prints.ids.reserve(rows);
    this.#labels.owners.reserve(rows);
  }

  #write(first: number, rows: number, columns: Pieces): void {
    this.#prints.write(first, rows, columns);
    this.#labels.write(first, rows, columns);
    if (columns.left > 0) throw new RangeError('more bytes than rows');
  }

  *#judged(tag: string | undefined): Generator<UnusablePrint> {
    yield* this.#unusableOf(tag);
    const isMeant = this.#labels.tester(tag);
    const { modelRevision } = this.#prints;
    for (let row = 0; row < this.#prints.size; row++) {
      if (!isMeant(row)) continue;
      const { calibrationRevisionId, ...label } = this.#labelOf(row);
      yield { ...label, trained: { calibrationRevisionId, modelRevision } };
    }
  }

  #labelOf(row: number): PrintDetails & { calibrationRevisionId: string } {
    return { gkVoiceprintProfileId: this.#prints.ids.id(row), ...this.#labels.at(row) };
  }

  /** Nothing changes until it is over. */
  async #nearest(asked: Asked, nowMs: number, tag: string | undefined): Promise<NearestPrint[][]> {
    this.#comparing += 1;
    try {
      // Looked up now: a change since the view was created may have renumbered the rows.
      const shut = this.#shut(nowMs, tag);
      const found = (await this.#scanned(asked, shut, tag)) ?? (await this.#searched(asked, shut, tag));
      return found.map((nearest) =>
        nearest.map(({ row, ...score }) => ({ label: this.#labelOf(row), ...score })),
      );
    } finally {
      this.#comparing -= 1;
      if (this.#comparing === 0) for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  async #searched(asked: Asked, shut: ReadonlySet<number>, tag: string | undefined): Promise<Nearest[][]> {
    const isMeant = this.#labels.tester(tag);
    return inTurns(this.#prints.search(asked, (row) => isMeant(row) && !shut.has(row)));
  }

  /** On other threads; undefined if that is not worthwhile, or failed. */
  async #scanned(
    asked: Asked,
    shut: ReadonlySet<number>,
    tag: string | undefined,
  ): Promise<Nearest[][] | undefined> {
    const scanner = this.#scanner;
    const rows = this.#prints.size;
    if (!scanner || rows * asked.samples.length < scanner.rowsMin) return undefined;
    const isAll = this.#labels.count(tag) === rows;
    const job = {
      ...this.#prints.scanJob(asked),
      ...(!isAll && { admitted: await inTurns(this.#labels.meantBits(tag, rows)) }),
      shut: [...shut],
    };
    const parts = await scanner.scan(job);
    return parts && inTurns(this.#prints.best(asked, job, parts));
  }
}

/** Works in steps, with other work in between. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

export function detailsOf(profile: PrintDetails): PrintDetails {
  const { gkVoiceprintProfileId, gkOwnerId, ownerType, tag, version } = profile;
  return { gkVoiceprintProfileId, gkOwnerId, ownerType, tag, version };
}
