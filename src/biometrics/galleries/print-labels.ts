// What is known about the prints of a gallery besides their voices, by the row numbers of the gallery: a few bytes each,
// because a million objects would take as much memory as the voices.
import { Column, Columns, integers, type Pieces } from '../../voice/search/columns.js';
import { RowIds } from '../../voice/search/row-ids.js';
import type { PrintDetails } from '../model/profiles.js';

/** Rows that are examined without a pause. */
const STEP_ROWS = 32_768;
/** Up to this many rows, owners are counted individually. */
const OWNERS_COUNTED_MAX = 20_000;
const UNKNOWN_KIND = 'a row of no known kind';

interface Label extends Omit<PrintDetails, 'gkVoiceprintProfileId'> {
  calibrationRevisionId: string;
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
  /** Prints by the number of their kind; the one last counted is usually also the next. */
  readonly #counts = new Map<number, { kind: number; prints: number }>();
  #counting = { kind: -1, prints: 0 };
  /**
   * The last selection, until a row changes: scanning a million rows takes as long as comparing with them.
   */
  #lastMeant: { key: string; bits: Uint8Array } | undefined;
  #changes = 0;

  put(row: number, { gkOwnerId, version, ...kind }: Label): void {
    this.owners.put(row, gkOwnerId);
    this.#kinds.set(row, this.kinds.number(kind));
    this.#versions.set(row, version);
    this.#count(row, 1);
  }

  /** The last row moves into the removed one. */
  remove(row: number, last: number): void {
    this.#count(row, -1);
    this.owners.forget(row);
    if (row === last) return;
    this.owners.move(last, row);
    this.#columns.copyRow(last, row);
  }

  at(row: number): Label {
    const kind = this.kinds.all[this.#kinds.get(row)];
    if (!kind) throw new RangeError(UNKNOWN_KIND);
    return { gkOwnerId: this.owners.id(row), version: this.#versions.get(row), ...kind };
  }

  /** Whether a row has the tag; without a tag, all rows are meant. */
  tester(tag: string | undefined): (row: number) => boolean {
    const meant = tag ? this.kinds.withTag(tag) : undefined;
    return (row) => !meant || meant[this.#kinds.get(row)] === 1;
  }

  /** How many rows have the tag. */
  count(tag: string | undefined): number {
    const meant = tag ? this.kinds.withTag(tag) : undefined;
    let sum = 0;
    for (const { kind, prints } of this.#counts.values()) if (!meant || meant[kind] === 1) sum += prints;
    return sum;
  }

  /**
   * The number of owners of the selected rows, without some; unknown for many rows with several tags. Nobody
   * has two prints with the same tag.
   */
  ownersOf(tag: string | undefined, rows: number, without: ReadonlySet<number>): number | undefined {
    if (tag || this.#hasOneTag()) return this.count(tag) - without.size;
    if (rows > OWNERS_COUNTED_MAX) return undefined;
    const owners = new Set<string>();
    for (let row = 0; row < rows; row++) if (!without.has(row)) owners.add(this.owners.id(row));
    return owners.size;
  }

  #hasOneTag(): boolean {
    const tags = new Set<string | undefined>();
    for (const { kind, prints } of this.#counts.values()) if (prints > 0) tags.add(this.kinds.all[kind]?.tag);
    return tags.size <= 1;
  }

  /** One bit per selected row, in memory shared between threads; in steps. */
  *meantBits(tag: string | undefined, rows: number): Generator<void, Uint8Array> {
    const key = JSON.stringify([tag, rows]);
    if (this.#lastMeant?.key === key) return this.#lastMeant.bits;
    const changesBefore = this.#changes;
    const bits = new Uint8Array(new SharedArrayBuffer(Math.ceil(rows / 8)));
    const isMeant = this.tester(tag);
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
  know(written: number, { row, isNew }: { row: number; isNew: boolean }): void {
    if (!isNew) {
      this.#count(row, -1);
      this.owners.forget(row);
    }
    if (row !== written) this.#columns.copyRow(written, row);
    this.owners.index(row);
    this.#count(row, 1);
  }

  memoryBytes(): number {
    return this.owners.tableBytes + this.#columns.heldBytes;
  }

  /** Called with every change of a row. */
  #count(row: number, by: number): void {
    this.#changes += 1;
    this.#lastMeant = undefined;
    const kind = this.#kinds.get(row);
    if (this.#counting.kind !== kind) {
      this.#counting = this.#counts.get(kind) ?? { kind, prints: 0 };
      this.#counts.set(kind, this.#counting);
    }
    this.#counting.prints += by;
  }
}
