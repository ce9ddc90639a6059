// What is known about the prints of a gallery beside their voices, by the row numbers of the gallery: a few bytes each, because
// a million objects would take as much memory as the voices.
import { bytes, Column, Columns, integers } from '../../voice/search/columns.js';
import { RowIds } from '../../voice/search/row-ids.js';
import type { PrintDetails } from '../model/profiles.js';

/** Rows that are looked at without a pause. */
const STEP_ROWS = 32_768;
/** As many as one byte can tell apart. */
const SHARE_NUMBERS = 256;

export interface Label extends Omit<PrintDetails, 'gkVoiceprintProfileId'> {
  calibrationRevisionId: string;
}

/** Which rows are meant: all, those with a tag, those of some shares. */
export interface RowFilter {
  tag?: string | undefined;
  shares?: ReadonlySet<number> | undefined;
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
  /** Prints by the number of their tag and by share. */
  readonly #counts = new Map<number, number>();
  /** Of each row, where the gallery is a part of one; found by the owner, and so in no snapshot. */
  readonly #shares = new Column(bytes);
  readonly #shareOf: ((gkOwnerId: string) => number) | undefined;

  constructor(shareOf?: (gkOwnerId: string) => number) {
    this.#shareOf = shareOf;
  }

  put(row: number, { gkOwnerId, ownerType, tag, version, calibrationRevisionId }: Label): void {
    this.owners.put(row, gkOwnerId);
    this.#isPerson.set(row, ownerType === 'PERSON' ? 1 : 0);
    this.#tags.set(row, this.tags.number(tag));
    this.#versions.set(row, version);
    this.#calibrations.set(row, this.calibrations.number(calibrationRevisionId));
    if (this.#shareOf) this.#shares.set(row, this.#shareOf(gkOwnerId));
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

  /** Whether a row is meant. */
  tester({ tag, shares }: RowFilter): (row: number) => boolean {
    const number = tag ? this.tags.known(tag) : undefined;
    const hasTag = (row: number) => !tag || this.#tags.get(row) === number;
    return shares ? (row) => shares.has(this.#shares.get(row)) && hasTag(row) : hasTag;
  }

  /** How many of the rows are meant. */
  count({ tag, shares }: RowFilter): number {
    const number = tag ? this.tags.known(tag) : undefined;
    let sum = 0;
    for (const [key, count] of this.#counts)
      if (
        (!tag || Math.floor(key / SHARE_NUMBERS) === number) &&
        (!shares || shares.has(key % SHARE_NUMBERS))
      )
        sum += count;
    return sum;
  }

  /** One bit for each row that is meant, in memory that threads share; in steps. */
  *meantBits(filter: RowFilter, rows: number): Generator<void, Uint8Array> {
    const bits = new Uint8Array(new SharedArrayBuffer(Math.ceil(rows / 8)));
    const isMeant = this.tester(filter);
    for (let row = 0; row < rows; row++) {
      if (row > 0 && row % STEP_ROWS === 0) yield;
      if (isMeant(row)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
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
    if (this.#shareOf) this.#shares.copyRow(row, into);
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
    const key = this.#tags.get(row) * SHARE_NUMBERS + (this.#shareOf ? this.#shares.get(row) : 0);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }
}
