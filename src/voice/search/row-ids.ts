// Identifiers of rows, 16 bytes each, and a hash table from them to rows without any object per row, because
// a million strings in a map take as much memory as the voices. Identifiers are UUIDs here; others are kept
// as texts beside the table.
import { BLOCK_ROWS, Column, integers } from './columns.js';

const WORDS = 4;
/** Fuller than this, the table grows: only by a little, because every empty slot costs memory. */
const LOAD_MAX = 0.8;
const GROWTH = 1.25;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The first word of an identifier that is a text; no UUID of a known version looks like that. */
const TEXT_MARK = 0xffffffff;
const NO_TEXT = 0xffffffff;
/**
 * Reused: a search result names a hundred prints and their owners, so formatting an identifier allocates only
 * its text.
 */
const uuidBytes = Buffer.alloc(4 * WORDS);

export class RowIds {
  /** The identifiers themselves, by row. */
  readonly column = new Column(integers, WORDS);
  /** Row numbers plus one; 0 for an empty slot. */
  #slots = new Int32Array(16);
  #indexed = 0;
  readonly #texts: string[] = [];
  readonly #textNumbers = new Map<string, number>();

  /** The identifiers that are not UUIDs; the column refers to them. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  id(row: number): string {
    if (this.isText(row)) return this.#texts[this.column.at(row, WORDS - 1)] ?? '';
    for (let word = 0; word < WORDS; word++) uuidBytes.writeUInt32BE(this.column.at(row, word), 4 * word);
    const hex = uuidBytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Writes an identifier and indexes the row by it; several rows may have the same. */
  put(row: number, id: string): void {
    this.column.row(row).set(this.#words(id) ?? this.#newText(id));
    this.index(row);
  }

  isText(row: number): boolean {
    return this.column.at(row, 0) === TEXT_MARK && this.column.at(row, 1) === TEXT_MARK;
  }

  /** Indexes a row whose identifier is already in the column. */
  index(row: number): void {
    this.reserve(this.#indexed + 1);
    let slot = this.#home(row);
    while (this.#slots[slot] !== 0) slot = this.#next(slot);
    this.#slots[slot] = row + 1;
    this.#indexed += 1;
  }

  rows(id: string): number[] {
    const words = this.#words(id);
    return words ? this.#rowsOf(words) : [];
  }

  /**
   * Indexes a row by the identifier written at another row, unless a row is already indexed by it: then
   * returns that row.
   */
  claim(row: number, written: number): number | undefined {
    this.reserve(this.#indexed + 1);
    const words = this.column.block(written);
    const from = (written % BLOCK_ROWS) * WORDS;
    let slot = this.#homeOf(words[from] as number, words[from + WORDS - 1] as number);
    for (; this.#slots[slot] !== 0; slot = this.#next(slot)) {
      const other = (this.#slots[slot] as number) - 1;
      if (this.#isLike(other, words, from)) return other;
    }
    this.#slots[slot] = row + 1;
    this.#indexed += 1;
    return undefined;
  }

  /** Removes the row from the index; its contents stay until they are overwritten. */
  forget(row: number): void {
    const { length } = this.#slots;
    let hole = this.#slotOf(row);
    // Later entries that had been displaced move up, so that a search never ends too early.
    for (let slot = this.#next(hole); this.#slots[slot] !== 0; slot = this.#next(slot)) {
      const home = this.#home((this.#slots[slot] as number) - 1);
      const away = (slot - home + length) % length;
      if (away < (slot - hole + length) % length) continue;
      this.#slots[hole] = this.#slots[slot] as number;
      hole = slot;
    }
    this.#slots[hole] = 0;
    this.#indexed -= 1;
  }

  /** Moves row `from` to row `to`, which must have been forgotten. */
  move(from: number, to: number): void {
    const slot = this.#slotOf(from);
    this.column.copyRow(from, to);
    this.#slots[slot] = to + 1;
  }

  /** Makes space for this many rows. */
  reserve(rows: number): void {
    if (rows <= this.#slots.length * LOAD_MAX) return;
    const known = this.#slots;
    let length = known.length;
    while (rows > length * LOAD_MAX) length = Math.ceil(length * GROWTH);
    this.#slots = new Int32Array(length);
    this.#indexed = 0;
    for (const entry of known) if (entry !== 0) this.index(entry - 1);
  }

  /**
   * The numbers of these texts here, assigned if they are new: imported rows refer to them by other numbers.
   */
  numbersOf(texts: readonly string[]): number[] {
    return texts.map((text) => this.#textNumbers.get(text) ?? (this.#newText(text)[WORDS - 1] as number));
  }

  /** Converts the text numbers of imported rows, which are not indexed yet, to those used here. */
  renumber(first: number, count: number, numbers: readonly number[]): void {
    if (numbers.every((number, index) => number === index)) return;
    for (let row = first; row < first + count; row++) {
      if (!this.isText(row)) continue;
      const words = this.column.row(row);
      words[WORDS - 1] = numbers[words[WORDS - 1] as number] ?? NO_TEXT;
    }
  }

  /** Bytes of the table alone; the column is counted with the other columns. */
  get tableBytes(): number {
    return this.#slots.byteLength;
  }

  #rowsOf(wanted: ArrayLike<number>): number[] {
    const found: number[] = [];
    for (let slot = this.#homeOf(wanted[0] as number, wanted[3] as number); this.#slots[slot] !== 0;) {
      const row = (this.#slots[slot] as number) - 1;
      if (this.#isLike(row, wanted, 0)) found.push(row);
      slot = this.#next(slot);
    }
    return found;
  }

  /** Whether a row's identifier equals the one at a position among others. */
  #isLike(row: number, wanted: ArrayLike<number>, from: number): boolean {
    const words = this.column.block(row);
    const at = (row % BLOCK_ROWS) * WORDS;
    for (let i = WORDS - 1; i >= 0; i--) if (words[at + i] !== wanted[from + i]) return false;
    return true;
  }

  #slotOf(row: number): number {
    let slot = this.#home(row);
    while (this.#slots[slot] !== row + 1) {
      if (this.#slots[slot] === 0) throw new RangeError('a row that is not in the table');
      slot = this.#next(slot);
    }
    return slot;
  }

  #home(row: number): number {
    return this.#homeOf(this.column.at(row, 0), this.column.at(row, WORDS - 1));
  }

  #homeOf(first: number, last: number): number {
    const mixed = Math.imul(first ^ last, 0x9e3779b1);
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * this.#slots.length);
  }

  #next(slot: number): number {
    return slot + 1 < this.#slots.length ? slot + 1 : 0;
  }

  #words(id: string): number[] | undefined {
    if (uuid.test(id))
      return [
        Number.parseInt(id.slice(0, 8), 16),
        Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
        Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
        Number.parseInt(id.slice(28), 16),
      ];
    const number = this.#textNumbers.get(id);
    return number === undefined ? undefined : [TEXT_MARK, TEXT_MARK, 0, number];
  }

  #newText(text: string): number[] {
    const number = this.#texts.push(text) - 1;
    this.#textNumbers.set(text, number);
    return [TEXT_MARK, TEXT_MARK, 0, number];
  }
}
