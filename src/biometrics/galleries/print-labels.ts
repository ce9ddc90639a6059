// What is known about the prints of a gallery besides their voices, by the row numbers of the gallery: a few bytes each,
// because a million objects would take as much memory as the voices.
import { bytes, Column, Columns, integers, type Pieces } from '../../voice/search/columns.js';
import { RowIds } from '../../voice/search/row-ids.js';
import type { PrintDetails } from '../model/profiles.js';

/** Rows that are examined without a pause. */
const STEP_ROWS = 32_768;
/** Up to this many rows, owners are counted individually. */
const OWNERS_COUNTED_MAX = 20_000;
const UNKNOWN_KIND = 'a row of no known kind';
/** As many as one byte can distinguish. */
const SHARE_NUMBERS = 256;

interface Label extends Omit<PrintDetails, 'gkVoiceprintProfileId'> {
  calibrationRevisionId: string;
}

/** Which rows are selected: all, those with a tag, those of some shares. */
export interface RowFilter {
  tag?: string | undefined;
  shares?: ReadonlySet<number> | undefined;
}

/** Values that prints share: a million prints have only a few combinations. */
export type PrintKind = Pick<Label, 'ownerType' | 'tag' | 'calibrationRevisionId'>;

/** Each kind once, by number. */
class Kinds {
  readonly all: PrintKind[] = [];
  readonly #numbers = new Map<string, number>();

  number({ ownerType, tag, calibrationRevisionId }: PrintKind): number {
    const key = JSON.stringify([ownerType, tag, calibrationRevisionId]);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.all.push({ ownerType, tag, calibrationRevisionId }) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** For each kind, by number, whether it is selected. */
  withTag(tag: string): Uint8Array {
    return Uint8Array.from(this.all, (kind) => (kind.tag === tag ? 1 : 0));
  }
}

export class PrintLabels {
  readonly owners = new RowIds();
  readonly kinds = new Kinds();
  readonly #kinds = new Column(integers);
  readonly #versions = new Column(integers);
  readonly #columns = new Columns([this.owners.column, this.#kinds, this.#versions]);
  /** Numbers of kinds here, by their numbers in galleries that prints were copied from. */
  readonly #otherKinds = new WeakMap<PrintLabels, number[]>();
  /** Prints by the number of their kind and by share; the one last counted is usually also the next. */
  readonly #counts = new Map<number, { key: number; prints: number }>();
  #counting = { key: -1, prints: 0 };
  /** The share of each row, if the gallery is a part; derived from the owner, and so not in snapshots. */
  readonly #shares = new Column(bytes);
  readonly #shareOf: ((gkOwnerId: string) => number) | undefined;
  /**
   * The last selection, until a row changes: scanning a million rows takes as long as comparing with them.
   */
  #lastMeant: { key: string; bits: Uint8Array } | undefined;
  #changes = 0;

  constructor(shareOf?: (gkOwnerId: string) => number) {
    this.#shareOf = shareOf;
  }

  put(row: number, { gkOwnerId, version, ...kind }: Label): void {
    this.owners.put(row, gkOwnerId);
    this.#kinds.set(row, this.kinds.number(kind));
    this.#versions.set(row, version);
    if (this.#shareOf) this.#shares.set(row, this.#shareOf(gkOwnerId));
    this.#count(row, 1);
  }

  /** Copies the label of a row from other labels. */
  take(other: PrintLabels, otherRow: number, row: number): void {
    this.#columns.takeRow(other.#columns, otherRow, row);
    this.owners.take(other.owners, otherRow, row);
    this.#kinds.set(row, this.#kindOf(other, otherRow));
    if (this.#shareOf)
      this.#shares.set(
        row,
        other.#shareOf ? other.#shares.get(otherRow) : this.#shareOf(this.owners.id(row)),
      );
    this.#count(row, 1);
  }

  /** By the number that it has here. */
  #kindOf(other: PrintLabels, otherRow: number): number {
    let numbers = this.#otherKinds.get(other);
    if (!numbers) this.#otherKinds.set(other, (numbers = []));
    const theirs = other.#kinds.get(otherRow);
    const kind = other.kinds.all[theirs];
    if (!kind) throw new RangeError(UNKNOWN_KIND);
    return (numbers[theirs] ??= this.kinds.number(kind));
  }

  /** The last row moves into the removed one. */
  remove(row: number, last: number): void {
    this.#count(row, -1);
    this.owners.forget(row);
    if (row === last) return;
    this.owners.move(last, row);
    this.#columns.copyRow(last, row);
    if (this.#shareOf) this.#shares.copyRow(last, row);
  }

  at(row: number): Label {
    const kind = this.kinds.all[this.#kinds.get(row)];
    if (!kind) throw new RangeError(UNKNOWN_KIND);
    return { gkOwnerId: this.owners.id(row), version: this.#versions.get(row), ...kind };
  }

  /** Whether a row is meant. */
  tester({ tag, shares }: RowFilter): (row: number) => boolean {
    const meant = tag ? this.kinds.withTag(tag) : undefined;
    const hasTag = (row: number) => !meant || meant[this.#kinds.get(row)] === 1;
    return shares ? (row) => shares.has(this.#shares.get(row)) && hasTag(row) : hasTag;
  }

  /** How many of the rows are meant. */
  count({ tag, shares }: RowFilter): number {
    const meant = tag ? this.kinds.withTag(tag) : undefined;
    let sum = 0;
    for (const [key, { prints }] of this.#counts)
      if (
        (!meant || meant[Math.floor(key / SHARE_NUMBERS)] === 1) &&
        (!shares || shares.has(key % SHARE_NUMBERS))
      )
        sum += prints;
    return sum;
  }

  /**
   * The number of owners of the selected rows, without some; unknown for many rows with several tags. Nobody
   * has two prints with the same tag.
   */
  ownersOf(filter: RowFilter, rows: number, without: ReadonlySet<number>): number | undefined {
    if (filter.tag || this.#hasOneTag()) return this.count(filter) - without.size;
    if (rows > OWNERS_COUNTED_MAX) return undefined;
    const isMeant = this.tester(filter);
    const owners = new Set<string>();
    for (let row = 0; row < rows; row++)
      if (isMeant(row) && !without.has(row)) owners.add(this.owners.id(row));
    return owners.size;
  }

  #hasOneTag(): boolean {
    const tags = new Set<string | undefined>();
    for (const [key, { prints }] of this.#counts)
      if (prints > 0) tags.add(this.kinds.all[Math.floor(key / SHARE_NUMBERS)]?.tag);
    return tags.size <= 1;
  }

  /** One bit per selected row, in memory shared between threads; in steps. */
  *meantBits(filter: RowFilter, rows: number): Generator<void, Uint8Array> {
    const key = JSON.stringify([filter.tag, filter.shares && [...filter.shares].sort(), rows]);
    if (this.#lastMeant?.key === key) return this.#lastMeant.bits;
    const changesBefore = this.#changes;
    const bits = new Uint8Array(new SharedArrayBuffer(Math.ceil(rows / 8)));
    const isMeant = this.tester(filter);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && row % STEP_ROWS === 0) yield;
      if (isMeant(row)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    }
    if (this.#changes === changesBefore) this.#lastMeant = { key, bits };
    return bits;
  }

  read(first: number, count: number): Uint8Array[] {
    return this.#columns.read(first, count);
  }

  /** Writes the output of `read`. */
  write(first: number, count: number, from: Pieces): void {
    this.#columns.write(first, count, from);
  }

  /** Converts the kind numbers of appended rows to those used here. */
  renumber(first: number, count: number, numbers: readonly number[]): void {
    for (let row = first; row < first + count; row++) {
      const number = numbers[this.#kinds.get(row)];
      if (number === undefined) throw new RangeError(UNKNOWN_KIND);
      this.#kinds.set(row, number);
    }
  }

  /** Indexes a written row at its current position; `isNew`: nobody had it before. */
  know(written: number, { row, isNew }: { row: number; isNew: boolean }, share = 0): void {
    if (!isNew) {
      this.#count(row, -1);
      this.owners.forget(row);
    }
    if (row !== written) this.#columns.copyRow(written, row);
    if (this.#shareOf) this.#shares.set(row, share);
    this.owners.index(row);
    this.#count(row, 1);
  }

  /** The share of a row; 0 if there are none. */
  shareAt(row: number): number {
    return this.#shareOf ? this.#shares.get(row) : 0;
  }

  memoryBytes(): number {
    return this.owners.tableBytes + this.#columns.heldBytes + this.#shares.heldBytes;
  }

  /** Called with every change of a row. */
  #count(row: number, by: number): void {
    this.#changes += 1;
    this.#lastMeant = undefined;
    const key = this.#kinds.get(row) * SHARE_NUMBERS + (this.#shareOf ? this.#shares.get(row) : 0);
    if (this.#counting.key !== key) {
      this.#counting = this.#counts.get(key) ?? { key, prints: 0 };
      this.#counts.set(key, this.#counting);
    }
    this.#counting.prints += by;
  }
}
