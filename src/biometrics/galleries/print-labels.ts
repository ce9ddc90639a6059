// What is known about the prints of a gallery beside their voices, by the row numbers of the gallery: a few bytes each, because
// a million objects would take as much memory as the voices.
import { bytes, Column, Columns, integers } from '../../voice/search/columns.js';
import { RowIds } from '../../voice/search/row-ids.js';
import type { PrintDetails } from '../model/profiles.js';

/** Rows that are looked at without a pause. */
const STEP_ROWS = 32_768;

export interface Label extends Omit<PrintDetails, 'gkVoiceprintProfileId'> {
  calibrationRevisionId: string;
}

/** Each text once, by a number: a million prints share a few tags and calibrations. */
class Texts {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) this.#numbers.set(text, (number = this.all.push(text) - 1));
    return number;
  }

  adopt(texts: readonly string[]): void {
    for (const text of texts) this.number(text);
  }

  known(text: string): number | undefined {
    return this.#numbers.get(text);
  }
}

export class PrintLabels {
  readonly owners = new RowIds();
  readonly tags = new Texts();
  readonly calibrations = new Texts();
  readonly #isPerson = new Column(bytes);
  readonly #tags = new Column(integers);
  readonly #versions = new Column(integers);
  readonly #calibrations = new Column(integers);
  readonly #columns = new Columns([
    this.owners.column,
    this.#isPerson,
    this.#tags,
    this.#versions,
    this.#calibrations,
  ]);
  /** Prints by the number of their tag. */
  readonly #tagCounts: number[] = [];

  put(row: number, { gkOwnerId, ownerType, tag, version, calibrationRevisionId }: Label): void {
    this.owners.put(row, gkOwnerId);
    this.#isPerson.set(row, ownerType === 'PERSON' ? 1 : 0);
    this.#tags.set(row, this.tags.number(tag));
    this.#versions.set(row, version);
    this.#calibrations.set(row, this.calibrations.number(calibrationRevisionId));
    this.#count(row, 1);
  }

  /** The last row takes the place of the one that goes. */
  remove(row: number, last: number): void {
    this.#count(row, -1);
    this.owners.forget(row);
    if (row === last) return;
    this.owners.move(last, row);
    this.copyRow(last, row);
  }

  at(row: number): Label {
    return {
      gkOwnerId: this.owners.id(row),
      ownerType: this.#isPerson.get(row) === 1 ? 'PERSON' : 'FRAUDSTER',
      tag: this.tags.all[this.#tags.get(row)] ?? '',
      version: this.#versions.get(row),
      calibrationRevisionId: this.calibrations.all[this.#calibrations.get(row)] ?? '',
    };
  }

  /** Whether a row has the tag; without one, all have. */
  tester(tag: string | undefined): (row: number) => boolean {
    if (!tag) return () => true;
    const number = this.tags.known(tag);
    return (row) => this.#tags.get(row) === number;
  }

  /** How many prints have the tag. */
  tagged(tag: string): number {
    return this.#tagCounts[this.tags.known(tag) ?? -1] ?? 0;
  }

  /** One bit for each row that has the tag, in memory that threads share; in steps. */
  *taggedBits(tag: string, rows: number): Generator<void, Uint8Array> {
    const bits = new Uint8Array(new SharedArrayBuffer(Math.ceil(rows / 8)));
    const has = this.tester(tag);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && row % STEP_ROWS === 0) yield;
      if (has(row)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    }
    return bits;
  }

  read(first: number, count: number): Uint8Array[] {
    return this.#columns.read(first, count);
  }

  /** Takes what `read` gave; answers what follows it. */
  write(first: number, count: number, from: Uint8Array): Uint8Array {
    return this.#columns.write(first, count, from);
  }

  copyRow(row: number, into: number): void {
    this.#columns.copyRow(row, into);
  }

  /** Makes the rows known that were written into empty labels, in steps. */
  *adopt(rows: number): Generator<void> {
    this.owners.reserve(rows);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && row % STEP_ROWS === 0) yield;
      this.owners.index(row);
      this.#count(row, 1);
    }
  }

  memoryBytes(): number {
    return this.owners.tableBytes + this.#columns.heldBytes;
  }

  #count(row: number, by: number): void {
    const tag = this.#tags.get(row);
    this.#tagCounts[tag] = (this.#tagCounts[tag] ?? 0) + by;
  }
}
